"""PoLiS and the exact Hausdorff distance against array shapely."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely

from benchmarks.paired import Row, compare
from benchmarks.pairs import star_pairs
from polygauge.geometry import Pairs, Polygons, directed_hausdorff, vertex_distances


def geos_polis(a, b, points, owners):
    """PoLiS with shapely on whole arrays; the vertices are taken apart beforehand."""
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


def rows() -> Iterator[Row]:
    """The ratios, one core."""
    for count in (6, 40):
        a, b = star_pairs(4_000, count)
        ra, rb = Polygons.from_shapely(a), Polygons.from_shapely(b)
        few_a, few_b = a[:500], b[:500]
        points, owners = zip(vertices(few_a), vertices(few_b), strict=True)
        yield compare(
            f"polis, {count} vertices, against array shapely",
            lambda ra=ra, rb=rb: vertex_distances(Pairs.row_by_row(ra, rb)).means(),
            lambda a=few_a, b=few_b, p=points, o=owners: geos_polis(a, b, p, o),
            bar=15,
            ours_rows=4_000,
            peer_rows=500,
        )
        lines = shapely.boundary(few_a), shapely.boundary(few_b)
        yield compare(
            f"hausdorff_exact, {count} vertices, against GEOS's vertex-only one",
            lambda ra=ra, rb=rb: directed_hausdorff(Pairs.row_by_row(ra, rb)),
            lambda x=lines[0], y=lines[1]: shapely.hausdorff_distance(x, y),
            bar=1 / 3,
            ours_rows=4_000,
            peer_rows=500,
        )
