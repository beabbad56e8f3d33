"""The distance from one boundary to the other, as an exact function along the boundary.

Walk along an edge, s being the way gone. The distance to one straight edge of the other boundary
is |p s + q| where the foot of the perpendicular lies on that edge, and sqrt((s - p)^2 + q^2), the
distance to one of its end points, elsewhere. The distance to the whole boundary is the smallest of
these, so it consists of pieces of the two kinds. The pieces are found by merging the edges into it
one by one; two pieces cross where a linear or quadratic equation says. Mean, share within a
tolerance, percentile and maximum of the distance are then closed forms, piece by piece.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from polygauge.geometry._jit import inner, jit
from polygauge.geometry._nearest import boundary_room, edges_near, load_boundary, rounding_error
from polygauge.geometry.pairs import Pairs
from polygauge.geometry.polygons import FloatArray, IntArray

# Kinds of piece.
_POINT, _LINE = 0.0, 1.0
# Stretches this share of an edge long are rounding, not geometry.
_ROUNDING = 1e-14
# A distance that exceeds a tolerance by this share of the boundary's length keeps it: it is what
# coordinates seven digits before the point leave of a building.
_SLACK = 1e-9
# A stretch of an edge with more pieces than this is halved, so that merging stays cheap; but not
# below this share of the edge.
_CROWD = 16
_SHORTEST = 1e-7


@dataclass(frozen=True, slots=True, eq=False)
class BoundaryProfile:
    """Distance to the other boundary along both boundaries of n pairs.

    Attributes
    ----------
    pieces : ndarray of float64, shape (p, 4)
        Length along the boundary, u0, u1, h. Along a piece u runs evenly from u0 to u1, and the
        distance is |u| where h is -1, sqrt(u^2 + h^2) elsewhere.
    offsets : ndarray of int64, shape (2 n + 1,)
        Walk 2 k, from the reference of pair k to its prediction, owns the pieces [offsets[2 k]] to
        [offsets[2 k + 1]]; walk 2 k + 1 goes back.
    lengths : ndarray of float64, shape (n, 2)
        Length of each walk: of the boundary of the reference, and of the prediction.
    """

    pieces: FloatArray
    offsets: IntArray
    lengths: FloatArray

    def integrals(self) -> FloatArray:
        """Integral of the distance over the length of each walk, shape (n, 2)."""
        return _integrals(self.pieces, self.offsets).reshape(-1, 2)

    def within(self, tolerance: float) -> FloatArray:
        """Length of each walk where the distance is at most `tolerance`, shape (n, 2).

        A distance within 1e-9 of the longer boundary's length above the tolerance counts.
        """
        limits = tolerance + _SLACK * self.lengths.max(axis=1)
        return _within(self.pieces, self.offsets, np.repeat(limits, 2)).reshape(-1, 2)

    def quantiles(self, share: float) -> FloatArray:
        """Smallest distance within which `share` of the length of each walk lies, shape (n, 2)."""
        return _quantiles(self.pieces, self.offsets, share).reshape(-1, 2)


def boundary_profile(pairs: Pairs) -> BoundaryProfile:
    """Distance to the other boundary along both boundaries of each pair, all rings."""
    a, b = pairs.a, pairs.b
    pieces, offsets, lengths = _boundary_profile(
        a.coordinates,
        a.ring_offsets,
        a.feature_rings,
        pairs.i,
        b.coordinates,
        b.ring_offsets,
        b.feature_rings,
        pairs.j,
    )
    return BoundaryProfile(pieces=pieces, offsets=offsets, lengths=lengths)


@jit
def _boundary_profile(
    a_xy: FloatArray,
    a_rings: IntArray,
    a_features: IntArray,
    a_rows: IntArray,
    b_xy: FloatArray,
    b_rings: IntArray,
    b_features: IntArray,
    b_rows: IntArray,
) -> tuple[FloatArray, IntArray, FloatArray]:
    offsets = np.zeros(2 * len(a_rows) + 1, dtype=np.int64)
    lengths = np.empty((len(a_rows), 2))
    a, a_boxes, a_starts = boundary_room(a_rings, a_features, a_rows)
    b, b_boxes, b_starts = boundary_room(b_rings, b_features, b_rows)
    found = np.empty(max(a.shape[1], b.shape[1]), dtype=np.int64)
    pieces = np.empty((64 * len(a_rows), 4))
    n = offsets[0]
    for k in range(len(a_rows)):
        start = a_rings[a_features[a_rows[k]]]
        ox, oy = a_xy[start, 0], a_xy[start, 1]
        m_a = load_boundary(a_xy, a_rings, a_features, a_rows[k], ox, oy, a, a_boxes, a_starts)
        m_b = load_boundary(b_xy, b_rings, b_features, b_rows[k], ox, oy, b, b_boxes, b_starts)
        off = rounding_error(a, m_a, b, m_b)
        pieces, n = _walk(a, m_a, b, m_b, b_boxes, b_starts, off, found, pieces, n)
        offsets[2 * k + 1] = n
        pieces, n = _walk(b, m_b, a, m_a, a_boxes, a_starts, off, found, pieces, n)
        offsets[2 * k + 2] = n
        # Summed as `within` sums, so that a share of everything is 1 exactly.
        for w in range(2):
            start, stop = offsets[2 * k + w], offsets[2 * k + w + 1]
            lengths[k, w] = _length_within(pieces, start, stop, np.inf)
    return pieces[:n].copy(), offsets, lengths


@inner
def _walk(
    source: FloatArray,
    n: int,
    target: FloatArray,
    m: int,
    boxes: FloatArray,
    starts: IntArray,
    rounding: float,
    found: IntArray,
    pieces: FloatArray,
    size: int,
) -> tuple[FloatArray, int]:
    """Append the pieces along n edges; returns the array and its new size."""
    # Two drafts of the profile along one stretch, filled in turns: begin, kind, p, q.
    draft, spare, edge = np.empty((64, 4)), np.empty((64, 4)), np.empty((3, 4))
    waiting = np.empty((64, 2))
    for e in range(n):
        x, y = source[0, e], source[1, e]
        dx, dy = source[2, e] - x, source[3, e] - y
        length = math.hypot(dx, dy)
        waiting[0, 0], waiting[0, 1] = 0.0, length
        left = 1
        while left > 0:
            left -= 1
            begin, end = waiting[left, 0], waiting[left, 1]
            s, t = begin / length, end / length
            x0, y0, x1, y1 = x + s * dx, y + s * dy, x + t * dx, y + t * dy
            count = edges_near(target, m, boxes, starts, x0, y0, x1, y1, 0.0, rounding, found)
            drafted = _blank(draft, begin)
            crowd = _CROWD if end - begin > _SHORTEST * length else 1 << 62
            for k in range(count):
                arcs = _edge_profile(target, found[k], x, y, dx, dy, length, begin, end, edge)
                if 3 * (drafted + arcs) > len(draft):
                    draft, spare = _longer(draft, drafted), np.empty((2 * len(draft), 4))
                drafted = _merge(draft, drafted, edge, arcs, begin, end, spare)
                draft, spare = spare, draft
                if drafted > crowd:
                    break
            if drafted > crowd:
                middle = 0.5 * (begin + end)
                waiting[left, 0], waiting[left, 1] = middle, end
                waiting[left + 1, 0], waiting[left + 1, 1] = begin, middle
                left += 2
            else:
                pieces, size = _write(draft, drafted, end, pieces, size)
    return pieces, size


@inner
def _blank(draft: FloatArray, begin: float) -> int:
    """Make a draft one piece, infinitely far away; returns the number of pieces."""
    draft[0, 0], draft[0, 1], draft[0, 2], draft[0, 3] = begin, _POINT, 0.0, np.inf
    return 1


@inner
def _write(
    draft: FloatArray, n: int, end: float, pieces: FloatArray, size: int
) -> tuple[FloatArray, int]:
    """Append a draft's n pieces; returns the array and its new size."""
    if size + n > len(pieces):
        pieces = _longer(pieces, size + n)
    for k in range(n):
        s = draft[k, 0]
        t = draft[k + 1, 0] if k + 1 < n else end
        kind, p, q = draft[k, 1], draft[k, 2], draft[k, 3]
        pieces[size, 0] = t - s
        if kind == _LINE:
            pieces[size, 1], pieces[size, 2], pieces[size, 3] = p * s + q, p * t + q, -1.0
        else:
            pieces[size, 1], pieces[size, 2], pieces[size, 3] = s - p, t - p, q
        size += 1
    return pieces, size


@inner
def _longer(rows: FloatArray, used: int) -> FloatArray:
    """A copy with twice as many rows, and twice as many as will be used."""
    out = np.empty((2 * max(used, len(rows)), 4))
    for k in range(len(rows)):
        for c in range(4):
            out[k, c] = rows[k, c]
    return out


@inner
def _edge_profile(
    edges: FloatArray,
    k: int,
    x: float,
    y: float,
    dx: float,
    dy: float,
    length: float,
    begin: float,
    end: float,
    out: FloatArray,
) -> int:
    """Write the distance to edge `k` along a walk from (x, y) towards (dx, dy); returns the pieces.

    At most three: to one end point, to the line, to the other end point.
    """
    ax, ay = edges[0, k] - x, edges[1, k] - y
    bx, by = edges[2, k] - x, edges[3, k] - y
    # The edge's end points, u along the walk and v to its left. Products first: an edge that is
    # the very one walked along has v = 0 exactly.
    au, av = (ax * dx + ay * dy) / length, (ay * dx - ax * dy) / length
    bu, bv = (bx * dx + by * dy) / length, (by * dx - bx * dy) / length
    if au > bu:
        au, av, bu, bv = bu, bv, au, av
    scale = 1.0 / np.hypot(bu - au, bv - av)
    cos, sin = (bu - au) * scale, (bv - av) * scale
    if cos > 0.0:
        # Where the perpendicular of the edge at its ends meets the walk.
        first, last = au + av * sin / cos, bu + bv * sin / cos
    elif min(av, bv) < 0.0 < max(av, bv):
        first, last = -np.inf, np.inf
    elif abs(av) <= abs(bv):
        first, last = np.inf, np.inf
    else:
        first, last = -np.inf, -np.inf
    short = _ROUNDING * length
    n = 0
    if first > begin + short:
        out[n, 0], out[n, 1], out[n, 2], out[n, 3] = begin, _POINT, au, abs(av)
        n += 1
    if first < end and last > begin + short and first < last:
        out[n, 0], out[n, 1], out[n, 2], out[n, 3] = (
            max(begin, first),
            _LINE,
            sin,
            cos * av - sin * au,
        )
        n += 1
    if last < end - short:
        out[n, 0], out[n, 1], out[n, 2], out[n, 3] = begin if n == 0 else last, _POINT, bu, abs(bv)
        n += 1
    return n


@inner
def _merge(
    a: FloatArray, n: int, b: FloatArray, m: int, begin: float, end: float, out: FloatArray
) -> int:
    """Write the lower of two profiles; returns the number of pieces."""
    i = j = size = 0
    s, short = begin, _ROUNDING * end
    while True:
        stop = end
        if i + 1 < n:
            stop = min(stop, a[i + 1, 0])
        if j + 1 < m:
            stop = min(stop, b[j + 1, 0])
        cut, second = _crossings(a[i, 1], a[i, 2], a[i, 3], b[j, 1], b[j, 2], b[j, 3])
        # What is too short goes to the piece before it.
        while stop - s > short:
            if not s + short < cut < stop - short:
                cut = second if s + short < second < stop - short else stop
            # Decided halfway, where the two are apart if they ever are.
            middle = 0.5 * (s + cut)
            to_a = _at(a[i, 1], a[i, 2], a[i, 3], middle)
            to_b = _at(b[j, 1], b[j, 2], b[j, 3], middle)
            if to_b < to_a:
                size = _append(out, size, s, b[j, 1], b[j, 2], b[j, 3])
            else:
                size = _append(out, size, s, a[i, 1], a[i, 2], a[i, 3])
            s = cut
        s = stop if size > 0 else begin
        if stop >= end:
            return size
        if i + 1 < n and a[i + 1, 0] <= stop:
            i += 1
        if j + 1 < m and b[j + 1, 0] <= stop:
            j += 1


@inner
def _append(out: FloatArray, n: int, begin: float, kind: float, p: float, q: float) -> int:
    """Add a piece, unless it goes on with the last one; returns the number of pieces."""
    if n > 0 and out[n - 1, 1] == kind and out[n - 1, 2] == p and out[n - 1, 3] == q:
        return n
    out[n, 0], out[n, 1], out[n, 2], out[n, 3] = begin, kind, p, q
    return n + 1


@inner
def _at(kind: float, p: float, q: float, s: float) -> float:
    """Distance at s along a piece."""
    return abs(p * s + q) if kind == _LINE else math.sqrt((s - p) * (s - p) + q * q)


@inner
def _crossings(
    a: float, ap: float, aq: float, b: float, bp: float, bq: float
) -> tuple[float, float]:
    """Where two pieces are equal, in order; NaN or infinite where they are not."""
    if a == _LINE and b == _LINE:
        one, two = (bq - aq) / (ap - bp), -(aq + bq) / (ap + bp)
    elif a == _POINT and b == _POINT:
        # The perpendicular bisector of the two points.
        one = 0.5 * (ap + bp) + 0.5 * (bq - aq) * (bq + aq) / (bp - ap)
        two = one
    else:
        if a == _POINT:
            ap, aq, bp, bq = bp, bq, ap, aq
        # From the point on, u = s - bp: (ap u + r)^2 = u^2 + bq^2 with r = ap bp + aq.
        r = ap * bp + aq
        square, half = (1.0 - ap) * (1.0 + ap), ap * r
        root = r * r - square * bq * bq
        if root < 0.0:
            return np.nan, np.nan
        root = half + np.copysign(np.sqrt(root), half)
        one, two = bp + root / square, bp + (bq - r) * (bq + r) / root
    return min(one, two), max(one, two)


@jit
def _integrals(pieces: FloatArray, offsets: IntArray) -> FloatArray:
    out = np.zeros(len(offsets) - 1)
    for w in range(len(out)):
        for k in range(offsets[w], offsets[w + 1]):
            length, u0, u1, h = pieces[k, 0], pieces[k, 1], pieces[k, 2], pieces[k, 3]
            if h >= 0.0:
                out[w] += _below_hyperbola(u1, h) - _below_hyperbola(u0, h)
            elif u0 * u1 >= 0.0:
                out[w] += 0.5 * length * abs(u0 + u1)
            else:
                out[w] += 0.5 * length * (u0 * u0 + u1 * u1) / abs(u1 - u0)
    return out


@inner
def _below_hyperbola(u: float, h: float) -> float:
    """Integral of sqrt(u^2 + h^2) from 0 to u."""
    if h == 0.0:
        return 0.5 * u * abs(u)
    return 0.5 * (u * math.sqrt(u * u + h * h) + h * h * math.asinh(u / h))


@jit
def _within(pieces: FloatArray, offsets: IntArray, limits: FloatArray) -> FloatArray:
    out = np.zeros(len(offsets) - 1)
    for w in range(len(out)):
        out[w] = _length_within(pieces, offsets[w], offsets[w + 1], limits[w])
    return out


@inner
def _length_within(pieces: FloatArray, start: int, stop: int, limit: float) -> float:
    """Length of the pieces `start` to `stop` where the distance is at most `limit`."""
    total = 0.0
    for k in range(start, stop):
        length, u0, u1, h = pieces[k, 0], pieces[k, 1], pieces[k, 2], pieces[k, 3]
        reach = limit
        if h >= 0.0:
            if h > limit:
                continue
            reach = np.sqrt((limit - h) * (limit + h))
        low, high = min(u0, u1), max(u0, u1)
        if -reach <= low and high <= reach:
            total += length
        elif low < reach and -reach < high:
            total += length * (min(high, reach) - max(low, -reach)) / (high - low)
    return total


@jit
def _quantiles(pieces: FloatArray, offsets: IntArray, share: float) -> FloatArray:
    """By halving the interval of distances until it is 1e-12 of the walk's length."""
    out = np.zeros(len(offsets) - 1)
    for w in range(len(out)):
        start, stop = offsets[w], offsets[w + 1]
        low, high, length = 0.0, 0.0, 0.0
        for k in range(start, stop):
            far = max(abs(pieces[k, 1]), abs(pieces[k, 2]))
            if pieces[k, 3] >= 0.0:
                far = np.hypot(far, pieces[k, 3])
            high = max(high, far)
            length += pieces[k, 0]
        wanted = share * length
        if _length_within(pieces, start, stop, low) >= wanted:
            high = low
        while high - low > 1e-12 * length:
            middle = 0.5 * (low + high)
            if not low < middle < high:
                break
            if _length_within(pieces, start, stop, middle) >= wanted:
                high = middle
            else:
                low = middle
        out[w] = high
    return out
