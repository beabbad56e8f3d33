"""Geometry kernels: arrays in, arrays out. Nothing here knows of pandas, CRSs or files."""

from polygauge.geometry._boxes import box_pairs, box_pairs_within
from polygauge.geometry._directions import (
    CORNER_ANGLE,
    Corners,
    corners,
    edges_off_border,
    line_freedoms,
    main_directions,
    matched_corners,
    polygon_edges,
)
from polygauge.geometry._displacement import aligned_intersection_over_union, best_translations
from polygauge.geometry._distance import VertexDistances, boundary_distances, vertex_distances
from polygauge.geometry._extent import (
    hull_areas,
    rectangle_sides,
    ring_counts,
    separations,
    vertex_counts,
    vertex_ratios,
)
from polygauge.geometry._frechet import frechet_distances
from polygauge.geometry._hausdorff import directed_hausdorff
from polygauge.geometry._jit import inner, jit, when_compiling
from polygauge.geometry._overlap import intersection_areas, intersection_over_union, overlap_areas
from polygauge.geometry._profile import BoundaryProfile, boundary_profile
from polygauge.geometry._region import boundary_region_iou, boundary_regions
from polygauge.geometry._sampling import SampledDistances, sampled_distances
from polygauge.geometry._tangent import max_tangent_angles
from polygauge.geometry._vertex_routes import EdgePoints, VertexRoutes, edge_points, vertex_routes
from polygauge.geometry.pairs import Pairs
from polygauge.geometry.polygons import BoolArray, FloatArray, IntArray, Polygons

__all__ = [
    "CORNER_ANGLE",
    "BoolArray",
    "BoundaryProfile",
    "Corners",
    "EdgePoints",
    "FloatArray",
    "IntArray",
    "Pairs",
    "Polygons",
    "SampledDistances",
    "VertexDistances",
    "VertexRoutes",
    "aligned_intersection_over_union",
    "best_translations",
    "boundary_distances",
    "boundary_profile",
    "boundary_region_iou",
    "boundary_regions",
    "box_pairs",
    "box_pairs_within",
    "corners",
    "directed_hausdorff",
    "edge_points",
    "edges_off_border",
    "frechet_distances",
    "hull_areas",
    "inner",
    "intersection_areas",
    "intersection_over_union",
    "jit",
    "line_freedoms",
    "main_directions",
    "matched_corners",
    "max_tangent_angles",
    "overlap_areas",
    "polygon_edges",
    "rectangle_sides",
    "ring_counts",
    "sampled_distances",
    "separations",
    "vertex_counts",
    "vertex_distances",
    "vertex_ratios",
    "vertex_routes",
    "when_compiling",
]
