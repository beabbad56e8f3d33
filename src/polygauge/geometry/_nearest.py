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
        First box of each level.
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
    m = 0
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
        groups = (count + _FAN_OUT - 1) // _FAN_OUT
        for g in range(groups):
            low_x = low_y = np.inf
            high_x = high_y = -np.inf
            for k in range(g * _FAN_OUT, min((g + 1) * _FAN_OUT, count)):
                if level == 0:
                    low_x, high_x = min(low_x, edges[0, k], edges[2, k]), max(
                        high_x, edges[0, k], edges[2, k]
                    )
                    low_y, high_y = min(low_y, edges[1, k], edges[3, k]), max(
                        high_y, edges[1, k], edges[3, k]
                    )
                else:
                    child = first - count + k
                    low_x, low_y = min(low_x, boxes[child, 0]), min(low_y, boxes[child, 1])
                    high_x, high_y = max(high_x, boxes[child, 2]), max(high_y, boxes[child, 3])
            box = first + g
            boxes[box, 0], boxes[box, 1], boxes[box, 2], boxes[box, 3] = low_x, low_y, high_x, high_y
        starts[level] = first
        first += groups
        count = groups
        level += 1
    starts[level:] = first


@jit
def _top_level(boundary: Boundary) -> int:
    """Level of the one box around everything."""
    starts, top = boundary.starts, 0
    while starts[top + 1] - starts[top] > 1:
        top += 1
    return top


@jit
def squared_distance(edges: FloatArray, k: int, x: float, y: float) -> float:
    """Squared distance of a point to edge `k`."""
    px, py = x - edges[0, k], y - edges[1, k]
    dx, dy = edges[2, k] - edges[0, k], edges[3, k] - edges[1, k]
    t = min(max((px * dx + py * dy) * edges[4, k], 0.0), 1.0)
    # From the nearer end, so that both ends of an edge are at distance 0 exactly.
    if t > 0.5:
        px, py, t = x - edges[2, k], y - edges[3, k], t - 1.0
    px -= t * dx
    py -= t * dy
    return px * px + py * py
