"""Means over tiles: of what was measured on whole tiles, and of the matched pairs of each."""

from __future__ import annotations

import numpy as np

from polygauge.geometry import FloatArray, IntArray
from polygauge.summary._statistics import summarise_metric
from polygauge.tables import MetricSummary, Reason, Tiles

_NOTHING = "the tile has nothing to measure it on"


def tile_means(values: FloatArray, tiles: IntArray, count: int) -> FloatArray:
    """Mean of the defined values in each of `count` tiles, shape (t,); NaN where there is none."""
    defined = ~np.isnan(values)
    number = np.bincount(tiles[defined], minlength=count)
    total = np.bincount(tiles[defined], values[defined], minlength=count)
    means = np.full(count, np.nan)
    np.divide(total, number, out=means, where=number > 0)
    return means


def summarise_tiles(tiles: Tiles, *, seed: int) -> dict[str, MetricSummary]:
    """Statistics of every column over the tiles, with intervals from resampled tiles."""
    places = np.arange(len(tiles))
    return {
        name: summarise_metric(
            values,
            np.where(np.isnan(values), Reason.FORMULA, Reason.DEFINED).astype(np.uint8),
            {Reason.FORMULA: _NOTHING},
            places,
            missed=0,
            worst=None,
            seed=seed,
        )
        for name, values in tiles.values.items()
    }
