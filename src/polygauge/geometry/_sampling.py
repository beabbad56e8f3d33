"""Boundaries as samples at even distances, measured sample to sample.

Sampling rule: an edge is cut into ceil(length / spacing) equal parts, and every cut and every
vertex is one sample. An edge that is longer than a whole number of spacings by less than 1e-6 of
one is not cut once more: the last digits of a coordinate must not decide.

Samples on one edge lie at even distances, so the one nearest to a point is found by projecting and
rounding. Nothing is searched for and no matrix of samples is made.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from polygauge.geometry._extent import ring_counts
from polygauge.geometry._jit import inner, jit
from polygauge.geometry._nearest import boundary_room, edges_near, load_boundary, rounding_error
from polygauge.geometry.pairs import Pairs
from polygauge.geometry.polygons import FloatArray, IntArray

_WHOLE = 1e-6
# Samples handled at a time: they share the edges that come into question.
_RUN = 128


@dataclass(frozen=True, slots=True, eq=False)
class SampledDistances:
    """Distances from each boundary's samples to the nearest sample of the other, of n pairs.

    Column 0 from the reference to the prediction, column 1 back.

    Attributes
    ----------
    means, maxima : ndarray of float64, shape (n, 2)
        CRS units.
    counts : ndarray of int64, shape (n, 2)
        Samples of the boundary measured from.
    closed_means : ndarray of float64, shape (n, 2)
        Means that count the first vertex of every ring twice, as a list of points does that ends
        where it began; CRS units.
    """

    means: FloatArray
    maxima: FloatArray
    counts: IntArray
    closed_means: FloatArray


def sampled_distances(pairs: Pairs, spacing: float, exteriors: bool = False) -> SampledDistances:
    """Distances between the samples of both boundaries.

    Parameters
    ----------
    pairs : Pairs
    spacing : float
        Largest distance between neighbouring samples, CRS units.
    exteriors : bool
        Leave holes out.
    """
    if exteriors:
        pairs = pairs.share(Pairs.without_holes)
    a, b = pairs.a, pairs.b
    sums, first_sums, maxima, counts = _sampled_distances(
        a.coordinates,
        a.ring_offsets,
        a.feature_rings,
        pairs.i,
        b.coordinates,
        b.ring_offsets,
        b.feature_rings,
        pairs.j,
        spacing,
    )
    return SampledDistances(
        means=sums / counts,
        maxima=maxima,
        counts=counts,
        closed_means=(sums + first_sums) / (counts + ring_counts(pairs)),
    )


@jit
def _sampled_distances(
    a_xy: FloatArray,
    a_rings: IntArray,
    a_features: IntArray,
    a_rows: IntArray,
    b_xy: FloatArray,
    b_rings: IntArray,
    b_features: IntArray,
    b_rows: IntArray,
    spacing: float,
) -> tuple[FloatArray, FloatArray, FloatArray, IntArray]:
    sums, first_sums = np.empty((len(a_rows), 2)), np.empty((len(a_rows), 2))
    maxima = np.empty((len(a_rows), 2))
    counts = np.empty((len(a_rows), 2), dtype=np.int64)
    a, a_boxes, a_starts = boundary_room(a_rings, a_features, a_rows)
    b, b_boxes, b_starts = boundary_room(b_rings, b_features, b_rows)
    a_parts, b_parts = np.empty(a.shape[1]), np.empty(b.shape[1])
    found = np.empty(max(len(a_parts), len(b_parts)), dtype=np.int64)
    for k in range(len(a_rows)):
        start = a_rings[a_features[a_rows[k]]]
        ox, oy = a_xy[start, 0], a_xy[start, 1]
        n = load_boundary(a_xy, a_rings, a_features, a_rows[k], ox, oy, a, a_boxes, a_starts)
        m = load_boundary(b_xy, b_rings, b_features, b_rows[k], ox, oy, b, b_boxes, b_starts)
        counts[k, 0] = _cut(a, n, spacing, a_parts)
        counts[k, 1] = _cut(b, m, spacing, b_parts)
        off = rounding_error(a, n, b, m)
        a_first, a_last = a_features[a_rows[k]], a_features[a_rows[k] + 1]
        b_first, b_last = b_features[b_rows[k]], b_features[b_rows[k] + 1]
        sums[k, 0], first_sums[k, 0], maxima[k, 0] = _directed(
            a_rings, a_first, a_last, a, a_parts, b, m, b_parts, b_boxes, b_starts, spacing, off,
            found,
        )  # fmt: skip
        sums[k, 1], first_sums[k, 1], maxima[k, 1] = _directed(
            b_rings, b_first, b_last, b, b_parts, a, n, a_parts, a_boxes, a_starts, spacing, off,
            found,
        )  # fmt: skip
    return sums, first_sums, maxima, counts


@inner
def _cut(edges: FloatArray, m: int, spacing: float, parts: FloatArray) -> int:
    """Write into how many parts each edge is cut; returns their sum, the number of samples."""
    total = 0.0
    for k in range(m):
        length = np.hypot(edges[2, k] - edges[0, k], edges[3, k] - edges[1, k])
        parts[k] = max(np.ceil(length / spacing - _WHOLE), 1.0)
        total += parts[k]
    return int(total)


@inner
def _directed(
    rings: IntArray,
    first_ring: int,
    last_ring: int,
    source: FloatArray,
    source_parts: FloatArray,
    target: FloatArray,
    m: int,
    target_parts: FloatArray,
    boxes: FloatArray,
    starts: IntArray,
    spacing: float,
    rounding: float,
    found: IntArray,
) -> tuple[float, float, float]:
    """Sum, sum over first vertices of rings, and maximum of the distances to the target's samples.

    A sample lies within half a part of the foot of any perpendicular, which is how far beyond the
    distance to the edges themselves the search has to look.
    """
    x, y, near = np.empty(_RUN), np.empty(_RUN), np.empty(_RUN)
    margin = (0.5 + _WHOLE) * spacing
    total, firsts, largest = 0.0, 0.0, 0.0
    e = 0
    for r in range(first_ring, last_ring):
        for side in range(rings[r + 1] - rings[r] - 1):
            x0, y0, parts = source[0, e], source[1, e], source_parts[e]
            step_x, step_y = (source[2, e] - x0) / parts, (source[3, e] - y0) / parts
            done = 0.0
            while done < parts:
                run = int(min(parts - done, float(_RUN)))
                for p in range(run):
                    x[p], y[p] = x0 + (done + p) * step_x, y0 + (done + p) * step_y
                    near[p] = np.inf
                last = run - 1
                count = edges_near(
                    target, m, boxes, starts, x[0], y[0], x[last], y[last], margin, rounding, found
                )
                for k in range(count):
                    _bring_nearer(target, found[k], target_parts[found[k]], x, y, run, near)
                if side == 0 and done == 0.0:
                    firsts += np.sqrt(near[0])
                for p in range(run):
                    d = np.sqrt(near[p])
                    total += d
                    largest = max(largest, d)
                done += run
            e += 1
    return total, firsts, largest


@inner
def _bring_nearer(
    edges: FloatArray,
    k: int,
    parts: float,
    x: FloatArray,
    y: FloatArray,
    n: int,
    near: FloatArray,
) -> None:
    """Lower the squared distances of n points to those to the samples of edge `k`."""
    x0, y0 = edges[0, k], edges[1, k]
    step_x, step_y = (edges[2, k] - x0) / parts, (edges[3, k] - y0) / parts
    scale = edges[4, k] * parts * parts
    for p in range(n):
        # The foot of the perpendicular, counted in parts; the nearest sample is a whole number.
        t = np.floor(((x[p] - x0) * step_x + (y[p] - y0) * step_y) * scale + 0.5)
        t = min(max(t, 0.0), parts)
        dx, dy = x[p] - (x0 + t * step_x), y[p] - (y0 + t * step_y)
        near[p] = min(near[p], dx * dx + dy * dy)
