"""Pairs of features that share area: what every matching rule starts from."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from polygauge.geometry import (
    BoolArray,
    FloatArray,
    IntArray,
    Pairs,
    Polygons,
    box_pairs,
    box_pairs_within,
    intersection_over_union,
    overlap_areas,
)
from polygauge.tables import Features

# Shared area below this share of the smaller feature is rounding along a common wall, not overlap.
NO_OVERLAP = 1e-9
# Fixed, so that the same rows are computed together whatever the number of threads.
_BATCH = 16_384


@dataclass(frozen=True, slots=True, eq=False)
class Overlaps:
    """One row a pair that shares area, sorted by reference, then prediction.

    Attributes
    ----------
    reference, prediction : ndarray of int64, shape (p,)
    intersection : ndarray of float64, shape (p,)
        Squared CRS units, positive.
    iou : ndarray of float64, shape (p,)
    smaller_share : ndarray of float64, shape (p,)
        Intersection over the area of the smaller of the two.
    """

    reference: IntArray
    prediction: IntArray
    intersection: FloatArray
    iou: FloatArray
    smaller_share: FloatArray

    def __len__(self) -> int:
        return len(self.reference)

    def take(self, chosen: BoolArray | IntArray) -> Overlaps:
        """The chosen rows."""
        return Overlaps(
            self.reference[chosen],
            self.prediction[chosen],
            self.intersection[chosen],
            self.iou[chosen],
            self.smaller_share[chosen],
        )


def find_overlaps(reference: Features, prediction: Features, *, jobs: int = 1) -> Overlaps:
    """All pairs of a reference and a prediction of the same tile that share area.

    Walls that only touch are no overlap: the shared area must exceed 1e-9 of the smaller feature.
    """
    i, j = box_pairs(
        reference.polygons.boxes, prediction.polygons.boxes, reference.tiles, prediction.tiles
    )
    return overlaps_of(reference.polygons, prediction.polygons, i, j, jobs=jobs)


def find_self_overlaps(features: Features, chosen: BoolArray, *, jobs: int = 1) -> Overlaps:
    """Pairs of chosen features of one layer that share area; `reference` < `prediction`."""
    boxes = features.polygons.boxes
    boxes[~chosen] = np.nan
    i, j = box_pairs_within(boxes, features.tiles)
    return overlaps_of(features.polygons, features.polygons, i, j, jobs=jobs)


def overlaps_of(a: Polygons, b: Polygons, i: IntArray, j: IntArray, *, jobs: int = 1) -> Overlaps:
    """The candidate pairs (i, j) that share area."""
    batches = [
        Pairs(a, b, i[start : start + _BATCH], j[start : start + _BATCH])
        for start in range(0, len(i), _BATCH)
    ]
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        pieces = list(pool.map(_shares, batches))
    shared, iou, smaller_share = np.concatenate([np.empty((3, 0)), *pieces], axis=1)
    every = Overlaps(i, j, shared, iou, smaller_share)
    return every.take(smaller_share > NO_OVERLAP)


def _shares(pairs: Pairs) -> FloatArray:
    """Intersection, IoU and share of the smaller feature, as three rows."""
    areas = pairs.share(overlap_areas)
    return np.stack(
        [areas[:, 0], intersection_over_union(pairs), areas[:, 0] / areas[:, 1:].min(axis=1)]
    )
