"""PoLiS, exact and sampled boundary distances against array shapely and scipy."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely
from scipy.spatial.distance import cdist

from benchmarks.paired import Row, compare
from benchmarks.pairs import building_pairs, star_pairs
from polygauge.geometry import (
    Pairs,
    Polygons,
    directed_hausdorff,
    sampled_distances,
    vertex_distances,
)

SPACING = 0.1


def geos_polis(a, b):
    """PoLiS with shapely on whole arrays."""
    points, owners = zip(vertices(a), vertices(b), strict=True)
    halves = []
    for k, other in ((0, b), (1, a)):
        distances = shapely.distance(points[k], shapely.boundary(other)[owners[k]])
        sums = np.bincount(owners[k], distances, minlength=len(a))
        halves.append(sums / np.bincount(owners[k], minlength=len(a)))
    return halves[0] / 2 + halves[1] / 2


def vertices(shapes):
    """Distinct vertices of all shapes as points, and whose they are."""
    xy, owner = shapely.get_coordinates(shapely.get_exterior_ring(shapes), return_index=True)
    last = np.flatnonzero(np.diff(owner, append=-1))
    keep = np.ones(len(xy), dtype=bool)
    keep[last] = False
    return shapely.points(xy[keep]), owner[keep]


def samples(shape):
    """Points along the outline, every edge cut into ceil(length / spacing) equal parts."""
    corners = shapely.get_coordinates(shape.exterior)
    edges = np.diff(corners, axis=0)
    parts = np.ceil(np.hypot(*edges.T) / SPACING).astype(int)
    number = np.arange(parts.sum()) - np.repeat(np.cumsum(parts) - parts, parts)
    steps = np.repeat(edges / parts[:, None], parts, axis=0)
    return np.repeat(corners[:-1], parts, axis=0) + steps * number[:, None]


def cdist_distances(a, b):
    """Directed means and maxima from the matrix of all distances between samples, pair by pair."""
    out = []
    for first, second in zip(a, b, strict=True):
        matrix = cdist(samples(first), samples(second))
        there, back = matrix.min(axis=1), matrix.min(axis=0)
        out.append((there.mean(), back.mean(), there.max(), back.max()))
    return np.array(out)


def rows() -> Iterator[Row]:
    """The ratios, one core."""
    for count in (6, 40):
        a, b = star_pairs(4_000, count)
        ra, rb = Polygons.from_shapely(a), Polygons.from_shapely(b)
        few_a, few_b = a[:500], b[:500]
        yield compare(
            f"polis, {count} vertices, against array shapely",
            lambda ra=ra, rb=rb: vertex_distances(Pairs.row_by_row(ra, rb)).means(),
            lambda a=few_a, b=few_b: geos_polis(a, b),
            bar=15,
            ours_rows=4_000,
            peer_rows=500,
            rounds=21,
        )
        # As many pairs as make both sides take about equally long: a busy machine then hits both.
        peer_rows = 4_000 if count == 6 else 500
        lines = shapely.boundary(a[:peer_rows]), shapely.boundary(b[:peer_rows])
        yield compare(
            f"hausdorff_exact, {count} vertices, against GEOS's vertex-only one",
            lambda ra=ra, rb=rb: directed_hausdorff(Pairs.row_by_row(ra, rb)),
            lambda x=lines[0], y=lines[1]: shapely.hausdorff_distance(x, y),
            bar=1 / 3,
            ours_rows=4_000,
            peer_rows=peer_rows,
            rounds=21,
        )
    a, b = building_pairs(1_000)
    ra, rb = Polygons.from_shapely(a), Polygons.from_shapely(b)
    yield compare(
        "chamfer and hausdorff every 0.1 m, buildings, against cdist",
        lambda: sampled_distances(Pairs.row_by_row(ra, rb), SPACING),
        lambda: cdist_distances(a[:50], b[:50]),
        bar=30,
        ours_rows=1_000,
        peer_rows=50,
    )


if __name__ == "__main__":
    for row in rows():
        print(row, flush=True)
