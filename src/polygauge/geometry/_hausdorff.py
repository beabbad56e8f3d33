"""The exact Hausdorff distance between two boundaries, by branch and bound."""

from __future__ import annotations

import numpy as np

from polygauge.geometry._distance import edge_tree, load_target, reach, target_buffer
from polygauge.geometry._jit import jit
from polygauge.geometry.pairs import Pairs
from polygauge.geometry.polygons import FloatArray, IntArray

# The search stops when no piece can exceed the best so far by more than this share of the size.
_PRECISION = 1e-10


def directed_hausdorff(pairs: Pairs) -> FloatArray:
    """Largest distance of a boundary point to the other boundary, shape (n, 2), CRS units.

    Column 0 from the reference to the prediction, column 1 back; all rings, every point of every
    edge, to 1e-10 of the size of the pair.
    """
    a, b = pairs.a, pairs.b
    return _directed_hausdorff(
        a.coordinates,
        a.ring_offsets,
        a.feature_rings,
        pairs.i,
        b.coordinates,
        b.ring_offsets,
        b.feature_rings,
        pairs.j,
    )


@jit
def _directed_hausdorff(
    a_xy: FloatArray,
    a_rings: IntArray,
    a_features: IntArray,
    a_rows: IntArray,
    b_xy: FloatArray,
    b_rings: IntArray,
    b_features: IntArray,
    b_rows: IntArray,
) -> FloatArray:
    out = np.empty((len(a_rows), 2))
    a = target_buffer(a_rings, a_features, a_rows)
    b = target_buffer(b_rings, b_features, b_rows)
    for k in range(len(a_rows)):
        start = a_rings[a_features[a_rows[k]]]
        ox, oy = a_xy[start, 0], a_xy[start, 1]
        n = load_target(a_xy, a_rings, a_features, a_rows[k], ox, oy, a)
        m = load_target(b_xy, b_rings, b_features, b_rows[k], ox, oy, b)
        size = 0.0
        for e in range(n):
            size = max(size, abs(a[e, 0]), abs(a[e, 1]))
        out[k, 0] = _farthest(a, n, b, m, _PRECISION * size)
        out[k, 1] = _farthest(b, m, a, n, _PRECISION * size)
    return out


@jit
def _farthest(source: FloatArray, n: int, target: FloatArray, m: int, precision: float) -> float:
    """Largest distance of any point on n edges to a boundary of m edges."""
    tree, starts = edge_tree(target, m)
    at_start = np.empty(n)
    best = 0.0
    for k in range(n):
        x, y = source[k, 0], source[k, 1]
        at_start[k] = reach(target, m, tree, starts, x, y, x, y)
        best = max(best, at_start[k])
    # Pieces of an edge that wait to be bounded: from s to t along it, with the distances there.
    # Halving keeps one piece a level, and 1 / 2^60 of an edge is below any precision.
    waiting = np.empty((64, 4))
    for k in range(n):
        x, y, dx, dy = source[k, 0], source[k, 1], source[k, 2], source[k, 3]
        length = np.hypot(dx, dy)
        end = reach(target, m, tree, starts, x + dx, y + dy, x + dx, y + dy)
        waiting[0, 0], waiting[0, 1], waiting[0, 2], waiting[0, 3] = 0.0, 1.0, at_start[k], end
        size = 1
        while size > 0:
            size -= 1
            s, t, d_s, d_t = waiting[size, 0], waiting[size, 1], waiting[size, 2], waiting[size, 3]
            # The distance changes by at most 1 a unit walked.
            if 0.5 * (d_s + d_t + (t - s) * length) <= best + precision:
                continue
            bound = reach(target, m, tree, starts, x + s * dx, y + s * dy, x + t * dx, y + t * dy)
            if bound <= best + precision:
                continue
            mid = 0.5 * (s + t)
            d_mid = reach(
                target, m, tree, starts, x + mid * dx, y + mid * dy, x + mid * dx, y + mid * dy
            )
            best = max(best, d_mid)
            if size + 2 <= len(waiting):
                waiting[size, 0], waiting[size, 1] = s, mid
                waiting[size, 2], waiting[size, 3] = d_s, d_mid
                waiting[size + 1, 0], waiting[size + 1, 1] = mid, t
                waiting[size + 1, 2], waiting[size + 1, 3] = d_mid, d_t
                size += 2
    return best
