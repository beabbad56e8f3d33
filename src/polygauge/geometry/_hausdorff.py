"""The exact Hausdorff distance between two boundaries, by branch and bound."""

from __future__ import annotations

import numpy as np

from polygauge.geometry._jit import inner, jit
from polygauge.geometry._nearest import (
    FEW_EDGES,
    boundary_room,
    distance,
    load_boundary,
    reach,
    rounding_error,
    squared_distance,
    write_distances,
    write_distances_by_boxes,
)
from polygauge.geometry.pairs import Pairs
from polygauge.geometry.polygons import FloatArray, IntArray


def directed_hausdorff(pairs: Pairs) -> FloatArray:
    """Largest distance of a boundary point to the other boundary, shape (n, 2), CRS units.

    Column 0 from the reference to the prediction, column 1 back; all rings, every point of every
    edge, to 1e-12 of the size of the pair.
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


# Steps to the place of equal distance, squared distances that count as equal, and the share of a
# piece that counts as its end.
_STEPS = 30
_EQUAL = 1e-13
_END = 1e-6


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
    a, a_boxes, a_starts = boundary_room(a_rings, a_features, a_rows)
    b, b_boxes, b_starts = boundary_room(b_rings, b_features, b_rows)
    at_vertices = np.empty(max(a.shape[1], b.shape[1]))
    # Every cut keeps one piece waiting. Halving ends after 60 cuts, 1 / 2^60 of an edge being below
    # any precision; cuts where two edges are equally far come on top (22 together were the most in
    # 25,000 pairs made to be hard).
    waiting = np.empty((256, 4))
    for k in range(len(a_rows)):
        start = a_rings[a_features[a_rows[k]]]
        ox, oy = a_xy[start, 0], a_xy[start, 1]
        n = load_boundary(a_xy, a_rings, a_features, a_rows[k], ox, oy, a, a_boxes, a_starts)
        m = load_boundary(b_xy, b_rings, b_features, b_rows[k], ox, oy, b, b_boxes, b_starts)
        precision = 10.0 * rounding_error(a, n, b, m)
        out[k, 0] = _farthest(a, n, b, m, b_boxes, b_starts, precision, at_vertices, waiting)
        out[k, 1] = _farthest(b, m, a, n, a_boxes, a_starts, precision, at_vertices, waiting)
    return out


@inner
def _farthest(
    source: FloatArray,
    n: int,
    target: FloatArray,
    m: int,
    boxes: FloatArray,
    starts: IntArray,
    precision: float,
    at_vertices: FloatArray,
    waiting: FloatArray,
) -> float:
    """Largest distance of any point on n edges to a boundary of m edges."""
    if m > FEW_EDGES:
        write_distances_by_boxes(target, m, boxes, starts, source[0], source[1], n, at_vertices)
    else:
        write_distances(target, m, source[0], source[1], n, at_vertices)
    best = 0.0
    for k in range(n):
        best = max(best, at_vertices[k])
    # Pieces of an edge wait to be bounded: from s to t along it, with the distances there.
    for k in range(n):
        x, y = source[0, k], source[1, k]
        dx, dy = source[2, k] - x, source[3, k] - y
        length = np.hypot(dx, dy)
        if at_vertices[k] + length <= best:
            continue
        if k + 1 < n and source[0, k + 1] == source[2, k] and source[1, k + 1] == source[3, k]:
            end = at_vertices[k + 1]
        else:
            end = distance(target, m, boxes, starts, source[2, k], source[3, k])
        waiting[0, 0], waiting[0, 1], waiting[0, 2], waiting[0, 3] = 0.0, 1.0, at_vertices[k], end
        size = 1
        while size > 0:
            size -= 1
            s, t, d_s, d_t = waiting[size, 0], waiting[size, 1], waiting[size, 2], waiting[size, 3]
            # The distance changes by at most 1 a unit walked.
            if 0.5 * (d_s + d_t + (t - s) * length) <= best + precision:
                continue
            bound = reach(target, m, boxes, starts, x + s * dx, y + s * dy, x + t * dx, y + t * dy)
            if bound <= best + precision:
                continue
            mid = _split(target, m, x, y, dx, dy, s, t)
            d_mid = distance(target, m, boxes, starts, x + mid * dx, y + mid * dy)
            best = max(best, d_mid)
            if size + 2 <= len(waiting):
                waiting[size, 0], waiting[size, 1] = s, mid
                waiting[size, 2], waiting[size, 3] = d_s, d_mid
                waiting[size + 1, 0], waiting[size + 1, 1] = mid, t
                waiting[size + 1, 2], waiting[size + 1, 3] = d_mid, d_t
                size += 2
    return best


@inner
def _split(
    target: FloatArray, m: int, x: float, y: float, dx: float, dy: float, s: float, t: float
) -> float:
    """Where to cut the piece from s to t of an edge.

    Where the nearest target edge at s and that at t are equally far: the largest distance on the
    piece is there, unless a third edge is nearer, and halving would only creep up to it. In the
    middle where there are many edges, or where that place is an end.
    """
    mid = 0.5 * (s + t)
    if m > FEW_EDGES:
        return mid
    f = g = 0
    nearest_s = nearest_t = np.inf
    for k in range(m):
        d_s = squared_distance(target, k, x + s * dx, y + s * dy)
        d_t = squared_distance(target, k, x + t * dx, y + t * dy)
        if d_s < nearest_s:
            nearest_s, f = d_s, k
        if d_t < nearest_t:
            nearest_t, g = d_t, k
    # Regula falsi on the difference of the squared distances, the stale end halved (Illinois).
    low, high = s, t
    at_low = nearest_s - squared_distance(target, g, x + s * dx, y + s * dy)
    at_high = squared_distance(target, f, x + t * dx, y + t * dy) - nearest_t
    place, side = mid, 0
    for _ in range(_STEPS):
        if not at_low < 0.0 < at_high:
            break
        place = low - at_low * (high - low) / (at_high - at_low)
        px, py = x + place * dx, y + place * dy
        first = squared_distance(target, f, px, py)
        at_place = first - squared_distance(target, g, px, py)
        if abs(at_place) <= _EQUAL * first:
            break
        if at_place < 0.0:
            low, at_low = place, at_place
            at_high *= 0.5 if side < 0 else 1.0
            side = -1
        else:
            high, at_high = place, at_place
            at_low *= 0.5 if side > 0 else 1.0
            side = 1
    margin = _END * (t - s)
    return place if s + margin < place < t - margin else mid
