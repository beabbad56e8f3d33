"""Precision and recall a tile: the means of P3, and SpaceNet's F1."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from polygauge.geometry import FloatArray, IntArray
from polygauge.summary._precision_recall import mean_defined
from polygauge.summary._score_matching import COCO_THRESHOLDS, match_scored
from polygauge.summary._scored_pairs import ScoredPairs


@dataclass(frozen=True, slots=True, eq=False)
class TilePrecision:
    """Counts of each image at T thresholds, and the means over them.

    Attributes
    ----------
    thresholds : ndarray of float64, shape (T,)
    tp : ndarray of int64, shape (images, T)
    predictions, references : ndarray of int64, shape (images,)
    precision, recall : ndarray of float64, shape (images,)
        Mean over the thresholds; NaN (0/0) for an image without predictions, without references.
    """

    thresholds: FloatArray
    tp: IntArray
    predictions: IntArray
    references: IntArray
    precision: FloatArray
    recall: FloatArray

    @property
    def precision_mean(self) -> float:
        """Mean over the images that have predictions."""
        return mean_defined(self.precision)

    @property
    def recall_mean(self) -> float:
        """Mean over the images that have references."""
        return mean_defined(self.recall)

    @property
    def precision_pooled(self) -> float:
        """Mean over the thresholds of all TP / all predictions."""
        return _ratio(self.tp.sum(axis=0).mean(), self.predictions.sum())

    @property
    def recall_pooled(self) -> float:
        """Mean over the thresholds of all TP / all references."""
        return _ratio(self.tp.sum(axis=0).mean(), self.references.sum())


@dataclass(frozen=True, slots=True, eq=False)
class SpaceNetScore:
    """SpaceNet's building score: counts of each image, and their sums' ratios.

    Attributes
    ----------
    tp, fp, fn : ndarray of int64, shape (images,)
    precision, recall, f1 : float
        Of the summed counts; NaN where nothing is below the line (the public code prints 0).
    """

    tp: IntArray
    fp: IntArray
    fn: IntArray
    precision: float
    recall: float
    f1: float


def tile_precision(
    pairs: ScoredPairs, thresholds: ArrayLike = COCO_THRESHOLDS, *, tolerance: float = 0.0
) -> TilePrecision:
    """P3 eq. 4 and 5: mean precision and recall over ten thresholds, a tile at a time.

    In descending score, equal scores in row order, each prediction takes the best reference that is
    still free and reaches the threshold; TP is the number that take one. Categories are not told
    apart, and no reference is ignored but a crowd, with what it excuses.
    """
    pairs = pairs.without_categories()
    matches = match_scored(pairs, thresholds, tolerance=tolerance)
    n = pairs.images
    mine, theirs = pairs.predictions.image, pairs.references.image
    heard = ~matches.excused[0]
    tp = np.stack(
        [np.bincount(mine[row], minlength=n) for row in (matches.reference[0] >= 0) & heard],
        axis=1,
    )
    predicted = np.stack([np.bincount(mine[row], minlength=n) for row in heard], axis=1)
    references = np.bincount(theirs[~matches.ignored[0]], minlength=n)
    with np.errstate(invalid="ignore"):
        precision = (tp / predicted).mean(axis=1)
        recall = (tp / references[:, None]).mean(axis=1)
    return TilePrecision(
        matches.thresholds, tp, predicted.max(axis=1), references, precision, recall
    )


def spacenet_score(pairs: ScoredPairs, threshold: float = 0.5) -> SpaceNetScore:
    """Greedy one-to-one F1 with SpaceNet's rule: an IoU of *more* than 0.5 is a match.

    In descending score each prediction takes the free reference with the largest IoU. (The public
    scorer gives a reference with an invalid ring, such as a stitched courtyard, an IoU of 0 with
    everything; whoever makes the pairs decides that.)
    """
    pairs = pairs.without_categories()
    more = np.nextafter(threshold, np.inf)
    matches = match_scored(pairs, more)
    n = pairs.images
    mine, theirs = pairs.predictions.image, pairs.references.image
    heard = ~matches.excused[0, 0]
    taken = matches.reference[0, 0] >= 0
    tp = np.bincount(mine[taken & heard], minlength=n)
    fp = np.bincount(mine[~taken & heard], minlength=n)
    fn = np.bincount(theirs[~matches.ignored[0]], minlength=n) - tp
    right, wrong, missed = tp.sum(), fp.sum(), fn.sum()
    return SpaceNetScore(
        tp,
        fp,
        fn,
        _ratio(right, right + wrong),
        _ratio(right, right + missed),
        _ratio(2 * right, 2 * right + wrong + missed),
    )


def _ratio(above: float, below: float) -> float:
    return float(above / below) if below else float("nan")
