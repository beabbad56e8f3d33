"""All pairs of boxes that meet: a packed Hilbert R-tree."""

from __future__ import annotations

import numpy as np

from polygauge.geometry._jit import inner, jit
from polygauge.geometry.polygons import FloatArray, IntArray

_FAN_OUT = 16

# Steps of the Hilbert curve a side, as a power of two: so fine that one far outlier, which
# stretches the curve's square, does not lump all other boxes into one step.
_HILBERT_BITS = 31


def box_pairs(
    a_boxes: FloatArray,
    b_boxes: FloatArray,
    a_tiles: IntArray | None = None,
    b_tiles: IntArray | None = None,
) -> tuple[IntArray, IntArray]:
    """All (i, j) for which box `i` of `a` meets box `j` of `b`, sorted by i, then j.

    Parameters
    ----------
    a_boxes : ndarray of float64, shape (n, 4)
        (xmin, ymin, xmax, ymax), closed: boxes that touch meet. A NaN box meets nothing.
    b_boxes : ndarray of float64, shape (m, 4)
    a_tiles, b_tiles : ndarray of int64, shapes (n,) and (m,), optional
        Boxes of different tiles never meet, wherever they lie.

    Returns
    -------
    i, j : ndarray of int64, shape (pairs,)

    Examples
    --------
    >>> import numpy as np
    >>> a = np.array([[0.0, 0.0, 1.0, 1.0], [5.0, 5.0, 6.0, 6.0]])
    >>> b = np.array([[1.0, 0.0, 2.0, 1.0], [0.0, 0.0, 9.0, 9.0], [np.nan] * 4])
    >>> i, j = box_pairs(a, b)
    >>> list(zip(i.tolist(), j.tolist()))
    [(0, 0), (0, 1), (1, 1)]
    """
    return _search(a_boxes, b_boxes, a_tiles, b_tiles, False)


def box_pairs_within(boxes: FloatArray, tiles: IntArray | None = None) -> tuple[IntArray, IntArray]:
    """All (i, j) with i < j for which boxes `i` and `j` of one set meet, sorted by i, then j."""
    return _search(boxes, boxes, tiles, tiles, True)


def _search(
    a_boxes: FloatArray,
    b_boxes: FloatArray,
    a_tiles: IntArray | None,
    b_tiles: IntArray | None,
    within: bool,
) -> tuple[IntArray, IntArray]:
    if len(a_boxes) == 0 or len(b_boxes) == 0:
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
    a, b = np.ascontiguousarray(a_boxes), np.ascontiguousarray(b_boxes)
    tiles = np.zeros(len(a), dtype=np.int64) if a_tiles is None else a_tiles.astype(np.int64)
    b_tile = np.zeros(len(b), dtype=np.int64) if b_tiles is None else b_tiles.astype(np.int64)
    keys = _hilbert_keys(a)
    order = np.argsort(keys) if a_tiles is None else np.lexsort((keys, tiles))
    tree = _pack(a[order], tiles[order])
    # Counted first, then filled: memory in proportion to the pairs. The tree holds `a` and is asked
    # for one box of `b` after the other, so the j of each i come out sorted.
    counts = np.zeros(len(a), dtype=np.int64)
    _meet(*tree, order, b, b_tile, within, counts, np.empty(0, dtype=np.int64))
    ends = np.cumsum(counts)
    j = np.empty(int(counts.sum()), dtype=np.int64)
    _meet(*tree, order, b, b_tile, within, ends - counts, j)
    return np.repeat(np.arange(len(a)), counts), j


@jit
def _hilbert_keys(boxes: FloatArray) -> IntArray:
    """Place of each box's centre on a Hilbert curve over all centres; 0 for a NaN box."""
    low, high = np.array([np.inf, np.inf]), np.array([-np.inf, -np.inf])
    for k in range(len(boxes)):
        for axis in range(2):
            centre = 0.5 * (boxes[k, axis] + boxes[k, axis + 2])
            if np.isfinite(centre):
                low[axis], high[axis] = min(low[axis], centre), max(high[axis], centre)
    side = max(high[0] - low[0], high[1] - low[1])
    steps = (2.0**_HILBERT_BITS - 1.0) / side if side > 0.0 else 0.0
    keys = np.zeros(len(boxes), dtype=np.int64)
    for k in range(len(boxes)):
        u = 0.5 * (boxes[k, 0] + boxes[k, 2])
        v = 0.5 * (boxes[k, 1] + boxes[k, 3])
        if np.isfinite(u) and np.isfinite(v):
            keys[k] = _hilbert_key(int((u - low[0]) * steps), int((v - low[1]) * steps))
    return keys


@inner
def _hilbert_key(x: int, y: int) -> int:
    """Distance along the Hilbert curve through a square of 2**31 steps a side."""
    key = 0
    for bit in range(_HILBERT_BITS - 1, -1, -1):
        right, upper = (x >> bit) & 1, (y >> bit) & 1
        key = (key << 2) | ((3 * right) ^ upper)
        if upper == 0:  # turn the quadrant as its part of the curve is turned
            if right == 1:
                x, y = ~x, ~y
            x, y = y, x
    return key


@jit
def _pack(boxes: FloatArray, tiles: IntArray) -> tuple[FloatArray, IntArray, IntArray]:
    """Tree over sorted boxes: box, tile range and child range of every node, the root last.

    The boxes are the first nodes; every later level has a node over each `_FAN_OUT` of the last.
    """
    count, level = len(boxes), len(boxes)
    while level > 1 or count == len(boxes):
        level = (level + _FAN_OUT - 1) // _FAN_OUT
        count += level
    nodes = np.empty((count, 4))
    ranges = np.zeros((count, 2), dtype=np.int64)
    for k in range(count):
        for axis in range(2):
            own = k < len(boxes)
            nodes[k, axis] = boxes[k, axis] if own else np.inf
            nodes[k, axis + 2] = boxes[k, axis + 2] if own else -np.inf
            ranges[k, axis] = tiles[k] if own else 0
    children = np.zeros((count, 2), dtype=np.int64)
    start, stop, node = 0, len(boxes), len(boxes)
    while node < count:
        while start < stop:
            last = min(start + _FAN_OUT, stop)
            children[node, 0], children[node, 1] = start, last
            ranges[node, 0], ranges[node, 1] = ranges[start, 0], ranges[last - 1, 1]
            for k in range(start, last):
                if nodes[k, 0] <= nodes[k, 2] and nodes[k, 1] <= nodes[k, 3]:  # not NaN or empty
                    nodes[node, 0] = min(nodes[node, 0], nodes[k, 0])
                    nodes[node, 1] = min(nodes[node, 1], nodes[k, 1])
                    nodes[node, 2] = max(nodes[node, 2], nodes[k, 2])
                    nodes[node, 3] = max(nodes[node, 3], nodes[k, 3])
            start, node = last, node + 1
        start, stop = stop, node
    return nodes, ranges, children


@jit
def _meet(
    nodes: FloatArray,
    ranges: IntArray,
    children: IntArray,
    order: IntArray,
    boxes: FloatArray,
    tiles: IntArray,
    within: bool,
    places: IntArray,
    out: IntArray,
) -> None:
    """For each pair found: write j at the place of i, if there is room, and move the place on."""
    waiting = np.empty(_FAN_OUT * 64, dtype=np.int64)  # one node's children a level, 64 levels
    for j in range(len(boxes)):
        x0, y0, x1, y1, tile = boxes[j, 0], boxes[j, 1], boxes[j, 2], boxes[j, 3], tiles[j]
        waiting[0] = len(nodes) - 1
        count = 1
        while count > 0:
            count -= 1
            node = waiting[count]
            for k in range(children[node, 0], children[node, 1]):
                if not (nodes[k, 0] <= x1 and x0 <= nodes[k, 2]):
                    continue
                if not (nodes[k, 1] <= y1 and y0 <= nodes[k, 3]):
                    continue
                if not ranges[k, 0] <= tile <= ranges[k, 1]:
                    continue
                if k >= len(order):
                    waiting[count] = k
                    count += 1
                elif not within or order[k] < j:
                    if len(out) > 0:
                        out[places[order[k]]] = j
                    places[order[k]] += 1
