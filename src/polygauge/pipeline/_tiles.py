"""What a suite of image tiles adds to a run: tile means, average precision, headline figures."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from polygauge.geometry import FloatArray, IntArray
from polygauge.io import TileFrame
from polygauge.matching import TIE, Overlaps, compare_tiles
from polygauge.measuring import measure_tiles
from polygauge.metrics import Metric
from polygauge.suites import Suite, TileRecipe
from polygauge.summary import (
    COCO_SIZES,
    COCO_THRESHOLDS,
    ScoredPairs,
    ScoredPredictions,
    ScoredReferences,
    precision_recall,
    spacenet_score,
    summarise_tiles,
    tile_means,
    tile_precision,
)
from polygauge.tables import Features, Matches, Measurements, MetricSummary, Tiles

_SIZES = {"all": (-np.inf, np.inf)}


@dataclass(frozen=True, slots=True, eq=False)
class TileScores:
    """What was found on tiles.

    Attributes
    ----------
    tiles : Tiles
    means : dict of str to MetricSummary
        Statistics of each column of `tiles` over the tiles.
    pooled : dict of str to float
        The same from sums over all tiles.
    ap : dict of str to float
        Average precision and recall, by pycocotools' names.
    counts : dict of str to float
        Precision and recall of the suite's own rule.
    """

    tiles: Tiles
    means: dict[str, MetricSummary]
    pooled: dict[str, float]
    ap: dict[str, float]
    counts: dict[str, float]

    def headline(self, tiles: TileRecipe) -> dict[str, float]:
        """The figures to quote; see `TileRecipe.headline`."""
        figures: dict[str, float] = {}
        for name, place in tiles.headline:
            table, _, column = place.partition(".")
            if place == "ap.*":
                figures |= self.ap
            elif place == "ap.AR":
                cap = tiles.max_detections[-1]
                figures[name] = self.ap["AR" if cap is None else f"AR{cap}"]
            elif table == "ap":
                figures[name] = self.ap[column]
            elif table == "counts":
                figures[name] = self.counts[column]
            else:
                measure = column if table == "tiles" else f"matched_{column}"
                figures[name] = self.means[measure].mean
        return figures


def score_tiles(
    recipe: Suite,
    tiles: TileRecipe,
    frame: TileFrame,
    reference: Features,
    prediction: Features,
    scored: ScoredPairs,
    matches: Matches,
    measurements: Measurements,
    metrics: tuple[Metric, ...],
    parameters: dict[str, float],
    *,
    jobs: int,
    seed: int,
) -> TileScores:
    """Measure the tiles, average over them, and compute average precision."""
    areas = compare_tiles(reference, prediction, len(frame.names), jobs=jobs)
    a, b = frame.drawn or (reference, prediction)
    table = measure_tiles(
        a,
        b,
        areas.iou,
        frame.boxes,
        angle=parameters["dof_angle"],
        offset=parameters["dof_offset"],
        both_empty=tiles.both_empty,
    )
    values = dict(table.values)
    kept = matches.one_to_one
    homes = _tiles(reference)[matches.reference[kept]]
    for metric in metrics:
        column = measurements.values[metric.name][kept]
        values[f"matched_{metric.name}"] = tile_means(column, homes, len(frame.names))
    curve = precision_recall(
        scored,
        recipe_thresholds(recipe),
        sizes=COCO_SIZES if tiles.size_classes else _SIZES,
        max_detections=tiles.max_detections,
        tolerance=tolerance(tiles),
    )
    by_tile = tile_precision(scored, recipe_thresholds(recipe), tolerance=tolerance(tiles))
    values |= {"precision_mean": by_tile.precision, "recall_mean": by_tile.recall}
    counts = {
        "precision_mean": by_tile.precision_mean,
        "recall_mean": by_tile.recall_mean,
        "precision_pooled": by_tile.precision_pooled,
        "recall_pooled": by_tile.recall_pooled,
    }
    if tiles.strict:
        score = spacenet_score(scored, recipe.threshold)
        values |= {n: getattr(score, n).astype(np.float64) for n in ("tp", "fp", "fn")}
        counts |= {n: float(getattr(score, n).sum()) for n in ("tp", "fp", "fn")}
        counts |= {n: getattr(score, n) for n in ("precision", "recall", "f1")}
    union = float((areas.reference + areas.prediction - areas.intersection).sum())
    n, m = values["reference_vertices"].sum(), values["prediction_vertices"].sum()
    pooled = {
        "iou": _ratio(float(areas.intersection.sum()), union),
        "vertex_ratio": 1 - _ratio(float(abs(n - m)), float(n + m)),
    }
    result = Tiles(frame.names, values)
    return TileScores(
        tiles=result,
        means=summarise_tiles(result, seed=seed),
        pooled={**pooled, "ciou": pooled["iou"] * pooled["vertex_ratio"]},
        ap=curve.statistics(),
        counts=counts,
    )


def recipe_thresholds(recipe: Suite) -> FloatArray:
    """The thresholds of average precision: COCO's own floats, or the suite's one."""
    return COCO_THRESHOLDS if len(recipe.thresholds) != 1 else np.array(recipe.thresholds)


def tolerance(tiles: TileRecipe) -> float:
    """How far short of a threshold an overlap may fall: its stated accuracy."""
    return TIE if tiles.overlap == "vector" and not tiles.strict else 0.0


def vector_pairs(
    reference: Features, prediction: Features, overlaps: Overlaps, *, finds_invalid: bool
) -> ScoredPairs:
    """The overlaps of outlines as pairs to score; a crowd counts by the prediction's own area."""
    crowd = ~reference.counts
    a_areas, b_areas = reference.polygons.areas, prediction.polygons.areas
    value = np.where(
        crowd[overlaps.reference],
        np.minimum(overlaps.intersection / b_areas[overlaps.prediction], 1.0),
        overlaps.iou,
    )
    if not finds_invalid and "valid" in reference.attributes:
        value[~reference.attributes["valid"][overlaps.reference]] = 0.0
    return ScoredPairs.from_pairs(
        ScoredPredictions.of(
            _tiles(prediction),
            np.nan_to_num(
                np.zeros(len(prediction)) if prediction.scores is None else prediction.scores,
                nan=-np.inf,
            ),
            category=prediction.attributes.get("category"),
            area=b_areas,
        ),
        ScoredReferences.of(
            _tiles(reference),
            category=reference.attributes.get("category"),
            area=a_areas,
            crowd=crowd,
        ),
        overlaps.prediction,
        overlaps.reference,
        value,
        images=max(len(reference.tile_names), 1),
    )


def _tiles(features: Features) -> IntArray:
    return np.zeros(len(features), dtype=np.int64) if features.tiles is None else features.tiles


def _ratio(above: float, below: float) -> float:
    return above / below if below else float("nan")
