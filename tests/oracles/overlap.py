"""Overlap of areas and of boundary regions, from GEOS."""

from __future__ import annotations

import shapely


def iou(a: shapely.Geometry, b: shapely.Geometry) -> float:
    """Intersection over union by overlay."""
    return shapely.intersection(a, b).area / shapely.union(a, b).area


def boundary_iou(a: shapely.Geometry, b: shapely.Geometry, width: float) -> float:
    """Both boundaries buffered, intersection over union."""
    return iou(*(shapely.buffer(shapely.boundary(x), width, quad_segs=16) for x in (a, b)))


def boundary_iou_inner(a: shapely.Geometry, b: shapely.Geometry, width: float) -> float:
    """The buffered boundaries cut to the inside of their shapes, intersection over union."""
    return iou(
        *(
            shapely.intersection(x, shapely.buffer(shapely.boundary(x), width, quad_segs=64))
            for x in (a, b)
        )
    )
