"""Where features lie and how far they reach: vertices, centroids, boxes, convex hulls."""

from __future__ import annotations

import numpy as np

from polygauge.geometry._edges import most_edges
from polygauge.geometry._jit import inner, jit
from polygauge.geometry._sort import sort_rows
from polygauge.geometry.pairs import Pairs
from polygauge.geometry.polygons import FloatArray, IntArray, Polygons

# Rectangles whose areas differ by less than this share are equally small.
_SAME_AREA = 1e-9


def vertex_counts(pairs: Pairs) -> FloatArray:
    """Vertices of the reference and of the prediction of each pair, shape (n, 2).

    Every vertex that was drawn, a repeated one too; only the point that closes a ring is none.
    """
    return np.column_stack([pairs.a.drawn_counts[pairs.i], pairs.b.drawn_counts[pairs.j]]).astype(
        np.float64
    )


def ring_counts(pairs: Pairs) -> IntArray:
    """Rings of the reference and of the prediction of each pair, shape (n, 2)."""
    a, b = pairs.a.feature_rings, pairs.b.feature_rings
    return np.column_stack([a[pairs.i + 1] - a[pairs.i], b[pairs.j + 1] - b[pairs.j]])


def vertex_ratios(pairs: Pairs, closed: bool = False) -> FloatArray:
    """1 - |n - m| / (n + m) from the numbers of vertices, shape (n,).

    Parameters
    ----------
    pairs : Pairs
    closed : bool
        Count the point that closes a ring as well.
    """
    counts = pairs.share(vertex_counts)
    if closed:
        counts = counts + pairs.share(ring_counts)
    ratios: FloatArray = 1 - np.abs(counts[:, 0] - counts[:, 1]) / counts.sum(axis=1)
    return ratios


def separations(pairs: Pairs) -> FloatArray:
    """Distance of the centroids and diagonal of the common box of each pair, shape (n, 2)."""
    return _separations(*_arrays(pairs))


def hull_areas(pairs: Pairs) -> FloatArray:
    """Area of the convex hull of both features of each pair, shape (n,), squared CRS units."""
    return _hull_areas(*_arrays(pairs))


def rectangle_sides(polygons: Polygons) -> FloatArray:
    """Shorter and longer side of the smallest rectangle around each feature, shape (n, 2).

    Smallest in area, turned as need be; of several equally small ones, as around most triangles,
    the one with the shortest outline. NaN for an empty feature.
    """
    return _rectangle_sides(polygons.coordinates, polygons.feature_coordinates)


def _arrays(
    pairs: Pairs,
) -> tuple[FloatArray, IntArray, IntArray, IntArray, FloatArray, IntArray, IntArray, IntArray]:
    a, b = pairs.a, pairs.b
    return (
        a.coordinates,
        a.ring_offsets,
        a.feature_rings,
        pairs.i,
        b.coordinates,
        b.ring_offsets,
        b.feature_rings,
        pairs.j,
    )


@jit
def _separations(
    a_xy: FloatArray,
    a_rings: IntArray,
    a_features: IntArray,
    a_rows: IntArray,
    b_xy: FloatArray,
    b_rings: IntArray,
    b_features: IntArray,
    b_rows: IntArray,
) -> FloatArray:
    out = np.empty((len(a_rows), 2))
    for k in range(len(a_rows)):
        a_first, a_last = a_features[a_rows[k]], a_features[a_rows[k] + 1]
        b_first, b_last = b_features[b_rows[k]], b_features[b_rows[k] + 1]
        ox, oy = a_xy[a_rings[a_first], 0], a_xy[a_rings[a_first], 1]
        px, py = b_xy[b_rings[b_first], 0], b_xy[b_rings[b_first], 1]
        ax, ay, _ = centroid(a_xy, a_rings, a_first, a_last)
        bx, by, _ = centroid(b_xy, b_rings, b_first, b_last)
        x0 = x1 = y0 = y1 = 0.0
        for v in range(a_rings[a_first], a_rings[a_last]):
            x, y = a_xy[v, 0] - ox, a_xy[v, 1] - oy
            x0, x1, y0, y1 = min(x0, x), max(x1, x), min(y0, y), max(y1, y)
        for v in range(b_rings[b_first], b_rings[b_last]):
            x, y = b_xy[v, 0] - ox, b_xy[v, 1] - oy
            x0, x1, y0, y1 = min(x0, x), max(x1, x), min(y0, y), max(y1, y)
        out[k, 0] = np.hypot(ax - bx + (ox - px), ay - by + (oy - py))
        out[k, 1] = np.hypot(x1 - x0, y1 - y0)
    return out


@inner
def centroid(xy: FloatArray, rings: IntArray, first: int, last: int) -> tuple[float, float, float]:
    """Centroid of some rings, holes left out, from their first vertex; and their area."""
    ox, oy = xy[rings[first], 0], xy[rings[first], 1]
    twice = x = y = 0.0
    for r in range(first, last):
        for k in range(rings[r], rings[r + 1] - 1):
            x0, y0, x1, y1 = xy[k, 0] - ox, xy[k, 1] - oy, xy[k + 1, 0] - ox, xy[k + 1, 1] - oy
            cross = x0 * y1 - x1 * y0
            twice += cross
            x += (x0 + x1) * cross
            y += (y0 + y1) * cross
    return x / (3.0 * twice), y / (3.0 * twice), 0.5 * twice


@jit
def _hull_areas(
    a_xy: FloatArray,
    a_rings: IntArray,
    a_features: IntArray,
    a_rows: IntArray,
    b_xy: FloatArray,
    b_rings: IntArray,
    b_features: IntArray,
    b_rows: IntArray,
) -> FloatArray:
    out = np.empty(len(a_rows))
    most = most_edges(a_rings, a_features, a_rows) + most_edges(b_rings, b_features, b_rows)
    points, hull = np.empty((most, 2)), np.empty((most + 1, 2))
    for k in range(len(a_rows)):
        origin = a_rings[a_features[a_rows[k]]]
        ox, oy = a_xy[origin, 0], a_xy[origin, 1]
        n = _load_points(a_xy, a_rings, a_features, a_rows[k], ox, oy, points)
        n += _load_points(b_xy, b_rings, b_features, b_rows[k], ox, oy, points[n:])
        h = _convex_hull(points, n, hull)
        twice = 0.0
        for v in range(h):
            w = (v + 1) % h
            twice += hull[v, 0] * hull[w, 1] - hull[w, 0] * hull[v, 1]
        out[k] = 0.5 * twice
    return out


@inner
def _load_points(
    xy: FloatArray,
    rings: IntArray,
    features: IntArray,
    i: int,
    ox: float,
    oy: float,
    points: FloatArray,
) -> int:
    """Write the distinct vertices of feature `i`, moved by (-ox, -oy); returns how many."""
    n = 0
    for r in range(features[i], features[i + 1]):
        for k in range(rings[r], rings[r + 1] - 1):
            points[n, 0], points[n, 1] = xy[k, 0] - ox, xy[k, 1] - oy
            n += 1
    return n


@inner
def _cross(hull: FloatArray, p: int, q: int, x: float, y: float) -> float:
    """Twice the area of the triangle of two rows and a point; above 0 where they turn left."""
    px, py = hull[p, 0], hull[p, 1]
    cross: float = (hull[q, 0] - px) * (y - py) - (hull[q, 1] - py) * (x - px)
    return cross


@inner
def _convex_hull(points: FloatArray, n: int, hull: FloatArray) -> int:
    """Write the corners of the hull, counter-clockwise; returns how many (Andrew 1979)."""
    sort_rows(points[:n])
    h = 0
    for k in range(n):
        while h >= 2 and _cross(hull, h - 2, h - 1, points[k, 0], points[k, 1]) <= 0.0:
            h -= 1
        hull[h, 0], hull[h, 1] = points[k, 0], points[k, 1]
        h += 1
    lower = h + 1
    for k in range(n - 2, -1, -1):
        while h >= lower and _cross(hull, h - 2, h - 1, points[k, 0], points[k, 1]) <= 0.0:
            h -= 1
        hull[h, 0], hull[h, 1] = points[k, 0], points[k, 1]
        h += 1
    return h - 1


@jit
def _rectangle_sides(xy: FloatArray, features: IntArray) -> FloatArray:
    out = np.full((len(features) - 1, 2), np.nan)
    most = 0
    for i in range(len(out)):
        most = max(most, features[i + 1] - features[i])
    points, hull = np.empty((most, 2)), np.empty((most + 1, 2))
    for i in range(len(out)):
        first, n = features[i], features[i + 1] - features[i]
        if n == 0:
            continue
        for k in range(n):
            points[k, 0] = xy[first + k, 0] - xy[first, 0]
            points[k, 1] = xy[first + k, 1] - xy[first, 1]
        _smallest_rectangle(hull, _convex_hull(points, n, hull), out[i])
    return out


@inner
def _smallest_rectangle(hull: FloatArray, h: int, out: FloatArray) -> None:
    """Write the shorter and the longer side of the smallest rectangle around a hull.

    One of its sides lies along a side of the hull; the points that the other three touch move on
    around the hull as that side does (Freeman and Shapira 1975; Toussaint 1983).
    """
    ahead, across, behind = 0, 0, 0
    smallest, shortest = np.inf, np.inf
    for k in range(h):
        ux, uy = hull[(k + 1) % h, 0] - hull[k, 0], hull[(k + 1) % h, 1] - hull[k, 1]
        length = np.hypot(ux, uy)
        ux, uy = ux / length, uy / length
        ahead = _advance(hull, h, max(ahead, k + 1), ux, uy)
        across = _advance(hull, h, max(across, ahead), -uy, ux)
        behind = _advance(hull, h, max(behind, across), -ux, -uy)
        p, q, r = ahead % h, across % h, behind % h
        along = ux * (hull[p, 0] - hull[r, 0]) + uy * (hull[p, 1] - hull[r, 1])
        up = ux * (hull[q, 1] - hull[k, 1]) - uy * (hull[q, 0] - hull[k, 0])
        area = along * up
        if area < smallest * (1.0 - _SAME_AREA) or (
            area < smallest * (1.0 + _SAME_AREA) and along + up < shortest
        ):
            smallest, shortest = min(area, smallest), along + up
            out[0], out[1] = min(along, up), max(along, up)


@inner
def _advance(hull: FloatArray, h: int, place: int, ux: float, uy: float) -> int:
    """First place from `place` on from which the hull no longer leads along (ux, uy)."""
    while True:
        p, q = place % h, (place + 1) % h
        if ux * (hull[q, 0] - hull[p, 0]) + uy * (hull[q, 1] - hull[p, 1]) <= 0.0:
            return place
        place += 1
