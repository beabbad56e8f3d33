"""Everything that can be chosen in a run, and whether it makes sense."""

from __future__ import annotations

import os
from dataclasses import dataclass, fields, replace
from typing import Any, Literal

import numpy as np

from polygauge.errors import OptionError
from polygauge.io import FrameOptions, ReadOptions
from polygauge.io.coco import CocoFrameOptions, CocoOptions
from polygauge.matching import RULES, Rule
from polygauge.suites import Suite, get_suite
from polygauge.tables import Side

DEFAULT_AREA_CLASSES = "50,200,1000"

_COCO_ONLY = ("nested", "boxes", "max_detections")
_LAYERS_ONLY = (
    "aoi",
    "ignore",
    "crs",
    "reference_crs",
    "prediction_crs",
    "reference_layer",
    "prediction_layer",
    "id",
    "reference_id",
    "prediction_id",
    "score",
    "geometry",
    "tile",
    "explode",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Everything that can be chosen in a run; `None` leaves the choice to the suite or the data.

    The fields have the names of the command's options, of the keywords of `polygauge.evaluate`
    and of the keys of config.toml.
    """

    suite: str = "footprints"
    metrics: tuple[str, ...] | None = None
    match: Rule | None = None
    threshold: float | None = None
    thresholds: tuple[float, ...] | None = None
    group_share: float | None = None
    gsd: float | None = None
    width: float | None = None
    spacing: float = 0.1
    tolerance: float | None = None
    strata: tuple[str, ...] = ()
    area_classes: str = DEFAULT_AREA_CLASSES
    reference_layer: str | None = None
    prediction_layer: str | None = None
    id: str | None = None
    reference_id: str | None = None
    prediction_id: str | None = None
    score: str | None = None
    tile: str | None = None
    geometry: str | None = None
    reference_crs: str | None = None
    prediction_crs: str | None = None
    crs: str | None = None
    aoi: Any = None
    ignore: Any = None
    min_area: float = 0.0
    edge_objects: Literal["count", "ignore"] = "count"
    invalid: Literal["repair", "drop", "fail"] = "repair"
    explode: bool = False
    rings: Literal["all", "exterior", "as-stored"] = "all"
    nested: Literal["union", "holes"] = "union"
    boxes: Literal["skip", "polygon"] = "skip"
    max_detections: tuple[int, ...] | None = None
    seed: int = 0
    jobs: int | None = None

    def __post_init__(self) -> None:
        _require(self.match is None or self.match in RULES, "match", self.match, " or ".join(RULES))
        for name in ("threshold", "group_share"):
            value = getattr(self, name)
            _require(value is None or 0 < value <= 1, name, value, "a number above 0 and up to 1")
        for value in self.thresholds or ():
            _require(0 < value <= 1, "thresholds", value, "numbers above 0 and up to 1")
        for name in ("gsd", "width", "spacing", "tolerance"):
            value = getattr(self, name)
            _require(
                value is None or (np.isfinite(value) and value > 0), name, value, "a length above 0"
            )
        _require(self.min_area >= 0, "min_area", self.min_area, "an area of 0 or more")
        _require(self.jobs is None or self.jobs >= 1, "jobs", self.jobs, "1 or more threads")
        _require(
            self.edge_objects in ("count", "ignore"),
            "edge_objects",
            self.edge_objects,
            "count or ignore",
        )
        _require(
            self.invalid in ("repair", "drop", "fail"),
            "invalid",
            self.invalid,
            "repair, drop or fail",
        )
        _require(
            self.rings in ("all", "exterior", "as-stored"),
            "rings",
            self.rings,
            "all, exterior or as-stored",
        )
        for cap in self.max_detections or ():
            _require(cap >= 1, "max_detections", cap, "numbers of 1 or more, as 1,10,100")
        self.coco_options()
        get_suite(self.suite)

    def read_options(self, side: Side) -> ReadOptions:
        """How one side is read."""
        is_reference = side == "reference"
        own_id = self.reference_id if is_reference else self.prediction_id
        columns = tuple(name for name in self.strata if name != "area") if is_reference else ()
        return ReadOptions(
            layer=self.reference_layer if is_reference else self.prediction_layer,
            id=own_id or self.id,
            score=None if is_reference else self.score,
            tile=self.tile,
            geometry=self.geometry,
            columns=columns,
            crs=self.reference_crs if is_reference else self.prediction_crs,
            invalid=self.invalid,
            explode=self.explode,
        )

    def frame_options(self) -> FrameOptions:
        """How the two sides are brought together.

        Raises
        ------
        OptionError
            An option is for COCO files only.
        """
        if self.rings == "as-stored":
            raise OptionError("rings as stored are for COCO files", hint="give all or exterior")
        self._refuse(_COCO_ONLY, "only means something for COCO files")
        return FrameOptions(
            crs=self.crs,
            aoi=self.aoi,
            ignore=self.ignore,
            min_area=self.min_area,
            edge_objects=self.edge_objects,
            rings=self.rings,
        )

    def coco_options(self) -> CocoOptions:
        """How COCO files are read."""
        return CocoOptions(invalid=self.invalid, nested=self.nested, boxes=self.boxes)

    def coco_frame_options(self) -> CocoFrameOptions:
        """How annotations become features.

        Raises
        ------
        OptionError
            An option means nothing for COCO files.
        """
        self._refuse(_LAYERS_ONLY, "means nothing for COCO files")
        tiles = get_suite(self.suite).tiles
        return CocoFrameOptions(
            unit="pixel" if tiles is None else tiles.unit,
            gsd=self.gsd,
            rings=self.rings,
            min_area=self.min_area,
            edge_objects=self.edge_objects,
        )

    def _refuse(self, names: tuple[str, ...], why: str) -> None:
        """Refuse options that were given although they cannot have an effect."""
        defaults = {f.name: f.default for f in fields(self)}
        for name in names:
            if getattr(self, name) != defaults[name]:
                raise OptionError(f"{name.replace('_', '-')} {why}", hint="leave it out")

    def recipe(self) -> Suite:
        """The suite with the choices made here put in."""
        overrides = {
            name: getattr(self, name)
            for name in ("metrics", "match", "threshold", "thresholds", "group_share")
            if getattr(self, name) is not None
        }
        suite = get_suite(self.suite)
        if self.max_detections is not None:
            if suite.tiles is None:
                raise OptionError(
                    f"max-detections means nothing in the suite {suite.name}",
                    hint="leave it out, or choose a suite of images such as p3 or coco",
                )
            overrides["tiles"] = replace(suite.tiles, max_detections=self.max_detections)
        return replace(suite, **overrides)

    def as_dict(self) -> dict[str, Any]:
        """Plain values by name, the suite's choices filled in; regions given as data by type."""
        recipe = self.recipe()
        plain = {f.name: getattr(self, f.name) for f in fields(self)}
        for name in ("metrics", "match", "threshold", "thresholds", "group_share"):
            plain[name] = getattr(recipe, name)
        for name in ("aoi", "ignore"):
            region = plain[name]
            if isinstance(region, (str, os.PathLike)):
                plain[name] = os.fspath(region)
            elif region is not None:
                plain[name] = f"<{type(region).__name__}>"
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in plain.items()
        }


def _require(holds: bool, name: str, value: Any, expected: str) -> None:
    if not holds:
        raise OptionError(f"{name.replace('_', '-')} is {value!r}", hint=f"give {expected}")
