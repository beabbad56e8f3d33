"""Tangents of the prediction against those of their projection on the reference.

Every edge of the prediction is cut into round(length / spacing) equal pieces, at least one. Both
ends of a piece are moved to the nearest point of the reference boundary; the angle of the piece is
the one between it and the line between the two nearest points.

A piece whose projection is more than `stretch` times longer or shorter has no angle: its ends went
to different walls, or both to about one corner.

Ties. On the bisector of a corner, or half-way between two walls, several points of the boundary are
equally near. Of the angles that they give, the smallest counts; so the value depends on neither the
start vertex nor the order of the rings.
"""

from __future__ import annotations

import numpy as np

from polygauge.geometry._jit import inner, jit
from polygauge.geometry._nearest import (
    boundary_room,
    distance,
    edges_near,
    load_boundary,
    squared_distance,
)
from polygauge.geometry.pairs import Pairs
from polygauge.geometry.polygons import FloatArray, IntArray

# Distances and places that differ by less than this share of distance + spacing are equal, which
# is above the rounding error of coordinates a million metres from the origin.
_TIE = 1e-8
# More than so many equally near points, such as around the middle of a circle, are cut off.
_MOST_FEET = 8
# Pieces and stretches that meet a limit exactly, as on a pixel grid, do so within this share; an
# angle of so few radians is 0.
_ROUNDING = 1e-9
# Pieces of one edge that are searched for together.
_RUN = 16


def max_tangent_angles(pairs: Pairs, spacing: float, stretch: float = 2.0) -> FloatArray:
    """Largest angle between a piece of the prediction and its projection, shape (n,), degrees.

    Parameters
    ----------
    pairs : Pairs
    spacing : float
        Wanted length of a piece, CRS units.
    stretch : float
        A piece counts if length / length of its projection lies between 1 / stretch and stretch,
        ends excluded; infinity keeps all that are projected to more than one point.

    Returns
    -------
    ndarray of float64, shape (n,)
        NaN where no piece counts. All rings of both sides.
    """
    a, b = pairs.a, pairs.b
    return _max_tangent_angles(
        a.coordinates,
        a.ring_offsets,
        a.feature_rings,
        pairs.i,
        b.coordinates,
        b.ring_offsets,
        b.feature_rings,
        pairs.j,
        spacing,
        stretch,
    )


@jit
def _max_tangent_angles(
    a_xy: FloatArray,
    a_rings: IntArray,
    a_features: IntArray,
    a_rows: IntArray,
    b_xy: FloatArray,
    b_rings: IntArray,
    b_features: IntArray,
    b_rows: IntArray,
    spacing: float,
    stretch: float,
) -> FloatArray:
    out = np.full(len(b_rows), np.nan)
    edges, boxes, starts = boundary_room(a_rings, a_features, a_rows)
    found = np.empty(edges.shape[1], dtype=np.int64)
    before, after = np.empty((_MOST_FEET, 2)), np.empty((_MOST_FEET, 2))
    for k in range(len(b_rows)):
        start = b_rings[b_features[b_rows[k]]]
        ox, oy = b_xy[start, 0], b_xy[start, 1]
        m = load_boundary(a_xy, a_rings, a_features, a_rows[k], ox, oy, edges, boxes, starts)
        largest = -1.0
        for r in range(b_features[b_rows[k]], b_features[b_rows[k] + 1]):
            n = 0
            for v in range(b_rings[r], b_rings[r + 1] - 1):
                x, y = b_xy[v, 0] - ox, b_xy[v, 1] - oy
                dx, dy = b_xy[v + 1, 0] - b_xy[v, 0], b_xy[v + 1, 1] - b_xy[v, 1]
                pieces = _pieces(np.hypot(dx, dy), spacing)
                dx, dy = dx / pieces, dy / pieces
                for done in range(0, pieces, _RUN):
                    run = min(_RUN, pieces - done)
                    x0, y0 = x + done * dx, y + done * dy
                    if n == 0:
                        near = distance(edges, m, boxes, starts, x0, y0)
                    # Along the run the distance grows by at most its length; sqrt(3 _TIE) times
                    # that, across, is where an edge stops being equally near. No rounding is wider.
                    margin = 2e-4 * (near + run * np.hypot(dx, dy) + spacing)
                    x1, y1 = x0 + run * dx, y0 + run * dy
                    some = edges_near(edges, m, boxes, starts, x0, y0, x1, y1, margin, 0.0, found)
                    if n == 0:
                        n, near = _nearest_feet(edges, found, some, x0, y0, spacing, before)
                    for p in range(1, run + 1):
                        count, near = _nearest_feet(
                            edges, found, some, x0 + p * dx, y0 + p * dy, spacing, after
                        )
                        turn = _least_turn(dx, dy, before, n, after, count, stretch)
                        largest = max(largest, turn)
                        before, after, n = after, before, count
        if largest >= 0.0:
            out[k] = np.degrees(np.arctan(largest))
    return out


@inner
def _pieces(length: float, spacing: float) -> int:
    """round(length / spacing), halves to the even number, at least 1."""
    wanted = length / spacing
    half = np.rint(2.0 * wanted) / 2.0
    if abs(wanted - half) <= _ROUNDING * wanted:
        wanted = half
    return max(1, int(np.rint(wanted)))


@inner
def _nearest_feet(
    edges: FloatArray,
    found: IntArray,
    some: int,
    x: float,
    y: float,
    spacing: float,
    feet: FloatArray,
) -> tuple[int, float]:
    """Write the points of some edges that are nearest to (x, y); how many, and their distance."""
    least = np.inf
    for k in range(some):
        least = min(least, squared_distance(edges, found[k], x, y))
    near = np.sqrt(least)
    equal = _TIE * (near + spacing)
    limit = (near + equal) * (near + equal)
    count = 0
    for k in range(some):
        e = found[k]
        if squared_distance(edges, e, x, y) > limit or count == _MOST_FEET:
            continue
        dx, dy = edges[2, e] - edges[0, e], edges[3, e] - edges[1, e]
        t = ((x - edges[0, e]) * dx + (y - edges[1, e]) * dy) * edges[4, e]
        t = min(max(t, 0.0), 1.0)
        fx, fy = edges[0, e] + t * dx, edges[1, e] + t * dy
        new = True
        for f in range(count):
            new &= abs(feet[f, 0] - fx) > equal or abs(feet[f, 1] - fy) > equal
        if new:
            feet[count, 0], feet[count, 1] = fx, fy
            count += 1
    return count, near


@inner
def _least_turn(
    dx: float,
    dy: float,
    before: FloatArray,
    n: int,
    after: FloatArray,
    count: int,
    stretch: float,
) -> float:
    """Smallest tangent of the angle of a piece (dx, dy) to a projection of it; -1 if none counts.

    The scalar product is never negative, because moving to the nearest point of a closed set is
    monotone.
    """
    squared = dx * dx + dy * dy
    longest = ((1.0 - _ROUNDING) * stretch) ** 2
    least = -1.0
    for f in range(n):
        for g in range(count):
            px, py = after[g, 0] - before[f, 0], after[g, 1] - before[f, 1]
            projected = px * px + py * py
            if (
                projected <= _ROUNDING * _ROUNDING * squared
                or squared >= longest * projected
                or projected >= longest * squared
            ):
                continue
            along, across = dx * px + dy * py, abs(dx * py - dy * px)
            turn = 0.0 if across <= _ROUNDING * along else across / max(along, 0.0)
            if least < 0.0 or turn < least:
                least = turn
    return least
