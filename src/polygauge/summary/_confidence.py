"""What the scores are good for: curves over the confidence, the best cut, and calibration."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from polygauge.errors import OptionError
from polygauge.geometry import BoolArray, FloatArray, IntArray
from polygauge.geometry._jit import jit
from polygauge.summary._intervals import FEWEST_BLOCKS, RESAMPLES, interval
from polygauge.summary._score_matching import match_scored
from polygauge.summary._scored_pairs import ScoredPairs


@dataclass(frozen=True, slots=True, eq=False)
class ConfidenceCurve:
    """Precision, recall and F1 when only predictions of at least a score are kept.

    One point for each distinct score, falling; so the order of equal scores changes nothing.

    Attributes
    ----------
    threshold : float
        The overlap or distance at which a prediction is right.
    score : ndarray of float64, shape (n,)
    tp, fp : ndarray of int64, shape (n,)
        Right and wrong predictions of at least that score, all categories together.
    references : int
    precision, recall, f1 : ndarray of float64, shape (n,)
        NaN where nothing is below the line.
    warning : str
        Why the curve says nothing, or "".
    """

    threshold: float
    score: FloatArray
    tp: IntArray
    fp: IntArray
    references: int
    precision: FloatArray
    recall: FloatArray
    f1: FloatArray
    warning: str


@dataclass(frozen=True, slots=True)
class BestF1:
    """The confidence at which F1 is highest; of several, the highest confidence.

    Attributes
    ----------
    confidence, f1, precision, recall : float
        NaN without predictions or without references.
    confidence_ci95, f1_ci95 : tuple of float or None
        95 % intervals: in each of 1,000 resamples of whole images the best cut is sought anew.
    """

    confidence: float
    f1: float
    precision: float
    recall: float
    confidence_ci95: tuple[float, float] | None
    f1_ci95: tuple[float, float] | None


@dataclass(frozen=True, slots=True, eq=False)
class Calibration:
    """Whether a score of 0.8 is right 8 times in 10.

    Attributes
    ----------
    edges : ndarray of float64, shape (bins + 1,)
        Equal steps from 0 to 1; a score on an edge belongs above it, 1 to the last bin.
    count : ndarray of int64, shape (bins,)
    score, precision : ndarray of float64, shape (bins,)
        Mean score and share of right predictions in each bin; NaN in an empty one.
    expected_error, largest_error : float
        Mean and largest of |precision - score| over the bins, the mean weighted by count. NaN where
        there is no prediction or a score lies outside 0 to 1.
    warning : str
        Why the figures say little or nothing, or "".
    """

    edges: FloatArray
    count: IntArray
    score: FloatArray
    precision: FloatArray
    expected_error: float
    largest_error: float
    warning: str


@dataclass(frozen=True, slots=True, eq=False)
class _Verdicts:
    """Predictions that count, in falling score, and the references that count."""

    score: FloatArray
    right: BoolArray
    image: IntArray
    references: IntArray


def confidence_curve(
    pairs: ScoredPairs, threshold: float, *, tolerance: float = 0.0
) -> ConfidenceCurve:
    """Precision, recall and F1 over the confidence.

    Matches are those of COCO within each category, the counts those of all categories together.
    Because predictions are matched in descending score, those above a cut are matched as if the
    others did not exist.
    """
    verdicts = _verdicts(pairs, threshold, tolerance)
    last = np.flatnonzero(np.diff(verdicts.score, append=np.nan) != 0)
    tp = np.cumsum(verdicts.right)[last].astype(np.int64)
    fp = np.cumsum(~verdicts.right)[last].astype(np.int64)
    references = len(verdicts.references)
    with np.errstate(invalid="ignore", divide="ignore"):
        precision = tp / (tp + fp)
        recall = tp / np.float64(references)
        f1 = 2 * tp / (tp + fp + references)
    return ConfidenceCurve(
        threshold,
        verdicts.score[last],
        tp,
        fp,
        references,
        precision,
        recall,
        f1,
        _warning(verdicts.score),
    )


def best_f1(pairs: ScoredPairs, threshold: float, *, tolerance: float = 0.0, seed: int) -> BestF1:
    """The confidence with the highest F1, and how well the data fix it."""
    verdicts = _verdicts(pairs, threshold, tolerance)
    nan = float("nan")
    if len(verdicts.score) == 0 or len(verdicts.references) == 0:
        return BestF1(nan, nan, nan, nan, None, None)
    ones = np.ones(len(verdicts.score))
    total = float(len(verdicts.references))
    place, tp, fp = _best(verdicts.score, verdicts.right, ones, total)
    intervals: tuple[tuple[float, float] | None, tuple[float, float] | None] = (None, None)
    if pairs.images >= FEWEST_BLOCKS:
        rng = np.random.default_rng(seed)
        share = np.full(pairs.images, 1 / pairs.images)
        found = np.full((RESAMPLES, 2), np.nan)
        for draw in range(RESAMPLES):
            weight = rng.multinomial(pairs.images, share).astype(np.float64)
            drawn = float(weight[verdicts.references].sum())
            at, right, wrong = _best(verdicts.score, verdicts.right, weight[verdicts.image], drawn)
            if at >= 0:
                found[draw] = verdicts.score[at], 2 * right / (right + wrong + drawn)
        intervals = (interval(found[:, 0]), interval(found[:, 1]))
    return BestF1(
        float(verdicts.score[place]),
        2 * tp / (tp + fp + total),
        tp / (tp + fp),
        tp / total,
        *intervals,
    )


def calibration(
    pairs: ScoredPairs, threshold: float, *, bins: int = 10, tolerance: float = 0.0
) -> Calibration:
    """Reliability diagram and expected calibration error.

    A prediction is right when it takes a reference at the threshold; excused ones are left out.

    Raises
    ------
    OptionError
        Fewer than 1 bin.
    """
    if bins < 1:
        raise OptionError(f"bins={bins}", hint="give at least 1")
    verdicts = _verdicts(pairs, threshold, tolerance)
    score, right = verdicts.score, verdicts.right
    edges = np.linspace(0, 1, bins + 1)
    warning = _warning(score)
    nan = float("nan")
    if len(score) and not ((score >= 0) & (score <= 1)).all():
        empty = np.full(bins, np.nan)
        none = np.zeros(bins, dtype=np.int64)
        return Calibration(
            edges,
            none,
            empty,
            empty,
            nan,
            nan,
            "scores outside 0 to 1 are no probabilities: no calibration",
        )
    bin_of = np.minimum(np.searchsorted(edges, score, side="right") - 1, bins - 1)
    count = np.bincount(bin_of, minlength=bins)
    with np.errstate(invalid="ignore"):
        mean = np.bincount(bin_of, score, minlength=bins) / count
        share = np.bincount(bin_of, right, minlength=bins) / count
    filled = count > 0
    gap = np.abs(share - mean)[filled]
    return Calibration(
        edges,
        count,
        mean,
        share,
        float((gap * count[filled]).sum() / count.sum()) if filled.any() else nan,
        float(gap.max()) if filled.any() else nan,
        warning,
    )


def _verdicts(pairs: ScoredPairs, threshold: float, tolerance: float) -> _Verdicts:
    matches = match_scored(pairs, threshold, tolerance=tolerance)
    mine = pairs.predictions
    heard = np.flatnonzero(~matches.excused[0, 0])
    heard = heard[np.argsort(-mine.score[heard], kind="stable")]
    return _Verdicts(
        mine.score[heard],
        matches.reference[0, 0, heard] >= 0,
        mine.image[heard],
        pairs.references.image[~matches.ignored[0]],
    )


def _warning(score: FloatArray) -> str:
    if len(score) == 0:
        return "no predictions"
    if len(score) > 1 and (score == score[0]).all():
        return (
            f"all {len(score)} scores are {score[0]:g}: AP depends on the order of the predictions "
            "in the file, and there is one point of the curves only"
        )
    return ""


@jit
def _best(
    score: FloatArray, right: BoolArray, weight: FloatArray, references: float
) -> tuple[int, float, float]:
    """Row of the last prediction above the best cut, and TP and FP there; -1 where none counts."""
    place = -1
    best = -1.0
    tp = fp = best_tp = best_fp = 0.0
    n = len(score)
    for i in range(n):
        if right[i]:
            tp += weight[i]
        else:
            fp += weight[i]
        if i + 1 < n and score[i + 1] == score[i]:
            continue
        below = tp + fp + references
        if tp + fp > 0 and 2 * tp / below > best:
            best = 2 * tp / below
            place, best_tp, best_fp = i, tp, fp
    return place, best_tp, best_fp
