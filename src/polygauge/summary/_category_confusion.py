"""Which category is taken for which, and the figures of each category and each image."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from polygauge.errors import OptionError
from polygauge.geometry import BoolArray, FloatArray, IntArray
from polygauge.summary._precision_recall import PrecisionRecall, precision_recall_by_image
from polygauge.summary._score_matching import match_scored
from polygauge.summary._scored_pairs import ScoredPairs


@dataclass(frozen=True, slots=True, eq=False)
class CategoryConfusion:
    """References by category against the predictions they were found by.

    Attributes
    ----------
    threshold : float
    counts : ndarray of int64, shape (K + 1, K + 1)
        `counts[i, j]`: references of category i found by a prediction of category j. The last
        column holds those missed, the last row the predictions that found nothing.
    """

    threshold: float
    counts: IntArray


def confuse_categories(
    pairs: ScoredPairs,
    threshold: float = 0.5,
    *,
    confidence: float = -np.inf,
    tolerance: float = 0.0,
) -> CategoryConfusion:
    """Count categories against each other at one threshold.

    First within categories, exactly as AP matches, so the diagonal is its true positives. What is
    left over is then matched across categories in the same way. Ignored references, and what they
    excuse, are left out. Only pairs of two categories that are listed in `pairs` can be confused.
    """
    if not np.isneginf(confidence):
        pairs = pairs.choose(pairs.predictions.score >= confidence)
    k = pairs.categories
    mine, theirs = pairs.predictions, pairs.references
    counts = np.zeros((k + 1, k + 1), dtype=np.int64)
    matches = match_scored(pairs, threshold, tolerance=tolerance)
    took, excused = matches.reference[0, 0], matches.excused[0, 0]
    right = np.flatnonzero((took >= 0) & ~excused)
    np.add.at(counts, (theirs.category[took[right]], mine.category[right]), 1)

    left = pairs.choose((took < 0) & ~excused, ~matches.ignored[0] & (matches.prediction[0, 0] < 0))
    across = match_scored(left.without_categories(), threshold, tolerance=tolerance)
    took = across.reference[0, 0]
    found = took >= 0
    predicted, asked = left.predictions.category, left.references.category
    np.add.at(counts, (asked[took[found]], predicted[found]), 1)
    np.add.at(counts, (k, predicted[~found]), 1)
    np.add.at(counts, (asked[across.prediction[0, 0] < 0], k), 1)
    return CategoryConfusion(threshold, counts)


def category_table(
    pairs: ScoredPairs, result: PrecisionRecall, threshold: float = 0.5
) -> dict[str, FloatArray]:
    """Columns of a table with a row a category: counts, ratios, AP and AR.

    The counts are those at `threshold`, which must be one of the result's, for its first size
    class; the statistics are `PrecisionRecall.by_category`.
    """
    counts = _counts(
        result,
        threshold,
        pairs.predictions.category,
        pairs.references.category,
        pairs.categories,
    )
    return counts | result.by_category()


def image_table(
    pairs: ScoredPairs, result: PrecisionRecall, threshold: float = 0.5
) -> dict[str, FloatArray]:
    """Columns of a table with a row an image, as `category_table`; each image as if alone."""
    counts = _counts(
        result, threshold, pairs.predictions.image, pairs.references.image, pairs.images
    )
    return counts | precision_recall_by_image(pairs, result.matches, result.recall_levels)


def _counts(
    result: PrecisionRecall,
    threshold: float,
    predicted: IntArray,
    asked: IntArray,
    size: int,
) -> dict[str, FloatArray]:
    matches = result.matches
    t = int(np.argmin(np.abs(matches.thresholds - threshold)))
    if abs(matches.thresholds[t] - threshold) > 1e-12:
        raise OptionError(
            f"no threshold {threshold:g} among {matches.thresholds.tolist()}",
            hint="name one that was matched at",
        )
    in_play = matches.rank < matches.caps[-1]
    taken, heard = matches.reference[0, t] >= 0, ~matches.excused[0, t] & in_play

    def count(rows: BoolArray, group: IntArray) -> FloatArray:
        return np.bincount(group[rows], minlength=size).astype(np.float64)

    tp, fp = count(taken & heard, predicted), count(~taken & heard, predicted)
    references = count(~matches.ignored[0], asked)
    with np.errstate(invalid="ignore"):
        return {
            "predictions": tp + fp,
            "references": references,
            "tp": tp,
            "fp": fp,
            "fn": references - tp,
            "precision": tp / (tp + fp),
            "recall": tp / references,
            "f1": 2 * tp / (tp + fp + references),
        }
