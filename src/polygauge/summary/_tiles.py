"""Means over tiles: of what was measured on whole tiles, and of the matched pairs of each."""

from __future__ import annotations

import numpy as np

from polygauge.geometry import FloatArray, IntArray


def tile_means(values: FloatArray, tiles: IntArray, count: int) -> FloatArray:
    """Mean of the defined values in each of `count` tiles, shape (t,); NaN where there is none."""
    defined = ~np.isnan(values)
    number = np.bincount(tiles[defined], minlength=count)
    total = np.bincount(tiles[defined], values[defined], minlength=count)
    means = np.full(count, np.nan)
    np.divide(total, number, out=means, where=number > 0)
    return means
