"""COCO's matching: predictions in descending score, each takes the best free reference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from polygauge.errors import OptionError
from polygauge.geometry import BoolArray, FloatArray, IntArray
from polygauge.geometry._jit import jit
from polygauge.summary._scored_pairs import ScoredPairs

# The public code's own expressions: the floats matter (0.8999999999999999, 0.7000000000000001).
COCO_THRESHOLDS: FloatArray = np.linspace(0.5, 0.95, 10)
COCO_SIZES: dict[str, tuple[float, float]] = {
    "all": (0.0, 1e10),
    "small": (0.0, 32.0**2),
    "medium": (32.0**2, 96.0**2),
    "large": (96.0**2, 1e10),
}
ALL_SIZES: dict[str, tuple[float, float]] = {"all": (-np.inf, np.inf)}
# So that an overlap of 1 that lost its last digits still reaches a threshold of 1 (public code).
_HIGHEST = 1 - 1e-10


@dataclass(frozen=True, slots=True, eq=False)
class ScoredMatches:
    """Who took whom, for every size class and threshold.

    Attributes
    ----------
    thresholds : ndarray of float64, shape (T,)
    sizes : dict of str to (low, high)
        The A size classes; both limits belong to the class.
    max_detections : tuple of int or None
        The M caps a prediction's rank in its image and category is held against.
    reference : ndarray of int32, shape (A, T, predictions)
        Row of the reference each prediction took; -1 for none.
    excused : ndarray of bool, shape (A, T, predictions)
        Neither right nor wrong: it took an ignored reference, or took none and is itself outside
        the size class.
    prediction : ndarray of int32, shape (A, T, references)
        Row of the last prediction that took each reference; -1 for none.
    ignored : ndarray of bool, shape (A, references)
        Never missed: ignored, a crowd, or outside the size class.
    order : ndarray of int64, shape (predictions,)
        Rows by category, then image, then descending score; equal scores in row order.
    ranked : ndarray of int64, shape (predictions,)
        Rows by category, then descending score; equal scores in the order of `order`.
    rank : ndarray of int64, shape (predictions,)
        Rank of each row in its image and category, from 0.
    """

    thresholds: FloatArray
    sizes: dict[str, tuple[float, float]]
    max_detections: tuple[int | None, ...]
    reference: NDArray[np.int32]
    excused: BoolArray
    prediction: NDArray[np.int32]
    ignored: BoolArray
    order: IntArray
    ranked: IntArray
    rank: IntArray

    @property
    def caps(self) -> IntArray:
        """The caps as numbers; the largest possible where there is none."""
        top = np.iinfo(np.int64).max
        return np.array([top if cap is None else cap for cap in self.max_detections])


def match_scored(
    pairs: ScoredPairs,
    thresholds: ArrayLike = COCO_THRESHOLDS,
    *,
    sizes: Mapping[str, tuple[float, float]] = ALL_SIZES,
    max_detections: Sequence[int | None] = (None,),
    tolerance: float = 0.0,
    id_zero_is_unmatched: bool = False,
) -> ScoredMatches:
    """Match within each image and category, as pycocotools does.

    Predictions come in descending score, equal scores in row order (in each image and category, at
    most the largest cap). Each takes, among the references that are free and reach the threshold,
    the one with the best value; of equal values, the last. Ignored references come into question
    only when no other one does; a crowd is always free.

    Parameters
    ----------
    thresholds : array_like of float
        At least this overlap, or at most this distance. An overlap threshold above 1 - 1e-10 counts
        as that.
    sizes : mapping of str to (low, high)
        Size classes by area. A reference outside is ignored; a prediction outside is excused
        unless it takes a reference.
    max_detections : sequence of int or None
        Rising caps on the predictions of an image and category; None for no cap.
    tolerance : float
        How far short of a threshold a value may fall; 0 as pycocotools. Exact vector overlaps are
        given 1e-9, the stated accuracy of their kernel.
    id_zero_is_unmatched : bool
        Reproduce what the public code makes of ids that are not above 0: a prediction that took the
        reference with id 0 counts as wrong, and a reference taken by a prediction whose id is 0 or
        less stays free.

    Raises
    ------
    OptionError
        No threshold, no size class, or caps that do not rise.
    """
    levels, caps = _check(thresholds, sizes, max_detections)
    limits = np.array(list(sizes.values()), dtype=np.float64)
    mine, theirs = pairs.predictions, pairs.references
    order = np.lexsort((-mine.score, mine.image, mine.category))
    key = mine.image[order] * pairs.categories + mine.category[order]
    begins = np.flatnonzero(np.diff(key, prepend=-1))
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order)) - np.repeat(begins, np.diff(begins, append=len(order)))
    ranked = order[np.lexsort((-mine.score[order], mine.category[order]))]

    sign = 1.0 if pairs.better == "higher" else -1.0
    reach = (np.minimum(levels, _HIGHEST) if sign > 0 else -levels) - tolerance
    value = sign * pairs.value
    useful = pairs.same_category & (value >= reach.min())
    start = np.concatenate([[0], np.cumsum(useful)])[pairs.start]
    low, high = limits[:, 0, None], limits[:, 1, None]
    ignored = theirs.ignored | (theirs.area < low) | (theirs.area > high)
    binding = mine.id > 0 if id_zero_is_unmatched else np.ones(len(mine), dtype=bool)
    in_play = order if caps[-1] is None else order[rank[order] < caps[-1]]
    reference, prediction = _assign(
        in_play,
        start.astype(np.int64),
        pairs.reference[useful],
        value[useful],
        reach,
        ignored,
        theirs.crowd,
        binding,
    )
    taken = reference >= 0
    excused = np.zeros(reference.shape, dtype=bool)
    if len(theirs):
        classes = np.arange(len(limits))[:, None, None]
        excused = taken & ignored[classes, reference]
        if id_zero_is_unmatched:
            reference[taken & (theirs.id[reference] == 0)] = -1
            taken = reference >= 0
    excused |= ~taken & ((mine.area < low) | (mine.area > high))[:, None, :]
    return ScoredMatches(
        levels, dict(sizes), caps, reference, excused, prediction, ignored, order, ranked, rank
    )


def _check(
    thresholds: ArrayLike,
    sizes: Mapping[str, Any],
    max_detections: Sequence[int | None],
) -> tuple[FloatArray, tuple[int | None, ...]]:
    levels = np.atleast_1d(np.asarray(thresholds, dtype=np.float64))
    if levels.size == 0 or np.isnan(levels).any():
        raise OptionError(f"thresholds {levels.tolist()}", hint="give at least one number")
    if not sizes:
        raise OptionError("no size class", hint="give at least one, as {'all': (0, inf)}")
    caps = tuple(max_detections)
    numbers = [np.inf if cap is None else cap for cap in caps]
    if not caps or min(numbers) < 0 or sorted(numbers) != numbers:
        raise OptionError(
            f"max_detections {list(caps)}", hint="give rising numbers, None last for no cap"
        )
    return levels, caps


@jit
def _assign(
    order: IntArray,
    start: IntArray,
    reference: IntArray,
    value: FloatArray,
    reach: FloatArray,
    ignored: BoolArray,
    crowd: BoolArray,
    binding: BoolArray,
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The reference each prediction takes, and the last taker of each reference.

    Two rounds a prediction, regular references before ignored ones, say the same as the public
    code's walk over references sorted by their ignore flag, which stops at the first ignored one
    once a regular one is found.
    """
    classes, levels = len(ignored), len(reach)
    took = np.full((classes, levels, len(start) - 1), -1, dtype=np.int32)
    taker = np.full((classes, levels, len(crowd)), -1, dtype=np.int32)
    for a in range(classes):
        aside = ignored[a]
        for t in range(levels):
            free = np.ones(len(crowd), dtype=np.bool_)
            for p in order:
                found = -1
                for late in (False, True):
                    best = reach[t]
                    for k in range(start[p], start[p + 1]):
                        r = reference[k]
                        if aside[r] != late or not (free[r] or crowd[r]) or not value[k] >= best:
                            continue
                        best = value[k]
                        found = r
                    if found >= 0:
                        break
                if found < 0:
                    continue
                took[a, t, p] = found
                taker[a, t, found] = p
                if binding[p]:
                    free[found] = False
    return took, taker
