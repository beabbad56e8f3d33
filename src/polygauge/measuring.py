"""Measure: a row a pair, a feature or a tile, a column a metric."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray

from polygauge.errors import OptionError
from polygauge.geometry import (
    FloatArray,
    IntArray,
    Pairs,
    Polygons,
    edges_off_border,
    line_freedoms,
    polygon_edges,
)
from polygauge.metrics import BY_NAME, Metric
from polygauge.tables import FORMULA_TEXT, Features, Matches, Measurements, Reason, Tiles

# Fixed, so that the same rows share a batch, and give the same bits, whatever the threads.
_BATCH = 4_096


def chosen_metrics(names: Sequence[str]) -> tuple[tuple[Metric, ...], tuple[Metric, ...]]:
    """The records of the named metrics in the order given: those of pairs, those of shapes.

    Raises
    ------
    OptionError
        A name is unknown, or comes twice.
    """
    for name in names:
        if name not in BY_NAME:
            raise OptionError(f"there is no metric {name!r}", hint=f"known: {', '.join(BY_NAME)}")
        if list(names).count(name) > 1:
            raise OptionError(f"the metric {name!r} is asked for twice", hint="name it once")
    records = [BY_NAME[name] for name in names]
    return (
        tuple(metric for metric in records if metric.kind == "pair"),
        tuple(metric for metric in records if metric.kind == "shape"),
    )


def measure(
    reference: Features,
    prediction: Features,
    matches: Matches,
    metrics: Sequence[Metric],
    parameters: dict[str, float],
    *,
    jobs: int = 1,
    progress: Callable[[int], None] | None = None,
) -> Measurements:
    """Value of every metric on every related pair.

    Parameters
    ----------
    reference, prediction : Features
    matches : Matches
        p related pairs.
    metrics : sequence of Metric
        Pair metrics.
    parameters : dict of str to float
        Run parameters by name; each metric takes those it declares.
    jobs : int
        Threads. The result does not depend on it.
    progress : callable, optional
        Called with the number of pairs finished.

    Returns
    -------
    Measurements
        Columns of p rows.
    """

    def run(start: int) -> list[tuple[FloatArray, NDArray[np.uint8]]]:
        stop = min(start + _BATCH, len(matches))
        pairs = Pairs(
            reference.polygons,
            prediction.polygons,
            matches.reference[start:stop],
            matches.prediction[start:stop],
        )
        columns = [_column(metric, pairs, parameters) for metric in metrics]
        if progress is not None:
            progress(stop - start)
        return columns

    with ThreadPoolExecutor(max_workers=jobs) as pool:
        batches = list(pool.map(run, range(0, len(matches), _BATCH)))
    values, reasons = {}, {}
    for k, metric in enumerate(metrics):
        values[metric.name] = np.concatenate([np.empty(0), *(batch[k][0] for batch in batches)])
        reasons[metric.name] = np.concatenate(
            [np.empty(0, dtype=np.uint8), *(batch[k][1] for batch in batches)]
        )
    return Measurements(
        values=values,
        reasons=reasons,
        reason_texts={metric.name: _reason_texts(metric) for metric in metrics},
        parameters={name: parameters[name] for metric in metrics for name in metric.parameters},
    )


def measure_shapes(
    features: Features,
    metrics: Sequence[Metric],
    parameters: dict[str, float],
    *,
    jobs: int = 1,
) -> dict[str, FloatArray]:
    """Value of every shape metric on every feature of one side, shape (n,) each."""

    def run(start: int) -> list[FloatArray]:
        rows = np.arange(start, min(start + _BATCH, len(features)))
        polygons = features.polygons.take(rows)
        return [
            metric.compute(polygons, **{name: parameters[name] for name in metric.parameters})
            for metric in metrics
        ]

    with ThreadPoolExecutor(max_workers=jobs) as pool:
        batches = list(pool.map(run, range(0, len(features), _BATCH)))
    return {
        metric.name: np.concatenate([np.empty(0), *(batch[k] for batch in batches)])
        for k, metric in enumerate(metrics)
    }


def measure_tiles(
    reference: Features,
    prediction: Features,
    iou: FloatArray,
    boxes: FloatArray,
    *,
    angle: float,
    offset: float,
    both_empty: float,
) -> Tiles:
    """What is measured on a tile as a whole: all judged features of a side taken together.

    Parameters
    ----------
    reference, prediction : Features
        In tiles.
    iou : ndarray of float64, shape (t,)
        IoU of the two sides as wholes, NaN where both are empty.
    boxes : ndarray of float64, shape (t, 4)
        The tiles as (xmin, ymin, xmax, ymax): edges on their border are no lines of a building.
    angle, offset : float
        As in `line_dof`.
    both_empty : float
        `iou`, `vertex_ratio` and `ciou` of a tile that is empty on both sides.

    Returns
    -------
    Tiles
        Numbers of features and vertices on both sides; `iou`, `vertex_ratio`, their product
        `ciou`; `line_dof` of the predictions and `line_dof_reference`, NaN without any line.
    """
    a, b = _of_tiles(reference, len(boxes)), _of_tiles(prediction, len(boxes))
    values: dict[str, FloatArray] = {
        "references": np.diff(a.feature_offsets).astype(np.float64),
        "predictions": np.diff(b.feature_offsets).astype(np.float64),
        "reference_vertices": a.vertices,
        "prediction_vertices": b.vertices,
    }
    vertices = a.vertices + b.vertices
    ratio = np.full(len(boxes), both_empty)
    np.divide(np.abs(a.vertices - b.vertices), vertices, out=ratio, where=vertices > 0)
    np.subtract(1.0, ratio, out=ratio, where=vertices > 0)
    iou = np.where(np.isnan(iou), both_empty, iou)
    values |= {"iou": iou, "vertex_ratio": ratio, "ciou": iou * ratio}
    for name, side in (("line_dof", b), ("line_dof_reference", a)):
        edges, offsets = edges_off_border(side.edges, side.edge_offsets, boxes)
        values[name] = line_freedoms(edges, offsets, angle, offset)
    return Tiles(reference.tile_names, values)


@dataclass(frozen=True, slots=True, eq=False)
class _Side:
    """The judged features of one side, tile by tile."""

    feature_offsets: IntArray
    vertices: FloatArray
    edges: FloatArray
    edge_offsets: IntArray


def _of_tiles(features: Features, count: int) -> _Side:
    tiles = np.zeros(len(features), dtype=np.int64) if features.tiles is None else features.tiles
    rows = np.flatnonzero(features.counts)
    rows = rows[np.argsort(tiles[rows], kind="stable")]
    polygons = features.polygons.take(rows)
    offsets = np.searchsorted(tiles[rows], np.arange(count + 1))
    drawn = np.concatenate([[0], np.cumsum(polygons.drawn_counts)])[offsets]
    edges, edge_offsets = polygon_edges(polygons)
    return _Side(offsets, np.diff(drawn).astype(np.float64), edges, edge_offsets[offsets])


# Two buildings with a wing, a courtyard and a second part: every kernel has something to do.
_REHEARSAL = (
    "MULTIPOLYGON (((0 0, 12 0, 12 5, 5 5, 5 9, 0 9, 0 0), (1 1, 3 1, 3 3, 1 3, 1 1)), "
    "((20 0, 24 0, 24 4, 20 4, 20 0)))",
    "MULTIPOLYGON (((1 0, 13 1, 12 6, 6 5, 5 10, 0 9, 1 0), (2 1, 4 2, 3 4, 2 1)), "
    "((20 1, 24 0, 25 4, 20 1)))",
)


def rehearse(names: Sequence[str]) -> None:
    """Measure one small pair, so that the kernels of the named metrics are compiled and cached."""
    polygons = [Polygons.from_shapely([shapely.from_wkt(text)]) for text in _REHEARSAL]
    for name in names:
        metric = BY_NAME[name]
        own = dict.fromkeys(metric.parameters, 1.0)
        subject = Pairs.row_by_row(*polygons) if metric.kind == "pair" else polygons[0]
        metric.compute(subject, **own)


def _column(
    metric: Metric, pairs: Pairs, parameters: dict[str, float]
) -> tuple[FloatArray, NDArray[np.uint8]]:
    own = {name: parameters[name] for name in metric.parameters}
    values = metric.compute(pairs, **own).copy()
    reasons = np.where(np.isnan(values), Reason.FORMULA, Reason.DEFINED).astype(np.uint8)
    if metric.set_aside is not None:
        aside = metric.set_aside(pairs, **own)
        values[aside] = np.nan
        reasons[aside] = Reason.SET_ASIDE
    return values, reasons


def _reason_texts(metric: Metric) -> dict[Reason, str]:
    texts = {Reason.FORMULA: FORMULA_TEXT}
    if metric.set_aside is not None:
        texts[Reason.SET_ASIDE] = metric.set_aside_reason
    return texts
