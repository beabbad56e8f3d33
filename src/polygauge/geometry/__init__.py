"""Geometry kernels: arrays in, arrays out. Nothing here knows of pandas, CRSs or files."""

from polygauge.geometry._boxes import box_pairs, box_pairs_within
from polygauge.geometry._distance import boundary_distances, vertex_distances
from polygauge.geometry._hausdorff import directed_hausdorff
from polygauge.geometry._jit import jit, when_compiling
from polygauge.geometry._overlap import intersection_areas, intersection_over_union, overlap_areas
from polygauge.geometry._region import boundary_region_iou, boundary_regions
from polygauge.geometry.pairs import Pairs
from polygauge.geometry.polygons import BoolArray, FloatArray, IntArray, Polygons

__all__ = [
    "BoolArray",
    "FloatArray",
    "IntArray",
    "Pairs",
    "Polygons",
    "boundary_distances",
    "boundary_region_iou",
    "boundary_regions",
    "box_pairs",
    "box_pairs_within",
    "directed_hausdorff",
    "intersection_areas",
    "intersection_over_union",
    "jit",
    "overlap_areas",
    "vertex_distances",
    "when_compiling",
]
