"""Named recipes: which metrics, which matching rule, at which threshold. Data, not classes."""

from __future__ import annotations

from dataclasses import dataclass

from polygauge.errors import OptionError
from polygauge.matching import Rule
from polygauge.metrics import METRICS


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
    """

    name: str
    title: str
    metrics: tuple[str, ...]
    match: Rule
    threshold: float
    thresholds: tuple[float, ...]
    group_share: float


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

SUITES: dict[str, Suite] = {suite.name: suite for suite in (FOOTPRINTS,)}


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
