"""Directions of edges: main direction, corners, and how many lines an outline is made of."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from polygauge.geometry._edges import count_edges
from polygauge.geometry._jit import inner, jit
from polygauge.geometry._sort import sort_rows
from polygauge.geometry.pairs import Pairs
from polygauge.geometry.polygons import FloatArray, IntArray, Polygons

# Edges up to this length, and end points this close to a border, CRS units.
_NO_LENGTH = 1e-9
_ON_BORDER = 1e-6

# A vertex that turns more than this is a corner, degree.
CORNER_ANGLE = 10.0


@dataclass(frozen=True, slots=True, eq=False)
class Corners:
    """Corners of n features, all rings.

    Attributes
    ----------
    points : ndarray of float64, shape (c, 2)
    turns : ndarray of float64, shape (c,)
        Change of direction, degree: above 0 where the outline turns left, that is where the inside
        has less than 180 degrees.
    offsets : ndarray of int64, shape (n + 1,)
        Feature k owns the corners [offsets[k]] to [offsets[k + 1]].
    """

    points: FloatArray
    turns: FloatArray
    offsets: IntArray

    @property
    def counts(self) -> IntArray:
        """Corners of each feature, shape (n,)."""
        return np.diff(self.offsets)

    def sums(self, values: FloatArray) -> FloatArray:
        """Sum over the corners of each feature of `values` (c,), shape (n,)."""
        owners = np.repeat(np.arange(len(self.counts)), self.counts)
        return np.bincount(owners, values, minlength=len(self.counts)).astype(np.float64)


def corners(polygons: Polygons, rows: IntArray | None = None, angle: float = -1.0) -> Corners:
    """Vertices that turn more than `angle` degrees, either way; all vertices where it is below 0.

    Of the features at `rows`, or of all.
    """
    rows = np.arange(len(polygons)) if rows is None else rows
    points, turns, offsets = _corners(
        polygons.coordinates, polygons.ring_offsets, polygons.feature_rings, rows, float(angle)
    )
    return Corners(points=points, turns=turns, offsets=offsets)


def matched_corners(pairs: Pairs, tolerance: float) -> FloatArray:
    """Numbers of matched, reference and prediction corners of each pair, shape (n, 3).

    A corner turns more than `CORNER_ANGLE`. As many corners as possible are matched one to one,
    each with a corner of the other side within `tolerance`.
    """
    a = corners(pairs.a, pairs.i, CORNER_ANGLE)
    b = corners(pairs.b, pairs.j, CORNER_ANGLE)
    matched = _match_points(a.points, a.offsets, b.points, b.offsets, float(tolerance))
    return np.column_stack([matched, a.counts, b.counts]).astype(np.float64)


def main_directions(polygons: Polygons, rows: IntArray) -> tuple[FloatArray, FloatArray]:
    """Main direction modulo 90 degrees of the features at `rows`, and how clear it is, 0 to 1.

    Edges count by their length; directions are averaged as angles multiplied by 4 on the circle.
    The clearness is the length of the mean vector: 1 where all edges are parallel or at right
    angles, about 0 for a circle or a regular hexagon.
    """
    mean = _main_directions(
        polygons.coordinates, polygons.ring_offsets, polygons.feature_rings, rows
    )
    direction = np.degrees(np.arctan2(mean[:, 1], mean[:, 0]) / 4) % 90
    return direction, np.hypot(mean[:, 0], mean[:, 1])


def polygon_edges(polygons: Polygons) -> tuple[FloatArray, IntArray]:
    """Edges (x0, y0, x1, y1) of all features, shape (e, 4), and their offsets (n + 1,)."""
    first = np.ones(len(polygons.coordinates), dtype=np.bool_)
    first[polygons.ring_offsets[1:] - 1] = False
    start = np.flatnonzero(first)
    edges = np.hstack([polygons.coordinates[start], polygons.coordinates[start + 1]])
    return edges, polygons.feature_coordinates - polygons.feature_rings


def edges_off_border(
    edges: FloatArray, offsets: IntArray, boxes: FloatArray
) -> tuple[FloatArray, IntArray]:
    """Edges without those that lie on the border of a tile, and their offsets.

    Parameters
    ----------
    edges : ndarray of float64, shape (e, 4)
    offsets : ndarray of int64, shape (n + 1,)
        Tile k owns the edges [offsets[k]] to [offsets[k + 1]].
    boxes : ndarray of float64, shape (n, 4)
        Tiles as (xmin, ymin, xmax, ymax). An edge lies on the border where both ends are within
        1e-6 of one side.
    """
    side = np.repeat(boxes, np.diff(offsets), axis=0)
    starts = np.abs(edges[:, [0, 1, 0, 1]] - side) <= _ON_BORDER
    stops = np.abs(edges[:, [2, 3, 2, 3]] - side) <= _ON_BORDER
    kept = ~(starts & stops).any(axis=1)
    return edges[kept], np.concatenate([[0], np.cumsum(kept)])[offsets]


def line_freedoms(edges: FloatArray, offsets: IntArray, angle: float, offset: float) -> FloatArray:
    """Degrees of freedom of the lines that edges lie on, as a share, shape (n,); see `line_dof`.

    Parameters
    ----------
    edges : ndarray of float64, shape (e, 4)
    offsets : ndarray of int64, shape (n + 1,)
        Group k, a feature or a tile, owns the edges [offsets[k]] to [offsets[k + 1]].
    angle : float
        Directions this close, degree, are one.
    offset : float
        Parallel edges this close, CRS units, lie on one line.
    """
    return _line_freedoms(edges, offsets, float(angle), float(offset))


@jit
def _corners(
    xy: FloatArray, rings: IntArray, features: IntArray, rows: IntArray, angle: float
) -> tuple[FloatArray, FloatArray, IntArray]:
    most = 0
    for i in rows:
        most += count_edges(rings, features, i)
    points, turns = np.empty((most, 2)), np.empty(most)
    offsets = np.zeros(len(rows) + 1, dtype=np.int64)
    n = 0
    for row in range(len(rows)):
        for r in range(features[rows[row]], features[rows[row] + 1]):
            last = rings[r + 1] - 1
            ux, uy = xy[last, 0] - xy[last - 1, 0], xy[last, 1] - xy[last - 1, 1]
            for k in range(rings[r], last):
                vx, vy = xy[k + 1, 0] - xy[k, 0], xy[k + 1, 1] - xy[k, 1]
                turn = np.degrees(np.arctan2(ux * vy - uy * vx, ux * vx + uy * vy))
                if abs(turn) > angle:
                    points[n, 0], points[n, 1], turns[n] = xy[k, 0], xy[k, 1], turn
                    n += 1
                ux, uy = vx, vy
        offsets[row + 1] = n
    return points[:n].copy(), turns[:n].copy(), offsets


@jit
def _match_points(
    a: FloatArray, a_offsets: IntArray, b: FloatArray, b_offsets: IntArray, tolerance: float
) -> IntArray:
    """Size of the largest one-to-one matching of points within `tolerance`, group by group.

    Each point of A in turn looks for the shortest chain of exchanges that ends at a free point
    of B (Kuhn 1955, The Hungarian method for the assignment problem).
    """
    out = np.zeros(len(a_offsets) - 1, dtype=np.int64)
    # Partner of every point, -1 for none; who asked for a point of B, and in whose turn.
    a_partner, b_partner = np.full(len(a), -1), np.full(len(b), -1)
    asked_by, turn = np.empty(len(b), dtype=np.int64), np.full(len(b), -1)
    queue = np.empty(len(a), dtype=np.int64)
    for k in range(len(out)):
        for p in range(a_offsets[k], a_offsets[k + 1]):
            queue[0] = p
            head, tail, end = 0, 1, -1
            while head < tail and end < 0:
                u = queue[head]
                head += 1
                for q in range(b_offsets[k], b_offsets[k + 1]):
                    dx, dy = a[u, 0] - b[q, 0], a[u, 1] - b[q, 1]
                    if turn[q] == p or dx * dx + dy * dy > tolerance * tolerance:
                        continue
                    turn[q], asked_by[q] = p, u
                    if b_partner[q] < 0:
                        end = q
                        break
                    queue[tail] = b_partner[q]
                    tail += 1
            if end >= 0:
                out[k] += 1
            while end >= 0:
                u = asked_by[end]
                b_partner[end] = u
                a_partner[u], end = end, a_partner[u]
    return out


@jit
def _main_directions(
    xy: FloatArray, rings: IntArray, features: IntArray, rows: IntArray
) -> FloatArray:
    """Length-weighted mean of (cos 4 t, sin 4 t) over the edges' directions t, shape (n, 2)."""
    out = np.empty((len(rows), 2))
    for row in range(len(rows)):
        c4 = s4 = total = 0.0
        for r in range(features[rows[row]], features[rows[row] + 1]):
            for k in range(rings[r], rings[r + 1] - 1):
                dx, dy = xy[k + 1, 0] - xy[k, 0], xy[k + 1, 1] - xy[k, 1]
                length = np.hypot(dx, dy)
                c2, s2 = (dx * dx - dy * dy) / length, 2.0 * dx * dy / length
                c4 += (c2 * c2 - s2 * s2) / length
                s4 += 2.0 * c2 * s2 / length
                total += length
        out[row, 0], out[row, 1] = c4 / total, s4 / total
    return out


@jit
def _line_freedoms(edges: FloatArray, offsets: IntArray, angle: float, offset: float) -> FloatArray:
    out = np.full(len(offsets) - 1, np.nan)
    most = 0
    for g in range(len(out)):
        most = max(most, offsets[g + 1] - offsets[g])
    lines = np.empty((most, 5))  # middle x, y; direction as a doubled angle times length; angle
    keys, places = np.empty((most, 2)), np.empty((most, 2))
    for g in range(len(out)):
        n = _load_lines(edges, offsets[g], offsets[g + 1], lines)
        if n == 0:
            continue
        for k in range(n):
            keys[k, 0], keys[k, 1] = lines[k, 4] % 90.0, k
        classes = _count_on_circle(keys, n, 90.0, angle)
        for k in range(n):
            keys[k, 0], keys[k, 1] = lines[k, 4], k
        sort_rows(keys[:n])
        # Parallel edges follow each other around the circle: begin behind a gap, if there is one.
        begin = 0
        while begin < n and (keys[begin, 0] - keys[(begin + n - 1) % n, 0]) % 180.0 <= angle:
            begin += 1
        start = begin
        for k in range(begin + 1, begin + n + 1):
            if k == begin + n or (keys[k % n, 0] - keys[(k - 1) % n, 0]) % 180.0 > angle:
                classes += _count_collinear(lines, keys, n, start, k, places, offset)
                start = k
        out[g] = classes / (2.0 * n)
    return out


@inner
def _load_lines(edges: FloatArray, first: int, last: int, lines: FloatArray) -> int:
    """Write middle, direction and angle of the edges that have a length; returns how many."""
    n = 0
    for e in range(first, last):
        ox, oy = edges[first, 0], edges[first, 1]
        x0, y0, x1, y1 = edges[e, 0] - ox, edges[e, 1] - oy, edges[e, 2] - ox, edges[e, 3] - oy
        dx, dy = x1 - x0, y1 - y0
        length = np.hypot(dx, dy)
        if length > _NO_LENGTH:
            lines[n, 0], lines[n, 1] = 0.5 * (x0 + x1), 0.5 * (y0 + y1)
            lines[n, 2], lines[n, 3] = (dx * dx - dy * dy) / length, 2.0 * dx * dy / length
            lines[n, 4] = np.degrees(np.arctan2(dy, dx)) % 180.0
            n += 1
    return n


@inner
def _count_on_circle(keys: FloatArray, n: int, period: float, tolerance: float) -> int:
    """Sort the angles; returns how many groups gaps above the tolerance leave on the circle."""
    sort_rows(keys[:n])
    gaps = 1 if keys[0, 0] + period - keys[n - 1, 0] > tolerance else 0
    for k in range(1, n):
        gaps += 1 if keys[k, 0] - keys[k - 1, 0] > tolerance else 0
    return max(gaps, 1)


@inner
def _count_collinear(
    lines: FloatArray,
    keys: FloatArray,
    n: int,
    start: int,
    stop: int,
    places: FloatArray,
    tolerance: float,
) -> int:
    """Groups of edges on one line, among the parallel ones at `start` to `stop` of the keys."""
    c2 = s2 = 0.0
    for k in range(start, stop):
        line = int(keys[k % n, 1])
        c2 += lines[line, 2]
        s2 += lines[line, 3]
    direction = 0.5 * np.arctan2(s2, c2)
    nx, ny = -np.sin(direction), np.cos(direction)
    for k in range(start, stop):
        line = int(keys[k % n, 1])
        places[k - start, 0] = nx * lines[line, 0] + ny * lines[line, 1]
        places[k - start, 1] = k
    sort_rows(places[: stop - start])
    groups = 1
    for k in range(1, stop - start):
        groups += 1 if places[k, 0] - places[k - 1, 0] > tolerance else 0
    return groups
