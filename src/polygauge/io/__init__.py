"""The border: layers in, run folders out."""

from polygauge.io._describe import LayerInfo, describe
from polygauge.io._frame import Frame, TileFrame, common_frame
from polygauge.io._layer import Layer, layer_from_frame, read_layer
from polygauge.io._options import FrameOptions, ReadOptions

__all__ = [
    "Frame",
    "FrameOptions",
    "Layer",
    "LayerInfo",
    "ReadOptions",
    "TileFrame",
    "common_frame",
    "describe",
    "layer_from_frame",
    "read_layer",
]
