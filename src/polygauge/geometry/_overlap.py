"""Areas of intersections, exact and without an overlay.

A feature whose inside lies to the left of all its edges is a signed sum of strips: every edge adds
(when it runs left) or removes (when it runs right) all that lies below it. So the area shared by A
and B is

    |A and B| = sum over edges e of A, f of B of  s_e s_f  integral of min(y_e - y_f, 0) dx

over the x range that e and f have in common, s = +1 for an edge that runs left and -1 for one that
runs right. (The sum of min(y_e, y_f) is the area; subtracting y_f changes nothing, because the
signs of A's edges add up to 0 at every x.) Holes and parts need no case of their own, nothing can
raise, and the sum is linear in rings: it also holds for any signed set of rings, such as an outer
ring and a clockwise inner one.
"""

from __future__ import annotations

import numpy as np

from polygauge.geometry._edges import most_edges
from polygauge.geometry._jit import jit
from polygauge.geometry.pairs import Pairs
from polygauge.geometry.polygons import FloatArray, IntArray

# Rounding error of the sum, as a share of the area it is compared with; measured below 1e-13.
_ROUNDING = 1e-12

# Features with at most this many pairs per edge are summed up as they are: cutting costs more.
_FEW_PAIRS = 100

# Cuts in a row that may fail to part the edges before a cell is summed up as it is.
_PATIENCE = 6

# Rows of an edge table, shape (6, n): where the edge begins and ends, x0 < x1; y at x0; slope;
# sign; room for a sum. A row a quantity, so that the inner loop becomes vector instructions.
_X0, _X1, _Y0, _SLOPE, _SIGN, _SUM = range(6)


def intersection_areas(pairs: Pairs) -> FloatArray:
    """Area that the two features of each pair share, shape (n,), squared CRS units.

    0 exactly where they only touch: areas below 1e-12 of the smaller feature are rounding error.
    """
    return pairs.share(overlap_areas)[:, 0]


def intersection_over_union(pairs: Pairs) -> FloatArray:
    """Intersection over union of each pair, shape (n,), 0 to 1.

    1 exactly where the union exceeds the intersection by no more than 1e-12 of itself.
    """
    shared, a, b = pairs.share(overlap_areas).T
    union = a + b - shared
    equal = union - shared <= _ROUNDING * union
    return np.where(equal, 1.0, shared / np.where(equal, 1.0, union))


def overlap_areas(pairs: Pairs) -> FloatArray:
    """Area of the intersection, of the reference and of the prediction, a row a pair: shape (n, 3)."""
    a, b = pairs.a, pairs.b
    return _overlaps(
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
def _overlaps(
    a_xy: FloatArray,
    a_rings: IntArray,
    a_features: IntArray,
    a_rows: IntArray,
    b_xy: FloatArray,
    b_rings: IntArray,
    b_features: IntArray,
    b_rows: IntArray,
) -> FloatArray:
    out = np.zeros((len(a_rows), 3))
    a_edges = np.empty((6, most_edges(a_rings, a_features, a_rows)))
    b_edges = np.empty((6, most_edges(b_rings, b_features, b_rows)))
    for k in range(len(a_rows)):
        a0, a1 = a_features[a_rows[k]], a_features[a_rows[k] + 1]
        b0, b1 = b_features[b_rows[k]], b_features[b_rows[k] + 1]
        if a0 == a1 or b0 == b1:
            continue
        left, low, right, high = _common_box(
            a_xy, a_rings[a0], a_rings[a1], b_xy, b_rings[b0], b_rings[b1]
        )
        ox, oy = 0.5 * (left + right), 0.5 * (low + high)
        n, out[k, 1] = _load(a_xy, a_rings, a0, a1, ox, oy, a_edges)
        m, out[k, 2] = _load(b_xy, b_rings, b0, b1, ox, oy, b_edges)
        if not (left < right and low < high):
            continue
        if n * m <= _FEW_PAIRS * (n + m):
            shared = _sum_pairs(a_edges, n, b_edges, m)
        else:
            shared = _sum_cells(a_edges[:, :n].copy(), b_edges[:, :m].copy())
        smaller = min(out[k, 1], out[k, 2])
        out[k, 0] = 0.0 if shared <= _ROUNDING * smaller else min(shared, smaller)
    return out


@jit
def _common_box(
    a_xy: FloatArray, a0: int, a1: int, b_xy: FloatArray, b0: int, b1: int
) -> tuple[float, float, float, float]:
    """Box in which the boxes of two point ranges overlap; left > right or low > high if they do not."""
    ax0 = ax1 = a_xy[a0, 0]
    ay0 = ay1 = a_xy[a0, 1]
    for k in range(a0 + 1, a1):
        x, y = a_xy[k, 0], a_xy[k, 1]
        ax0, ax1 = min(ax0, x), max(ax1, x)
        ay0, ay1 = min(ay0, y), max(ay1, y)
    bx0 = bx1 = b_xy[b0, 0]
    by0 = by1 = b_xy[b0, 1]
    for k in range(b0 + 1, b1):
        x, y = b_xy[k, 0], b_xy[k, 1]
        bx0, bx1 = min(bx0, x), max(bx1, x)
        by0, by1 = min(by0, y), max(by1, y)
    return max(ax0, bx0), max(ay0, by0), min(ax1, bx1), min(ay1, by1)


@jit
def _load(
    xy: FloatArray, rings: IntArray, first: int, last: int, ox: float, oy: float, edges: FloatArray
) -> tuple[int, float]:
    """Write the edges of some rings, moved by (-ox, -oy); returns how many, and the signed area."""
    n = 0
    area = 0.0
    for r in range(first, last):
        x0, y0 = xy[rings[r], 0] - ox, xy[rings[r], 1] - oy
        for k in range(rings[r] + 1, rings[r + 1]):
            x1, y1 = xy[k, 0] - ox, xy[k, 1] - oy
            dx = x1 - x0
            edges[_X0, n], edges[_X1, n] = min(x0, x1), max(x0, x1)
            edges[_Y0, n] = y0 if x0 < x1 else y1
            edges[_SLOPE, n] = (y1 - y0) / dx if dx != 0.0 else 0.0
            edges[_SIGN, n] = -1.0 if x0 < x1 else 1.0
            area -= 0.5 * (y0 + y1) * dx
            x0, y0 = x1, y1
            n += 1
    return n, area


@jit
def _sum_pairs(a: FloatArray, n: int, b: FloatArray, m: int) -> float:
    """The sum over all pairs of the first `n` edges of A and the first `m` of B."""
    x0, x1, y0, slope, sign, room = b[_X0], b[_X1], b[_Y0], b[_SLOPE], b[_SIGN], b[_SUM]
    for q in range(m):
        room[q] = 0.0
    for p in range(n):
        ax0, ax1, ay0, a_slope, a_sign = a[_X0, p], a[_X1, p], a[_Y0, p], a[_SLOPE, p], a[_SIGN, p]
        for q in range(m):
            left = max(ax0, x0[q])
            width = max(min(ax1, x1[q]) - left, 0.0)
            # y_a - y_b runs linearly from d0 to d1. The mean of its negative part is half the sum
            # of the negative ends, times the share of the width where it is negative.
            d0 = ay0 + a_slope * (left - ax0) - (y0[q] + slope[q] * (left - x0[q]))
            d1 = d0 + (a_slope - slope[q]) * width
            negative = min(d0, 0.0) + min(d1, 0.0)
            share = -negative / (abs(d0) + abs(d1) + 1e-300)  # 0 / 1e-300 where both are 0
            room[q] += a_sign * width * negative * share
    total = 0.0
    for q in range(m):
        total += sign[q] * room[q]
    return 0.5 * total


@jit
def _sum_cells(a: FloatArray, b: FloatArray) -> float:
    """The sum for large features: cut the plane until every cell holds few edges of a side.

    The shared area adds up over cells. A cell holds the edges inside it, and along its lower and
    upper border the stretches that stand for all that lies below and above.
    """
    total = 0.0
    cells = [(a, b, 0)]
    while len(cells) > 0:
        a, b, stalled = cells.pop()
        n, m = a.shape[1], b.shape[1]
        if n * m <= _FEW_PAIRS * (n + m) or stalled == _PATIENCE:
            total += _sum_pairs(a, n, b, m)
            continue
        x, y = _centre(a, b)
        pairs_x, pairs_y = _pairs_after(a, b, x, True), _pairs_after(a, b, y, False)
        # Edges that all meet in one point cannot be parted: no progress several times over.
        stalled = stalled + 1 if min(pairs_x, pairs_y) > 0.9 * n * m else 0
        along_x = pairs_x <= pairs_y
        at = x if along_x else y
        for above in (True, False):
            cells.append((_cut(a, at, along_x, above), _cut(b, at, along_x, above), stalled))
    return total


@jit
def _centre(a: FloatArray, b: FloatArray) -> tuple[float, float]:
    """Mean of the edge midpoints of both sides."""
    x = y = 0.0
    for edges in (a, b):
        for k in range(edges.shape[1]):
            half = 0.5 * (edges[_X1, k] - edges[_X0, k])
            x += edges[_X0, k] + half
            y += edges[_Y0, k] + half * edges[_SLOPE, k]
    n = a.shape[1] + b.shape[1]
    return x / n, y / n


@jit
def _span(edges: FloatArray, k: int, along_x: bool) -> tuple[float, float]:
    """Range of edge `k` in x or in y."""
    if along_x:
        return edges[_X0, k], edges[_X1, k]
    y0 = edges[_Y0, k]
    y1 = y0 + edges[_SLOPE, k] * (edges[_X1, k] - edges[_X0, k])
    return min(y0, y1), max(y0, y1)


@jit
def _pairs_after(a: FloatArray, b: FloatArray, at: float, along_x: bool) -> int:
    """Pairs of edges left in the two halves if a cell is cut."""
    counts = np.zeros((2, 2), dtype=np.int64)
    for side, edges in enumerate((a, b)):
        for k in range(edges.shape[1]):
            low, high = _span(edges, k, along_x)
            counts[side, 0] += low < at
            counts[side, 1] += high > at
    return counts[0, 0] * counts[1, 0] + counts[0, 1] * counts[1, 1]


@jit
def _cut(edges: FloatArray, at: float, along_x: bool, above: bool) -> FloatArray:
    """Edges of the cell's half above `at` (or below it), in x or in y.

    After a cut in y, the stretches of the border that stand for the dropped half are edges too.
    """
    n = edges.shape[1]
    out = np.empty((6, 3 * n))
    steps = np.empty((2 * n, 2))
    kept = dropped = 0
    for k in range(n):
        x0, x1, y0 = edges[_X0, k], edges[_X1, k], edges[_Y0, k]
        slope, sign = edges[_SLOPE, k], edges[_SIGN, k]
        low, high = _span(edges, k, along_x)
        middle, rising = x1, along_x or slope > 0.0
        upper = low >= at
        if low < at < high:
            middle = at if along_x else min(max(x0 + (at - y0) / slope, x0), x1)
            upper = not rising
        for left, right in ((x0, middle), (middle, x1)):
            if left < right and upper == above:
                out[_X0, kept], out[_X1, kept] = left, right
                out[_Y0, kept] = y0 + slope * (left - x0)
                out[_SLOPE, kept], out[_SIGN, kept] = slope, sign
                kept += 1
            elif left < right and not along_x:
                steps[dropped, 0], steps[dropped, 1] = left, sign
                steps[dropped + 1, 0], steps[dropped + 1, 1] = right, -sign
                dropped += 2
            upper = not upper
    order = np.argsort(steps[:dropped, 0])
    sign = 0.0
    for k in range(dropped - 1):
        sign += steps[order[k], 1]
        left, right = steps[order[k], 0], steps[order[k + 1], 0]
        if sign != 0.0 and left < right:
            out[_X0, kept], out[_X1, kept] = left, right
            out[_Y0, kept], out[_SLOPE, kept], out[_SIGN, kept] = at, 0.0, sign
            kept += 1
    return out[:, :kept].copy()
