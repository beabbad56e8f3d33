"""Named recipes: which metrics, which matching rule, at which threshold. Data, not classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from polygauge.errors import OptionError
from polygauge.matching import Rule
from polygauge.metrics import METRICS

Overlap = Literal["vector", "mask", "box", "boundary"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TileRecipe:
    """What a suite does with images beside measuring pairs.

    Attributes
    ----------
    unit : {"pixel", "metre"}
        What lengths are in.
    overlap : {"vector", "mask", "box", "boundary"}
        The overlap that average precision thresholds.
    size_classes : bool
        COCO's small, medium and large, by area in pixels.
    max_detections : tuple of int or None
        Most predictions of an image and category that count, by descending score.
    strict : bool
        An overlap must exceed the threshold, not only reach it.
    finds_invalid : bool
        A reference that is no valid polygon as stored can be found; without, it is missed.
    both_empty : float
        `iou`, `vertex_ratio` and `ciou` of a tile that is empty on both sides.
    headline : tuple of (name, place)
        The figures to quote and where they come from: "tiles.iou", a mean over tiles;
        "matched.polis", the same of the mean over a tile's matched pairs; "ap.AP50", a statistic
        of average precision, "ap.AR", recall with the most detections, "ap.*", all of them by
        their own names; "counts.f1".
    """

    unit: Literal["pixel", "metre"]
    overlap: Overlap
    size_classes: bool = False
    max_detections: tuple[int | None, ...] = (None,)
    strict: bool = False
    finds_invalid: bool = True
    both_empty: float = 1.0
    headline: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Suite:
    """A recipe for a run; every field can be overridden by an option of the same name.

    Attributes
    ----------
    name, title : str
    metrics : tuple of str
        Metrics of pairs and of shapes, in the order of the columns.
    match : {"optimal", "greedy", "best"}
        One-to-one rule.
    threshold : float
        Smallest IoU of a one-to-one match.
    thresholds : tuple of float
        Further thresholds at which found, missed and extra are counted.
    group_share : float
        Smallest share of the smaller feature that puts two features in one group.
    tiles : TileRecipe or None
        For suites of images.
    """

    name: str
    title: str
    metrics: tuple[str, ...]
    match: Rule
    threshold: float
    thresholds: tuple[float, ...]
    group_share: float
    tiles: TileRecipe | None = None


# What a page shows first; every other vector metric follows, but for those that only repeat what
# some public code prints.
_LEADING = (
    "iou",
    "boundary_iou",
    "boundary_iou_inner",
    "polis",
    "hausdorff_exact",
    "assd",
    "mpd",
    "boundary_share",
)

# 0.2 of the smaller feature reaches F1 0.968 against human labels of three building sources,
# where one-to-one at IoU 0.5 reaches 0.641.
FOOTPRINTS = Suite(
    name="footprints",
    title="Two layers of building footprints",
    metrics=_LEADING
    + tuple(
        metric.name
        for metric in METRICS
        if metric.name not in _LEADING and not metric.name.endswith("_p3")
    ),
    match="optimal",
    threshold=0.5,
    thresholds=(0.5, 0.75, 0.9),
    group_share=0.2,
)

# The thresholds of COCO, 0.5 to 0.95.
_COCO_LEVELS = tuple(round(0.5 + 0.05 * k, 2) for k in range(10))

P3 = Suite(
    name="p3",
    title="Building polygons in image tiles, as the P3 paper defines its tables",
    metrics=("iou", "polis", "chamfer", "hausdorff", "mta", "vertex_ratio", "ciou", "line_dof"),
    match="best",
    threshold=0.5,
    thresholds=_COCO_LEVELS,
    group_share=0.2,
    tiles=TileRecipe(
        unit="metre",
        overlap="vector",
        max_detections=(100,),
        headline=(
            ("iou", "tiles.iou"),
            ("ciou", "tiles.ciou"),
            ("vertex_ratio", "tiles.vertex_ratio"),
            ("polis", "matched.polis"),
            ("chamfer", "matched.chamfer"),
            ("hausdorff", "matched.hausdorff"),
            ("mta", "matched.mta"),
            ("line_dof", "tiles.line_dof"),
            ("ap", "ap.AP"),
            ("ar", "ap.AR"),
            ("precision_mean", "counts.precision_mean"),
            ("recall_mean", "counts.recall_mean"),
        ),
    ),
)


def _coco(name: str, title: str, overlap: Overlap) -> Suite:
    return Suite(
        name=name,
        title=title,
        metrics=("iou",),
        match="greedy",
        threshold=0.5,
        thresholds=(0.5, 0.75),
        group_share=0.2,
        tiles=TileRecipe(
            unit="pixel",
            overlap=overlap,
            size_classes=True,
            max_detections=(1, 10, 100),
            headline=(("", "ap.*"),),
        ),
    )


COCO = _coco("coco", "COCO average precision and recall of masks", "mask")
BOUNDARY_COCO = _coco(
    "boundary-coco", "Boundary AP: the smaller of mask IoU and Boundary IoU", "boundary"
)

SPACENET = Suite(
    name="spacenet",
    title="SpaceNet's building score",
    metrics=("iou",),
    match="greedy",
    threshold=0.5,
    thresholds=(0.5,),
    group_share=0.2,
    tiles=TileRecipe(
        unit="pixel",
        overlap="vector",
        strict=True,
        finds_invalid=False,
        headline=tuple(
            (name, f"counts.{name}") for name in ("precision", "recall", "f1", "tp", "fp", "fn")
        ),
    ),
)

SUITES: dict[str, Suite] = {
    suite.name: suite for suite in (FOOTPRINTS, P3, COCO, BOUNDARY_COCO, SPACENET)
}


def get_suite(name: str) -> Suite:
    """The suite of that name.

    Raises
    ------
    OptionError
        There is none.
    """
    if name not in SUITES:
        raise OptionError(f"there is no suite {name!r}", hint=f"known: {', '.join(SUITES)}")
    return SUITES[name]


def run_parameters(
    gsd: float, *, width: float | None, spacing: float, tolerance: float | None
) -> dict[str, float]:
    """What the metrics of a run are given, by name: lengths in CRS units, angles in degrees.

    Parameters
    ----------
    gsd : float
        Ground sampling distance: the side of a pixel.
    width : float or None
        Boundary width; 3 pixels where None.
    spacing : float
        Distance between boundary samples.
    tolerance : float or None
        How near a boundary must be to agree; 3 pixels where None.
    """
    return {
        "width": 3 * gsd if width is None else width,
        "spacing": spacing,
        "tolerance": 3 * gsd if tolerance is None else tolerance,
        # Tangents 2 pixels apart and collinear lines within half a pixel, as recorded
        # for the P3 formulas; a corner is found within 5 pixels, as in its junction scores.
        "tangent_spacing": 2 * gsd,
        "dof_angle": 0.5,
        "dof_offset": 0.5 * gsd,
        "corner_tolerance": 5 * gsd,
    }
