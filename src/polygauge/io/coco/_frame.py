"""COCO files brought into one frame, ready to be compared."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from polygauge.geometry import FloatArray
from polygauge.io._frame import Frame, TileFrame
from polygauge.io._layer import plain_id
from polygauge.io._ledger import Event, make_ledger
from polygauge.io.coco._features import Rings, coco_features, ground_sizes, tile_names
from polygauge.io.coco._kinds import KINDS
from polygauge.io.coco._tables import SEGMENTATION_KINDS, Annotations, Coco
from polygauge.tables import Features, Judged

_REPAIRED = ("bridge", "invalid-ring", "ring-left-out", "box-as-polygon")
_WHAT = {kind.code: kind.what for kind in KINDS}


@dataclass(frozen=True, slots=True, kw_only=True)
class CocoFrameOptions:
    """How annotations become features.

    Attributes
    ----------
    unit : {"pixel", "metre"}
        What lengths are in; metres need the ground size of a pixel.
    gsd : float or None
        Side of a pixel in metres; as the images say where None.
    rings : {"all", "exterior", "as-stored"}
        With holes; without; or vertices and distances along the rings as the files store them,
        bridges to holes included, while overlaps stay those of the polygons.
    min_area : float
        Smaller annotations are set aside, square `unit`s.
    edge_objects : {"count", "ignore"}
        Annotations that reach within a pixel of the edge of their image are counted, or set aside.
    """

    unit: Literal["pixel", "metre"] = "pixel"
    gsd: float | None = None
    rings: Rings = "all"
    min_area: float = 0.0
    edge_objects: Literal["count", "ignore"] = "count"


def coco_frame(coco: Coco, options: CocoFrameOptions) -> Frame:
    """Both sides as features, a tile an image.

    Raises
    ------
    CrsError
        Lengths are to be in metres and an image does not say how large its pixels are.
    """
    if coco.prediction is None:
        raise AssertionError("a frame has two sides")
    sizes = ground_sizes(coco.images, options.gsd) if options.unit == "metre" else None
    plain: Rings = "all" if options.rings == "as-stored" else options.rings
    sides = (coco.reference, coco.prediction)
    boxes = _boxes(coco, sizes)
    pixels = np.ones(len(boxes)) if sizes is None else sizes
    reference, prediction = (
        _judge(coco_features(coco, s, rings=plain, gsd=sizes), options, boxes, pixels)
        for s in sides
    )
    drawn = None
    if options.rings == "as-stored":
        a, b = (coco_features(coco, s, rings="as-stored", gsd=sizes) for s in sides)
        drawn = (a, b)
    events: list[Event] = []
    counts: dict[str, Any] = {}
    for side, features in zip(sides, (reference, prediction), strict=True):
        own = _events(coco, side, features)
        events += own
        counts[side.side] = _counts(side, features, own)
    groups = coco.findings.groups()
    return Frame(
        reference=reference,
        prediction=prediction,
        ledger=make_ledger(events),
        counts=counts,
        notes=tuple(g.text for g in groups if g.kind.severity == "note"),
        warnings=tuple(g.text for g in groups if g.kind.severity != "note"),
        policies=_policies(coco, options, sizes),
        tiles=TileFrame(
            names=tile_names(coco.images),
            boxes=boxes,
            gsd=None if sizes is None else float(np.median(sizes)),
            drawn=drawn,
        ),
    )


def _judge(
    features: Features, options: CocoFrameOptions, boxes: FloatArray, pixels: FloatArray
) -> Features:
    """Set aside what the options exclude and nothing excluded before."""
    tiles = features.tiles
    assert tiles is not None
    judged = features.judged.copy()
    free = judged == Judged.YES
    judged[free & (features.polygons.areas < options.min_area)] = Judged.BELOW_MIN_AREA
    if options.edge_objects == "ignore":
        lines = features.polygons.boxes
        frame, near = boxes[tiles], pixels[tiles, None]
        low = (lines[:, :2] < frame[:, :2] + near).any(axis=1)
        high = (lines[:, 2:] > frame[:, 2:] - near).any(axis=1)
        judged[(low | high) & (judged == Judged.YES)] = Judged.CUT_BY_TILE
    return replace(features, judged=judged)


def _boxes(coco: Coco, sizes: FloatArray | None) -> FloatArray:
    scale = np.ones(len(coco.images)) if sizes is None else sizes
    zero = np.zeros(len(coco.images))
    return np.column_stack([zero, zero, coco.images.widths * scale, coco.images.heights * scale])


def _events(coco: Coco, annotations: Annotations, features: Features) -> list[Event]:
    """A ledger row for everything that was repaired, left out or set aside."""
    side = annotations.side
    used = np.zeros(len(annotations), dtype=bool)
    used[features.rows] = True
    found = []
    for row in np.flatnonzero(~used):
        if annotations.image[row] < 0:
            what = "of an image that the reference does not have"
        elif annotations.category[row] < 0:
            what = "of a category that the reference does not have"
        else:
            what = f"no outline ({SEGMENTATION_KINDS[annotations.kind[row]]})"
        found.append((row, what, "skipped"))
    for code in _REPAIRED:
        rows = coco.findings.rows(code, side)
        found += [(row, _WHAT[code].removeprefix("have "), "repaired") for row in rows[used[rows]]]
    found += [
        (row, Judged(code).text, "set aside")
        for row, code in zip(features.rows, features.judged, strict=True)
        if code != Judged.YES
    ]
    return [
        Event(side, plain_id(annotations.ids[row]), int(row), what, "", action)
        for row, what, action in found
    ]


def _counts(annotations: Annotations, features: Features, events: list[Event]) -> dict[str, Any]:
    def tally(action: str) -> dict[str, int]:
        return dict(sorted(Counter(e.what for e in events if e.action == action).items()))

    return {
        "read": len(annotations),
        "used": len(features),
        "judged": int(features.counts.sum()),
        "skipped": tally("skipped"),
        "repaired": tally("repaired"),
        "set_aside": tally("set aside"),
    }


def _policies(coco: Coco, options: CocoFrameOptions, sizes: FloatArray | None) -> dict[str, str]:
    if sizes is None:
        coordinates = "pixels, as stored"
    elif options.gsd is not None:
        coordinates = f"metres, a pixel being {options.gsd:g} m as given"
    else:
        low, high = float(sizes.min(initial=np.inf)), float(sizes.max(initial=0))
        each = f"{low:g} m" if low == high else f"{low:g} to {high:g} m"
        coordinates = f"metres, a pixel being {each}, as the images say"
    rings = {
        "all": "every ring counts; a courtyard joined by a bridge is read as a hole",
        "exterior": "exteriors only: holes are filled on both sides before measuring",
        "as-stored": "vertices and distances along the rings as stored, bridges included; overlaps "
        "and areas of the polygons they mean",
    }
    return {
        "coordinates": coordinates,
        "rings": rings[options.rings],
        "nested rings": coco.options.nested,
        "invalid geometry": f"{coco.options.invalid}; see the ledger",
        "edge objects": "counted whole"
        if options.edge_objects == "count"
        else "set aside where they reach within a pixel of the edge of their image",
        "crowd regions": "may be matched, so that the partner is not blamed; never missed",
    }
