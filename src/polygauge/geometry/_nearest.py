"""One boundary made ready to be searched, and the bound on which every search rests.

For a straight piece from p to q and a boundary B made of edges f,

    reach(p, q) = min over f of max(d(p, f), d(q, f)).

With p = q it is the distance of a point to B. Otherwise it bounds the distance of every point
between p and q from above, because the distance to one edge is convex along a straight line.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from polygauge.geometry._edges import most_edges
from polygauge.geometry._jit import jit
from polygauge.geometry.polygons import FloatArray, IntArray

# Up to this many edges are looked at one by one; beyond, a tree of boxes leads to the near ones.
FEW_EDGES = 48
# From this many points on, loops over points beat loops over edges.
_VECTOR = 12
_FAN_OUT = 8
# 8^20 edges do not fit in memory, and a search keeps at most 8 boxes of each level waiting.
_LEVELS = 20


class Boundary(NamedTuple):
    """Room for the boundary of one feature, all rings, about a local origin.

    Attributes
    ----------
    edges : ndarray of float64, shape (5, m)
        Rows x0, y0, x1, y1, 1 / length^2; a row each so that loops over edges run in vectors.
    boxes : ndarray of float64, shape (k, 4)
        Boxes (xmin, ymin, xmax, ymax) around every 8 consecutive edges, then around every 8 of
        those, and so on. Edges that follow each other along a ring lie close together, so the
        order needs no sorting. Filled only where there are more than `FEW_EDGES`.
    starts : ndarray of int64, shape (21,)
        First box of each level; the last entry is the level of the one box around everything.
    waiting : ndarray of int64, shape (w, 2)
        Level and number of the boxes that a search has still to open.
    bounds : ndarray of float64, shape (w,)
        Squared distance below which nothing in them lies.
    """

    edges: FloatArray
    boxes: FloatArray
    starts: IntArray
    waiting: IntArray
    bounds: FloatArray


@jit
def boundary_room(rings: IntArray, features: IntArray, chosen: IntArray) -> Boundary:
    """Room for the boundary of any one of the chosen features; `features` are ring offsets."""
    most = most_edges(rings, features, chosen)
    return Boundary(
        np.empty((5, most)),
        np.empty((most // (_FAN_OUT - 1) + _LEVELS, 4)),
        np.zeros(_LEVELS + 1, dtype=np.int64),
        np.empty((_LEVELS * _FAN_OUT, 2), dtype=np.int64),
        np.empty(_LEVELS * _FAN_OUT),
    )


@jit
def load_boundary(
    xy: FloatArray,
    rings: IntArray,
    features: IntArray,
    i: int,
    ox: float,
    oy: float,
    out: Boundary,
) -> int:
    """Write the boundary of feature `i`, moved by (-ox, -oy); returns the number of edges."""
    edges = out.edges
    m = np.int64(0)
    for r in range(features[i], features[i + 1]):
        for k in range(rings[r], rings[r + 1] - 1):
            x0, y0, x1, y1 = xy[k, 0] - ox, xy[k, 1] - oy, xy[k + 1, 0] - ox, xy[k + 1, 1] - oy
            edges[0, m], edges[1, m], edges[2, m], edges[3, m] = x0, y0, x1, y1
            edges[4, m] = 1.0 / ((x1 - x0) * (x1 - x0) + (y1 - y0) * (y1 - y0))
            m += 1
    if m > FEW_EDGES:
        _build_boxes(out, m)
    return m


@jit
def _build_boxes(boundary: Boundary, m: int) -> None:
    edges, boxes, starts = boundary.edges, boundary.boxes, boundary.starts
    level, first, count = 0, 0, m
    while level == 0 or count > 1:
        # `count` edges, or boxes that begin at `below`, go into boxes that begin at `first`.
        below = first - count
        for k in range(count):
            if level == 0:
                x0, x1 = min(edges[0, k], edges[2, k]), max(edges[0, k], edges[2, k])
                y0, y1 = min(edges[1, k], edges[3, k]), max(edges[1, k], edges[3, k])
            else:
                x0, y0 = boxes[below + k, 0], boxes[below + k, 1]
                x1, y1 = boxes[below + k, 2], boxes[below + k, 3]
            box = first + k // _FAN_OUT
            if k % _FAN_OUT == 0:
                boxes[box, 0], boxes[box, 1], boxes[box, 2], boxes[box, 3] = x0, y0, x1, y1
            else:
                boxes[box, 0], boxes[box, 1] = min(boxes[box, 0], x0), min(boxes[box, 1], y0)
                boxes[box, 2], boxes[box, 3] = max(boxes[box, 2], x1), max(boxes[box, 3], y1)
        starts[level] = first
        level += 1
        count = (count + _FAN_OUT - 1) // _FAN_OUT
        first += count
        starts[level] = first
    starts[_LEVELS] = level - 1


@jit
def _squared_distance(edges: FloatArray, k: int, x: float, y: float) -> float:
    """Squared distance of a point to edge `k`."""
    px, py = x - edges[0, k], y - edges[1, k]
    dx, dy = edges[2, k] - edges[0, k], edges[3, k] - edges[1, k]
    t = min(max((px * dx + py * dy) * edges[4, k], 0.0), 1.0)
    px -= t * dx
    py -= t * dy
    return px * px + py * py


@jit
def _squared_gap(boxes: FloatArray, k: int, x: float, y: float) -> float:
    """Squared distance of a point to box `k`; 0 inside."""
    dx = max(boxes[k, 0] - x, x - boxes[k, 2], 0.0)
    dy = max(boxes[k, 1] - y, y - boxes[k, 3], 0.0)
    return dx * dx + dy * dy


@jit
def distance(boundary: Boundary, m: int, x: float, y: float) -> float:
    """Distance of a point to the m edges."""
    if m > FEW_EDGES:
        return _reach_by_boxes(boundary, m, x, y, x, y)
    best = np.inf
    for k in range(m):
        best = min(best, _squared_distance(boundary.edges, k, x, y))
    return np.sqrt(best)


@jit
def reach(boundary: Boundary, m: int, x0: float, y0: float, x1: float, y1: float) -> float:
    """Smallest, over the m edges, of the larger of the distances of two points to the edge."""
    if m > FEW_EDGES:
        return _reach_by_boxes(boundary, m, x0, y0, x1, y1)
    best = np.inf
    for k in range(m):
        d = _squared_distance(boundary.edges, k, x0, y0)
        if d < best:
            best = min(best, max(d, _squared_distance(boundary.edges, k, x1, y1)))
    return np.sqrt(best)


@jit
def _reach_by_boxes(
    boundary: Boundary, m: int, x0: float, y0: float, x1: float, y1: float
) -> float:
    boxes, starts = boundary.boxes, boundary.starts
    waiting, bounds = boundary.waiting, boundary.bounds
    best = np.inf
    top = starts[_LEVELS]
    waiting[0, 0], waiting[0, 1], bounds[0] = top, starts[top], 0.0
    size = 1
    while size > 0:
        size -= 1
        level, box = waiting[size, 0], waiting[size, 1]
        if bounds[size] >= best:
            continue
        if level == 0:
            for k in range(box * _FAN_OUT, min((box + 1) * _FAN_OUT, m)):
                d = _squared_distance(boundary.edges, k, x0, y0)
                if d < best:
                    best = min(best, max(d, _squared_distance(boundary.edges, k, x1, y1)))
            continue
        first = starts[level - 1] + (box - starts[level]) * _FAN_OUT
        begin = size
        for child in range(first, min(first + _FAN_OUT, starts[level])):
            bound = max(_squared_gap(boxes, child, x0, y0), _squared_gap(boxes, child, x1, y1))
            if bound < best:
                # The nearest child goes on top, to be opened first.
                place = size
                while place > begin and bounds[place - 1] < bound:
                    bounds[place] = bounds[place - 1]
                    waiting[place, 0] = waiting[place - 1, 0]
                    waiting[place, 1] = waiting[place - 1, 1]
                    place -= 1
                bounds[place], waiting[place, 0], waiting[place, 1] = bound, level - 1, child
                size += 1
    return np.sqrt(best)


@jit
def point_distances(
    boundary: Boundary, m: int, x: FloatArray, y: FloatArray, out: FloatArray
) -> None:
    """Write the distance of each point (x, y) to the m edges."""
    if m > FEW_EDGES or len(x) < _VECTOR:
        for p in range(len(x)):
            out[p] = distance(boundary, m, x[p], y[p])
        return
    edges = boundary.edges
    for p in range(len(x)):
        out[p] = np.inf
    # Points in the inner loop: it has no carried minimum, so it runs in vectors.
    for k in range(m):
        x0, y0, scale = edges[0, k], edges[1, k], edges[4, k]
        dx, dy = edges[2, k] - x0, edges[3, k] - y0
        for p in range(len(x)):
            px, py = x[p] - x0, y[p] - y0
            t = min(max((px * dx + py * dy) * scale, 0.0), 1.0)
            px -= t * dx
            py -= t * dy
            out[p] = min(out[p], px * px + py * py)
    for p in range(len(x)):
        out[p] = np.sqrt(out[p])
