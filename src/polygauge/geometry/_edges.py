"""Edges of one feature as rows (x0, y0, x1, y1) about a local origin: what pair kernels work on."""

from __future__ import annotations

import numpy as np

from polygauge.geometry._jit import inner
from polygauge.geometry.polygons import FloatArray, IntArray


@inner
def count_edges(rings: IntArray, features: IntArray, i: int) -> int:
    """Edges of feature `i` over all rings; `features` are ring offsets."""
    first, last = features[i], features[i + 1]
    count: int = rings[last] - rings[first] - (last - first)
    return count


@inner
def most_edges(rings: IntArray, features: IntArray, chosen: IntArray) -> int:
    """Largest number of edges among the chosen features."""
    most = 0
    for i in chosen:
        most = max(most, count_edges(rings, features, i))
    return most


@inner
def load_edges(
    xy: FloatArray,
    rings: IntArray,
    features: IntArray,
    i: int,
    ox: float,
    oy: float,
    out: FloatArray,
) -> int:
    """Write the edges of feature `i`, moved by (-ox, -oy), to `out` (m, 4); returns how many.

    Subtracting an origin close by first keeps all digits of coordinates a million metres away.
    """
    n = 0
    for r in range(features[i], features[i + 1]):
        for k in range(rings[r], rings[r + 1] - 1):
            out[n, 0] = xy[k, 0] - ox
            out[n, 1] = xy[k, 1] - oy
            out[n, 2] = xy[k + 1, 0] - ox
            out[n, 3] = xy[k + 1, 1] - oy
            n += 1
    return n


@inner
def edge_buffer(rings: IntArray, features: IntArray, chosen: IntArray) -> FloatArray:
    """Room for the edges of any one of the chosen features, shape (m, 4)."""
    return np.empty((most_edges(rings, features, chosen), 4))
