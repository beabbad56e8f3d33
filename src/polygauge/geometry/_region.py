"""Boundary regions: all that lies within a width of the boundary, on both sides or inside.

Where it is proven that nothing of a boundary comes near anything else of it, the region is written
down directly: beside every ring runs one offset ring on either side, with an arc around each corner
that bends away and the crossing of the two offset edges at each corner that bends towards. The two
rings, run in opposite directions, are a signed set of rings whose plain sum over edges is the
region, so the overlap kernel measures it as it measures any polygon. Everything else is buffered by
GEOS. Arcs have the points GEOS gives them, so both ways agree.
"""

from __future__ import annotations

import numpy as np
import shapely

from polygauge.geometry._jit import jit
from polygauge.geometry._overlap import overlap_areas
from polygauge.geometry.pairs import Pairs
from polygauge.geometry.polygons import BoolArray, FloatArray, IntArray, Polygons

# Segments a quarter circle: 16 is the published method's; the inner region was recorded with 64.
BOTH_SIDES_SEGMENTS = 16
INSIDE_SEGMENTS = 64

# GEOS first drops corners that bend towards the offset and are flatter than this share of the
# width; a ring with such a corner is left to it.
_SIMPLIFIED = 0.01
# A corner flatter than this is no corner, on either way.
_STRAIGHT = 1e-9
# Rings are compared edge by edge; beyond this many edges GEOS is the faster way.
_MOST_EDGES = 256
_QUARTER = np.pi / 2


def boundary_region_iou(pairs: Pairs, width: float, inside: bool) -> FloatArray:
    """Intersection over union of the boundary regions of each pair, shape (n,).

    NaN where both regions are empty, which a positive width excludes.
    """
    a, i = _regions_of(pairs.a, pairs.i, width, inside)
    b, j = _regions_of(pairs.b, pairs.j, width, inside)
    shared, a_area, b_area = overlap_areas(Pairs(a, b, i, j)).T
    union = a_area + b_area - shared
    equal = union - shared <= 1e-12 * union
    return np.where(equal, 1.0, shared / np.where(equal, 1.0, union))


def _regions_of(
    polygons: Polygons, rows: IntArray, width: float, inside: bool
) -> tuple[Polygons, IntArray]:
    """Region of each feature that occurs in `rows`, once, and where each row's region is."""
    unique, place = np.unique(rows, return_inverse=True)
    return boundary_regions(polygons, unique, width, inside), place.astype(np.int64)


def boundary_regions(polygons: Polygons, rows: IntArray, width: float, inside: bool) -> Polygons:
    """Boundary regions of the features at `rows`, as signed rings for the overlap kernel.

    Parameters
    ----------
    polygons : Polygons
    rows : ndarray of int64, shape (k,)
    width : float
        CRS units, positive.
    inside : bool
        Only the part of the region inside the feature.
    """
    segments = INSIDE_SEGMENTS if inside else BOTH_SIDES_SEGMENTS
    coordinates, rings, simple = _offset_rings(
        polygons.coordinates,
        polygons.ring_offsets,
        polygons.feature_rings,
        rows,
        width,
        _QUARTER / segments,
        inside,
    )
    counts = np.where(simple, 2 * np.diff(polygons.feature_rings)[rows], 0)
    direct = _signed(coordinates, rings, counts)
    if simple.all():
        return direct
    rest = np.flatnonzero(~simple)
    shapes = polygons.take(rows[rest]).to_shapely()
    if inside:
        inner = shapely.buffer(shapes, -width, quad_segs=segments)
        buffered = _difference(polygons.take(rows[rest]), Polygons.from_shapely(inner))
    else:
        buffered = Polygons.from_shapely(
            shapely.buffer(shapely.boundary(shapes), width, quad_segs=segments)
        )
    place = np.arange(len(rows))
    place[rest] = len(rows) + np.arange(len(rest))
    return Polygons.concatenate([direct, buffered]).take(place)


def _signed(coordinates: FloatArray, rings: IntArray, counts: IntArray) -> Polygons:
    """Signed rings as features of one part each; a feature without rings is empty."""
    parts = np.concatenate([[0], np.cumsum(counts[counts > 0])]).astype(np.int64)
    features = np.concatenate([[0], np.cumsum(counts > 0)]).astype(np.int64)
    return Polygons(coordinates, rings, parts, features)


def _difference(outer: Polygons, inner: Polygons) -> Polygons:
    """Each outer feature less the inner one that lies in it: its rings, and those reversed."""
    return _signed(
        *_join_rings(
            outer.coordinates,
            outer.ring_offsets,
            outer.feature_rings,
            inner.coordinates,
            inner.ring_offsets,
            inner.feature_rings,
        ),
        np.diff(outer.feature_rings) + np.diff(inner.feature_rings),
    )


@jit
def _join_rings(
    a_xy: FloatArray,
    a_rings: IntArray,
    a_features: IntArray,
    b_xy: FloatArray,
    b_rings: IntArray,
    b_features: IntArray,
) -> tuple[FloatArray, IntArray]:
    xy = np.empty((len(a_xy) + len(b_xy), 2))
    rings = np.zeros(len(a_rings) + len(b_rings) - 1, dtype=np.int64)
    n = r = 0
    for i in range(len(a_features) - 1):
        for k in range(a_features[i], a_features[i + 1]):
            for p in range(a_rings[k], a_rings[k + 1]):
                xy[n] = a_xy[p]
                n += 1
            r += 1
            rings[r] = n
        for k in range(b_features[i], b_features[i + 1]):
            for p in range(b_rings[k + 1] - 1, b_rings[k] - 1, -1):
                xy[n] = b_xy[p]
                n += 1
            r += 1
            rings[r] = n
    return xy, rings


@jit
def _offset_rings(
    xy: FloatArray,
    rings: IntArray,
    features: IntArray,
    rows: IntArray,
    width: float,
    step: float,
    inside: bool,
) -> tuple[FloatArray, IntArray, BoolArray]:
    """Offset rings of the features for which they are proven; which those are."""
    simple = np.zeros(len(rows), dtype=np.bool_)
    points = ring_count = 0
    per_corner = int(np.pi / step + 0.5) + 2
    for k in range(len(rows)):
        first, last = features[rows[k]], features[rows[k] + 1]
        edges = rings[last] - rings[first] - (last - first)
        simple[k] = 0 < edges <= _MOST_EDGES and _is_simple(xy, rings, first, last, width)
        if simple[k]:
            ring_count += 2 * (last - first)
            turning = _corner_points(xy, rings, first, last, step)
            points += 2 * (rings[last] - rings[first]) + turning
    out = np.empty((points + per_corner, 2))
    offsets = np.zeros(ring_count + 1, dtype=np.int64)
    n = r = 0
    for k in range(len(rows)):
        if not simple[k]:
            continue
        for ring in range(features[rows[k]], features[rows[k] + 1]):
            start, stop = rings[ring], rings[ring + 1]
            if inside:
                for p in range(start, stop):
                    out[n] = xy[p]
                    n += 1
            else:
                n = _offset_ring(xy, start, stop, width, step, out, n)
            r += 1
            offsets[r] = n
            begin = n
            n = _offset_ring(xy, start, stop, -width, step, out, n)
            for p in range((n - begin) // 2):
                for axis in range(2):
                    out[begin + p, axis], out[n - 1 - p, axis] = (
                        out[n - 1 - p, axis],
                        out[begin + p, axis],
                    )
            r += 1
            offsets[r] = n
    return out[:n].copy(), offsets, simple


@jit
def _corner_points(xy: FloatArray, rings: IntArray, first: int, last: int, step: float) -> int:
    """At most so many points are added by the arcs of some rings, over both sides."""
    total = 0
    for ring in range(first, last):
        start, stop = rings[ring], rings[ring + 1]
        for p in range(start, stop - 1):
            total += int(abs(_turn(xy, start, stop, p)) / step + 0.5) + 1
    return total


@jit
def _turn(xy: FloatArray, start: int, stop: int, p: int) -> float:
    """Signed turn at vertex p of a closed ring, left positive, radians."""
    before = p - 1 if p > start else stop - 2
    ax, ay = xy[p, 0] - xy[before, 0], xy[p, 1] - xy[before, 1]
    bx, by = xy[p + 1, 0] - xy[p, 0], xy[p + 1, 1] - xy[p, 1]
    return float(np.arctan2(ax * by - ay * bx, ax * bx + ay * by))


@jit
def _is_simple(xy: FloatArray, rings: IntArray, first: int, last: int, width: float) -> bool:
    """Whether the offset rings at `width` on both sides are proven to touch nothing else.

    Every edge keeps some length after the corners at its ends have taken theirs, no corner is so
    flat that GEOS would drop it, and edges that do not meet are more than two widths apart.
    """
    for ring in range(first, last):
        start, stop = rings[ring], rings[ring + 1]
        turn = _turn(xy, start, stop, stop - 2)
        for p in range(start, stop - 1):
            after = _turn(xy, start, stop, p)
            before = p - 1 if p > start else stop - 2
            length = np.hypot(xy[p, 0] - xy[before, 0], xy[p, 1] - xy[before, 1])
            left = max(turn, 0.0), max(after, 0.0)
            right = max(-turn, 0.0), max(-after, 0.0)
            taken = max(
                np.tan(left[0] / 2) + np.tan(left[1] / 2),
                np.tan(right[0] / 2) + np.tan(right[1] / 2),
            )
            if width * taken * (1 + 1e-9) >= length:
                return False
            if abs(after) > _STRAIGHT and _depth(xy, start, stop, p) <= _SIMPLIFIED * width:
                return False
            turn = after
    for ring in range(first, last):
        for p in range(rings[ring], rings[ring + 1] - 1):
            for other in range(ring, last):
                begin = p + 2 if other == ring else rings[other]
                for q in range(begin, rings[other + 1] - 1):
                    closes = other == ring and p == rings[ring] and q == rings[ring + 1] - 2
                    if not closes and not _apart(xy, p, q, 2 * width * (1 + 1e-9)):
                        return False
    return True


@jit
def _depth(xy: FloatArray, start: int, stop: int, p: int) -> float:
    """Distance of vertex p from the line through its neighbours."""
    before = p - 1 if p > start else stop - 2
    ax, ay = xy[p, 0] - xy[before, 0], xy[p, 1] - xy[before, 1]
    cx, cy = xy[p + 1, 0] - xy[before, 0], xy[p + 1, 1] - xy[before, 1]
    chord = np.hypot(cx, cy)
    return abs(ax * cy - ay * cx) / chord if chord > 0 else 0.0


@jit
def _apart(xy: FloatArray, p: int, q: int, distance: float) -> bool:
    """Whether two edges of a valid feature, which cannot cross, are farther apart."""
    if (
        min(xy[p, 0], xy[p + 1, 0]) - max(xy[q, 0], xy[q + 1, 0]) > distance
        or min(xy[q, 0], xy[q + 1, 0]) - max(xy[p, 0], xy[p + 1, 0]) > distance
        or min(xy[p, 1], xy[p + 1, 1]) - max(xy[q, 1], xy[q + 1, 1]) > distance
        or min(xy[q, 1], xy[q + 1, 1]) - max(xy[p, 1], xy[p + 1, 1]) > distance
    ):
        return True
    nearest = min(
        _to_edge(xy, p, q), _to_edge(xy, p + 1, q), _to_edge(xy, q, p), _to_edge(xy, q + 1, p)
    )
    return nearest > distance * distance


@jit
def _to_edge(xy: FloatArray, point: int, edge: int) -> float:
    """Squared distance of a vertex to an edge."""
    x, y = xy[edge, 0], xy[edge, 1]
    dx, dy = xy[edge + 1, 0] - x, xy[edge + 1, 1] - y
    px, py = xy[point, 0] - x, xy[point, 1] - y
    t = min(max((px * dx + py * dy) / (dx * dx + dy * dy), 0.0), 1.0)
    px -= t * dx
    py -= t * dy
    squared: float = px * px + py * py
    return squared


@jit
def _offset_ring(
    xy: FloatArray, start: int, stop: int, distance: float, step: float, out: FloatArray, n: int
) -> int:
    """Write the ring `distance` to the right (negative: left) of a ring; returns the new end."""
    begin = n
    for p in range(start, stop - 1):
        before = p - 1 if p > start else stop - 2
        ax, ay = xy[p, 0] - xy[before, 0], xy[p, 1] - xy[before, 1]
        bx, by = xy[p + 1, 0] - xy[p, 0], xy[p + 1, 1] - xy[p, 1]
        a_scale, b_scale = distance / np.hypot(ax, ay), distance / np.hypot(bx, by)
        # Offsets of the two edges that meet here: their right-hand normals.
        nx, ny = ay * a_scale, -ax * a_scale
        mx, my = by * b_scale, -bx * b_scale
        turn = np.arctan2(ax * by - ay * bx, ax * bx + ay * by)
        if turn * distance > 0.0:
            pieces = int(abs(turn) / step + 0.5)
            out[n, 0], out[n, 1] = xy[p, 0] + nx, xy[p, 1] + ny
            n += 1
            if pieces > 1:
                cos, sin = np.cos(turn / pieces), np.sin(turn / pieces)
                x, y = nx, ny
                for _ in range(pieces - 1):
                    x, y = cos * x - sin * y, sin * x + cos * y
                    out[n, 0], out[n, 1] = xy[p, 0] + x, xy[p, 1] + y
                    n += 1
            out[n, 0], out[n, 1] = xy[p, 0] + mx, xy[p, 1] + my
            n += 1
        else:
            # The offset edges cross on the bisector: (n + m) / (1 + cos turn).
            share = 1.0 / (1.0 + np.cos(turn))
            out[n, 0] = xy[p, 0] + share * (nx + mx)
            out[n, 1] = xy[p, 1] + share * (ny + my)
            n += 1
    out[n] = out[begin]
    return n + 1
