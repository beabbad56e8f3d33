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
from polygauge.geometry._jit import inner, jit
from polygauge.geometry.pairs import Pairs
from polygauge.geometry.polygons import FloatArray, IntArray

# Rounding error of the sum, as a share of the area it is compared with; measured below 1e-13.
_ROUNDING = 1e-12

# Features with at most this many pairs per edge are summed up as they are: cutting costs more.
_FEW_PAIRS = 100

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
    return ratio_to_union(pairs.share(overlap_areas))


def ratio_to_union(areas: FloatArray) -> FloatArray:
    """Intersection over union from rows (intersection, reference, prediction) of areas."""
    shared, a, b = areas.T
    union = a + b - shared
    equal = union - shared <= _ROUNDING * union
    return np.where(equal, 1.0, shared / np.where(equal, 1.0, union))


def overlap_areas(pairs: Pairs) -> FloatArray:
    """Areas of the intersection, the reference and the prediction of each pair, shape (n, 3)."""
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
        n, out[k, 1] = _load(a_xy, a_rings, a0, a1, ox, oy, 1.0, 0.0, a_edges)
        m, out[k, 2] = _load(b_xy, b_rings, b0, b1, ox, oy, 1.0, 0.0, b_edges)
        if not (left < right and low < high):
            continue
        if n * m <= _FEW_PAIRS * (n + m):
            shared = _sum_pairs(a_edges, n, b_edges, m)
        else:
            c, s = _steepest(a_edges, n, b_edges, m)
            _load(a_xy, a_rings, a0, a1, ox, oy, c, s, a_edges)
            _load(b_xy, b_rings, b0, b1, ox, oy, c, s, b_edges)
            shared = _sum_strips(a_edges[:, :n].copy(), b_edges[:, :m].copy())
        smaller = min(out[k, 1], out[k, 2])
        out[k, 0] = 0.0 if shared <= _ROUNDING * smaller else min(shared, smaller)
    return out


@inner
def _common_box(
    a_xy: FloatArray, a0: int, a1: int, b_xy: FloatArray, b0: int, b1: int
) -> tuple[float, float, float, float]:
    """Box (left, low, right, high) that the boxes of two point ranges share; inverted if none."""
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


@inner
def _load(
    xy: FloatArray,
    rings: IntArray,
    first: int,
    last: int,
    ox: float,
    oy: float,
    c: float,
    s: float,
    edges: FloatArray,
) -> tuple[int, float]:
    """Write the edges of some rings; returns how many, and the signed area.

    Points are moved by (-ox, -oy), then turned by the angle with cosine `c` and sine `s`.
    """
    n = 0
    area = 0.0
    for r in range(first, last):
        x, y = xy[rings[r], 0] - ox, xy[rings[r], 1] - oy
        x0, y0 = c * x - s * y, s * x + c * y
        for k in range(rings[r] + 1, rings[r + 1]):
            x, y = xy[k, 0] - ox, xy[k, 1] - oy
            x1, y1 = c * x - s * y, s * x + c * y
            dx = x1 - x0
            edges[_X0, n], edges[_X1, n] = min(x0, x1), max(x0, x1)
            edges[_Y0, n] = y0 if x0 < x1 else y1
            edges[_SLOPE, n] = (y1 - y0) / dx if dx != 0.0 else 0.0
            edges[_SIGN, n] = -1.0 if x0 < x1 else 1.0
            area -= 0.5 * (y0 + y1) * dx
            x0, y0 = x1, y1
            n += 1
    return n, area


@inner
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


@inner
def _steepest(a: FloatArray, n: int, b: FloatArray, m: int) -> tuple[float, float]:
    """Cosine and sine of the turn that makes the main direction of all edges vertical.

    Mean of the doubled directions, by length. Steep edges have short x ranges: few share one.
    """
    c2 = s2 = 0.0
    for edges, count in ((a, n), (b, m)):
        for k in range(count):
            dx, slope = edges[_X1, k] - edges[_X0, k], edges[_SLOPE, k]
            c2 += dx * (1.0 - slope * slope) / np.sqrt(1.0 + slope * slope)
            s2 += dx * 2.0 * slope / np.sqrt(1.0 + slope * slope)
    turn = 0.5 * np.pi - 0.5 * np.arctan2(s2, c2)
    return np.cos(turn), np.sin(turn)


@inner
def _sum_strips(a: FloatArray, b: FloatArray) -> float:
    """The sum for large features, cut into upright strips while that leaves fewer pairs."""
    total = 0.0
    strips = [(a, b)]
    while len(strips) > 0:
        a, b = strips.pop()
        n, m = a.shape[1], b.shape[1]
        if n * m <= _FEW_PAIRS * (n + m):
            total += _sum_pairs(a, n, b, m)
            continue
        at = 0.5 * (np.sum(a[_X0] + a[_X1]) + np.sum(b[_X0] + b[_X1])) / (n + m)
        left = np.sum(a[_X0] < at) * np.sum(b[_X0] < at)
        right = np.sum(a[_X1] > at) * np.sum(b[_X1] > at)
        if left + right > 0.9 * n * m:
            total += _sum_pairs(a, n, b, m)
            continue
        strips.append((_cut(a, -np.inf, at), _cut(b, -np.inf, at)))
        strips.append((_cut(a, at, np.inf), _cut(b, at, np.inf)))
    return total


@inner
def _cut(edges: FloatArray, left: float, right: float) -> FloatArray:
    """The parts of the edges between two x."""
    out = np.empty((6, np.sum((edges[_X0] < right) & (edges[_X1] > left))))
    n = 0
    for k in range(edges.shape[1]):
        x0, x1 = max(edges[_X0, k], left), min(edges[_X1, k], right)
        if x0 < x1:
            out[_X0, n], out[_X1, n] = x0, x1
            out[_Y0, n] = edges[_Y0, k] + edges[_SLOPE, k] * (x0 - edges[_X0, k])
            out[_SLOPE, n], out[_SIGN, n] = edges[_SLOPE, k], edges[_SIGN, k]
            n += 1
    return out[:, :n].copy()
