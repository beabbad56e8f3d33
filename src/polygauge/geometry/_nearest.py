"""One boundary made ready to be searched, and the bound on which every search rests.

For a straight piece from p to q and a boundary B made of edges f,

    reach(p, q) = min over f of max(d(p, f), d(q, f)).

With p = q it is the distance of a point to B. Otherwise it bounds the distance of every point
between p and q from above, because the distance to one edge is convex along a straight line.

A boundary is three arrays, made by `boundary_room` and filled by `load_boundary`:

    edges    (5, m)  rows x0, y0, x1, y1, 1 / length^2; a row each, so that loops run in vectors,
                     with room for whole eights
    boxes    (k, 4)  xmin, ymin, xmax, ymax around every 8 consecutive edges, then around every 8
                     of those, and so on; edges that follow each other along a ring lie close
                     together, so their order needs no sorting
    starts   (21,)   first box of each level; the last entry is the level of the outermost box

Boxes are filled and used only where there are more than `FEW_EDGES`. The arrays travel one by one:
packed in a tuple they would cost more reference counting than a small polygon costs arithmetic.
"""

from __future__ import annotations

import math

import numpy as np

from polygauge.geometry._edges import count_edges, most_edges
from polygauge.geometry._jit import inner, jit
from polygauge.geometry.polygons import FloatArray, IntArray

# Up to this many edges are looked at one by one; beyond, the boxes lead to the near ones.
FEW_EDGES = 48
_FAN_OUT = 8
_WIDE = 8
# 8^20 edges do not fit in memory, and a search keeps at most 8 boxes of each level waiting.
_LEVELS = 20


@inner
def whole_eights(n: int) -> int:
    """Room for n numbers that are worked on in eights."""
    return (n + _WIDE - 1) // _WIDE * _WIDE


@inner
def boundary_room(
    rings: IntArray, features: IntArray, chosen: IntArray
) -> tuple[FloatArray, FloatArray, IntArray]:
    """Room for the boundary of any one of the chosen features; `features` are ring offsets."""
    most = most_edges(rings, features, chosen)
    boxes = np.empty((most // (_FAN_OUT - 1) + _LEVELS, 4))
    return np.zeros((5, whole_eights(most))), boxes, np.zeros(_LEVELS + 1, dtype=np.int64)


@inner
def load_boundary(
    xy: FloatArray,
    rings: IntArray,
    features: IntArray,
    i: int,
    ox: float,
    oy: float,
    edges: FloatArray,
    boxes: FloatArray,
    starts: IntArray,
) -> int:
    """Write the boundary of feature `i`, moved by (-ox, -oy); returns the number of edges."""
    e = 0
    for r in range(features[i], features[i + 1]):
        for k in range(rings[r], rings[r + 1] - 1):
            x0, y0, x1, y1 = xy[k, 0] - ox, xy[k, 1] - oy, xy[k + 1, 0] - ox, xy[k + 1, 1] - oy
            edges[0, e], edges[1, e], edges[2, e], edges[3, e] = x0, y0, x1, y1
            edges[4, e] = 1.0 / ((x1 - x0) * (x1 - x0) + (y1 - y0) * (y1 - y0))
            e += 1
    m = count_edges(rings, features, i)
    if m > FEW_EDGES:
        _build_boxes(edges, m, boxes, starts)
    return m


@inner
def _build_boxes(edges: FloatArray, m: int, boxes: FloatArray, starts: IntArray) -> None:
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
        count = (count + _FAN_OUT - 1) // _FAN_OUT
        first += count
        level += 1
    starts[level] = first
    starts[_LEVELS] = level - 1


@inner
def rounding_error(a: FloatArray, n: int, b: FloatArray, m: int) -> float:
    """What the distances between two boundaries of n and m edges may be off, with room to spare."""
    size = 0.0
    for k in range(n):
        size = max(size, abs(a[0, k]), abs(a[1, k]))
    for k in range(m):
        size = max(size, abs(b[0, k]), abs(b[1, k]))
    return 1e-13 * size


@inner
def squared_distance(edges: FloatArray, k: int, x: float, y: float) -> float:
    """Squared distance of a point to edge `k`."""
    px, py = x - edges[0, k], y - edges[1, k]
    dx, dy = edges[2, k] - edges[0, k], edges[3, k] - edges[1, k]
    t = min(max((px * dx + py * dy) * edges[4, k], 0.0), 1.0)
    px -= t * dx
    py -= t * dy
    squared: float = px * px + py * py
    return squared


@inner
def distance(
    edges: FloatArray, m: int, boxes: FloatArray, starts: IntArray, x: float, y: float
) -> float:
    """Distance of a point to the m edges."""
    if m > FEW_EDGES:
        return _reach_by_boxes(edges, m, boxes, starts, x, y, x, y)
    best = np.inf
    for k in range(m):
        best = min(best, squared_distance(edges, k, x, y))
    return math.sqrt(best)


@jit
def reach(
    edges: FloatArray,
    m: int,
    boxes: FloatArray,
    starts: IntArray,
    x0: float,
    y0: float,
    x1: float,
    y1: float,
) -> float:
    """Smallest, over the m edges, of the larger of the distances of two points to the edge."""
    if m > FEW_EDGES:
        return _reach_by_boxes(edges, m, boxes, starts, x0, y0, x1, y1)
    best = np.inf
    for k in range(m):
        d = squared_distance(edges, k, x0, y0)
        if d < best:
            best = min(best, max(d, squared_distance(edges, k, x1, y1)))
    return math.sqrt(best)


@inner
def _reach_by_boxes(
    edges: FloatArray,
    m: int,
    boxes: FloatArray,
    starts: IntArray,
    x0: float,
    y0: float,
    x1: float,
    y1: float,
) -> float:
    best = np.inf
    top = starts[_LEVELS]
    # Boxes still to be opened: level, number, squared distance below which they hold nothing.
    waiting = np.empty((_FAN_OUT * (top + 1), 3))
    waiting[0, 0], waiting[0, 1], waiting[0, 2] = top, starts[top], 0.0
    size = 1
    while size > 0:
        size -= 1
        if waiting[size, 2] >= best:
            continue
        level, box = int(waiting[size, 0]), int(waiting[size, 1])
        if level == 0:
            for k in range(box * _FAN_OUT, min((box + 1) * _FAN_OUT, m)):
                d = squared_distance(edges, k, x0, y0)
                if d < best:
                    best = min(best, max(d, squared_distance(edges, k, x1, y1)))
            continue
        first = starts[level - 1] + (box - starts[level]) * _FAN_OUT
        begin = size
        for child in range(first, min(first + _FAN_OUT, starts[level])):
            gap = max(_squared_gap(boxes, child, x0, y0), _squared_gap(boxes, child, x1, y1))
            if gap < best:
                # The nearest child goes on top, to be opened first.
                place = size
                while place > begin and waiting[place - 1, 2] < gap:
                    waiting[place, 1], waiting[place, 2] = (
                        waiting[place - 1, 1],
                        waiting[place - 1, 2],
                    )
                    place -= 1
                waiting[place, 1], waiting[place, 2] = child, gap
                waiting[size, 0] = level - 1
                size += 1
    return math.sqrt(best)


@inner
def _squared_gap(boxes: FloatArray, k: int, x: float, y: float) -> float:
    """Squared distance of a point to box `k`; 0 inside."""
    dx = max(boxes[k, 0] - x, x - boxes[k, 2], 0.0)
    dy = max(boxes[k, 1] - y, y - boxes[k, 3], 0.0)
    squared: float = dx * dx + dy * dy
    return squared


@inner
def write_distances(
    edges: FloatArray, m: int, x: FloatArray, y: FloatArray, n: int, out: FloatArray
) -> None:
    """Write the distance of the first n points (x, y) to m edges, no more than `FEW_EDGES`.

    The arrays of points have room for whole eights; what stands behind the n is worked on too.
    Apart from `write_distances_by_boxes`, because the two in one are too long to be compiled into
    their callers: 6 edges and 6 points then take half as long again.
    """
    # Points in the inner loop: it carries no minimum from turn to turn, so it runs in vectors; in
    # whole eights, so that no point of a small polygon is left over to be done by itself.
    n = whole_eights(n)
    for p in range(n):
        out[p] = np.inf
    for k in range(m):
        x0, y0, scale = edges[0, k], edges[1, k], edges[4, k]
        dx, dy = edges[2, k] - x0, edges[3, k] - y0
        for p in range(n):
            px, py = x[p] - x0, y[p] - y0
            t = min(max((px * dx + py * dy) * scale, 0.0), 1.0)
            px -= t * dx
            py -= t * dy
            out[p] = min(out[p], px * px + py * py)
    for p in range(n):
        out[p] = np.sqrt(out[p])


@inner
def write_distances_by_boxes(
    edges: FloatArray,
    m: int,
    boxes: FloatArray,
    starts: IntArray,
    x: FloatArray,
    y: FloatArray,
    n: int,
    out: FloatArray,
) -> None:
    """Write the distance of the first n points (x, y) to m edges, more than `FEW_EDGES`."""
    for p in range(n):
        out[p] = _reach_by_boxes(edges, m, boxes, starts, x[p], y[p], x[p], y[p])


@inner
def edges_near(
    edges: FloatArray,
    m: int,
    boxes: FloatArray,
    starts: IntArray,
    x0: float,
    y0: float,
    x1: float,
    y1: float,
    margin: float,
    rounding: float,
    found: IntArray,
) -> int:
    """Find every edge that may be within hypot(distance to the boundary, margin) of a piece.

    Writes their numbers to `found` and returns how many; the edge nearest to any point between the
    two points given is among them. `rounding` is what a computed distance may be off.
    """
    limit = reach(edges, m, boxes, starts, x0, y0, x1, y1) + rounding
    limit = limit * limit + margin * margin
    count = 0
    if m <= FEW_EDGES:
        for k in range(m):
            if _squared_clearance(edges, k, x0, y0, x1, y1) <= limit:
                found[count] = k
                count += 1
        return count
    low_x, high_x, low_y, high_y = min(x0, x1), max(x0, x1), min(y0, y1), max(y0, y1)
    top = starts[_LEVELS]
    waiting = np.empty((_FAN_OUT * (top + 1), 2), dtype=np.int64)
    waiting[0, 0], waiting[0, 1] = top, starts[top]
    size = 1
    while size > 0:
        size -= 1
        level, box = waiting[size, 0], waiting[size, 1]
        dx = max(boxes[box, 0] - high_x, low_x - boxes[box, 2], 0.0)
        dy = max(boxes[box, 1] - high_y, low_y - boxes[box, 3], 0.0)
        if dx * dx + dy * dy > limit:
            continue
        place = (box - starts[level]) * _FAN_OUT
        if level == 0:
            for k in range(place, min(place + _FAN_OUT, m)):
                if _squared_clearance(edges, k, x0, y0, x1, y1) <= limit:
                    found[count] = k
                    count += 1
        else:
            first = starts[level - 1] + place
            for child in range(first, min(first + _FAN_OUT, starts[level])):
                waiting[size, 0], waiting[size, 1] = level - 1, child
                size += 1
    return count


@inner
def _squared_clearance(
    edges: FloatArray, k: int, x0: float, y0: float, x1: float, y1: float
) -> float:
    """Square of a distance that edge `k` and the piece (x0, y0) to (x1, y1) keep at least.

    The gap between their boxes, or the gap across the piece, whichever is wider.
    """
    ax, ay, bx, by = edges[0, k], edges[1, k], edges[2, k], edges[3, k]
    dx = max(min(ax, bx) - max(x0, x1), min(x0, x1) - max(ax, bx), 0.0)
    dy = max(min(ay, by) - max(y0, y1), min(y0, y1) - max(ay, by), 0.0)
    ux, uy = x1 - x0, y1 - y0
    a_side, b_side = ux * (ay - y0) - uy * (ax - x0), ux * (by - y0) - uy * (bx - x0)
    clear: float = dx * dx + dy * dy
    if a_side * b_side > 0.0:
        across = min(a_side * a_side, b_side * b_side)
        clear = max(clear, across / (ux * ux + uy * uy))
    return clear
