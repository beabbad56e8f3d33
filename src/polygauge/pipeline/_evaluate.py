"""Match, measure and summarise two layers."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polygauge.io import Layer, common_frame
from polygauge.matching import compare_areas, detect, find_overlaps, match
from polygauge.measuring import chosen_metrics, measure, measure_shapes
from polygauge.metrics import Metric
from polygauge.pipeline._options import Options
from polygauge.pipeline._words import doubts, policies
from polygauge.suites import run_parameters
from polygauge.summary import area_classes, summarise, summarise_strata
from polygauge.tables import (
    Detection,
    Features,
    Ledger,
    Matches,
    Measurements,
    Summary,
)

# A common aerial image; used, and said, where neither a GSD nor a width is given.
DEFAULT_GSD_M = 0.3


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """The tables of an evaluation, its ledger, and what it was told.

    Attributes
    ----------
    options : Options
    metrics : tuple of Metric
    reference, prediction : Features
    detection : Detection
        At the run's own threshold.
    matches : Matches
    measurements : Measurements
    summary : Summary
    ledger : Ledger
    """

    options: Options
    metrics: tuple[Metric, ...]
    reference: Features
    prediction: Features
    detection: Detection
    matches: Matches
    measurements: Measurements
    summary: Summary
    ledger: Ledger


Progress = Callable[[str, int, int], None]
"""Called with a stage, how much of it is done, and how much there is."""


def evaluate_layers(
    reference: Layer, prediction: Layer, options: Options, *, progress: Progress | None = None
) -> Run:
    """Match, measure and summarise two layers that have been read.

    Parameters
    ----------
    reference, prediction : Layer
    options : Options
    progress : callable, optional

    Returns
    -------
    Run

    Raises
    ------
    OptionError
        An option means nothing for these layers.
    CrsError
        The layers cannot be brought to one metric frame.
    """
    recipe = options.recipe()
    metrics, shape_metrics = chosen_metrics(recipe.metrics)
    jobs = options.jobs or os.cpu_count() or 1
    say = progress or _silent

    say("aligning coordinates", 0, 1)
    frame = common_frame(reference, prediction, options.frame_options())
    a, b = frame.reference, frame.prediction
    gsd = options.gsd or (DEFAULT_GSD_M if a.unit == "metre" else 1.0)
    parameters = run_parameters(
        gsd, width=options.width, spacing=options.spacing, tolerance=options.tolerance
    )

    say("matching", 0, 1)
    overlaps = find_overlaps(a, b, jobs=jobs)
    thresholds = dict.fromkeys((recipe.threshold, *recipe.thresholds))
    detections = [detect(overlaps, a, b, threshold=t, rule=recipe.match) for t in thresholds]
    matches = match(
        overlaps, detections[0], a, b, rule=recipe.match, group_share=recipe.group_share
    )
    areas = compare_areas(a, b, jobs=jobs)

    say("measuring", 0, len(matches))
    measurements = measure(
        a,
        b,
        matches,
        metrics,
        parameters,
        jobs=jobs,
        progress=lambda done: say("measuring", done, len(matches)),
    )
    shapes = {
        side.side: measure_shapes(side, shape_metrics, parameters, jobs=jobs) for side in (a, b)
    }
    measurements = replace(measurements, shapes=shapes)
    say("summarising", 0, 1)
    summary = summarise(
        a,
        b,
        matches,
        measurements,
        detections,
        metrics,
        counts={
            **frame.counts,
            "pairs": {"related": len(matches), "one_to_one": int(matches.one_to_one.sum())},
            "areas": asdict(areas),
        },
        strata=_strata(options, a, b, detections[0], matches, measurements),
        policies={**frame.policies, **policies(options, recipe, a, b, parameters, gsd)},
        notes=frame.notes,
        warnings=(*frame.warnings, *doubts(a, b, areas, measurements, matches)),
        seed=options.seed,
    )
    return Run(
        options=options,
        metrics=metrics,
        reference=a,
        prediction=b,
        detection=detections[0],
        matches=matches,
        measurements=measurements,
        summary=summary,
        ledger=frame.ledger,
    )


def _silent(stage: str, done: int, total: int) -> None:
    """Progress that nobody watches."""


def _strata(
    options: Options,
    reference: Features,
    prediction: Features,
    detection: Detection,
    matches: Matches,
    measurements: Measurements,
) -> dict[str, Any]:
    """The figures by each chosen column of the reference, and by area where asked."""
    strata = {}
    for name in options.strata:
        labels: NDArray[Any]
        prediction_labels, order = None, None
        if name == "area":
            areas = np.concatenate([reference.polygons.areas, prediction.polygons.areas])
            unit = "m2" if reference.unit == "metre" else f"square {reference.unit}s"
            both, order = area_classes(
                areas, options.area_classes, unit, quantiles_of=len(reference)
            )
            labels, prediction_labels = both[: len(reference)], both[len(reference) :]
        else:
            labels = np.array([_label(x) for x in reference.attributes[name]], dtype=object)
        strata[name] = summarise_strata(
            labels, prediction_labels, reference, detection, matches, measurements, order
        )
    return strata


def _label(value: Any) -> str:
    """A class name; an absent value is a class of its own."""
    absent = value is None or (isinstance(value, float) and np.isnan(value))
    return "(none)" if absent else str(value)
