"""The translation that makes two features overlap most.

Let f(t) be the area that the reference A shares with the prediction B moved by t. As in
`_overlap`, it is a sum over pairs of edges, and so is its gradient. f is piecewise quadratic. Its
gradient is continuous except where parallel edges of A and B come to lie on one line: there f has
a ridge, and the best t is often where two ridges cross. BFGS with a line search that asks for a
weak Wolfe step climbs smooth hills and ridges alike (Lewis and Overton 2013, Nonsmooth
optimization via quasi-Newton methods, Mathematical Programming 141).

f may have several hills. The climb begins from where B lies, from the difference of the centroids,
and from where the corners of the two bounding boxes meet; the boxes are drawn along the main
direction of the edges of both, so that turning both features turns the result.
"""

from __future__ import annotations

import numpy as np

from polygauge.geometry._edges import edge_buffer, load_edges, most_edges
from polygauge.geometry._extent import centroid
from polygauge.geometry._jit import inner, jit
from polygauge.geometry._overlap import overlap_areas, ratio_to_union
from polygauge.geometry._sort import sort_rows
from polygauge.geometry.pairs import Pairs
from polygauge.geometry.polygons import FloatArray, IntArray

# Rows of an edge table, shape (9, n), sorted by where an edge begins: where it begins and ends,
# x0 < x1; y at x0; slope; sign; room for three sums; the farthest end so far.
_X0, _X1, _Y0, _SLOPE, _SIGN, _AREA, _EAST, _NORTH, _REACH = range(9)

# With at most this many edges all are looked at: finding those that share some x costs more.
_FEW_EDGES = 16

# A climb ends when a step is shorter than this share of the size, or no further rise is possible.
_SHORTEST = 1e-12
_STEPS = 60
# A start from elsewhere must beat the climb from where the prediction lies by this share.
_BETTER = 1e-12
# Areas that differ by less than this share of the smaller feature are equal: in the climb, where
# the least difference counts, and on a flat top, which is one that reaches this share of the size.
_ROUNDING, _EQUAL, _FLAT = 1e-13, 1e-12, 1e-3


def best_translations(pairs: Pairs) -> FloatArray:
    """Translation of the prediction that makes the shared area largest, shape (n, 3).

    Columns: x, y, and the area then shared. Found to 1e-6 of the size of the pair where the
    largest area is reached at one place only. Where the top is flat, the translation is shortened
    along the main directions as far as the area stays the same. NaN translation where no start
    shares any area.
    """
    a, b = pairs.a, pairs.b
    return _best_translations(
        a.coordinates,
        a.ring_offsets,
        a.feature_rings,
        pairs.i,
        b.coordinates,
        b.ring_offsets,
        b.feature_rings,
        pairs.j,
    )


def aligned_intersection_over_union(pairs: Pairs) -> FloatArray:
    """Largest intersection over union under translation of the prediction, shape (n,)."""
    areas = pairs.share(overlap_areas).copy()
    areas[:, 0] = np.maximum(areas[:, 0], pairs.share(best_translations)[:, 2])
    return ratio_to_union(areas)


@jit
def _best_translations(
    a_xy: FloatArray,
    a_rings: IntArray,
    a_features: IntArray,
    a_rows: IntArray,
    b_xy: FloatArray,
    b_rings: IntArray,
    b_features: IntArray,
    b_rows: IntArray,
) -> FloatArray:
    out = np.full((len(a_rows), 3), np.nan)
    a_edges = edge_buffer(a_rings, a_features, a_rows)
    b_edges = edge_buffer(b_rings, b_features, b_rows)
    a = np.empty((9, most_edges(a_rings, a_features, a_rows)))
    b = np.empty((9, most_edges(b_rings, b_features, b_rows)))
    order = np.empty((max(a.shape[1], b.shape[1]), 2))
    starts = np.empty((6, 2))
    state = np.empty(5)  # x, y, area, its derivatives
    for k in range(len(a_rows)):
        i, j = a_rows[k], b_rows[k]
        ox, oy = a_xy[a_rings[a_features[i]], 0], a_xy[a_rings[a_features[i]], 1]
        px, py = b_xy[b_rings[b_features[j]], 0], b_xy[b_rings[b_features[j]], 1]
        ax, ay, a_area = centroid(a_xy, a_rings, a_features[i], a_features[i + 1])
        bx, by, b_area = centroid(b_xy, b_rings, b_features[j], b_features[j + 1])
        gx, gy = ax - bx + (ox - px), ay - by + (oy - py)
        n = load_edges(a_xy, a_rings, a_features, i, ox, oy, a_edges)
        m = load_edges(b_xy, b_rings, b_features, j, ox, oy, b_edges)
        c, s = _frame(a_edges, n, b_edges, m)
        a_box = _turn(a_edges, n, c, s)
        b_box = _turn(b_edges, m, c, s)
        n, m = _fill(a_edges, n, order, a), _fill(b_edges, m, order, b)
        _write_starts(c * gx - s * gy, s * gx + c * gy, a_box, b_box, starts)
        size = max(a_box[2] - a_box[0], a_box[3] - a_box[1])
        size = max(size, b_box[2] - b_box[0], b_box[3] - b_box[1])
        most = min(a_area, b_area)
        best = largest = 0.0
        for start in range(6):
            if largest >= most * (1.0 - _ROUNDING):
                break
            _measure(a, n, b, m, starts[start, 0], starts[start, 1], state)
            if state[2] <= 0.0:
                continue
            _climb(a, n, b, m, most, size, state)
            largest = max(largest, state[2])
            if state[2] > best + _BETTER * most:
                best = state[2]
                for axis in range(2):
                    _shorten(a, n, b, m, most, size, axis, state)
                out[k, 0] = c * state[0] + s * state[1]
                out[k, 1] = c * state[1] - s * state[0]
        out[k, 2] = min(largest, most)
    return out


@jit
def _frame(a: FloatArray, n: int, b: FloatArray, m: int) -> tuple[float, float]:
    """Cosine and sine of the turn that lays the main direction modulo 90 degrees along x."""
    c4 = s4 = 0.0
    for edges, count in ((a, n), (b, m)):
        for k in range(count):
            dx, dy = edges[k, 2] - edges[k, 0], edges[k, 3] - edges[k, 1]
            length = np.hypot(dx, dy)
            if length > 0.0:
                c2, s2 = (dx * dx - dy * dy) / length, 2.0 * dx * dy / length
                c4 += (c2 * c2 - s2 * s2) / length
                s4 += 2.0 * c2 * s2 / length
    turn = -0.25 * np.arctan2(s4, c4)
    return np.cos(turn), np.sin(turn)


@inner
def _turn(edges: FloatArray, n: int, c: float, s: float) -> tuple[float, float, float, float]:
    """Turn the edges in place; returns their box (xmin, ymin, xmax, ymax)."""
    x0 = y0 = np.inf
    x1 = y1 = -np.inf
    for k in range(n):
        for p in (0, 2):
            x, y = edges[k, p], edges[k, p + 1]
            edges[k, p], edges[k, p + 1] = c * x - s * y, s * x + c * y
        x0, x1 = min(x0, edges[k, 0]), max(x1, edges[k, 0])
        y0, y1 = min(y0, edges[k, 1]), max(y1, edges[k, 1])
    return x0, y0, x1, y1


@inner
def _write_starts(
    x: float,
    y: float,
    a_box: tuple[float, float, float, float],
    b_box: tuple[float, float, float, float],
    starts: FloatArray,
) -> None:
    """Write where the climb begins: no translation, centroid on centroid, corner on corner."""
    starts[0, 0], starts[0, 1] = 0.0, 0.0
    starts[1, 0], starts[1, 1] = x, y
    for k in range(4):
        east, north = 2 * (k % 2), 1 + 2 * (k // 2)
        starts[2 + k, 0], starts[2 + k, 1] = a_box[east] - b_box[east], a_box[north] - b_box[north]


@inner
def _fill(edges: FloatArray, n: int, order: FloatArray, table: FloatArray) -> int:
    """Write the edge table; edges without extent in x bear no area and are left out."""
    m = 0
    for k in range(n):
        if edges[k, 0] != edges[k, 2]:
            order[m, 0], order[m, 1] = min(edges[k, 0], edges[k, 2]), k
            m += 1
    sort_rows(order[:m])
    reach = -np.inf
    for q in range(m):
        k = int(order[q, 1])
        x0, y0, x1, y1 = edges[k, 0], edges[k, 1], edges[k, 2], edges[k, 3]
        table[_X0, q], table[_X1, q] = min(x0, x1), max(x0, x1)
        table[_Y0, q] = y0 if x0 < x1 else y1
        table[_SLOPE, q] = (y1 - y0) / (x1 - x0)
        table[_SIGN, q] = -1.0 if x0 < x1 else 1.0
        reach = max(reach, table[_X1, q])
        table[_REACH, q] = reach
    return m


@inner
def _first_above(values: FloatArray, n: int, limit: float) -> int:
    """First of n rising values that is above the limit, n if none is."""
    low, high = 0, n
    while low < high:
        middle = (low + high) // 2
        if values[middle] > limit:
            high = middle
        else:
            low = middle + 1
    return low


@jit
def _measure(
    a: FloatArray, n: int, b: FloatArray, m: int, tx: float, ty: float, state: FloatArray
) -> None:
    """Write t, f(t) and the gradient of f to `state`.

    For two edges, min(y_a - y_b, 0) is integrated over the x that they share. Moving b north lets
    it fall by the length where it is negative; moving b east lets it rise by the slope of b times
    that length, and by what is won or lost where the shared range ends with b.
    """
    x0, x1, y0, slope, sign = b[_X0], b[_X1], b[_Y0], b[_SLOPE], b[_SIGN]
    area, east, north = b[_AREA], b[_EAST], b[_NORTH]
    for q in range(m):
        area[q] = east[q] = north[q] = 0.0
    for p in range(n):
        ax0, ax1, a_slope, a_sign = a[_X0, p] - tx, a[_X1, p] - tx, a[_SLOPE, p], a[_SIGN, p]
        ay0 = a[_Y0, p] - ty
        first, last = 0, m
        if m > _FEW_EDGES:
            first, last = _first_above(b[_REACH], m, ax0), _first_above(x0, m, ax1)
        # Unsigned, so that no index can be negative and the loop runs in vectors.
        for q in range(np.uint64(first), np.uint64(last)):
            left, right = max(ax0, x0[q]), min(ax1, x1[q])
            width = max(right - left, 0.0)
            shared = a_sign if width > 0.0 else 0.0
            d0 = ay0 + a_slope * (left - ax0) - (y0[q] + slope[q] * (left - x0[q]))
            d1 = d0 + (a_slope - slope[q]) * width
            n0, n1 = min(d0, 0.0), min(d1, 0.0)
            # Share of the width where y_a < y_b. Where the edges lie on one line, on a ridge, it
            # is a half, the mean of both sides; so it is where two ends meet.
            below = (5e-301 - (n0 + n1)) / (abs(d0) + abs(d1) + 1e-300) * width
            ends = 0.5 * n1 * ((x1[q] < ax1) + (x1[q] <= ax1))
            ends -= 0.5 * n0 * ((x0[q] > ax0) + (x0[q] >= ax0))
            area[q] += shared * below * (n0 + n1)
            north[q] -= shared * below
            east[q] += shared * (slope[q] * below + ends)
    f = gx = gy = 0.0
    for q in range(m):
        f += sign[q] * area[q]
        gx += sign[q] * east[q]
        gy += sign[q] * north[q]
    state[0], state[1], state[2], state[3], state[4] = tx, ty, 0.5 * f, gx, gy


@inner
def _climb(
    a: FloatArray, n: int, b: FloatArray, m: int, most: float, size: float, state: FloatArray
) -> None:
    """Move `state` uphill to where f is largest nearby."""
    h = np.empty(3)  # the inverse of the curvature: xx, xy, yy
    for step in range(_STEPS):
        x, y, f, gx, gy = state[0], state[1], state[2], state[3], state[4]
        steepness = np.hypot(gx, gy)
        if f >= most * (1.0 - _ROUNDING) or steepness * size <= 1e-12 * most:
            return
        if step == 0:
            # As far as f would have to rise at this slope, but not far.
            h[0] = h[2] = min((most - f) / steepness, 0.25 * size) / steepness
            h[1] = 0.0
        _search(a, n, b, m, most, size, h[0] * gx + h[1] * gy, h[1] * gx + h[2] * gy, state)
        if state[2] < f:
            state[0], state[1], state[2], state[3], state[4] = x, y, f, gx, gy
            return
        sx, sy = state[0] - x, state[1] - y
        if np.hypot(sx, sy) <= _SHORTEST * size:
            return
        _bend(h, sx, sy, gx - state[3], gy - state[4], step == 0)


@jit
def _search(
    a: FloatArray,
    n: int,
    b: FloatArray,
    m: int,
    most: float,
    size: float,
    px: float,
    py: float,
    state: FloatArray,
) -> None:
    """Walk along (px, py) until f has risen and its slope has fallen: a weak Wolfe step."""
    x, y, f = state[0], state[1], state[2]
    rise = state[3] * px + state[4] * py
    length = np.hypot(px, py)
    low, high = 0.0, np.inf
    low_slope, high_slope = rise, 0.0
    t = min(1.0, size / length)
    while (high - low) * length > 0.1 * _SHORTEST * size:
        _measure(a, n, b, m, x + t * px, y + t * py, state)
        slope = state[3] * px + state[4] * py
        if state[2] < f + 1e-4 * t * rise - 1e-14 * most:
            high, high_slope = t, min(slope, 0.0)
        elif slope > 0.5 * rise and state[2] < most * (1.0 - _ROUNDING):
            low, low_slope = t, slope
        else:
            return
        if np.isinf(high):
            t = 2.0 * low
        else:
            # f is quadratic between kinks, so its slope is straight: where would it be 0?
            t = low + (high - low) * min(max(low_slope / (low_slope - high_slope), 0.1), 0.9)


@inner
def _bend(h: FloatArray, sx: float, sy: float, vx: float, vy: float, first: bool) -> None:
    """Update the inverse curvature after a step s over which the gradient fell by v (BFGS)."""
    bend = sx * vx + sy * vy
    if bend <= 0.0:
        return
    if first:
        h[0] = h[2] = bend / (vx * vx + vy * vy)
    wx, wy = h[0] * vx + h[1] * vy, h[1] * vx + h[2] * vy
    grow = (1.0 + (vx * wx + vy * wy) / bend) / bend
    h[0] += grow * sx * sx - 2.0 * sx * wx / bend
    h[1] += grow * sx * sy - (sx * wy + sy * wx) / bend
    h[2] += grow * sy * sy - 2.0 * sy * wy / bend


@inner
def _shorten(
    a: FloatArray,
    n: int,
    b: FloatArray,
    m: int,
    most: float,
    size: float,
    axis: int,
    state: FloatArray,
) -> None:
    """Bring one coordinate of t as close to 0 as a flat top allows."""
    x, y, enough = state[0], state[1], state[2] - _EQUAL * most
    good, poor = state[axis], 0.0
    for k in range(50):
        # A step that only a flat top allows, then all the way, then by halves.
        if k == 0:
            trial = good - min(max(good, -_FLAT * size), _FLAT * size)
        else:
            trial = 0.0 if k == 1 else 0.5 * (good + poor)
        _measure(a, n, b, m, x if axis else trial, trial if axis else y, state)
        if state[2] >= enough:
            good = trial
        elif k == 0:
            break
        else:
            poor = trial
        if good == 0.0:
            break
    _measure(a, n, b, m, x if axis else good, good if axis else y, state)
