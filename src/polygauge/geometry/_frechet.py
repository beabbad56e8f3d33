"""The discrete Fréchet distance of two closed vertex sequences.

Rows are the m vertices of one side, columns the n of the other. A leash of length L suffices when a
closed route that goes once round both sides meets only pairs at most L apart. Unrolled to rows 0 to
m, row m standing for row 0 again, and 2n columns, that is a way from some (0, t) to (m, t + n) by
steps (1, 0), (0, 1), (1, 1). Whether there is one is found in O(m n) for all t at once, because two
ways that cross share a pair (Alt and Godau, 1995, for curves): if the end of t can be reached from
starts on both sides of t, or t itself, and t can reach any pair of the last row, then the way from
t crosses one of the ways to that end, and can go on along it.

The distance is the smallest L among the m n vertex distances that suffices: a binary search.
"""

from __future__ import annotations

import numpy as np

from polygauge.geometry._exteriors import exterior_pairs
from polygauge.geometry._jit import inner, jit
from polygauge.geometry._vertex_routes import distance_table
from polygauge.geometry.pairs import Pairs
from polygauge.geometry.polygons import FloatArray, IntArray


def frechet_distances(pairs: Pairs) -> FloatArray:
    """Cyclic discrete Fréchet distance of the exteriors of each pair, shape (n,), CRS units.

    The smaller of the two directions. Several parts: see `exterior_pairs`; the largest couple.
    """
    a, b = pairs.a, pairs.b
    exteriors = pairs.share(exterior_pairs)
    distances = _frechet_distances(
        a.coordinates,
        a.ring_offsets,
        exteriors.reference,
        b.coordinates,
        b.ring_offsets,
        exteriors.prediction,
    )
    out: FloatArray = np.maximum.reduceat(distances, exteriors.offsets[:-1])
    return out


@jit
def _frechet_distances(
    a_xy: FloatArray,
    a_rings: IntArray,
    a_chosen: IntArray,
    b_xy: FloatArray,
    b_rings: IntArray,
    b_chosen: IntArray,
) -> FloatArray:
    out = np.empty(len(a_chosen))
    for c in range(len(a_chosen)):
        p, q = a_rings[a_chosen[c]], b_rings[b_chosen[c]]
        m, n = a_rings[a_chosen[c] + 1] - 1 - p, b_rings[b_chosen[c] + 1] - 1 - q
        table = distance_table(a_xy, p, m, b_xy, q, n)
        # Every vertex needs a partner, whatever the route.
        least = _largest_gap(table)
        best = _leash(table, least, np.inf)
        if best > least:
            best = _leash(table[:, ::-1].copy(), least, best)
        out[c] = best
    return out


@inner
def _largest_gap(table: FloatArray) -> float:
    """Largest distance of a row to its nearest column, or of a column to its nearest row."""
    m, n = table.shape
    largest, columns = 0.0, np.full(n, np.inf)
    for i in range(m):
        smallest = np.inf
        for j in range(n):
            smallest = min(smallest, table[i, j])
            columns[j] = min(columns[j], table[i, j])
        largest = max(largest, smallest)
    for j in range(n):
        largest = max(largest, columns[j])
    return largest


@inner
def _leash(table: FloatArray, least: float, known: float) -> float:
    """Shortest leash for the rows and columns as they run, or `known` if none is shorter."""
    if _suffices(table, least):
        return least
    known = min(known, _one_way(table))
    between, count = np.empty(table.size), 0
    for length in table.ravel():
        if least < length < known:
            between[count] = length
            count += 1
    lengths = np.sort(between[:count])
    low, high = 0, count
    while low < high:
        middle = (low + high) // 2
        if _suffices(table, lengths[middle]):
            high = middle
        else:
            low = middle + 1
    return lengths[low] if low < count else known


@inner
def _one_way(table: FloatArray) -> float:
    """Shortest leash of the ways that begin where the first row is nearest: a bound from above."""
    m, n = table.shape
    t = np.argmin(table[0])
    longest = np.full(n + 2, np.inf)
    longest[0] = 0.0
    for i in range(m + 1):
        # Entry j + 1 belongs to column t + j; `corner` is the row above, one column back.
        corner, longest[0] = longest[0], np.inf
        for j in range(n + 1):
            reached = min(corner, longest[j + 1], longest[j])
            corner = longest[j + 1]
            longest[j + 1] = max(reached, table[i % m, (t + j) % n])
    leash: float = longest[n + 1]
    return leash


@inner
def _suffices(table: FloatArray, length: float) -> bool:
    """Whether a closed route meets only pairs at most `length` apart."""
    m, n = table.shape
    # From which pairs the last row can be reached.
    onward = np.zeros((m + 1, 2 * n + 1), dtype=np.bool_)
    for i in range(m, -1, -1):
        row = table[i if i < m else 0]
        for j in range(2 * n - 1, -1, -1):
            onward[i, j] = row[j if j < n else j - n] <= length and (
                i == m or onward[i + 1, j + 1] or onward[i + 1, j] or onward[i, j + 1]
            )
    # First and last start in row 0 from which a pair can be reached; entry j + 1 for column j.
    none = 2 * n
    first, last = np.full(2 * n + 1, none), np.full(2 * n + 1, -1)
    for i in range(m + 1):
        corner_first, corner_last = none, -1
        for j in range(2 * n):
            a = min(corner_first, first[j + 1], first[j])
            b = max(corner_last, last[j + 1], last[j])
            corner_first, corner_last = first[j + 1], last[j + 1]
            if i == 0 and j < n:
                a, b = min(a, j), j
            first[j + 1], last[j + 1] = (a, b) if onward[i, j] else (none, -1)
    suffices = False
    for t in range(n):
        suffices |= onward[0, t] and first[t + n + 1] <= t <= last[t + n + 1]
    return suffices
