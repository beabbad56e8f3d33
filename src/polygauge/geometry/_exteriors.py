"""Which outline of one side is set against which of the other: for metrics on vertex sequences."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from polygauge.geometry._jit import inner, jit
from polygauge.geometry.pairs import Pairs
from polygauge.geometry.polygons import FloatArray, IntArray

# Centroid distances that agree to a billionth are equal; then the part that comes first is taken.
_TIE = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class ExteriorPairs:
    """Exterior rings set against each other, for n pairs of features.

    Attributes
    ----------
    offsets : ndarray of int64, shape (n + 1,)
        Pair k owns rows [offsets[k]] to [offsets[k + 1]], at least one.
    reference, prediction : ndarray of int64, shape (r,)
        Ring numbers in the polygons of each side.
    """

    offsets: IntArray
    reference: IntArray
    prediction: IntArray


def exterior_pairs(pairs: Pairs) -> ExteriorPairs:
    """Set the exterior rings of each pair of features against each other; holes are left out.

    Two polygons: their exteriors. Where a side has several parts, every part of either side goes
    with the part of the other whose centroid (of the exterior, filled) is nearest; each couple
    counts once. So no part is left out, and the rule is the same seen from both sides.
    """
    a, b = pairs.a, pairs.b
    return ExteriorPairs(
        *_exterior_pairs(
            a.coordinates,
            a.ring_offsets,
            a.part_offsets,
            a.feature_offsets,
            pairs.i,
            b.coordinates,
            b.ring_offsets,
            b.part_offsets,
            b.feature_offsets,
            pairs.j,
        )
    )


@jit
def _exterior_pairs(
    a_xy: FloatArray,
    a_rings: IntArray,
    a_parts: IntArray,
    a_features: IntArray,
    a_rows: IntArray,
    b_xy: FloatArray,
    b_rings: IntArray,
    b_parts: IntArray,
    b_features: IntArray,
    b_rows: IntArray,
) -> tuple[IntArray, IntArray, IntArray]:
    n = len(a_rows)
    room = 0
    for k in range(n):
        room += a_features[a_rows[k] + 1] - a_features[a_rows[k]]
        room += b_features[b_rows[k] + 1] - b_features[b_rows[k]]
    offsets = np.zeros(n + 1, dtype=np.int64)
    reference, prediction = np.empty(room, dtype=np.int64), np.empty(room, dtype=np.int64)
    row = 0
    for k in range(n):
        p, p_end = a_features[a_rows[k]], a_features[a_rows[k] + 1]
        q, q_end = b_features[b_rows[k]], b_features[b_rows[k] + 1]
        if p_end - p == 1 and q_end - q == 1:
            reference[row], prediction[row] = a_parts[p], b_parts[q]
            row += 1
        else:
            start = a_rings[a_parts[p]]
            ox, oy = a_xy[start, 0], a_xy[start, 1]
            a_middles = _centroids(a_xy, a_rings, a_parts, p, p_end, ox, oy)
            b_middles = _centroids(b_xy, b_rings, b_parts, q, q_end, ox, oy)
            to_b, to_a = _nearest(a_middles, b_middles), _nearest(b_middles, a_middles)
            for s in range(len(to_b)):
                reference[row], prediction[row] = a_parts[p + s], b_parts[q + to_b[s]]
                row += 1
            for t in range(len(to_a)):
                if to_b[to_a[t]] != t:
                    reference[row], prediction[row] = a_parts[p + to_a[t]], b_parts[q + t]
                    row += 1
        offsets[k + 1] = row
    return offsets, reference[:row].copy(), prediction[:row].copy()


@inner
def _centroids(
    xy: FloatArray, rings: IntArray, parts: IntArray, first: int, stop: int, ox: float, oy: float
) -> FloatArray:
    """Centroids of the filled exteriors of parts `first` to `stop`, moved by (-ox, -oy)."""
    out = np.empty((stop - first, 2))
    for p in range(first, stop):
        start = rings[parts[p]]
        sx, sy = xy[start, 0], xy[start, 1]
        twice, mx, my = 0.0, 0.0, 0.0
        for k in range(start, rings[parts[p] + 1] - 1):
            x0, y0, x1, y1 = xy[k, 0] - sx, xy[k, 1] - sy, xy[k + 1, 0] - sx, xy[k + 1, 1] - sy
            cross = x0 * y1 - x1 * y0
            twice += cross
            mx += cross * (x0 + x1)
            my += cross * (y0 + y1)
        out[p - first, 0] = sx - ox + mx / (3.0 * twice)
        out[p - first, 1] = sy - oy + my / (3.0 * twice)
    return out


@inner
def _nearest(points: FloatArray, others: FloatArray) -> IntArray:
    """Number of the nearest of the others to each point; the first of equally near ones."""
    out = np.zeros(len(points), dtype=np.int64)
    for s in range(len(points)):
        best = np.inf
        for t in range(len(others)):
            d = np.hypot(points[s, 0] - others[t, 0], points[s, 1] - others[t, 1])
            if d < (1.0 - _TIE) * best:
                best = d
                out[s] = t
    return out
