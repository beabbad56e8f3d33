"""Distances to a boundary: from points, and the bound that holds along a whole segment.

Everything rests on one quantity. For a segment from p to q and a boundary B made of edges f,

    reach(p, q) = min over f of max(d(p, f), d(q, f)).

With p = q it is the distance of a point to B. Otherwise it bounds the distance of every point
between p and q from above, because the distance to one edge is convex along a straight line.
"""

from __future__ import annotations

import numpy as np

from polygauge.geometry._edges import most_edges
from polygauge.geometry._jit import jit
from polygauge.geometry.pairs import Pairs
from polygauge.geometry.polygons import FloatArray, IntArray

# Up to this many edges are looked at one by one; beyond, a tree of boxes leads to the near ones.
_FEW_EDGES = 48
_FAN_OUT = 8


def mean_vertex_distances(pairs: Pairs) -> FloatArray:
    """Mean distance of the vertices of each side to the other boundary, shape (n, 2), CRS units.

    Column 0 from the reference to the prediction, column 1 back; all rings on both sides.
    """
    a, b = pairs.a, pairs.b
    return _mean_vertex_distances(
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
def _mean_vertex_distances(
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
        out[k, 0] = _mean_distance(a, n, b, m)
        out[k, 1] = _mean_distance(b, m, a, n)
    return out


@jit
def _mean_distance(points: FloatArray, n: int, target: FloatArray, m: int) -> float:
    """Mean distance of the first points of n edges to a boundary of m edges."""
    tree, starts = edge_tree(target, m)
    total = 0.0
    for k in range(n):
        x, y = points[k, 0], points[k, 1]
        total += reach(target, m, tree, starts, x, y, x, y)
    return total / n


@jit
def target_buffer(rings: IntArray, features: IntArray, chosen: IntArray) -> FloatArray:
    """Room for the boundary of any one of the chosen features; see `load_target`."""
    return np.empty((most_edges(rings, features, chosen), 5))


@jit
def load_target(
    xy: FloatArray,
    rings: IntArray,
    features: IntArray,
    i: int,
    ox: float,
    oy: float,
    out: FloatArray,
) -> int:
    """Write the edges of feature `i` about a local origin as (x, y, dx, dy, 1 / length^2)."""
    n = 0
    for r in range(features[i], features[i + 1]):
        for k in range(rings[r], rings[r + 1] - 1):
            x, y = xy[k, 0] - ox, xy[k, 1] - oy
            dx, dy = xy[k + 1, 0] - ox - x, xy[k + 1, 1] - oy - y
            out[n, 0], out[n, 1], out[n, 2], out[n, 3] = x, y, dx, dy
            out[n, 4] = 1.0 / (dx * dx + dy * dy)
            n += 1
    return n


@jit
def _squared_distance(target: FloatArray, k: int, x: float, y: float) -> float:
    """Squared distance of a point to edge `k`."""
    px, py = x - target[k, 0], y - target[k, 1]
    dx, dy = target[k, 2], target[k, 3]
    t = min(max((px * dx + py * dy) * target[k, 4], 0.0), 1.0)
    px -= t * dx
    py -= t * dy
    squared: float = px * px + py * py
    return squared


@jit
def reach(
    target: FloatArray,
    m: int,
    tree: FloatArray,
    starts: IntArray,
    x0: float,
    y0: float,
    x1: float,
    y1: float,
) -> float:
    """Smallest, over the m edges, of the larger of the distances of two points to the edge."""
    if len(tree) > 0:
        return _reach_by_tree(target, m, tree, starts, x0, y0, x1, y1)
    best = np.inf
    if x0 == x1 and y0 == y1:
        for k in range(m):
            best = min(best, _squared_distance(target, k, x0, y0))
    else:
        for k in range(m):
            d = _squared_distance(target, k, x0, y0)
            if d < best:
                best = min(best, max(d, _squared_distance(target, k, x1, y1)))
    return float(np.sqrt(best))


@jit
def _reach_by_tree(
    target: FloatArray,
    m: int,
    tree: FloatArray,
    starts: IntArray,
    x0: float,
    y0: float,
    x1: float,
    y1: float,
) -> float:
    """The same, looking only into boxes that may hold a better edge, the nearest first."""
    best = np.inf
    levels = len(starts) - 1
    waiting = np.empty((levels * _FAN_OUT + 1, 2), dtype=np.int64)
    bounds = np.empty(levels * _FAN_OUT + 1)
    waiting[0, 0], waiting[0, 1], bounds[0] = levels - 1, starts[levels - 1], 0.0
    size = 1
    while size > 0:
        size -= 1
        level, node = waiting[size, 0], waiting[size, 1]
        if bounds[size] >= best:
            continue
        if level == 0:
            for k in range(node * _FAN_OUT, min((node + 1) * _FAN_OUT, m)):
                d = _squared_distance(target, k, x0, y0)
                if d < best:
                    best = min(best, max(d, _squared_distance(target, k, x1, y1)))
            continue
        first = starts[level - 1] + (node - starts[level]) * _FAN_OUT
        begin = size
        for child in range(first, min(first + _FAN_OUT, starts[level])):
            bound = max(_box_distance(tree, child, x0, y0), _box_distance(tree, child, x1, y1))
            if bound < best:
                # The nearest child goes on top, to be looked at first.
                place = size
                while place > begin and bounds[place - 1] < bound:
                    bounds[place] = bounds[place - 1]
                    waiting[place, 0] = waiting[place - 1, 0]
                    waiting[place, 1] = waiting[place - 1, 1]
                    place -= 1
                bounds[place], waiting[place, 0], waiting[place, 1] = bound, level - 1, child
                size += 1
    return float(np.sqrt(best))


@jit
def _box_distance(tree: FloatArray, k: int, x: float, y: float) -> float:
    """Squared distance of a point to box `k`; 0 inside."""
    dx = max(tree[k, 0] - x, x - tree[k, 2], 0.0)
    dy = max(tree[k, 1] - y, y - tree[k, 3], 0.0)
    squared: float = dx * dx + dy * dy
    return squared


@jit
def edge_tree(target: FloatArray, m: int) -> tuple[FloatArray, IntArray]:
    """Boxes around every 8 consecutive edges, and around every 8 of those, and so on.

    Edges that follow each other along a ring lie close together, so their order needs no sorting.
    Empty where there are few edges.
    """
    starts = [0, (m + _FAN_OUT - 1) // _FAN_OUT]
    if m <= _FEW_EDGES:
        return np.empty((0, 4)), np.array(starts)
    while starts[-1] - starts[-2] > 1:
        starts.append(starts[-1] + (starts[-1] - starts[-2] + _FAN_OUT - 1) // _FAN_OUT)
    tree = np.empty((starts[-1], 4))
    tree[:, :2] = np.inf
    tree[:, 2:] = -np.inf
    for k in range(m):
        node = k // _FAN_OUT
        x0, y0 = target[k, 0], target[k, 1]
        x1, y1 = x0 + target[k, 2], y0 + target[k, 3]
        tree[node, 0] = min(tree[node, 0], x0, x1)
        tree[node, 1] = min(tree[node, 1], y0, y1)
        tree[node, 2] = max(tree[node, 2], x0, x1)
        tree[node, 3] = max(tree[node, 3], y0, y1)
    for level in range(1, len(starts) - 1):
        for child in range(starts[level - 1], starts[level]):
            node = starts[level] + (child - starts[level - 1]) // _FAN_OUT
            tree[node, 0] = min(tree[node, 0], tree[child, 0])
            tree[node, 1] = min(tree[node, 1], tree[child, 1])
            tree[node, 2] = max(tree[node, 2], tree[child, 2])
            tree[node, 3] = max(tree[node, 3], tree[child, 3])
    return tree, np.array(starts)
