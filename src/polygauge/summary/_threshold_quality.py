"""Counts and panoptic quality at one threshold and confidence, and over all thresholds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from polygauge.geometry import FloatArray, IntArray
from polygauge.summary._precision_recall import mean_defined
from polygauge.summary._score_matching import match_scored
from polygauge.summary._scored_pairs import ScoredPairs

# Overlap thresholds 0.01, 0.02 ... 1.
GRID: FloatArray = np.arange(1, 101) / 100


@dataclass(frozen=True, slots=True, eq=False)
class ThresholdQuality:
    """Counts at T thresholds for K categories; NaN where nothing is below a line.

    Attributes
    ----------
    thresholds : ndarray of float64, shape (T,)
    confidence : float
        Least score that was kept; -inf for all.
    tp, fp, fn : ndarray of int64, shape (T, K)
    precision, recall, f1 : ndarray of float64, shape (T,)
        All categories together.
    sq : ndarray of float64, shape (T, K)
        Segmentation quality: mean overlap of the right predictions; mean distance where the value
        is a distance.
    rq : ndarray of float64, shape (T, K)
        Recognition quality, TP / (TP + FP / 2 + FN / 2): the F1 of the category.
    pq : ndarray of float64, shape (T, K)
        Panoptic quality SQ x RQ = sum of overlaps / (TP + FP / 2 + FN / 2). NaN for a distance.
    pq_mean : ndarray of float64, shape (T,)
        Over the categories that occur.
    """

    thresholds: FloatArray
    confidence: float
    tp: IntArray
    fp: IntArray
    fn: IntArray
    precision: FloatArray
    recall: FloatArray
    f1: FloatArray
    sq: FloatArray
    rq: FloatArray
    pq: FloatArray
    pq_mean: FloatArray

    @property
    def f1_area(self) -> float:
        """Mean of F1 over the thresholds: with `GRID`, the area below F1 over the threshold."""
        return float(self.f1.mean())

    @property
    def pq_area(self) -> float:
        """Mean of `pq_mean` over the thresholds."""
        return float(self.pq_mean.mean())


def threshold_quality(
    pairs: ScoredPairs,
    thresholds: ArrayLike = 0.5,
    *,
    confidence: float = -np.inf,
    tolerance: float = 0.0,
) -> ThresholdQuality:
    """Precision, recall, F1 and panoptic quality of the predictions of at least a confidence.

    Matches are those of COCO within each category; ignored references and those they excuse are
    left out. Published panoptic quality asks for more than 0.5 IoU between regions that do not
    overlap, where only one matching is possible; here the threshold is free, and above 0.5 the
    greedy matching finds that one.

    With `thresholds=GRID` this is quality over all thresholds: no threshold has to be chosen.
    """
    if not np.isneginf(confidence):
        pairs = pairs.choose(pairs.predictions.score >= confidence)
    matches = match_scored(pairs, thresholds, tolerance=tolerance)
    mine, theirs, k = pairs.predictions, pairs.references, pairs.categories
    taken, heard = matches.reference[0] >= 0, ~matches.excused[0]
    value = _values_taken(pairs, matches.reference[0])

    def by_category(chosen: FloatArray) -> FloatArray:
        return np.stack([np.bincount(mine.category, row, minlength=k) for row in chosen])

    tp = by_category(taken & heard)
    fp = by_category(~taken & heard)
    regular = np.bincount(theirs.category[~matches.ignored[0]], minlength=k)
    fn = regular - tp
    total = by_category(np.where(taken & heard, value, 0.0))
    with np.errstate(invalid="ignore", divide="ignore"):
        sq = total / tp
        rq = tp / (tp + fp / 2 + fn / 2)
        pq = total / (tp + fp / 2 + fn / 2)
        all_tp, all_fp, all_fn = tp.sum(axis=1), fp.sum(axis=1), fn.sum(axis=1)
        precision = all_tp / (all_tp + all_fp)
        recall = all_tp / (all_tp + all_fn)
        f1 = 2 * all_tp / (2 * all_tp + all_fp + all_fn)
    if pairs.better == "lower":
        pq = np.full_like(pq, np.nan)
    return ThresholdQuality(
        matches.thresholds,
        confidence,
        tp.astype(np.int64),
        fp.astype(np.int64),
        fn.astype(np.int64),
        precision,
        recall,
        f1,
        sq,
        rq,
        pq,
        np.array([mean_defined(row) for row in pq]),
    )


def _values_taken(pairs: ScoredPairs, reference: IntArray) -> FloatArray:
    """Value of the pair of each prediction and the reference it took, shape (T, predictions)."""
    size = len(pairs.references)
    key = pairs.prediction * size + pairs.reference
    rows = np.arange(len(pairs.predictions)) * size
    if len(key) == 0:
        return np.full(reference.shape, np.nan)
    place = np.minimum(np.searchsorted(key, rows + reference), len(key) - 1)
    return np.where(reference >= 0, pairs.value[place], np.nan)
