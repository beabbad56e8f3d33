"""IoU and Boundary IoU against array shapely and the plain row loop over GeoDataFrames."""

from __future__ import annotations

from collections.abc import Iterator

import geopandas as gpd
import shapely

from benchmarks.paired import Row, compare
from benchmarks.pairs import building_pairs, star_pairs
from polygauge.geometry import (
    Pairs,
    Polygons,
    boundary_region_iou,
    intersection_over_union,
)

WIDTH = 0.9


def geos_iou(a, b):
    """IoU with shapely on whole arrays."""
    shared = shapely.area(shapely.intersection(a, b))
    return shared / (shapely.area(a) + shapely.area(b) - shared)


def geos_boundary_iou(a, b):
    """Boundary IoU with shapely on whole arrays."""
    return geos_iou(*(shapely.buffer(shapely.boundary(x), WIDTH, quad_segs=16) for x in (a, b)))


def row_loop(reference: gpd.GeoDataFrame, prediction: gpd.GeoDataFrame) -> list[tuple]:
    """Both metrics as they are usually written: a loop over the rows of two GeoDataFrames."""
    out = []
    for (_, r), (_, p) in zip(reference.iterrows(), prediction.iterrows(), strict=True):
        iou = r.geometry.intersection(p.geometry).area / r.geometry.union(p.geometry).area
        a = r.geometry.boundary.buffer(WIDTH, quad_segs=16)
        b = p.geometry.boundary.buffer(WIDTH, quad_segs=16)
        out.append((iou, a.intersection(b).area / a.union(b).area))
    return out


def rows() -> Iterator[Row]:
    """The ratios, one core."""
    for vertices, bar in ((6, 50), (40, 10)):
        a, b = star_pairs(20_000, vertices)
        ra, rb = Polygons.from_shapely(a), Polygons.from_shapely(b)
        yield compare(
            f"iou, {vertices} vertices, against array shapely",
            lambda ra=ra, rb=rb: intersection_over_union(Pairs.row_by_row(ra, rb)),
            lambda a=a[:2000], b=b[:2000]: geos_iou(a, b),
            bar=bar,
            ours_rows=20_000,
            peer_rows=2_000,
        )
    a, b = building_pairs(8_000)
    ra, rb = Polygons.from_shapely(a), Polygons.from_shapely(b)

    def both():
        pairs = Pairs.row_by_row(ra, rb)
        return intersection_over_union(pairs), boundary_region_iou(pairs, WIDTH, False)

    yield compare(
        "boundary_iou, buildings, against array shapely",
        lambda: boundary_region_iou(Pairs.row_by_row(ra, rb), WIDTH, False),
        lambda: geos_boundary_iou(a[:500], b[:500]),
        bar=3,
        ours_rows=8_000,
        peer_rows=500,
    )
    frames = [gpd.GeoDataFrame(geometry=side[:300]) for side in (a, b)]
    yield compare(
        "iou + boundary_iou, buildings, against the GeoDataFrame row loop",
        both,
        lambda: row_loop(*frames),
        bar=10,
        ours_rows=8_000,
        peer_rows=300,
    )
