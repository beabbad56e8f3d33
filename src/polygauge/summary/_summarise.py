"""Put the figures of a run together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from polygauge.geometry import IntArray
from polygauge.metrics import Metric
from polygauge.summary._blocks import assign_blocks
from polygauge.summary._detection import summarise_detection
from polygauge.summary._statistics import summarise_metric
from polygauge.tables import (
    FORMULA_TEXT,
    Detection,
    DetectionSummary,
    Features,
    Matches,
    Measurements,
    MetricSummary,
    Reason,
    Summary,
)


def summarise(
    reference: Features,
    prediction: Features,
    matches: Matches,
    measurements: Measurements,
    detections: Sequence[Detection],
    metrics: Sequence[Metric],
    *,
    counts: dict[str, Any],
    strata: dict[str, Any],
    policies: dict[str, str],
    notes: tuple[str, ...],
    warnings: tuple[str, ...],
    seed: int,
) -> Summary:
    """Statistics of every metric over the one-to-one pairs, and the counts at every threshold.

    The first of `detections` is the run's own; misses are counted by it.
    """
    reference_blocks, prediction_blocks = assign_blocks(reference, prediction)
    found = tuple(
        summarise_detection(d, reference_blocks, prediction_blocks, seed=seed) for d in detections
    )
    kept = matches.one_to_one
    blocks = reference_blocks[matches.reference[kept]]
    by_metric = {
        metric.name: summarise_metric(
            measurements.values[metric.name][kept],
            measurements.reasons[metric.name][kept],
            measurements.reason_texts[metric.name],
            blocks,
            missed=found[0].fn,
            worst=_worst(metric),
            seed=seed,
        )
        for metric in metrics
    }
    return Summary(
        shapes=_summarise_shapes(
            (reference, prediction), (reference_blocks, prediction_blocks), measurements, seed
        ),
        headline=_headline(found[0], by_metric, counts),
        metrics=by_metric,
        detection=found,
        counts={**counts, "groups": _count_groups(matches, detections[0])},
        strata=strata,
        policies=policies,
        notes=notes,
        warnings=warnings,
    )


def _summarise_shapes(
    sides: tuple[Features, Features],
    blocks: tuple[IntArray, IntArray],
    measurements: Measurements,
    seed: int,
) -> dict[str, dict[str, MetricSummary]]:
    """The shape metrics over the judged features of each side, by metric, then side."""
    summaries: dict[str, dict[str, MetricSummary]] = {}
    for features, numbers in zip(sides, blocks, strict=True):
        for name, values in measurements.shapes.get(features.side, {}).items():
            judged = values[features.counts]
            summaries.setdefault(name, {})[features.side] = summarise_metric(
                judged,
                np.where(np.isnan(judged), Reason.FORMULA, Reason.DEFINED).astype(np.uint8),
                {Reason.FORMULA: FORMULA_TEXT},
                numbers[features.counts],
                missed=0,
                worst=None,
                seed=seed,
            )
    return summaries


def _worst(metric: Metric) -> float | None:
    """What a missed reference scores: 0 for a ratio whose best value is 1, else nothing."""
    return 0.0 if metric.unit == "ratio" and metric.best == 1 and metric.bounds[0] == 0 else None


def _headline(
    detection: DetectionSummary, metrics: dict[str, MetricSummary], counts: dict[str, Any]
) -> dict[str, float]:
    headline = {
        "precision": detection.precision,
        "recall": detection.recall,
        "f1": detection.f1,
        "layer_iou": counts["areas"]["iou"],
    }
    for name, metric in metrics.items():
        headline[name] = metric.mean
    return headline


def _count_groups(matches: Matches, detection: Detection) -> dict[str, int]:
    """Groups by relation, and the features in no relation at all."""
    _, first = np.unique(matches.group, return_index=True)
    names = matches.relation[first]
    counts = {name: int((names == name).sum()) for name in ("1:1", "1:n", "n:1", "n:m")}
    related_reference = np.zeros(len(detection.missed), dtype=bool)
    related_reference[matches.reference] = True
    related_prediction = np.zeros(len(detection.extra), dtype=bool)
    related_prediction[matches.prediction] = True
    counts["missed"] = int((detection.missed & ~related_reference).sum())
    counts["extra"] = int((detection.extra & ~related_prediction).sum())
    return counts
