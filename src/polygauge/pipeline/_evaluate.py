"""Match, measure and summarise two layers."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polygauge.io import Frame, Layer, TileFrame, common_frame
from polygauge.io.coco import Coco, coco_frame
from polygauge.matching import Overlaps, compare_areas, detect, find_overlaps, match
from polygauge.measuring import chosen_metrics, measure, measure_shapes
from polygauge.metrics import Metric
from polygauge.pipeline._options import Options
from polygauge.pipeline._tiles import TileScores, score_tiles, vector_pairs
from polygauge.pipeline._words import doubts, policies, tile_policies
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
    tiles : TileScores or None
        For a suite of images.
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
    tiles: TileScores | None = None


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
    say = progress or _silent
    say("aligning coordinates", 0, 1)
    frame = common_frame(reference, prediction, options.frame_options())
    return evaluate_frame(frame, options, progress=progress)


def evaluate_coco(coco: Coco, options: Options, *, progress: Progress | None = None) -> Run:
    """Match, measure and summarise the annotations of two COCO files, a tile an image.

    Raises
    ------
    OptionError
        An option means nothing for COCO files.
    CrsError
        Lengths are to be in metres and an image does not say how large its pixels are.
    """
    frame = coco_frame(coco, options.coco_frame_options())
    return evaluate_frame(frame, options, progress=progress)


def evaluate_frame(frame: Frame, options: Options, *, progress: Progress | None = None) -> Run:
    """The same for two sides that are in one frame already."""
    recipe = options.recipe()
    metrics, shape_metrics = chosen_metrics(recipe.metrics)
    jobs = options.jobs or os.cpu_count() or 1
    say = progress or _silent
    a, b = frame.reference, frame.prediction
    drawn_a, drawn_b = (frame.tiles and frame.tiles.drawn) or (a, b)
    gsd = _pixel(frame, options)
    parameters = run_parameters(
        gsd, width=options.width, spacing=options.spacing, tolerance=options.tolerance
    )

    say("matching", 0, 1)
    overlaps = _of_one_category(find_overlaps(a, b, jobs=jobs), a, b)
    thresholds = dict.fromkeys((recipe.threshold, *recipe.thresholds))
    detections = [detect(overlaps, a, b, threshold=t, rule=recipe.match) for t in thresholds]
    matches = match(
        overlaps, detections[0], a, b, rule=recipe.match, group_share=recipe.group_share
    )
    areas = compare_areas(a, b, jobs=jobs)

    say("measuring", 0, len(matches))
    measurements = measure(
        drawn_a,
        drawn_b,
        matches,
        metrics,
        parameters,
        jobs=jobs,
        progress=lambda done: say("measuring", done, len(matches)),
    )
    shapes = {
        side.side: measure_shapes(side, shape_metrics, parameters, jobs=jobs)
        for side in (drawn_a, drawn_b)
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
    scores = None
    if recipe.tiles is not None:
        scores = score_tiles(
            recipe,
            recipe.tiles,
            frame.tiles or _tiles_of(a),
            a,
            b,
            vector_pairs(a, b, overlaps, finds_invalid=recipe.tiles.finds_invalid),
            matches,
            measurements,
            metrics,
            parameters,
            jobs=jobs,
            seed=options.seed,
        )
        summary = replace(
            summary,
            headline=scores.headline(recipe.tiles),
            tiles=scores.means,
            pooled=scores.pooled,
            average_precision=scores.ap,
            policies={**summary.policies, **tile_policies(recipe.tiles)},
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
        tiles=scores,
    )


def _pixel(frame: Frame, options: Options) -> float:
    """Side of a pixel in the unit of the coordinates."""
    if frame.reference.unit == "pixel":
        return 1.0
    if frame.tiles is not None and frame.tiles.gsd is not None:
        return frame.tiles.gsd
    return options.gsd or (DEFAULT_GSD_M if frame.reference.unit == "metre" else 1.0)


def _tiles_of(features: Features) -> TileFrame:
    """The tiles of a layer, the whole of it where it has none; their edges are not known."""
    names = features.tile_names or ("(all)",)
    return TileFrame(names, np.full((len(names), 4), np.nan))


def _of_one_category(overlaps: Overlaps, a: Features, b: Features) -> Overlaps:
    """The pairs whose two sides have one category; all of them where there are none."""
    if "category" not in a.attributes or "category" not in b.attributes:
        return overlaps
    kinds = a.attributes["category"], b.attributes["category"]
    return overlaps.take(kinds[0][overlaps.reference] == kinds[1][overlaps.prediction])


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
