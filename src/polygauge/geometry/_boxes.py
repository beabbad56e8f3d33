"""Which boxes meet: a packed Hilbert R-tree over axis-parallel boxes.

The boxes of one side are sorted by tile and then along a Hilbert curve, and every 16 neighbours
share a parent box, level by level. Nothing is inserted and nothing is balanced, so the tree is a
few flat arrays; the tile is a third dimension of each box.
"""

from __future__ import annotations

import numpy as np

from polygauge.geometry._jit import jit
from polygauge.geometry.polygons import FloatArray, IntArray

_FAN_OUT = 16
_HILBERT_BITS = 16


def box_pairs(
    a_boxes: FloatArray,
    b_boxes: FloatArray,
    a_tiles: IntArray | None = None,
    b_tiles: IntArray | None = None,
) -> tuple[IntArray, IntArray]:
    """All pairs of a box of `a` and a box of `b` that meet, touching included.

    Parameters
    ----------
    a_boxes, b_boxes : ndarray of float64, shape (n, 4) and (m, 4)
        Rows (xmin, ymin, xmax, ymax); a row with NaN meets nothing.
    a_tiles, b_tiles : ndarray of int64, shape (n,) and (m,), optional
        Boxes of different tiles never meet.

    Returns
    -------
    i, j : ndarray of int64, shape (p,)
        Row numbers, sorted by i, then j. Memory grows with p, not with n times m.
    """
    return _search(_with_tiles(a_boxes, a_tiles), _with_tiles(b_boxes, b_tiles), False)


def box_pairs_within(boxes: FloatArray, tiles: IntArray | None = None) -> tuple[IntArray, IntArray]:
    """All pairs i < j of boxes of one set that meet; see `box_pairs`."""
    whole = _with_tiles(boxes, tiles)
    return _search(whole, whole, True)


def _with_tiles(boxes: FloatArray, tiles: IntArray | None) -> FloatArray:
    """Rows (xmin, ymin, tile, xmax, ymax, tile)."""
    tile = np.zeros(len(boxes)) if tiles is None else tiles.astype(np.float64)
    return np.column_stack([boxes[:, :2], tile, boxes[:, 2:], tile])


def _search(a: FloatArray, b: FloatArray, later_only: bool) -> tuple[IntArray, IntArray]:
    rows = np.flatnonzero(~np.isnan(b).any(axis=1))
    rows = rows[_curve_order(b[rows])]
    nodes, starts = _build(b[rows])
    none = np.empty(0, dtype=np.int64)
    counts = _query(nodes, starts, rows, a, later_only, none, none)
    offsets = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(counts)])
    j = np.empty(offsets[-1], dtype=np.int64)
    _query(nodes, starts, rows, a, later_only, offsets, j)
    return np.repeat(np.arange(len(a)), counts), j


def _curve_order(boxes: FloatArray) -> IntArray:
    """Order by tile, then along a Hilbert curve through the middles of the boxes."""
    if len(boxes) == 0:
        return np.empty(0, dtype=np.int64)
    middles = 0.5 * (boxes[:, :2] + boxes[:, 3:5])
    low = middles.min(axis=0)
    span = max(float((middles.max(axis=0) - low).max()), np.finfo(float).tiny)
    cells = ((middles - low) / span * (2**_HILBERT_BITS - 1)).astype(np.int64)
    order: IntArray = np.lexsort((_hilbert(cells), boxes[:, 2]))
    return order


@jit
def _hilbert(cells: IntArray) -> IntArray:
    """Distance along the Hilbert curve of each cell (x, y) of a 2^16 grid (Warren 2013, ch. 16)."""
    out = np.empty(len(cells), dtype=np.int64)
    for k in range(len(cells)):
        x, y = cells[k, 0], cells[k, 1]
        distance = 0
        side = 1 << (_HILBERT_BITS - 1)
        while side > 0:
            right = 1 if x & side else 0
            upper = 1 if y & side else 0
            distance += side * side * ((3 * right) ^ upper)
            if upper == 0:
                if right == 1:
                    x, y = side - 1 - x, side - 1 - y
                x, y = y, x
            side >>= 1
        out[k] = distance
    return out


@jit
def _build(leaves: FloatArray) -> tuple[FloatArray, IntArray]:
    """All levels of the tree one after the other, leaves first, and where each level begins."""
    starts = [0, len(leaves)]
    while starts[-1] - starts[-2] > 1:
        starts.append(starts[-1] + (starts[-1] - starts[-2] + _FAN_OUT - 1) // _FAN_OUT)
    nodes = np.empty((starts[-1], 6))
    nodes[: len(leaves)] = leaves
    for level in range(1, len(starts) - 1):
        below, end = starts[level - 1], starts[level]
        for k in range(starts[level], starts[level + 1]):
            first = below + (k - end) * _FAN_OUT
            nodes[k] = nodes[first]
            for child in range(first + 1, min(first + _FAN_OUT, end)):
                for axis in range(3):
                    nodes[k, axis] = min(nodes[k, axis], nodes[child, axis])
                    nodes[k, axis + 3] = max(nodes[k, axis + 3], nodes[child, axis + 3])
    return nodes, np.array(starts)


@jit
def _query(
    nodes: FloatArray,
    starts: IntArray,
    rows: IntArray,
    queries: FloatArray,
    later_only: bool,
    offsets: IntArray,
    found: IntArray,
) -> IntArray:
    """How many leaves each query meets; with `offsets`, also which, sorted, in `found`."""
    counts = np.zeros(len(queries), dtype=np.int64)
    # A depth-first walk keeps at most 15 siblings a level waiting.
    levels = len(starts) - 1
    waiting = np.empty((levels * _FAN_OUT + 1, 2), dtype=np.int64)
    if starts[1] == 0:
        return counts
    for q in range(len(queries)):
        waiting[0, 0], waiting[0, 1] = levels - 1, starts[levels - 1]
        size = 1
        while size > 0:
            size -= 1
            level, k = waiting[size, 0], waiting[size, 1]
            meets = True
            for axis in range(3):
                # Written so that a NaN in the query meets nothing.
                meets = meets and nodes[k, axis] <= queries[q, axis + 3]
                meets = meets and nodes[k, axis + 3] >= queries[q, axis]
            if not meets:
                continue
            if level == 0:
                if not later_only or rows[k] > q:
                    if len(offsets) > 0:
                        found[offsets[q] + counts[q]] = rows[k]
                    counts[q] += 1
                continue
            first = starts[level - 1] + (k - starts[level]) * _FAN_OUT
            for child in range(first, min(first + _FAN_OUT, starts[level])):
                waiting[size, 0], waiting[size, 1] = level - 1, child
                size += 1
        if len(offsets) > 0:
            found[offsets[q] : offsets[q + 1]].sort()
    return counts
