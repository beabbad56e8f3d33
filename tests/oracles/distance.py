"""Distances between boundaries, from shapely and dense sampling."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import shapely
from scipy.spatial.distance import cdist


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


def polis_exterior(a: shapely.Geometry, b: shapely.Geometry) -> float:
    """PoLiS of the two shapes with their holes filled."""
    return polis(filled(a), filled(b))


def filled(shape: shapely.Geometry) -> shapely.Geometry:
    """The parts without their holes; parts inside a hole stay parts."""
    return shapely.multipolygons(
        [shapely.polygons(part.exterior) for part in shapely.get_parts(shape)]
    )


def samples(shape: shapely.Geometry, spacing: float) -> np.ndarray:
    """Every edge cut into ceil(length / spacing) equal parts, each vertex once."""
    points = []
    for ring in shapely.get_rings(shapely.get_parts(shape)):
        corners = shapely.get_coordinates(ring)
        for start, end in pairwise(corners):
            parts = max(1, int(np.ceil(np.hypot(*(end - start)) / spacing - 1e-6)))
            points += [start + (end - start) * k / parts for k in range(parts)]
    return np.array(points)


def sampled(a: shapely.Geometry, b: shapely.Geometry, spacing: float) -> dict[str, float]:
    """Chamfer and Hausdorff distances from the whole matrix of sample distances."""
    matrix = cdist(samples(a, spacing), samples(b, spacing))
    there, back = matrix.min(axis=1), matrix.min(axis=0)
    return {
        "chamfer": there.mean() / 2 + back.mean() / 2,
        "hausdorff": max(there.max(), back.max()),
        "hausdorff_sum": there.max() + back.max(),
    }


def polis_p3(a: shapely.Geometry, b: shapely.Geometry) -> float:
    """PoLiS of the exteriors; sums over vertices, divided by the stored points."""

    def half(first: shapely.Geometry, second: shapely.Geometry) -> float:
        points = shapely.points(vertices(first))
        stored = shapely.get_num_coordinates(first)
        return shapely.distance(points, shapely.boundary(second)).sum() / (2 * stored)

    a, b = filled(a), filled(b)
    return float(half(a, b) + half(b, a))


def sampled_p3(a: shapely.Geometry, b: shapely.Geometry, spacing: float) -> dict[str, float]:
    """As `sampled`, of the exteriors, each ring's first vertex once more at its end."""

    def closed(shape: shapely.Geometry) -> np.ndarray:
        rings = [shapely.polygons(part.exterior) for part in shapely.get_parts(shape)]
        return np.vstack([[*samples(ring, spacing), ring.exterior.coords[0]] for ring in rings])

    matrix = cdist(closed(a), closed(b))
    there, back = matrix.min(axis=1), matrix.min(axis=0)
    return {
        "chamfer": there.mean() / 2 + back.mean() / 2,
        "hausdorff": max(there.max(), back.max()),
    }


def steps(
    shape: shapely.Geometry, other: shapely.Geometry, step: float
) -> tuple[np.ndarray, np.ndarray]:
    """Lengths of short pieces of a boundary, and the distances of their midpoints to the other.

    A piece is at most `step` long, so every point of it is within step / 2 of that distance.
    """
    lines = [shapely.segmentize(ring, step) for ring in shapely.get_rings(shapely.get_parts(shape))]
    points = [shapely.get_coordinates(line) for line in lines]
    starts = np.vstack([p[:-1] for p in points])
    ends = np.vstack([p[1:] for p in points])
    middles = shapely.points((starts + ends) / 2)
    return np.hypot(*(ends - starts).T), shapely.distance(middles, shapely.boundary(other))


def assd_near(a: shapely.Geometry, b: shapely.Geometry, step: float) -> float:
    """Mean boundary distance from midpoints; right to step / 4, the mean slack along a piece."""
    there, back = steps(a, b, step), steps(b, a, step)
    total = (there[0] * there[1]).sum() + (back[0] * back[1]).sum()
    return float(total / (there[0].sum() + back[0].sum()))


def share_between(
    a: shapely.Geometry, b: shapely.Geometry, tolerance: float, step: float
) -> tuple[float, float]:
    """Bounds of the share of the boundary of `a` within a distance of that of `b`."""
    lengths, distances = steps(a, b, step)
    low = lengths[distances <= tolerance - step / 2].sum() / lengths.sum()
    high = lengths[distances <= tolerance + step / 2].sum() / lengths.sum()
    return float(low), float(high)


def percentile_near(a: shapely.Geometry, b: shapely.Geometry, q: float, step: float) -> float:
    """Percentile by length of the distance from `a` to the boundary of `b`; right to step / 2."""
    lengths, distances = steps(a, b, step)
    order = np.argsort(distances)
    share = np.cumsum(lengths[order]) / lengths.sum()
    return float(distances[order][np.searchsorted(share, q / 100 - 1e-12)])
