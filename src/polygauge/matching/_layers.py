"""The two layers as wholes: how much ground they cover together and apart."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely

from polygauge.geometry import BoolArray, FloatArray, IntArray, Polygons, box_pairs
from polygauge.matching._one_to_one import component_rows
from polygauge.matching._overlaps import Overlaps, find_self_overlaps, overlaps_of
from polygauge.tables import Features


@dataclass(frozen=True, slots=True)
class LayerAreas:
    """Ground covered by the judged features, squared CRS units; overlaps within a layer count once.

    Attributes
    ----------
    reference, prediction, intersection, iou : float
        `iou` is NaN where both layers are empty.
    reference_overlaps, prediction_overlaps : int
        Pairs of features of one layer that share area.
    reference_overlap_area, prediction_overlap_area : float
        What those pairs share, summed.
    """

    reference: float
    prediction: float
    intersection: float
    iou: float
    reference_overlaps: int
    prediction_overlaps: int
    reference_overlap_area: float
    prediction_overlap_area: float


@dataclass(frozen=True, slots=True, eq=False)
class TileAreas:
    """Ground covered in each tile; overlaps within a side count once.

    Attributes
    ----------
    reference, prediction, intersection : ndarray of float64, shape (t,)
        Squared CRS units.
    """

    reference: FloatArray
    prediction: FloatArray
    intersection: FloatArray

    @property
    def iou(self) -> FloatArray:
        """IoU of the two sides as wholes, shape (t,); NaN where a tile is empty on both."""
        union = self.reference + self.prediction - self.intersection
        out = np.full(len(union), np.nan)
        np.divide(self.intersection, union, out=out, where=union > 0)
        np.minimum(out, 1.0, out=out)
        return out


def compare_tiles(
    reference: Features, prediction: Features, count: int, *, jobs: int = 1
) -> TileAreas:
    """What the judged features of each of `count` tiles cover, on each side and on both."""
    a, a_tiles = _ground(reference, jobs)
    b, b_tiles = _ground(prediction, jobs)
    i, j = box_pairs(a.boxes, b.boxes, a_tiles, b_tiles)
    shared = overlaps_of(a, b, i, j, jobs=jobs)
    return TileAreas(
        reference=_sum_by_tile(a_tiles, a.areas, count),
        prediction=_sum_by_tile(b_tiles, b.areas, count),
        intersection=_sum_by_tile(a_tiles[shared.reference], shared.intersection, count),
    )


def _sum_by_tile(tiles: IntArray, values: FloatArray, count: int) -> FloatArray:
    return np.bincount(tiles, values, count).astype(np.float64)


def _ground(features: Features, jobs: int) -> tuple[Polygons, IntArray]:
    """The judged features without overlaps, and the tile of each."""
    overlaps = find_self_overlaps(features, features.counts, jobs=jobs)
    polygons, tiles = _dissolve(features, features.counts, overlaps)
    return polygons, np.zeros(len(polygons), dtype=np.int64) if tiles is None else tiles


def compare_areas(reference: Features, prediction: Features, *, jobs: int = 1) -> LayerAreas:
    """Area of each layer, of what they share, and the IoU of the two layers as wholes."""
    a_overlaps = find_self_overlaps(reference, reference.counts, jobs=jobs)
    b_overlaps = find_self_overlaps(prediction, prediction.counts, jobs=jobs)
    a, a_tiles = _dissolve(reference, reference.counts, a_overlaps)
    b, b_tiles = _dissolve(prediction, prediction.counts, b_overlaps)
    i, j = box_pairs(a.boxes, b.boxes, a_tiles, b_tiles)
    shared = float(overlaps_of(a, b, i, j, jobs=jobs).intersection.sum())
    a_area, b_area = float(a.areas.sum()), float(b.areas.sum())
    union = a_area + b_area - shared
    return LayerAreas(
        reference=a_area,
        prediction=b_area,
        intersection=shared,
        iou=float("nan") if union == 0 else min(shared / union, 1.0),
        reference_overlaps=len(a_overlaps),
        prediction_overlaps=len(b_overlaps),
        reference_overlap_area=float(a_overlaps.intersection.sum()),
        prediction_overlap_area=float(b_overlaps.intersection.sum()),
    )


def _dissolve(
    features: Features, chosen: BoolArray, overlaps: Overlaps
) -> tuple[Polygons, IntArray | None]:
    """The chosen features, with those that overlap each other replaced by their union."""
    tiles = features.tiles
    # Symmetric rows, so that a chain of overlaps is one component of the bipartite graph.
    left = np.concatenate([overlaps.reference, overlaps.prediction, overlaps.reference])
    right = np.concatenate([overlaps.prediction, overlaps.prediction, overlaps.reference])
    involved = np.zeros(len(features), dtype=bool)
    involved[left] = True
    alone = np.flatnonzero(chosen & ~involved)
    merged, merged_tiles = [], []
    if len(left):
        for rows in component_rows(left, right):
            members = np.unique(left[rows])
            merged.append(shapely.union_all(features.polygons.take(members).to_shapely()))
            merged_tiles.append(0 if tiles is None else int(tiles[members[0]]))
    polygons = Polygons.concatenate(
        [features.polygons.take(alone), Polygons.from_shapely(np.array(merged, dtype=object))]
    )
    if tiles is None:
        return polygons, None
    return polygons, np.concatenate([tiles[alone], np.array(merged_tiles, dtype=np.int64)])
