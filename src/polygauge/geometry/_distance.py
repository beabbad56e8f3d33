"""Distances of points, and of the vertices of one side, to the boundary of the other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from polygauge.geometry._edges import count_edges
from polygauge.geometry._jit import jit
from polygauge.geometry._nearest import (
    FEW_EDGES,
    boundary_room,
    load_boundary,
    whole_eights,
    write_distances,
    write_distances_by_boxes,
)
from polygauge.geometry.pairs import Pairs
from polygauge.geometry.polygons import FloatArray, IntArray, Polygons


@dataclass(frozen=True, slots=True, eq=False)
class VertexDistances:
    """Distance of every distinct vertex of each side of n pairs to the boundary of the other side.

    Attributes
    ----------
    reference, prediction : ndarray of float64
        CRS units; from the vertices of that side, ring by ring.
    reference_offsets, prediction_offsets : ndarray of int64, shape (n + 1,)
        Pair k owns the values [offsets[k]] to [offsets[k + 1]].
    """

    reference: FloatArray
    reference_offsets: IntArray
    prediction: FloatArray
    prediction_offsets: IntArray

    def means(self) -> FloatArray:
        """Mean over the vertices of each side, shape (n, 2)."""
        return np.column_stack(
            [
                np.add.reduceat(self.reference, self.reference_offsets[:-1])
                / np.diff(self.reference_offsets),
                np.add.reduceat(self.prediction, self.prediction_offsets[:-1])
                / np.diff(self.prediction_offsets),
            ]
        )


def vertex_distances(pairs: Pairs, exteriors: bool = False) -> VertexDistances:
    """Distance of the vertices of each side to the boundary of the other.

    Parameters
    ----------
    pairs : Pairs
    exteriors : bool
        Leave holes out, as vertices and as boundary.
    """
    if exteriors:
        pairs = pairs.share(Pairs.without_holes)
    a, i, b, j = pairs.a, pairs.i, pairs.b, pairs.j
    a_points, a_offsets = _vertices(a.coordinates, a.ring_offsets, a.feature_rings, i)
    b_points, b_offsets = _vertices(b.coordinates, b.ring_offsets, b.feature_rings, j)
    return VertexDistances(
        reference=boundary_distances(a_points, a_offsets, b, j),
        reference_offsets=a_offsets,
        prediction=boundary_distances(b_points, b_offsets, a, i),
        prediction_offsets=b_offsets,
    )


def boundary_distances(
    points: FloatArray, offsets: IntArray, polygons: Polygons, rows: IntArray
) -> FloatArray:
    """Distance of points to a boundary, all rings, CRS units.

    Parameters
    ----------
    points : ndarray of float64, shape (p, 2)
    offsets : ndarray of int64, shape (n + 1,)
        Points [offsets[k]] to [offsets[k + 1]] are measured to feature `rows[k]`.
    polygons : Polygons
    rows : ndarray of int64, shape (n,)
        Features, none of them empty.

    Returns
    -------
    ndarray of float64, shape (p,)
    """
    return _boundary_distances(
        points, offsets, polygons.coordinates, polygons.ring_offsets, polygons.feature_rings, rows
    )


@jit
def _vertices(
    xy: FloatArray, rings: IntArray, features: IntArray, rows: IntArray
) -> tuple[FloatArray, IntArray]:
    """Distinct vertices of the features at `rows`, one after the other, and their offsets."""
    offsets = np.zeros(len(rows) + 1, dtype=np.int64)
    for k in range(len(rows)):
        offsets[k + 1] = offsets[k] + count_edges(rings, features, rows[k])
    points = np.empty((offsets[-1], 2))
    n = 0
    for i in rows:
        for r in range(features[i], features[i + 1]):
            for k in range(rings[r], rings[r + 1] - 1):
                points[n, 0], points[n, 1] = xy[k, 0], xy[k, 1]
                n += 1
    return points, offsets


@jit
def _boundary_distances(
    points: FloatArray,
    offsets: IntArray,
    xy: FloatArray,
    rings: IntArray,
    features: IntArray,
    rows: IntArray,
) -> FloatArray:
    out = np.empty(len(points))
    edges, boxes, starts = boundary_room(rings, features, rows)
    most = 0
    for k in range(len(rows)):
        most = max(most, offsets[k + 1] - offsets[k])
    most = whole_eights(most)
    x, y, near = np.zeros(most), np.zeros(most), np.empty(most)
    for k in range(len(rows)):
        start, stop = offsets[k], offsets[k + 1]
        if start == stop:
            continue
        ox, oy = points[start, 0], points[start, 1]
        for p in range(stop - start):
            x[p], y[p] = points[start + p, 0] - ox, points[start + p, 1] - oy
        m = load_boundary(xy, rings, features, rows[k], ox, oy, edges, boxes, starts)
        if m > FEW_EDGES:
            write_distances_by_boxes(edges, m, boxes, starts, x, y, stop - start, near)
        else:
            write_distances(edges, m, x, y, stop - start, near)
        for p in range(stop - start):
            out[start + p] = near[p]
    return out
