"""Found, missed and extra, as counts and ratios."""

from __future__ import annotations

import numpy as np

from polygauge.geometry import FloatArray, IntArray
from polygauge.summary._intervals import FEWEST_BLOCKS, block_sums, interval, resampled_sums
from polygauge.tables import Detection, DetectionSummary

_RATIOS = ("precision", "recall", "f1")


def summarise_detection(
    detection: Detection, reference_blocks: IntArray, prediction_blocks: IntArray, *, seed: int
) -> DetectionSummary:
    """Precision, recall and F1 at one threshold, with 95 % intervals.

    precision = TP / (TP + FP), recall = TP / (TP + FN), F1 = 2 TP / (2 TP + FP + FN).
    """
    found = np.zeros(len(detection.missed), dtype=bool)
    found[detection.reference] = True
    tp, fp = int(found.sum()), int(detection.extra.sum())
    fn, excused = int(detection.missed.sum()), int(detection.excused.sum())
    ratios = _ratios(np.array([[tp, fp, fn]], dtype=np.float64))[0]
    blocks = np.unique(np.concatenate([reference_blocks, prediction_blocks]))
    intervals = {}
    if len(blocks) >= FEWEST_BLOCKS:
        at_reference = np.searchsorted(blocks, reference_blocks)
        at_prediction = np.searchsorted(blocks, prediction_blocks)
        sums = np.stack(
            [
                block_sums(found, at_reference, len(blocks)),
                block_sums(detection.extra, at_prediction, len(blocks)),
                block_sums(detection.missed, at_reference, len(blocks)),
            ],
            axis=1,
        )
        resampled = _ratios(resampled_sums(sums, seed=seed))
        for k, name in enumerate(_RATIOS):
            bounds = interval(resampled[:, k])
            if bounds is not None:
                intervals[name] = bounds
    return DetectionSummary(
        threshold=detection.threshold,
        tp=tp,
        fp=fp,
        fn=fn,
        excused=excused,
        precision=float(ratios[0]),
        recall=float(ratios[1]),
        f1=float(ratios[2]),
        mean_iou=float(detection.iou.mean()) if len(detection.iou) else float("nan"),
        ci95=intervals,
    )


def _ratios(counts: FloatArray) -> FloatArray:
    """Precision, recall and F1 of rows (tp, fp, fn); NaN where nothing is below the line."""
    tp, fp, fn = counts.T
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.stack([tp / (tp + fp), tp / (tp + fn), 2 * tp / (2 * tp + fp + fn)], axis=1)
