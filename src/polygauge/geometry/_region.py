"""Boundary regions: all that lies within a width of the boundary, on both sides or inside.

Where it is proven that the curve at that distance is what one expects, the region is written down
directly: beside every ring runs one curve on either side, parallel to the edges, with an arc around
each corner that bends away and the crossing of the two parallels at each corner that bends towards.
The two curves, run in opposite directions, are a signed set of rings whose plain sum over edges is
the region, so the overlap kernel measures it as it measures any polygon. Everything else is
buffered by GEOS. Arcs have the points GEOS gives them, so both ways agree.

The proof: every point at distance `width` from the boundary lies on the parallel of an edge or on
the arc of a corner, and what a crossing cuts off lies nearer. So the curves are the whole rim of
the region as soon as each parallel keeps some length and no piece of a curve comes within `width`
of an edge it does not belong to.
"""

from __future__ import annotations

import numpy as np
import shapely

from polygauge.geometry._edges import count_edges, most_edges
from polygauge.geometry._jit import inner, jit
from polygauge.geometry._overlap import overlap_areas, ratio_to_union
from polygauge.geometry.pairs import Pairs
from polygauge.geometry.polygons import BoolArray, FloatArray, IntArray, Polygons

# Segments a quarter circle: 16 is the published method's; the inner region was recorded with 64.
BOTH_SIDES_SEGMENTS = 16
INSIDE_SEGMENTS = 64

# Pairs whose regions exist at the same time: some 80 points a feature, 20 MB.
_BATCH = 8192
# Every edge is compared with every other; beyond this many edges GEOS is the faster way.
_MOST_EDGES = 256
# GEOS drops corners with an edge shorter than this share of the width; they are left to it.
_SHORT = 0.01
# GEOS joins two parallels by one point where their ends are closer than this share of the width.
_JOINED = 1e-3
# The chords of an arc are at most 0.15 widths long, so no point of it is nearer to an edge than its
# drawn points less 0.08 widths: where those keep so many widths, the whole arc keeps one.
_CLEAR = 1.08
_QUARTER = np.pi / 2

# Columns of the table of a feature's edges: first vertex, unit direction, length, next edge.
_X, _Y, _UX, _UY, _LENGTH, _NEXT = range(6)


def boundary_region_iou(pairs: Pairs, width: float, inside: bool) -> FloatArray:
    """Intersection over union of the boundary regions of each pair, shape (n,)."""
    out = np.empty(len(pairs))
    for start in range(0, len(pairs), _BATCH):
        batch = pairs.slice(start, start + _BATCH)
        a_rows, i = np.unique(batch.i, return_inverse=True)
        b_rows, j = np.unique(batch.j, return_inverse=True)
        a, b = batch.a.take(a_rows), batch.b.take(b_rows)
        # Drawn where they lie: an origin of the batch would save a digit far away, but the last
        # digits of a pair would then depend on its neighbours.
        a_regions, a_place = _regions(a, width, inside)
        b_regions, b_place = _regions(b, width, inside)
        drawn = Pairs(a_regions, b_regions, a_place[i], b_place[j])
        out[start : start + _BATCH] = ratio_to_union(overlap_areas(drawn))
    return out


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
    regions, place = _regions(polygons.take(rows), width, inside)
    return regions.take(place)


def _regions(polygons: Polygons, width: float, inside: bool) -> tuple[Polygons, IntArray]:
    """Boundary regions of all features in some order, and the place of each feature's region."""
    segments = INSIDE_SEGMENTS if inside else BOTH_SIDES_SEGMENTS
    coordinates, rings, simple = _offset_rings(
        polygons.coordinates,
        polygons.ring_offsets,
        polygons.feature_rings,
        np.arange(len(polygons)),
        width,
        _QUARTER / segments,
        inside,
    )
    counts = 2 * np.diff(polygons.feature_rings)[simple]
    parts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    drawn = Polygons(coordinates, rings, parts, np.arange(len(parts)))
    shapes = polygons.take(np.flatnonzero(~simple)).to_shapely()
    if inside:
        inner = shapely.buffer(shapes, -width, quad_segs=segments)
        buffered = shapely.difference(shapes, inner)
    else:
        buffered = shapely.buffer(shapely.boundary(shapes), width, quad_segs=segments)
    place = np.where(simple, np.cumsum(simple), len(counts) + np.cumsum(~simple)) - 1
    return Polygons.concatenate([drawn, Polygons.from_shapely(buffered)]), place


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
    """Rings of the regions of the features for which they are proven; which those are.

    Two a ring: the curve to its right (the ring itself if only the inside counts), and the curve to
    its left run backwards.
    """
    simple = np.zeros(len(rows), dtype=np.bool_)
    most = min(most_edges(rings, features, rows), _MOST_EDGES)
    edges = np.empty((most, 6))
    spans = np.empty((2, most, 2), dtype=np.int64)
    a_corner = int(np.pi / step + 0.5) + 2
    out = np.empty((16 * len(xy) + 2 * most * a_corner, 2))
    ring_count = 0
    for i in rows:
        ring_count += features[i + 1] - features[i]
    offsets = np.zeros(2 * ring_count + 1, dtype=np.int64)
    n = r = 0
    for k in range(len(rows)):
        first, last = features[rows[k]], features[rows[k] + 1]
        m = count_edges(rings, features, rows[k])
        if m == 0 or m > _MOST_EDGES:
            continue
        if n + 2 * m * a_corner > len(out):
            out = np.concatenate((out, np.empty((len(out) + 2 * m * a_corner, 2))))
        _load(xy, rings, first, last, edges)
        p = ring = 0
        end = n
        while p < m and end >= 0:
            stop = p + 1
            while edges[stop - 1, _NEXT] == stop:
                stop += 1
            for side in range(2):
                if end >= 0:
                    at = 0.0 if inside and side == 0 else width
                    end = _draw(edges, p, stop, side == 1, at, step, out, end, spans[side])
                    ring += 1
                    offsets[r + ring] = end
            p = stop
        if end >= 0 and _is_clear(edges, m, width, inside, out, spans):
            simple[k] = True
            n, r = end, r + ring
    return out[:n].copy(), offsets[: r + 1].copy(), simple


@inner
def _load(xy: FloatArray, rings: IntArray, first: int, last: int, edges: FloatArray) -> None:
    """Fill the table of edges of some rings."""
    n = 0
    for ring in range(first, last):
        begin = n
        for p in range(rings[ring], rings[ring + 1] - 1):
            dx, dy = xy[p + 1, 0] - xy[p, 0], xy[p + 1, 1] - xy[p, 1]
            length = np.hypot(dx, dy)
            edges[n, _X], edges[n, _Y] = xy[p, 0], xy[p, 1]
            edges[n, _UX], edges[n, _UY], edges[n, _LENGTH] = dx / length, dy / length, length
            n += 1
            edges[n - 1, _NEXT] = n
        edges[n - 1, _NEXT] = begin


@inner
def _draw(
    edges: FloatArray,
    begin: int,
    stop: int,
    backwards: bool,
    width: float,
    step: float,
    out: FloatArray,
    n: int,
    span: IntArray,
) -> int:
    """Write the curve to the right of a ring, run forwards or backwards; returns its end.

    `span` gets the first and last point at each vertex. -1 where a parallel keeps no length.
    """
    begin_out = n
    for k in range(stop - begin):
        v = stop - 1 - k if backwards else begin + k
        before = v - 1 if v > begin else stop - 1
        # Directions in which the curve reaches and leaves the vertex; (y, -x) is to the right.
        ax, ay, bx, by = edges[before, _UX], edges[before, _UY], edges[v, _UX], edges[v, _UY]
        if backwards:
            ax, ay, bx, by = -bx, -by, -ax, -ay
        x, y = edges[v, _X], edges[v, _Y]
        cross, dot = ax * by - ay * bx, ax * bx + ay * by
        span[v, 0] = n
        if cross <= 0.0:
            if dot < -0.999999:
                return -1
            share = width / (1.0 + dot)
            out[n, 0], out[n, 1] = x + share * (ay + by), y - share * (ax + bx)
        elif width == 0.0 or np.hypot(ax - bx, ay - by) < _JOINED:
            out[n, 0] = x + width * (by if backwards else ay)
            out[n, 1] = y - width * (bx if backwards else ax)
        else:
            turn = np.arctan2(cross, dot)
            pieces = int(turn / step + 0.5)
            dx, dy = width * ay, -width * ax
            out[n, 0], out[n, 1] = x + dx, y + dy
            n += 1
            if pieces > 1:
                cos, sin = np.cos(turn / pieces), np.sin(turn / pieces)
                for _ in range(pieces - 1):
                    dx, dy = cos * dx - sin * dy, sin * dx + cos * dy
                    out[n, 0], out[n, 1] = x + dx, y + dy
                    n += 1
            out[n, 0], out[n, 1] = x + width * by, y - width * bx
        span[v, 1] = n
        n += 1
    out[n, 0], out[n, 1] = out[begin_out, 0], out[begin_out, 1]
    for e in range(begin, stop):
        p, q = _parallel(edges, e, backwards, span)
        along = (out[q, 0] - out[p, 0]) * edges[e, _UX] + (out[q, 1] - out[p, 1]) * edges[e, _UY]
        if (-along if backwards else along) <= 1e-6 * width or edges[e, _LENGTH] <= _SHORT * width:
            return -1
    return n + 1


@inner
def _parallel(edges: FloatArray, e: int, backwards: bool, span: IntArray) -> tuple[int, int]:
    """First and last point of the parallel of edge `e`."""
    after = int(edges[e, _NEXT])
    return (span[after, 1], span[e, 0]) if backwards else (span[e, 1], span[after, 0])


@inner
def _is_clear(
    edges: FloatArray, m: int, width: float, inside: bool, out: FloatArray, spans: IntArray
) -> bool:
    """Whether no piece of the curves comes within `width` of an edge it does not belong to."""
    for e in range(m):
        for f in range(e + 1, m):
            if edges[e, _NEXT] == f or edges[f, _NEXT] == e:
                continue
            end = int(edges[e, _NEXT])
            # Edges two widths apart keep the curves of each one width from the other.
            if _apart(
                edges[e, _X], edges[e, _Y], edges[end, _X], edges[end, _Y], edges, f, 2 * width
            ):
                continue
            for side in range(1 if inside else 0, 2):
                if not _keeps_off(edges, e, f, side == 1, width, out, spans[side]):
                    return False
                if not _keeps_off(edges, f, e, side == 1, width, out, spans[side]):
                    return False
    return True


@inner
def _keeps_off(
    edges: FloatArray,
    e: int,
    f: int,
    backwards: bool,
    width: float,
    out: FloatArray,
    span: IntArray,
) -> bool:
    """Whether the curve along edge `e`, with its two corners, keeps `width` from edge `f`."""
    p, q = _parallel(edges, e, backwards, span)
    far = width * (1.0 + 1e-9)
    if not _apart(out[p, 0], out[p, 1], out[q, 0], out[q, 1], edges, f, far):
        return False
    for v in (e, int(edges[e, _NEXT])):
        if span[v, 0] < span[v, 1]:
            for k in range(span[v, 0], span[v, 1] + 1):
                x, y = out[k, 0], out[k, 1]
                if not _apart(x, y, x, y, edges, f, _CLEAR * width):
                    return False
    return True


@jit
def _apart(
    px: float, py: float, qx: float, qy: float, edges: FloatArray, f: int, distance: float
) -> bool:
    """Whether the segment from p to q is farther than `distance` from edge `f`."""
    # Along the edge and across it, from its first vertex.
    ux, uy, length = edges[f, _UX], edges[f, _UY], edges[f, _LENGTH]
    px, py, qx, qy = px - edges[f, _X], py - edges[f, _Y], qx - edges[f, _X], qy - edges[f, _Y]
    s0, t0, s1, t1 = px * ux + py * uy, ux * py - uy * px, qx * ux + qy * uy, ux * qy - uy * qx
    if min(t0, t1) > distance or max(t0, t1) < -distance:
        return True
    if max(s0, s1) < -distance or min(s0, s1) > length + distance:
        return True
    if t0 * t1 < 0.0 and 0.0 <= s0 + (s1 - s0) * t0 / (t0 - t1) <= length:
        return False
    beyond0, beyond1 = max(-s0, s0 - length, 0.0), max(-s1, s1 - length, 0.0)
    nearest = min(
        beyond0 * beyond0 + t0 * t0,
        beyond1 * beyond1 + t1 * t1,
        _squared_distance(0.0, s0, t0, s1, t1),
        _squared_distance(length, s0, t0, s1, t1),
    )
    clear: bool = nearest > distance * distance
    return clear


@inner
def _squared_distance(s: float, s0: float, t0: float, s1: float, t1: float) -> float:
    """Squared distance of the point (s, 0) to the segment from (s0, t0) to (s1, t1)."""
    ds, dt = s1 - s0, t1 - t0
    squared = ds * ds + dt * dt
    share = ((s - s0) * ds - t0 * dt) / squared if squared > 0.0 else 0.0
    share = min(max(share, 0.0), 1.0)
    s0 += share * ds - s
    t0 += share * dt
    return s0 * s0 + t0 * t0
