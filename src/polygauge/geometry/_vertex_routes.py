"""Routes that match the vertices of two outlines: cyclic dynamic programming.

Both outlines run counter-clockwise. A route is a closed sequence of vertex pairs (i, j) that goes
once round both outlines by steps (1, 0), (0, 1) and (1, 1), so it uses every vertex of both sides;
the cheapest has the smallest sum of distances. Unrolled, with row m standing for row 0 again, the
route through (0, t) is the cheapest way from (0, t) to (m, t + n), and the answer the cheapest over
all t. Two such ways need never cross, so the one from t is looked for only between those already
known on both sides of it, the middle t first: O(m n log n) instead of O(m n^2), as in Maes (1990),
On a cyclic string-to-string correction problem.

Ties. Outlines with right angles or on a pixel grid often have several cheapest routes. A pair
(i, j) therefore costs

    d(i, j) + 1e-9 D (1 + s(i, j) / 48 D),   D being the largest distance of any two vertices,
    s(i, j) = d(i-1, j-1) + d(i+1, j+1) + (d(i-1, j+1) + d(i+1, j-1)) / 2.

So of routes whose sums agree to about a billionth of D the one of fewest pairs is taken, and among
those the one whose vertices also have neighbours close to each other. It depends on the shapes
alone, on neither start vertex, place nor turn, and is the same seen from both sides. The sums that
are reported leave the second term out.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from polygauge.geometry._exteriors import ExteriorPairs, exterior_pairs
from polygauge.geometry._jit import inner, jit
from polygauge.geometry.pairs import Pairs
from polygauge.geometry.polygons import BoolArray, FloatArray, IntArray

# Cost of a pair beside its distance, in units of the largest distance.
_TIE = 1e-9
# Comparisons with a threshold leave out this share of it: shapes on a grid meet it exactly.
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class VertexRoutes:
    """The cheapest route of each couple of exteriors, and what lies on it.

    Attributes
    ----------
    exteriors : ExteriorPairs
        r couples of rings, those of each pair of features in a row.
    offsets : ndarray of int64, shape (r + 1,)
        Couple c owns the matched vertices [offsets[c]] to [offsets[c + 1]], in the order of the
        route.
    reference, prediction : ndarray of int64, shape (s,)
        Matched vertices, as rows of the coordinates of each side.
    distances : ndarray of float64, shape (s,)
        Between the matched vertices, CRS units.
    fewer_vertices : ndarray of int64, shape (n,)
        Smaller number of vertices of each couple, added up over a pair of features.
    """

    exteriors: ExteriorPairs
    offsets: IntArray
    reference: IntArray
    prediction: IntArray
    distances: FloatArray
    fewer_vertices: IntArray

    @property
    def pair_offsets(self) -> IntArray:
        """Pair k of features owns the matched vertices [k] to [k + 1], shape (n + 1,)."""
        return self.offsets[self.exteriors.offsets]

    @property
    def counts(self) -> IntArray:
        """Number of matched vertex pairs of each pair of features, shape (n,)."""
        return np.diff(self.pair_offsets)

    def sums(self, values: FloatArray) -> FloatArray:
        """Sum of a value a matched vertex pair over each pair of features, shape (n,)."""
        sums: FloatArray = np.add.reduceat(values, self.pair_offsets[:-1])
        return sums

    def means(self, values: FloatArray) -> FloatArray:
        """Mean of a value a matched vertex pair over each pair of features, shape (n,)."""
        return self.sums(values) / self.counts


@dataclass(frozen=True, slots=True, eq=False)
class EdgePoints:
    """Which matched vertices are measured to an edge instead, shape (s,) as in `VertexRoutes`.

    Attributes
    ----------
    routes : VertexRoutes
    found : ndarray of bool, shape (s,)
    distances : ndarray of float64, shape (s,)
        To the edge where found, between the vertices elsewhere.
    feet : ndarray of float64, shape (s, 2)
        Foot on the edge where found, NaN elsewhere.
    """

    routes: VertexRoutes
    found: BoolArray
    distances: FloatArray
    feet: FloatArray

    @property
    def counts(self) -> IntArray:
        """Number of edge points of each pair of features, shape (n,)."""
        counts: IntArray = np.add.reduceat(
            self.found, self.routes.pair_offsets[:-1], dtype=np.int64
        )
        return counts


def vertex_routes(pairs: Pairs) -> VertexRoutes:
    """Match the exterior vertices of each pair of features by the cheapest closed route.

    Several parts: see `exterior_pairs`; each couple has a route of its own.
    """
    a, b = pairs.a, pairs.b
    exteriors = pairs.share(exterior_pairs)
    offsets, reference, prediction, distances = _vertex_routes(
        a.coordinates,
        a.ring_offsets,
        exteriors.reference,
        b.coordinates,
        b.ring_offsets,
        exteriors.prediction,
    )
    fewer = np.minimum(
        np.diff(a.ring_offsets)[exteriors.reference], np.diff(b.ring_offsets)[exteriors.prediction]
    )
    return VertexRoutes(
        exteriors=exteriors,
        offsets=offsets,
        reference=reference,
        prediction=prediction,
        distances=distances,
        # Rings repeat their first vertex.
        fewer_vertices=np.add.reduceat(fewer - 1, exteriors.offsets[:-1]),
    )


def edge_points(pairs: Pairs, alpha: float, beta: float, tolerance: float | None) -> EdgePoints:
    """Find the matched vertices that lie beside an edge rather than at a vertex.

    Where one vertex is matched with several, each of the several is an edge point if it is farther
    than `alpha` times the mean distance of the route, and the foot of its perpendicular on one of
    the two edges at the one vertex is nearer than `beta` times that mean, or than `tolerance`
    where that is given. The nearer of two such feet counts.
    """
    a, b = pairs.a, pairs.b
    routes = pairs.share(vertex_routes)
    means = np.repeat(routes.means(routes.distances), np.diff(routes.exteriors.offsets))
    nearer = beta * means if tolerance is None else np.full(len(means), float(tolerance))
    return EdgePoints(
        routes,
        *_edge_points(
            a.coordinates,
            a.ring_offsets,
            routes.exteriors.reference,
            b.coordinates,
            b.ring_offsets,
            routes.exteriors.prediction,
            routes.offsets,
            routes.reference,
            routes.prediction,
            routes.distances,
            alpha * means,
            nearer,
        ),
    )


@inner
def distance_table(
    a_xy: FloatArray, a_first: int, m: int, b_xy: FloatArray, b_first: int, n: int
) -> FloatArray:
    """Distances of m vertices to n vertices, shape (m, n)."""
    out = np.empty((m, n))
    for i in range(m):
        x, y = a_xy[a_first + i, 0], a_xy[a_first + i, 1]
        for j in range(n):
            dx, dy = b_xy[b_first + j, 0] - x, b_xy[b_first + j, 1] - y
            out[i, j] = np.sqrt(dx * dx + dy * dy)
    return out


@inner
def _costs(d: FloatArray) -> FloatArray:
    """What each pair costs: its distance, and a little more that decides ties."""
    m, n = d.shape
    largest = 0.0
    for i in range(m):
        for j in range(n):
            largest = max(largest, d[i, j])
    out = np.empty((m, n))
    for i in range(m):
        above, below = d[i - 1], d[i + 1 - m]
        for j in range(n):
            left, right = j - 1, j + 1 - n
            same, opposite = above[left] + below[right], above[right] + below[left]
            out[i, j] = d[i, j] + _TIE * (largest + (same + 0.5 * opposite) / 48.0)
    return out


@inner
def _cheapest_from(
    costs: FloatArray,
    t: int,
    left: IntArray,
    right: IntArray,
    steps: NDArray[np.uint8],
    sums: FloatArray,
    way: IntArray,
) -> float:
    """Cheapest way from (0, t) to (m, t + n), between the ways `left` and `right`.

    A way is its first and last column in each row, shape (m + 1, 2); rows and columns go on beyond
    m and n. Writes the way found and returns its cost, the end left out: it is the start again.
    """
    m, n = costs.shape
    # Sums of this row and the one above; entry j + 1 belongs to column t + j.
    above, here = sums[0], sums[1]
    above[0] = 0.0
    filled = -1
    for i in range(m + 1):
        row = costs[i if i < m else 0]
        low, high = max(left[i, 0] - t, 0), min(right[i, 1] - t, n)
        here[low] = np.inf
        for j in range(filled + 1, high + 1):
            above[j + 1] = np.inf
        column = (t + low) % n
        for j in range(low, high + 1):
            best, step = above[j], 0
            if above[j + 1] < best:
                best, step = above[j + 1], 1
            if here[j] < best:
                best, step = here[j], 2
            here[j + 1] = best + row[column]
            steps[i, j] = step
            column = column + 1 if column + 1 < n else 0
        filled = high
        above, here = here, above
    i, j = m, n
    way[m, 1] = t + n
    while i > 0 or j > 0:
        if steps[i, j] == 2:
            j -= 1
        else:
            way[i, 0] = t + j
            j -= 1 if steps[i, j] == 0 else 0
            i -= 1
            way[i, 1] = t + j
    way[0, 0] = t
    cost: float = above[n + 1] - costs[0, t % n]
    return cost


@inner
def _cheapest(costs: FloatArray) -> IntArray:
    """Cheapest closed route, as its first and last column in each row, shape (m + 1, 2)."""
    m, n = costs.shape
    depth = 3
    while 1 << (depth - 3) < n:
        depth += 1
    # Ways 0 and 1 bound all others; way 2 + d is the one found d halvings down.
    ways = np.empty((depth, m + 1, 2), dtype=np.int64)
    steps, sums = np.empty((m + 1, n + 1), dtype=np.uint8), np.empty((2, n + 2))
    for i in range(m + 1):
        ways[0, i, 0], ways[1, i, 1] = 0, n
    least = _cheapest_from(costs, 0, ways[0], ways[1], steps, sums, ways[0])
    best = np.empty((m + 1, 2), dtype=np.int64)
    for i in range(m + 1):
        for end in range(2):
            best[i, end], ways[1, i, end] = ways[0, i, end], ways[0, i, end] + n
    # Starts still to be tried: those between two starts, and where the ways of both are kept.
    waiting = np.empty((2 * depth, 5), dtype=np.int64)
    waiting[0, 0], waiting[0, 1], waiting[0, 2], waiting[0, 3], waiting[0, 4] = 0, n, 0, 1, 2
    size = 1
    while size > 0:
        size -= 1
        low, high = waiting[size, 0], waiting[size, 1]
        left, right, place = waiting[size, 2], waiting[size, 3], waiting[size, 4]
        if high - low < 2:
            continue
        t = (low + high) // 2
        cost = _cheapest_from(costs, t, ways[left], ways[right], steps, sums, ways[place])
        if cost < least:
            least = cost
            for i in range(m + 1):
                best[i, 0], best[i, 1] = ways[place, i, 0], ways[place, i, 1]
        waiting[size, 0], waiting[size, 1] = t, high
        waiting[size, 2], waiting[size, 3], waiting[size, 4] = place, right, place + 1
        waiting[size + 1, 0], waiting[size + 1, 1] = low, t
        waiting[size + 1, 2], waiting[size + 1, 3], waiting[size + 1, 4] = left, place, place + 1
        size += 2
    return best


@jit
def _vertex_routes(
    a_xy: FloatArray,
    a_rings: IntArray,
    a_chosen: IntArray,
    b_xy: FloatArray,
    b_rings: IntArray,
    b_chosen: IntArray,
) -> tuple[IntArray, IntArray, IntArray, FloatArray]:
    offsets = np.zeros(len(a_chosen) + 1, dtype=np.int64)
    room = 0
    for c in range(len(a_chosen)):
        room += a_rings[a_chosen[c] + 1] - a_rings[a_chosen[c]]
        room += b_rings[b_chosen[c] + 1] - b_rings[b_chosen[c]]
    reference, prediction = np.empty(room, dtype=np.int64), np.empty(room, dtype=np.int64)
    distances = np.empty(room)
    s = 0
    for c in range(len(a_chosen)):
        p, q = a_rings[a_chosen[c]], b_rings[b_chosen[c]]
        m, n = a_rings[a_chosen[c] + 1] - 1 - p, b_rings[b_chosen[c] + 1] - 1 - q
        # Every column is a start, so the side with fewer vertices gives the columns.
        table = distance_table(a_xy, p, m, b_xy, q, n)
        if n <= m:
            way = _cheapest(_costs(table))
        else:
            way = _cheapest(_costs(distance_table(b_xy, q, n, a_xy, p, m)))
        rows, columns = max(m, n), min(m, n)
        for i in range(rows + 1):
            # The last pair is the first one again.
            for j in range(way[i, 0], way[i, 1] + (1 if i < rows else 0)):
                u, v = i % rows, j % columns
                if n > m:
                    u, v = v, u
                reference[s], prediction[s], distances[s] = p + u, q + v, table[u, v]
                s += 1
        offsets[c + 1] = s
    return offsets, reference[:s].copy(), prediction[:s].copy(), distances[:s].copy()


@inner
def _foot_beside(
    x: float, y: float, xy: FloatArray, first: int, count: int, k: int
) -> tuple[float, float, float]:
    """Nearest foot of a perpendicular on the two edges at vertex `k`: distance (or inf), place."""
    best, best_x, best_y = np.inf, np.nan, np.nan
    for turn in (count - 1, 1):
        other = first + (k - first + turn) % count
        dx, dy = xy[other, 0] - xy[k, 0], xy[other, 1] - xy[k, 1]
        px, py = x - xy[k, 0], y - xy[k, 1]
        t = (px * dx + py * dy) / (dx * dx + dy * dy)
        distance = np.hypot(px - t * dx, py - t * dy)
        if -_ROUNDING <= t <= 1.0 + _ROUNDING and distance < best:
            best, best_x, best_y = distance, xy[k, 0] + t * dx, xy[k, 1] + t * dy
    return best, best_x, best_y


@jit
def _edge_points(
    a_xy: FloatArray,
    a_rings: IntArray,
    a_chosen: IntArray,
    b_xy: FloatArray,
    b_rings: IntArray,
    b_chosen: IntArray,
    offsets: IntArray,
    reference: IntArray,
    prediction: IntArray,
    distances: FloatArray,
    farther: FloatArray,
    nearer: FloatArray,
) -> tuple[BoolArray, FloatArray, FloatArray]:
    found = np.zeros(len(reference), dtype=np.bool_)
    out, feet = distances.copy(), np.full((len(reference), 2), np.nan)
    for c in range(len(offsets) - 1):
        start, stop = offsets[c], offsets[c + 1]
        p, q = a_rings[a_chosen[c]], b_rings[b_chosen[c]]
        m, n = a_rings[a_chosen[c] + 1] - 1 - p, b_rings[b_chosen[c] + 1] - 1 - q
        for s in range(start, stop):
            if distances[s] <= (1.0 + _ROUNDING) * farther[c]:
                continue
            i, j = reference[s], prediction[s]
            before = s - 1 if s > start else stop - 1
            after = s + 1 if s + 1 < stop else start
            # A cheapest route never turns a corner, so a pair belongs to one group at most.
            if reference[before] == i or reference[after] == i:
                d, x, y = _foot_beside(b_xy[j, 0], b_xy[j, 1], a_xy, p, m, i)
            elif prediction[before] == j or prediction[after] == j:
                d, x, y = _foot_beside(a_xy[i, 0], a_xy[i, 1], b_xy, q, n, j)
            else:
                continue
            if d < (1.0 - _ROUNDING) * nearer[c]:
                found[s] = True
                out[s], feet[s, 0], feet[s, 1] = d, x, y
    return found, out, feet
