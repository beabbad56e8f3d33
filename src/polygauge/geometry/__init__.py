"""Geometry kernels: arrays in, arrays out. Nothing here knows of pandas, CRSs or files."""

from polygauge.geometry.pairs import Pairs
from polygauge.geometry.polygons import BoolArray, FloatArray, IntArray, Polygons

__all__ = ["BoolArray", "FloatArray", "IntArray", "Pairs", "Polygons"]
