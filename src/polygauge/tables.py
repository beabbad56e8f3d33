"""The tables that pass between the stages; nothing else does.

    read -> Features --match--> Matches --measure--> Measurements --summarise--> Summary -> report

`Ledger` goes beside them: every feature that was touched, left out or set aside, and why.
All are frozen and made of plain arrays, one row a feature, a pair or an event.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, fields
from enum import IntEnum
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from polygauge.geometry import BoolArray, FloatArray, IntArray, Polygons

Side = Literal["reference", "prediction"]
ObjectArray = NDArray[np.object_]


class Reason(IntEnum):
    """Why a value is undefined; `DEFINED` where it is not."""

    DEFINED = 0
    FORMULA = 1
    SET_ASIDE = 2


FORMULA_TEXT = "the formula is undefined here"


class Judged(IntEnum):
    """Whether a feature counts, and if not, what set it aside.

    A feature that is set aside may still be matched, so that its partner is not blamed, but it is
    never missed and never extra.
    """

    YES = 0
    BELOW_MIN_AREA = 1
    IN_IGNORE_REGION = 2
    CUT_BY_AOI = 3
    OUTSIDE_AOI = 4
    CROWD = 5
    CUT_BY_TILE = 6

    @property
    def text(self) -> str:
        """The reason in words."""
        return _JUDGED_TEXT[self]


_JUDGED_TEXT = {
    Judged.YES: "judged",
    Judged.BELOW_MIN_AREA: "smaller than the minimum area",
    Judged.IN_IGNORE_REGION: "at least half inside an ignore region",
    Judged.CUT_BY_AOI: "cut by the edge of the area of interest",
    Judged.OUTSIDE_AOI: "mostly outside the area of interest",
    Judged.CROWD: "a crowd region, or marked to be ignored",
    Judged.CUT_BY_TILE: "reaching the edge of its image",
}


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """One side of an evaluation: `n` usable features in the coordinates they are measured in.

    Attributes
    ----------
    side : {"reference", "prediction"}
    name : str
        Where they come from, for messages.
    polygons : Polygons
        Valid, not empty, in `crs`.
    ids : ndarray, shape (n,)
        The caller's identifiers: integers or strings.
    rows : ndarray of int64, shape (n,)
        Row number in the source, from 0.
    scores : ndarray of float64, shape (n,), or None
        Confidence of a prediction.
    tiles : ndarray of int64, shape (n,), or None
        Index into `tile_names`; features of different tiles never meet.
    tile_names : tuple of str
    judged : ndarray of uint8, shape (n,)
        `Judged` codes.
    attributes : dict of str to ndarray, shape (n,)
        The columns asked for, for example to stratify by.
    crs : str or None
        The coordinate reference system, as WKT; None for planar coordinates without one.
    unit : {"metre", "pixel", "unit"}
        What a coordinate difference of 1 is; "unit" where nobody said.
    """

    side: Side
    name: str
    polygons: Polygons
    ids: NDArray[Any]
    rows: IntArray
    scores: FloatArray | None = None
    tiles: IntArray | None = None
    tile_names: tuple[str, ...] = ()
    judged: NDArray[np.uint8] = field(default_factory=lambda: np.empty(0, dtype=np.uint8))
    attributes: dict[str, NDArray[Any]] = field(default_factory=dict)
    crs: str | None = None
    unit: Literal["metre", "pixel", "unit"] = "unit"

    def __len__(self) -> int:
        return len(self.polygons)

    @property
    def counts(self) -> BoolArray:
        """Features that are judged, shape (n,)."""
        judged: BoolArray = self.judged == Judged.YES
        return judged


@dataclass(frozen=True, slots=True, eq=False)
class Matches:
    """Which reference belongs to which prediction: one row a related pair.

    Attributes
    ----------
    reference, prediction : ndarray of int64, shape (p,)
        Row numbers in the two `Features`; sorted by reference, then prediction.
    intersection : ndarray of float64, shape (p,)
        Shared area, always positive: walls that only touch are no relation.
    iou : ndarray of float64, shape (p,)
    one_to_one : ndarray of bool, shape (p,)
        Kept by the one-to-one rule at `threshold`.
    group : ndarray of int64, shape (p,)
        Number of the group of related features, from 0; -1 where the pair is in no group.
    relation : ndarray of str, shape (p,)
        "1:1", "1:n" (split), "n:1" (merge), "n:m", or "" where the pair is in no group.
    group_iou : ndarray of float64, shape (p,)
        IoU of the unions of the group's members; NaN where the pair is in no group.
    inner_walls : ndarray of float64, shape (p,)
        Walls between the references of a merge that the prediction lacks, CRS units; else 0 or NaN.
    rule : {"optimal", "greedy", "best"}
    threshold : float
        Smallest IoU of a one-to-one match.
    group_share : float
        Smallest share of the smaller feature that relates two features.
    """

    reference: IntArray
    prediction: IntArray
    intersection: FloatArray
    iou: FloatArray
    one_to_one: BoolArray
    group: IntArray
    relation: NDArray[Any]
    group_iou: FloatArray
    inner_walls: FloatArray
    rule: Literal["optimal", "greedy", "best"]
    threshold: float
    group_share: float

    def __len__(self) -> int:
        return len(self.reference)


@dataclass(frozen=True, slots=True, eq=False)
class Detection:
    """What became of each feature under the one-to-one rule at one threshold.

    Attributes
    ----------
    threshold : float
        Smallest IoU of a match.
    reference, prediction : ndarray of int64, shape (k,)
        The matched pairs; every reference in them is judged.
    iou : ndarray of float64, shape (k,)
    missed : ndarray of bool, shape (references,)
        Judged and unmatched.
    extra : ndarray of bool, shape (predictions,)
        Judged, unmatched, and not excused.
    excused : ndarray of bool, shape (predictions,)
        Unmatched, but set aside or matching a reference that is set aside: counted neither way.
    """

    threshold: float
    reference: IntArray
    prediction: IntArray
    iou: FloatArray
    missed: BoolArray
    extra: BoolArray
    excused: BoolArray


@dataclass(frozen=True, slots=True, eq=False)
class Measurements:
    """The metric values: one row a related pair, in the order of `Matches`.

    Attributes
    ----------
    values : dict of str to ndarray of float64, shape (p,)
        A column a metric; NaN where undefined.
    reasons : dict of str to ndarray of uint8, shape (p,)
        `Reason` codes beside each column.
    reason_texts : dict of str to dict of Reason to str
        The codes in words, a metric each.
    parameters : dict of str to float
        What the metrics were given, for example the band width.
    shapes : dict of side to dict of str to ndarray of float64
        The shape metrics, a value a feature of that side; NaN where the formula is undefined.
    """

    values: dict[str, FloatArray]
    reasons: dict[str, NDArray[np.uint8]]
    reason_texts: dict[str, dict[Reason, str]]
    parameters: dict[str, float]
    shapes: dict[Side, dict[str, FloatArray]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Tiles:
    """What was measured tile by tile.

    Attributes
    ----------
    names : tuple of str
    values : dict of str to ndarray of float64, shape (t,)
        A column a measure; NaN where undefined.
    """

    names: tuple[str, ...]
    values: dict[str, FloatArray]

    def __len__(self) -> int:
        return len(self.names)


@dataclass(frozen=True, slots=True, eq=False)
class Ledger:
    """Every feature that was repaired, skipped or set aside: one row an event.

    Attributes
    ----------
    side : ndarray of str, shape (e,)
    id : ndarray of object, shape (e,)
    row : ndarray of int64, shape (e,)
        Row number in the source, from 0.
    what : ndarray of str, shape (e,)
        Kind of finding, for example "null geometry" or "self-intersection".
    where : ndarray of str, shape (e,)
        Place in the source's coordinates, or "".
    action : ndarray of str, shape (e,)
        "repaired", "skipped" or "set aside".
    """

    side: ObjectArray
    id: ObjectArray
    row: IntArray
    what: ObjectArray
    where: ObjectArray
    action: ObjectArray

    def __len__(self) -> int:
        return len(self.side)

    def tally(self, side: Side, action: str) -> dict[str, int]:
        """How many events of one action on one side, by kind."""
        chosen = (self.side == side) & (self.action == action)
        return dict(sorted(Counter(self.what[chosen].tolist()).items()))


class _ByKey:
    """Fields also by key, with the names they have in summary.json."""

    __slots__ = ()

    def __getitem__(self, name: str) -> Any:
        if name not in (field.name for field in fields(self)):  # type: ignore[arg-type]
            raise KeyError(name)
        return getattr(self, name)


@dataclass(frozen=True, slots=True)
class MetricSummary(_ByKey):
    """One metric over the one-to-one pairs. NaN where nothing is defined.

    Attributes
    ----------
    n : int
        Pairs with a value.
    undefined : dict of str to int
        Pairs without one, by reason.
    mean, median, rmse, min, max : float
    quantiles : dict of str to float
        By probability, "0.05" to "0.95", linear interpolation.
    ci95 : tuple of float or None
        95 % interval of the mean, resampling blocks or tiles; None where there are too few.
    mean_with_misses : float or None
        Mean over all judged references, a missed one counting as the metric's worst value; None
        where the metric has no worst value.
    """

    n: int
    undefined: dict[str, int]
    mean: float
    median: float
    rmse: float
    min: float
    max: float
    quantiles: dict[str, float]
    ci95: tuple[float, float] | None
    mean_with_misses: float | None


@dataclass(frozen=True, slots=True)
class DetectionSummary(_ByKey):
    """Counts at one threshold. NaN where a ratio has nothing below its line.

    Attributes
    ----------
    threshold : float
    tp, fp, fn, excused : int
        Matched, extra, missed, and predictions counted neither way.
    precision, recall, f1 : float
    mean_iou : float
        Over the matched pairs.
    ci95 : dict of str to tuple of float
        95 % intervals of precision, recall and f1; empty where there are too few blocks.
    """

    threshold: float
    tp: int
    fp: int
    fn: int
    excused: int
    precision: float
    recall: float
    f1: float
    mean_iou: float
    ci95: dict[str, tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Summary(_ByKey):
    """What a run found, in figures.

    Attributes
    ----------
    headline : dict of str to float
        The few numbers to quote.
    metrics : dict of str to MetricSummary
    shapes : dict of str to dict of side to MetricSummary
        The shape metrics over the judged features of each side.
    detection : tuple of DetectionSummary
        The run's own threshold first.
    counts : dict
        Features, repairs, groups and areas.
    strata : dict
        By stratification, then class: references, found, missed, recall and the metric means.
    policies : dict of str to str
        Every choice that was made, in words.
    notes, warnings : tuple of str
        What a reader should know, and what may be wrong.
    tiles : dict of str to MetricSummary
        For suites of images: statistics over the tiles. `iou`, `ciou`, `vertex_ratio` and
        `line_dof` are of a tile as a whole, `matched_...` are means of its matched pairs.
    pooled : dict of str to float
        The first three from sums over all tiles.
    average_precision : dict of str to float
        By pycocotools' names; NaN where pycocotools says -1.
    """

    headline: dict[str, float]
    metrics: dict[str, MetricSummary]
    shapes: dict[str, dict[str, MetricSummary]]
    detection: tuple[DetectionSummary, ...]
    counts: dict[str, Any]
    strata: dict[str, Any]
    policies: dict[str, str]
    notes: tuple[str, ...]
    warnings: tuple[str, ...]
    tiles: dict[str, MetricSummary] = field(default_factory=dict)
    pooled: dict[str, float] = field(default_factory=dict)
    average_precision: dict[str, float] = field(default_factory=dict)
