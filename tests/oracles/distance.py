"""Distances between boundaries, from shapely and dense sampling."""

from __future__ import annotations

import numpy as np
import shapely


def vertices(shape: shapely.Geometry) -> np.ndarray:
    """Distinct vertices of all rings of all parts."""
    rings = shapely.get_rings(shapely.get_parts(shape))
    return np.vstack([shapely.get_coordinates(ring)[:-1] for ring in rings])


def polis(a: shapely.Geometry, b: shapely.Geometry) -> float:
    """Mean over the vertices of each side of the distance to the other boundary, halves added."""
    to_b = shapely.distance(shapely.points(vertices(a)), shapely.boundary(b))
    to_a = shapely.distance(shapely.points(vertices(b)), shapely.boundary(a))
    return float(to_b.mean() / 2 + to_a.mean() / 2)


def hausdorff_between(
    a: shapely.Geometry, b: shapely.Geometry, spacing: float
) -> tuple[float, float]:
    """Bounds of the Hausdorff distance of two boundaries, from points `spacing` apart.

    The distance to a boundary changes by at most 1 a unit walked, so no point is farther than the
    farthest sample by more than half the spacing.
    """

    def directed(first: shapely.Geometry, second: shapely.Geometry) -> float:
        dense = shapely.segmentize(shapely.boundary(first), spacing)
        points = shapely.points(shapely.get_coordinates(dense))
        return float(shapely.distance(points, shapely.boundary(second)).max())

    low = max(directed(a, b), directed(b, a))
    return low, low + spacing / 2
