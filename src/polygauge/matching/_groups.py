"""Groups of related features: what happened to each building, beside the one-to-one counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from polygauge.geometry import FloatArray, IntArray
from polygauge.matching._one_to_one import component_labels, component_rows
from polygauge.matching._overlaps import Overlaps
from polygauge.tables import Features

RELATIONS = ("1:1", "1:n", "n:1", "n:m")


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """Connected features, one number a related pair.

    Attributes
    ----------
    number : ndarray of int64, shape (p,)
        Group of each pair, from 0 in order of the first reference; -1 where the pair relates
        nothing.
    relation : ndarray of str, shape (p,)
        "1:1", "1:n" (one reference split over n predictions), "n:1" (n references merged into
        one prediction), "n:m", or "".
    iou : ndarray of float64, shape (p,)
        IoU of the union of the group's references and the union of its predictions; NaN for a pair
        in no group.
    inner_walls : ndarray of float64, shape (p,)
        Length of the walls that a group's references share with each other and a single prediction
        has not; 0 unless the relation is "n:1"; NaN for a pair in no group.
    """

    number: IntArray
    relation: NDArray[Any]
    iou: FloatArray
    inner_walls: FloatArray


def find_groups(
    overlaps: Overlaps, reference: Features, prediction: Features, *, share: float
) -> Groups:
    """Relate features that share at least `share` of the smaller one, and follow the chains.

    Touching walls share no area, so neighbours stay apart unless something covers both.
    """
    number = np.full(len(overlaps), -1, dtype=np.int64)
    relation = np.full(len(overlaps), "", dtype="<U3")
    iou = np.full(len(overlaps), np.nan)
    inner = np.full(len(overlaps), np.nan)
    related = np.flatnonzero(overlaps.smaller_share >= share - 1e-9)
    if len(related) == 0:
        return Groups(number, relation, iou, inner)
    i, j = overlaps.reference[related], overlaps.prediction[related]
    labels = component_labels(i, j)
    number[related] = labels
    relation[related] = _name(_distinct(labels, i)[labels], _distinct(labels, j)[labels])

    single = np.bincount(labels)[labels] == 1
    iou[related[single]] = overlaps.iou[related[single]]
    inner[related[single]] = 0.0
    several = related[~single]
    if len(several):
        i, j = overlaps.reference[several], overlaps.prediction[several]
        for rows in component_rows(i, j):
            members = several[rows]
            iou[members], inner[members] = _union_scores(
                reference, prediction, np.unique(i[rows]), np.unique(j[rows])
            )
    return Groups(number, relation, iou, inner)


def _distinct(labels: IntArray, members: IntArray) -> IntArray:
    """How many different members each label has."""
    pairs = np.unique(np.stack([labels, members]), axis=1)
    return np.bincount(pairs[0], minlength=int(labels.max()) + 1)


def _name(references: IntArray, predictions: IntArray) -> NDArray[Any]:
    return np.where(
        references == 1,
        np.where(predictions == 1, "1:1", "1:n"),
        np.where(predictions == 1, "n:1", "n:m"),
    )


def _union_scores(
    reference: Features, prediction: Features, refs: IntArray, preds: IntArray
) -> tuple[float, float]:
    """IoU of the two unions, and the inner walls missing in a merge."""
    a = shapely.union_all(reference.polygons.take(refs).to_shapely())
    b = shapely.union_all(prediction.polygons.take(preds).to_shapely())
    shared = a.intersection(b).area
    union = a.area + b.area - shared
    iou = 1.0 if union - shared <= 1e-12 * union else shared / union
    walls = 0.0
    if len(refs) > 1 and len(preds) == 1:
        # Each shared wall is counted in two outlines and in no outline of the union.
        walls = (float(reference.polygons.take(refs).lengths.sum()) - a.length) / 2
    return iou, max(walls, 0.0)
