"""Which pairs are matches: one-to-one, or each reference with its best prediction."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal, get_args

import numpy as np
import scipy.sparse
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment
from scipy.sparse.csgraph import connected_components, min_weight_full_bipartite_matching

from polygauge.errors import OptionError
from polygauge.geometry import BoolArray, FloatArray, IntArray, jit
from polygauge.matching._overlaps import Overlaps

Rule = Literal["optimal", "greedy", "best"]
RULES: tuple[Rule, ...] = get_args(Rule)

# An IoU this close below the threshold reaches it: halves of a building at easting 500,000 must
# not miss 0.5 by a rounding error. It is the stated accuracy of the IoU.
TIE = 1e-9

# Components up to this many cells are solved as a dense matrix, larger ones as a sparse one, so
# that memory stays proportional to the pairs.
_DENSE_CELLS = 250_000


def one_to_one(
    overlaps: Overlaps,
    *,
    threshold: float,
    rule: Rule,
    scores: FloatArray | None = None,
    boxes: tuple[FloatArray, FloatArray] | None = None,
) -> BoolArray:
    """Which pairs a matching rule keeps.

    Parameters
    ----------
    overlaps : Overlaps
        Pairs of p rows.
    threshold : float
        Smallest IoU of a match; reached when missed by no more than 1e-9.
    rule : {"optimal", "greedy", "best"}
        `optimal`: most matches, then the largest sum of IoU. `greedy`: as COCO does, predictions
        in descending score, each takes the free reference with the largest IoU; without scores,
        pairs in descending IoU. `best`, which is not one-to-one: each reference takes the
        prediction with the largest IoU, which may serve several, as in the P3 paper.
    scores : ndarray of float64, shape (number of predictions,), optional
        Confidences; NaN comes last.
    boxes : pair of ndarray of float64, shapes (references, 4) and (predictions, 4), optional
        Ties go by position, west to east, then south to north, so that the order of the features
        in their files does not matter; without boxes, and between features of one box, by file
        order.

    Returns
    -------
    ndarray of bool, shape (p,)
    """
    if not 0 < threshold <= 1:
        raise OptionError(
            f"the IoU threshold is {threshold}", hint="give a number above 0 and up to 1"
        )
    eligible = np.flatnonzero(overlaps.iou >= threshold - TIE)
    candidates = overlaps.take(eligible)
    if boxes is not None:
        candidates = replace(
            candidates,
            reference=_by_position(candidates.reference, boxes[0]),
            prediction=_by_position(candidates.prediction, boxes[1]),
        )
        if scores is not None:
            ranked = np.full(len(scores), np.nan)
            ranked[candidates.prediction] = scores[overlaps.prediction[eligible]]
            scores = ranked
    kept = np.zeros(len(overlaps), dtype=bool)
    if rule == "greedy":
        kept[eligible] = _greedy(candidates, scores)
    elif rule == "best":
        kept[eligible] = _best(candidates)
    else:
        kept[eligible] = _optimal(candidates)
    return kept


def _by_position(rows: IntArray, boxes: FloatArray) -> IntArray:
    """Numbers for features whose order is that of their positions, from 0."""
    features, place = np.unique(rows, return_inverse=True)
    order = np.lexsort((features, *boxes[features].T[::-1]))
    rank = np.empty(len(features), dtype=np.int64)
    rank[order] = np.arange(len(features))
    numbered: IntArray = rank[place]
    return numbered


def _greedy(pairs: Overlaps, scores: FloatArray | None) -> BoolArray:
    if scores is None:
        order = np.lexsort((pairs.prediction, pairs.reference, -pairs.iou))
    else:
        confidence = np.nan_to_num(scores[pairs.prediction], nan=-np.inf)
        order = np.lexsort((pairs.reference, -pairs.iou, pairs.prediction, -confidence))
    return _first_free(pairs.reference, pairs.prediction, order.astype(np.int64))


def _best(pairs: Overlaps) -> BoolArray:
    order = np.lexsort((pairs.prediction, -pairs.iou, pairs.reference))
    _, first = np.unique(pairs.reference[order], return_index=True)
    kept = np.zeros(len(pairs), dtype=bool)
    kept[order[first]] = True
    return kept


@jit
def _first_free(reference: IntArray, prediction: IntArray, order: IntArray) -> BoolArray:
    """Walk the pairs in `order`, keeping each whose two features are still free."""
    kept = np.zeros(len(order), dtype=np.bool_)
    if len(order) == 0:
        return kept
    reference_taken = np.zeros(reference.max() + 1, dtype=np.bool_)
    prediction_taken = np.zeros(prediction.max() + 1, dtype=np.bool_)
    for k in order:
        if not reference_taken[reference[k]] and not prediction_taken[prediction[k]]:
            kept[k] = True
            reference_taken[reference[k]] = True
            prediction_taken[prediction[k]] = True
    return kept


def _optimal(pairs: Overlaps) -> BoolArray:
    """Most pairs, then most IoU, solved per connected component of the pair graph."""
    kept = np.zeros(len(pairs), dtype=bool)
    if len(pairs) == 0:
        return kept
    lonely = (np.bincount(pairs.reference)[pairs.reference] == 1) & (
        np.bincount(pairs.prediction)[pairs.prediction] == 1
    )
    kept[lonely] = True
    rest = np.flatnonzero(~lonely)
    if len(rest) == 0:
        return kept
    # In the order of the features' numbers, so that ties do not depend on the order of the pairs.
    rest = rest[np.lexsort((pairs.prediction[rest], pairs.reference[rest]))]
    for rows in component_rows(pairs.reference[rest], pairs.prediction[rest]):
        chosen = rest[rows]
        kept[chosen] = _assign(pairs.reference[chosen], pairs.prediction[chosen], pairs.iou[chosen])
    return kept


def component_labels(reference: IntArray, prediction: IntArray) -> IntArray:
    """Number of the connected component of each pair, in order of first appearance."""
    refs, i = np.unique(reference, return_inverse=True)
    preds, j = np.unique(prediction, return_inverse=True)
    size = len(refs) + len(preds)
    graph = scipy.sparse.coo_array((np.ones(len(i)), (i, len(refs) + j)), shape=(size, size))
    labels = connected_components(graph, directed=False)[1][i]
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first, kind="stable")] = np.arange(len(first))
    numbered: IntArray = rank[inverse]
    return numbered


def component_rows(reference: IntArray, prediction: IntArray) -> list[IntArray]:
    """Row numbers of each connected component."""
    labels = component_labels(reference, prediction)
    order = np.argsort(labels, kind="stable")
    return list(np.split(order, np.cumsum(np.bincount(labels))[:-1]))


def _assign(reference: IntArray, prediction: IntArray, iou: FloatArray) -> BoolArray:
    """One component: the maximum-weight matching with weight (more than any sum of IoU) + IoU."""
    refs, i = np.unique(reference, return_inverse=True)
    preds, j = np.unique(prediction, return_inverse=True)
    n, m = len(refs), len(preds)
    weight = iou + min(n, m) + 1.0
    partner = np.full(n, -1)
    rows: NDArray[Any]
    columns: NDArray[Any]
    if n * m <= _DENSE_CELLS:
        table = np.zeros((n, m))
        table[i, j] = weight
        rows, columns = linear_sum_assignment(table, maximize=True)
        real = table[rows, columns] > 0
        partner[rows[real]] = columns[real]
    else:
        # A full matching always exists once every feature has a stand-in of its own: reference r
        # may take column m + r, prediction c may take row n + c; the stand-ins of a matched pair
        # take each other.
        top = float(weight.max()) + 1.0
        r, c = np.arange(n), np.arange(m)
        values = np.concatenate([top - weight, np.full(n + m, top), np.full(len(i), top)])
        row = np.concatenate([i, r, n + c, n + j])
        column = np.concatenate([j, m + r, c, m + i])
        graph = scipy.sparse.csr_array((values, (row, column)), shape=(n + m, n + m))
        rows, columns = min_weight_full_bipartite_matching(graph)
        real = (rows < n) & (columns < m)
        partner[rows[real]] = columns[real]
    kept: BoolArray = partner[i] == j
    return kept
