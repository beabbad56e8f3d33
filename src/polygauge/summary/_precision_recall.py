"""Average precision and recall, with pycocotools' own floating-point behaviour."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from polygauge.geometry import BoolArray, FloatArray, IntArray
from polygauge.geometry._jit import inner, jit
from polygauge.summary._intervals import FEWEST_BLOCKS, RESAMPLES, interval
from polygauge.summary._score_matching import (
    ALL_SIZES,
    COCO_THRESHOLDS,
    ScoredMatches,
    match_scored,
)
from polygauge.summary._scored_pairs import Better, ScoredPairs

# The public code's own expression: 0.7000000000000001 is among its points, so a recall of exactly
# 7/10 does not reach it.
RECALL_LEVELS: FloatArray = np.linspace(0.0, 1.0, 101)
# numpy.spacing(1), added below the line of a precision by the public code.
_SPACING = float(np.spacing(1.0))
# Groups whose arrays are held at a time by `precision_recall_by_image`: 25 MB with COCO's settings.
_CHUNK = 256


@dataclass(frozen=True, slots=True, eq=False)
class PrecisionRecall:
    """Precision and recall for T thresholds, R recall levels, K categories, A sizes, M caps.

    Attributes
    ----------
    precision : ndarray of float64, shape (T, R, K, A, M)
        Best precision at this recall or a higher one; 0 beyond the highest recall reached; NaN
        where the category has no reference of this size (-1 in pycocotools).
    recall : ndarray of float64, shape (T, K, A, M)
        Highest recall reached.
    scores : ndarray of float64, shape (T, R, K, A, M)
        Score at which each recall level is first reached; 0 beyond.
    positives : ndarray of int64, shape (K, A)
        References that count.
    recall_levels : ndarray of float64, shape (R,)
    matches : ScoredMatches
    better : {"higher", "lower"}
    """

    precision: FloatArray
    recall: FloatArray
    scores: FloatArray
    positives: IntArray
    recall_levels: FloatArray
    matches: ScoredMatches
    better: Better

    def statistics(self) -> dict[str, float]:
        """The numbers people quote; NaN where no category has a reference of that size.

        AP is the mean of `precision` over thresholds, recall levels and the categories that have
        references, AR that of `recall`, both for the first size class and the last cap. `AP50` and
        `AP75` (`AP@3` where thresholds are distances) are for one threshold, `AP_small` and the
        like for the other size classes, `AR1`, `AR10`, `AR100` for each cap and `AR` for none.
        With COCO's settings these are the twelve statistics of pycocotools, to the last bit.
        """
        return {name: mean_defined(values) for name, values in self._parts()}

    def by_category(self) -> dict[str, FloatArray]:
        """The same for each category: name to an array of shape (K,)."""
        return {
            name: values.mean(axis=tuple(range(values.ndim - 1))) for name, values in self._parts()
        }

    def _parts(self) -> Iterator[tuple[str, FloatArray]]:
        """Name and part of the arrays that each statistic averages; categories come last."""
        ap, ar = self.precision, self.recall
        sizes = list(self.matches.sizes)[1:]
        yield "AP", ap[:, :, :, 0, -1]
        for t, level in enumerate(self.matches.thresholds):
            if self.better == "lower":
                yield f"AP@{level:g}", ap[t, :, :, 0, -1]
            elif level in (0.5, 0.75):
                yield f"AP{100 * level:g}", ap[t, :, :, 0, -1]
        for a, size in enumerate(sizes, start=1):
            yield f"AP_{size}", ap[:, :, :, a, -1]
        for m, cap in enumerate(self.matches.max_detections):
            yield "AR" if cap is None else f"AR{cap}", ar[:, :, 0, m]
        for a, size in enumerate(sizes, start=1):
            yield f"AR_{size}", ar[:, :, a, -1]


def precision_recall(
    pairs: ScoredPairs,
    thresholds: ArrayLike = COCO_THRESHOLDS,
    *,
    sizes: Mapping[str, tuple[float, float]] = ALL_SIZES,
    max_detections: Sequence[int | None] = (None,),
    recall_levels: ArrayLike = RECALL_LEVELS,
    tolerance: float = 0.0,
    id_zero_is_unmatched: bool = False,
) -> PrecisionRecall:
    """Average precision as COCO computes it, on any overlap or distance.

    For each category, threshold, size class and cap, predictions are put in descending score over
    all images (equal scores: by image, then by their order within it), excused ones left out;
    precision after each is TP / (TP + FP + 2.2e-16), recall TP / references. Precision is replaced
    by the best one at the same or a higher recall, and read at each recall level at the first
    prediction whose recall reaches it.

    Parameters are those of `match_scored`, and the recall levels, 0 to 1 in steps of 0.01.
    """
    matches = match_scored(
        pairs,
        thresholds,
        sizes=sizes,
        max_detections=max_detections,
        tolerance=tolerance,
        id_zero_is_unmatched=id_zero_is_unmatched,
    )
    return accumulate(pairs, matches, recall_levels)


def accumulate(
    pairs: ScoredPairs, matches: ScoredMatches, recall_levels: ArrayLike = RECALL_LEVELS
) -> PrecisionRecall:
    """Precision and recall from matches already made."""
    levels = np.asarray(recall_levels, dtype=np.float64)
    categories = np.arange(pairs.categories + 1)
    mine = pairs.predictions
    bounds = np.searchsorted(mine.category[matches.ranked], categories)
    positives = np.stack(
        [
            np.bincount(pairs.references.category[~ignored], minlength=pairs.categories)
            for ignored in matches.ignored
        ],
        axis=1,
    )
    precision, recall, scores = _interpolate(
        matches.ranked,
        bounds,
        matches.rank,
        matches.reference >= 0,
        matches.excused,
        mine.score,
        positives,
        matches.caps,
        levels,
    )
    return PrecisionRecall(precision, recall, scores, positives, levels, matches, pairs.better)


def precision_recall_by_image(
    pairs: ScoredPairs, matches: ScoredMatches, recall_levels: ArrayLike = RECALL_LEVELS
) -> dict[str, FloatArray]:
    """The statistics of each image as if it were the only one: name to an array of shape (images,).

    NaN for an image without references of that size.
    """
    levels = np.asarray(recall_levels, dtype=np.float64)
    mine, theirs = pairs.predictions, pairs.references
    # Category by category, image by image: the order in which `matches.order` lists predictions.
    key = mine.category * pairs.images + mine.image
    named = np.unique(theirs.category * pairs.images + theirs.image)
    positives = np.stack(
        [
            np.bincount(
                np.searchsorted(named, (theirs.category * pairs.images + theirs.image)[~ignored]),
                minlength=len(named),
            )
            for ignored in matches.ignored
        ],
        axis=1,
    )
    sorted_key = key[matches.order]
    begin = np.searchsorted(sorted_key, named)
    end = np.searchsorted(sorted_key, named, side="right")
    taken = matches.reference >= 0
    sums: dict[str, FloatArray] = {}
    counts: dict[str, IntArray] = {}
    for first in range(0, max(len(named), 1), _CHUNK):
        groups = slice(first, first + _CHUNK)
        rows = np.concatenate(
            [np.empty(0, dtype=np.int64)]
            + [matches.order[b:e] for b, e in zip(begin[groups], end[groups], strict=True)]
        )
        bounds = np.concatenate([[0], np.cumsum(end[groups] - begin[groups])])
        part = PrecisionRecall(
            *_interpolate(
                rows,
                bounds,
                matches.rank,
                taken,
                matches.excused,
                mine.score,
                positives[groups],
                matches.caps,
                levels,
            ),
            positives[groups],
            levels,
            matches,
            pairs.better,
        )
        image = named[groups] % pairs.images
        for name, values in part.by_category().items():
            defined = ~np.isnan(values)
            sums.setdefault(name, np.zeros(pairs.images))
            counts.setdefault(name, np.zeros(pairs.images, dtype=np.int64))
            np.add.at(sums[name], image[defined], values[defined])
            np.add.at(counts[name], image[defined], 1)
    with np.errstate(invalid="ignore"):
        return {name: sums[name] / counts[name] for name in sums}


def precision_recall_intervals(
    pairs: ScoredPairs,
    matches: ScoredMatches,
    recall_levels: ArrayLike = RECALL_LEVELS,
    *,
    seed: int,
) -> dict[str, tuple[float, float]]:
    """95 % intervals from 1,000 resamples of whole images.

    For AP, AR and the AP of single thresholds under the names of `PrecisionRecall.statistics`,
    first size class and last cap; empty with fewer than 5 images. An image drawn twice counts
    twice, and its objects stand next to each other in the ranking.
    """
    if pairs.images < FEWEST_BLOCKS:
        return {}
    levels = np.asarray(recall_levels, dtype=np.float64)
    mine, theirs = pairs.predictions, pairs.references
    ranked = matches.ranked[matches.rank[matches.ranked] < matches.caps[-1]]
    bounds = np.searchsorted(mine.category[ranked], np.arange(pairs.categories + 1))
    counted = np.flatnonzero(~matches.ignored[0])
    taken = matches.reference[0][:, ranked] >= 0
    heard = ~matches.excused[0][:, ranked]
    rng = np.random.default_rng(seed)
    share = np.full(pairs.images, 1 / pairs.images)
    precision = np.empty((RESAMPLES, len(matches.thresholds)))
    recall = np.empty_like(precision)
    for draw in range(RESAMPLES):
        weight = rng.multinomial(pairs.images, share).astype(np.float64)
        positives = np.bincount(
            theirs.category[counted], weight[theirs.image[counted]], minlength=pairs.categories
        ).astype(np.float64)
        precision[draw], recall[draw] = _weighted(
            bounds, weight[mine.image[ranked]], taken & heard, heard & ~taken, positives, levels
        )
    cap = matches.max_detections[-1]
    named = {"AP": precision.mean(axis=1), "AR" if cap is None else f"AR{cap}": recall.mean(axis=1)}
    for t, level in enumerate(matches.thresholds):
        if pairs.better == "lower":
            named[f"AP@{level:g}"] = precision[:, t]
        elif level in (0.5, 0.75):
            named[f"AP{100 * level:g}"] = precision[:, t]
    bounded = {name: interval(values) for name, values in named.items()}
    return {name: limits for name, limits in bounded.items() if limits is not None}


def average_precision(
    category: IntArray,
    score: FloatArray,
    right: BoolArray,
    positives: IntArray,
    recall_levels: FloatArray = RECALL_LEVELS,
) -> float:
    """AP of one threshold from a list of verdicts; the mean over categories with references.

    Parameters
    ----------
    category, score : ndarray, shape (n,)
        Of each prediction; equal scores in row order.
    right : ndarray of bool, shape (n,)
    positives : ndarray of int64, shape (K,)
        References of each category.
    """
    ranked = np.lexsort((-score, category))
    bounds = np.searchsorted(category[ranked], np.arange(len(positives) + 1))
    precision, _, _ = _interpolate(
        ranked,
        bounds,
        np.zeros(len(score), dtype=np.int64),
        right[None, None],
        np.zeros((1, 1, len(score)), dtype=bool),
        score,
        positives[:, None],
        np.ones(1, dtype=np.int64),
        recall_levels,
    )
    return mean_defined(precision)


def mean_defined(values: FloatArray) -> float:
    """Mean of what is not NaN; NaN where nothing is."""
    defined = values[~np.isnan(values)]
    return float(np.mean(defined)) if len(defined) else float("nan")


@jit
def _interpolate(
    ranked: IntArray,
    bounds: IntArray,
    rank: IntArray,
    taken: BoolArray,
    excused: BoolArray,
    score: FloatArray,
    positives: IntArray,
    caps: IntArray,
    recall_levels: FloatArray,
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Precision, recall and scores of every cell; group k is rows bounds[k] to bounds[k + 1]."""
    classes, levels = taken.shape[0], taken.shape[1]
    groups, size = len(bounds) - 1, len(recall_levels)
    shape = (levels, size, groups, classes, len(caps))
    precision = np.full(shape, np.nan)
    scores = np.full(shape, np.nan)
    recall = np.full((levels, groups, classes, len(caps)), np.nan)
    longest = 0
    for k in range(groups):
        longest = max(longest, bounds[k + 1] - bounds[k])
    reached = np.empty(longest)
    best = np.empty(longest)
    at = np.empty(longest)
    for k in range(groups):
        for a in range(classes):
            total = positives[k, a]
            if total == 0:
                continue
            for m in range(len(caps)):
                for t in range(levels):
                    n = 0
                    tp = fp = 0.0
                    for row in range(bounds[k], bounds[k + 1]):
                        p = ranked[row]
                        if rank[p] >= caps[m]:
                            continue
                        if not excused[a, t, p]:
                            if taken[a, t, p]:
                                tp += 1.0
                            else:
                                fp += 1.0
                        reached[n] = tp / total
                        best[n] = tp / (fp + tp + _SPACING)
                        at[n] = score[p]
                        n += 1
                    recall[t, k, a, m] = reached[n - 1] if n > 0 else 0.0
                    _raise(best, n)
                    open_end = False
                    for i in range(size):
                        place = n if open_end else _first(reached, n, recall_levels[i])
                        # The public code gives up at the first level that is not reached.
                        open_end = place == n
                        precision[t, i, k, a, m] = 0.0 if open_end else best[place]
                        scores[t, i, k, a, m] = 0.0 if open_end else at[place]
    return precision, recall, scores


@jit
def _weighted(
    bounds: IntArray,
    weight: FloatArray,
    right: BoolArray,
    wrong: BoolArray,
    positives: FloatArray,
    recall_levels: FloatArray,
) -> tuple[FloatArray, FloatArray]:
    """AP and AR a threshold, each row counting `weight` times; means over categories."""
    levels, groups = len(right), len(bounds) - 1
    precision = np.zeros(levels)
    recall = np.zeros(levels)
    reached = np.empty(len(weight))
    best = np.empty(len(weight))
    defined = 0
    for k in range(groups):
        if positives[k] == 0:
            continue
        defined += 1
        for t in range(levels):
            n = 0
            tp = fp = 0.0
            for row in range(bounds[k], bounds[k + 1]):
                if right[t, row]:
                    tp += weight[row]
                elif wrong[t, row]:
                    fp += weight[row]
                reached[n] = tp / positives[k]
                best[n] = tp / (fp + tp + _SPACING)
                n += 1
            recall[t] += reached[n - 1] if n > 0 else 0.0
            _raise(best, n)
            total = 0.0
            for level in recall_levels:
                place = _first(reached, n, level)
                if place == n:
                    break
                total += best[place]
            precision[t] += total / len(recall_levels)
    if defined == 0:
        precision[:] = np.nan
        recall[:] = np.nan
    return precision / defined, recall / defined


@inner
def _raise(values: FloatArray, n: int) -> None:
    """Make each value the largest of itself and those behind it."""
    for i in range(n - 1, 0, -1):
        values[i - 1] = max(values[i - 1], values[i])


@inner
def _first(rising: FloatArray, n: int, level: float) -> int:
    """The first of n rising values that reaches the level; n where none does."""
    low, high = 0, n
    while low < high:
        middle = (low + high) // 2
        if rising[middle] < level:
            low = middle + 1
        else:
            high = middle
    return low
