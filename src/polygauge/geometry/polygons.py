"""Polygons as ragged arrays in GeoArrow order: the only form that kernels see."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import shapely
from numpy.typing import ArrayLike, NDArray

from polygauge.errors import GeometryError
from polygauge.geometry._jit import inner, jit

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]

_POLYGON, _MULTIPOLYGON = 3, 6  # shapely geometry type ids


@dataclass(frozen=True, slots=True, eq=False)
class Polygons:
    """`n` features, each a polygon, a multipolygon or empty, in four flat arrays.

    Feature `i` owns parts `feature_offsets[i]` to `feature_offsets[i + 1]`, part `p` owns rings
    `part_offsets[p]` to `part_offsets[p + 1]` (exterior first), ring `r` owns the rows
    `ring_offsets[r]` to `ring_offsets[r + 1]` of `coordinates`, the last one repeating the first.

    Made by `from_shapely` or `from_ragged`, which guarantee what every kernel relies on: no two
    neighbouring vertices are equal, exteriors run counter-clockwise and interiors clockwise. So the
    inside of a feature lies to the left of all its edges, and its area is the plain sum over edges.

    `removed` counts the repeated points that a ring came with, or is None where none had any.
    """

    coordinates: FloatArray
    ring_offsets: IntArray
    part_offsets: IntArray
    feature_offsets: IntArray
    removed: IntArray | None = None

    def __len__(self) -> int:
        return len(self.feature_offsets) - 1

    @property
    def feature_rings(self) -> IntArray:
        """Ring offsets of the features, shape (n + 1,): feature i owns rings [i] to [i + 1]."""
        return self.part_offsets[self.feature_offsets]

    @property
    def feature_coordinates(self) -> IntArray:
        """Coordinate offsets of the features, shape (n + 1,)."""
        return self.ring_offsets[self.feature_rings]

    @property
    def vertex_counts(self) -> IntArray:
        """Distinct vertices of each feature, all rings, shape (n,); no closing repeats."""
        return np.diff(self.feature_coordinates) - np.diff(self.feature_rings)

    @property
    def drawn_counts(self) -> IntArray:
        """Vertices of each feature as it was drawn, repeated points counted, shape (n,)."""
        if self.removed is None:
            return self.vertex_counts
        before = np.concatenate([[0], np.cumsum(self.removed)])
        return self.vertex_counts + np.diff(before[self.feature_rings])

    @property
    def is_empty(self) -> BoolArray:
        """Features without any part, shape (n,)."""
        empty: BoolArray = np.diff(self.feature_offsets) == 0
        return empty

    @property
    def areas(self) -> FloatArray:
        """Area of each feature, holes subtracted, shape (n,), squared CRS units."""
        return _areas(self.coordinates, self.ring_offsets, self.feature_rings)

    @property
    def lengths(self) -> FloatArray:
        """Boundary length of each feature over all rings, shape (n,), CRS units."""
        return _lengths(self.coordinates, self.ring_offsets, self.feature_rings)

    @property
    def boxes(self) -> FloatArray:
        """Bounding boxes (xmin, ymin, xmax, ymax), shape (n, 4); NaN for an empty feature."""
        return _boxes(self.coordinates, self.feature_coordinates)

    @classmethod
    def from_shapely(cls, geometries: ArrayLike | Iterable[Any]) -> Polygons:
        """Take valid polygons and multipolygons from shapely; `None` becomes an empty feature.

        Parameters
        ----------
        geometries : array_like of Polygon, MultiPolygon or None, shape (n,)
            Z is ignored.

        Raises
        ------
        GeometryError
            A geometry is of another type.
        """
        array = np.array(geometries, dtype=object).reshape(-1)
        kinds = shapely.get_type_id(array)
        wrong = (kinds >= 0) & (kinds != _POLYGON) & (kinds != _MULTIPOLYGON)
        wrong &= ~shapely.is_empty(array)
        if wrong.any():
            row = int(np.argmax(wrong))
            raise GeometryError(
                f"row {row} is a {array[row].geom_type}; polygons and multipolygons are measured",
                hint="extract the polygonal part first, for example with shapely.make_valid",
            )
        # Parts and rings are taken apart by shapely one level at a time: unlike to_ragged_array
        # this accepts any mixture of types, missing and empty rows.
        array = np.where(kinds >= 0, array, shapely.Polygon())
        parts, part_feature = shapely.get_parts(array, return_index=True)
        kept = ~shapely.is_empty(parts)
        parts, part_feature = parts[kept], part_feature[kept]
        rings, ring_part = shapely.get_rings(parts, return_index=True)
        coordinates, point_ring = shapely.get_coordinates(rings, return_index=True)
        return cls.from_ragged(
            coordinates,
            _offsets(point_ring, len(rings)),
            _offsets(ring_part, len(parts)),
            _offsets(part_feature, len(array)),
        )

    @classmethod
    def from_ragged(
        cls,
        coordinates: FloatArray,
        ring_offsets: IntArray,
        part_offsets: IntArray,
        feature_offsets: IntArray,
        *,
        keep_repeated: bool = False,
    ) -> Polygons:
        """Take GeoArrow arrays of valid rings; removes repeated points and sets ring directions.

        With `keep_repeated` the points stay as they are drawn: for areas, and for metrics of
        vertices, samples and tangents, which then count a repeated point as often as it is drawn.
        """
        xy = np.ascontiguousarray(coordinates, dtype=np.float64)
        rings = np.ascontiguousarray(ring_offsets, dtype=np.int64)
        parts = np.ascontiguousarray(part_offsets, dtype=np.int64)
        features = np.ascontiguousarray(feature_offsets, dtype=np.int64)
        xy, standard = _standard_rings(xy, rings, parts, keep_repeated)
        removed = np.diff(rings) - np.diff(standard)
        return cls(xy, standard, parts, features, removed if removed.any() else None)

    @classmethod
    def concatenate(cls, pieces: Iterable[Polygons]) -> Polygons:
        """All features of `pieces`, in order."""
        pieces = list(pieces)
        if not pieces:
            zero = np.zeros(1, dtype=np.int64)
            return cls(np.empty((0, 2)), zero, zero, zero)
        return cls(
            np.concatenate([p.coordinates for p in pieces]),
            _join_offsets([p.ring_offsets for p in pieces]),
            _join_offsets([p.part_offsets for p in pieces]),
            _join_offsets([p.feature_offsets for p in pieces]),
            _join_removed(pieces),
        )

    def take(self, indices: ArrayLike) -> Polygons:
        """Features at `indices` (repeats allowed), in that order."""
        index = np.asarray(indices, dtype=np.int64)
        parts, features = _take(index, self.feature_offsets)
        rings, part_offsets = _take(parts, self.part_offsets)
        points, ring_offsets = _take(rings, self.ring_offsets)
        removed = None if self.removed is None else self.removed[rings]
        return Polygons(self.coordinates[points], ring_offsets, part_offsets, features, removed)

    def without_holes(self) -> Polygons:
        """The same parts, the exterior rings only; one that stood in a hole lies over another."""
        return self._exteriors(np.ones(len(self.part_offsets) - 1, dtype=np.bool_))

    def filled(self) -> Polygons:
        """The same features with their holes filled; a part that stood in a hole goes with it."""
        keep = np.ones(len(self.part_offsets) - 1, dtype=np.bool_)
        holed = np.diff(self.part_offsets) > 1
        before = np.concatenate([[0], np.cumsum(holed)])
        some = np.diff(before[self.feature_offsets]) > 0
        for i in np.flatnonzero(some & (np.diff(self.feature_offsets) > 1)):
            parts = np.arange(self.feature_offsets[i], self.feature_offsets[i + 1])
            shapes = shapely.get_parts(self.take([i]).without_holes().to_shapely())
            for outer in np.flatnonzero(holed[parts]):
                inside = shapely.covers(shapes[outer], shapes)
                inside[outer] = False
                keep[parts[inside]] = False
        return self._exteriors(keep)

    def _exteriors(self, keep: BoolArray) -> Polygons:
        """The exterior rings of the parts to keep."""
        exteriors = self.part_offsets[:-1][keep]
        points, ring_offsets = _take(exteriors, self.ring_offsets)
        kept = np.concatenate([[0], np.cumsum(keep)]).astype(np.int64)
        return Polygons(
            self.coordinates[points],
            ring_offsets,
            np.arange(len(exteriors) + 1),
            kept[self.feature_offsets],
            None if self.removed is None else self.removed[exteriors],
        )

    def with_coordinates(self, coordinates: FloatArray) -> Polygons:
        """The same rings at other coordinates, for example after a change of CRS."""
        moved = Polygons.from_ragged(
            coordinates, self.ring_offsets, self.part_offsets, self.feature_offsets
        )
        if self.removed is None:
            return moved
        again = np.zeros_like(self.removed) if moved.removed is None else moved.removed
        return replace(moved, removed=self.removed + again)

    def to_shapely(self) -> NDArray[np.object_]:
        """Shapely geometries, shape (n,): Polygon, MultiPolygon where there are several parts."""
        result = np.full(len(self), shapely.Polygon(), dtype=object)
        if len(self.part_offsets) == 1:
            return result
        polygons = shapely.from_ragged_array(
            shapely.GeometryType.POLYGON, self.coordinates, (self.ring_offsets, self.part_offsets)
        )
        counts = np.diff(self.feature_offsets)
        single = counts == 1
        result[single] = polygons[self.feature_offsets[:-1][single]]
        many = np.flatnonzero(counts > 1)
        if len(many):
            members, offsets = _take(many, self.feature_offsets)
            shapely.multipolygons(
                polygons[members], indices=np.repeat(many, np.diff(offsets)), out=result
            )
        return result


def _offsets(index: NDArray[np.intp], length: int) -> IntArray:
    """Offsets (length + 1,) of sorted group numbers."""
    return np.concatenate([[0], np.cumsum(np.bincount(index, minlength=length))]).astype(np.int64)


def _join_removed(pieces: list[Polygons]) -> IntArray | None:
    if all(piece.removed is None for piece in pieces):
        return None
    return np.concatenate(
        [
            np.zeros(len(piece.ring_offsets) - 1, dtype=np.int64)
            if piece.removed is None
            else piece.removed
            for piece in pieces
        ]
    )


def _join_offsets(offsets: list[IntArray]) -> IntArray:
    shifts = np.cumsum([0] + [int(o[-1]) for o in offsets[:-1]])
    tails = [o[1:] + shift for o, shift in zip(offsets, shifts, strict=True)]
    return np.concatenate([np.zeros(1, dtype=np.int64), *tails])


def _take(index: IntArray, offsets: IntArray) -> tuple[IntArray, IntArray]:
    """Members of the groups at `index`, one after the other, and the new offsets."""
    counts = offsets[index + 1] - offsets[index]
    new = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    members = np.arange(new[-1]) + np.repeat(offsets[index] - new[:-1], counts)
    return members, new


@inner
def _signed_ring_area(xy: FloatArray, start: int, stop: int) -> float:
    """Shoelace area about the first vertex; positive when counter-clockwise."""
    ox, oy = xy[start, 0], xy[start, 1]
    twice = 0.0
    for k in range(start, stop - 1):
        twice += (xy[k, 0] - ox) * (xy[k + 1, 1] - oy) - (xy[k + 1, 0] - ox) * (xy[k, 1] - oy)
    return 0.5 * twice


@jit
def _areas(xy: FloatArray, rings: IntArray, features: IntArray) -> FloatArray:
    out = np.zeros(len(features) - 1)
    for i in range(len(out)):
        for r in range(features[i], features[i + 1]):
            out[i] += _signed_ring_area(xy, rings[r], rings[r + 1])
    return out


@jit
def _lengths(xy: FloatArray, rings: IntArray, features: IntArray) -> FloatArray:
    out = np.zeros(len(features) - 1)
    for i in range(len(out)):
        for r in range(features[i], features[i + 1]):
            for k in range(rings[r], rings[r + 1] - 1):
                out[i] += np.hypot(xy[k + 1, 0] - xy[k, 0], xy[k + 1, 1] - xy[k, 1])
    return out


@jit
def _boxes(xy: FloatArray, offsets: IntArray) -> FloatArray:
    out = np.full((len(offsets) - 1, 4), np.nan)
    for i in range(len(out)):
        for k in range(offsets[i], offsets[i + 1]):
            if k == offsets[i]:
                out[i, 0] = out[i, 2] = xy[k, 0]
                out[i, 1] = out[i, 3] = xy[k, 1]
            out[i, 0] = min(out[i, 0], xy[k, 0])
            out[i, 1] = min(out[i, 1], xy[k, 1])
            out[i, 2] = max(out[i, 2], xy[k, 0])
            out[i, 3] = max(out[i, 3], xy[k, 1])
    return out


@jit
def _standard_rings(
    xy: FloatArray, rings: IntArray, parts: IntArray, keep_repeated: bool
) -> tuple[FloatArray, IntArray]:
    """Exteriors counter-clockwise, interiors clockwise; repeated points dropped unless kept."""
    out = np.empty_like(xy)
    offsets = np.empty_like(rings)
    offsets[0] = 0
    n = 0
    for p in range(len(parts) - 1):
        for r in range(parts[p], parts[p + 1]):
            start, stop = rings[r], rings[r + 1]
            forward = (_signed_ring_area(xy, start, stop) > 0) == (r == parts[p])
            first = n
            for k in range(stop - start):
                source = start + k if forward else stop - 1 - k
                x, y = xy[source, 0], xy[source, 1]
                repeated = n > first and x == out[n - 1, 0] and y == out[n - 1, 1]
                if keep_repeated or not repeated:
                    out[n, 0], out[n, 1] = x, y
                    n += 1
            offsets[r + 1] = n
    return out[:n].copy(), offsets
