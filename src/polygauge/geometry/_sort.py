"""Sorting a few rows inside a kernel."""

from __future__ import annotations

from polygauge.geometry._jit import inner
from polygauge.geometry.polygons import FloatArray


@inner
def sort_rows(rows: FloatArray) -> None:
    """Sort the rows of an array (n, 2) in place: by column 0, then by column 1.

    Shell sort with the gaps of Tokuda (1992): small, and quick on the few rows of a polygon.
    """
    n = len(rows)
    gap = 1
    while gap * 9 // 4 + 1 < n:
        gap = gap * 9 // 4 + 1
    while gap > 0:
        for k in range(gap, n):
            first, second = rows[k, 0], rows[k, 1]
            place = k
            while place >= gap and (
                rows[place - gap, 0] > first
                or (rows[place - gap, 0] == first and rows[place - gap, 1] > second)
            ):
                rows[place, 0], rows[place, 1] = rows[place - gap, 0], rows[place - gap, 1]
                place -= gap
            rows[place, 0], rows[place, 1] = first, second
        gap = gap * 4 // 9
