"""Blocks: the tiles, or squares of ground, that intervals resample."""

from __future__ import annotations

import numpy as np

from polygauge.geometry import FloatArray, IntArray
from polygauge.tables import Features

# About five references a block, at most 20 x 20 blocks: enough to resample, each large enough
# that its neighbours' errors are nearly independent.
_PER_BLOCK = 5
_MOST_PER_SIDE = 20


def assign_blocks(reference: Features, prediction: Features) -> tuple[IntArray, IntArray]:
    """Block number of every feature: its tile, or the square its box's middle lies in."""
    if reference.tiles is not None and prediction.tiles is not None:
        return reference.tiles, prediction.tiles
    a, b = _middles(reference), _middles(prediction)
    both = np.concatenate([a, b])
    if len(both) == 0:
        empty = np.empty(0, dtype=np.int64)
        return empty, empty
    low, high = both.min(axis=0), both.max(axis=0)
    per_side = int(np.clip(np.ceil(np.sqrt(len(a) / _PER_BLOCK)), 1, _MOST_PER_SIDE))
    step = np.maximum(high - low, np.finfo(float).tiny) / per_side
    return _square(a, low, step, per_side), _square(b, low, step, per_side)


def _middles(features: Features) -> FloatArray:
    boxes = features.polygons.boxes
    middles: FloatArray = (boxes[:, :2] + boxes[:, 2:]) / 2
    return middles


def _square(points: FloatArray, low: FloatArray, step: FloatArray, per_side: int) -> IntArray:
    cell = np.clip(((points - low) / step).astype(np.int64), 0, per_side - 1)
    number: IntArray = cell[:, 0] * per_side + cell[:, 1]
    return number
