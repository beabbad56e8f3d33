"""Courtyards joined to their outline by a bridge that is walked twice, taken apart again."""

from __future__ import annotations

import numpy as np
import shapely
from numpy.typing import NDArray

from polygauge.geometry import FloatArray, IntArray, inner, jit

# Looking for repeated points takes the square of this; longer rings are left to the repair.
_LONGEST = 2000


def take_apart(
    xy: FloatArray, ring_offsets: IntArray, rings: IntArray
) -> tuple[IntArray, NDArray[np.object_]]:
    """The rings among these that are an outline with holes on bridges, as polygons with holes.

    Where a ring comes back to a point, the loop since then is taken out: the walk to a hole and
    back leaves a loop of two points, the bridge, and the hole itself another. A ring counts when
    that gives a valid polygon whose holes are walked against the outline; its area is then the
    signed area of the ring as drawn. No vertex moves.

    Returns
    -------
    places : ndarray of int64
        Which of `rings`.
    polygons : ndarray of Polygon
    """
    none = np.empty(0, dtype=object)
    if len(rings) == 0:
        return rings, none
    points, loop_offsets, ring_loops = _loops(xy, ring_offsets, rings)
    several = np.flatnonzero(np.diff(ring_loops) > 1)
    if len(several) == 0:
        return several, none
    polygons = shapely.from_ragged_array(
        shapely.GeometryType.POLYGON, points, (loop_offsets, ring_loops)
    )[several]
    whole = shapely.is_valid(polygons)
    return several[whole], polygons[whole]


@jit
def _loops(
    xy: FloatArray, ring_offsets: IntArray, rings: IntArray
) -> tuple[FloatArray, IntArray, IntArray]:
    """Outline and holes of each ring, closed, the outline first; none where it is no such ring."""
    total = 0
    for r in rings:
        total += ring_offsets[r + 1] - ring_offsets[r] + 1
    points = np.empty((2 * total, 2))
    offsets = np.zeros(total + 1, dtype=np.int64)
    ring_loops = np.zeros(len(rings) + 1, dtype=np.int64)
    n, count = 0, 0
    for i in range(len(rings)):
        a, b = ring_offsets[rings[i]], ring_offsets[rings[i] + 1]
        loops, ends, bridges = _split(xy, a, b)
        areas = np.zeros(len(ends))
        outline = 0
        for k in range(len(ends)):
            areas[k] = _signed_area(xy, loops[ends[k - 1] if k else 0 : ends[k]])
            if abs(areas[k]) > abs(areas[outline]):
                outline = k
        fine = 1 < len(ends) <= bridges + 1
        for k in range(len(ends)):
            fine = fine and (k == outline or areas[k] * areas[outline] < 0)
        if fine:
            for turn in range(len(ends)):
                # The outline, then the others in order.
                k = outline if turn == 0 else turn - 1 if turn <= outline else turn
                for v in loops[ends[k - 1] if k else 0 : ends[k]]:
                    points[n] = xy[v]
                    n += 1
                count += 1
                offsets[count] = n
        ring_loops[i + 1] = count
    return points[:n].copy(), offsets[: count + 1].copy(), ring_loops


@inner
def _split(xy: FloatArray, a: int, b: int) -> tuple[IntArray, IntArray, int]:
    """The loops of a ring, each closed, as rows of `xy` with their ends; how many were bridges.

    None where the ring goes somewhere and straight back, a spike: that is for the repair.
    """
    stack = np.empty(b - a + 1, dtype=np.int64)
    loops = np.empty(2 * (b - a + 1), dtype=np.int64)
    ends = np.empty(b - a + 1, dtype=np.int64)
    held = np.zeros(b - a + 1, dtype=np.bool_)  # a loop or bridge hangs on this point
    height, n, count, bridges = 0, 0, 0, 0
    # Once round and back to the first point, which may be stored twice.
    for k in range(a, b + 1 if b - a <= _LONGEST else a):
        v = k if k < b else a
        back = height - 1
        while back >= 0 and (xy[stack[back], 0] != xy[v, 0] or xy[stack[back], 1] != xy[v, 1]):
            back -= 1
        if back < 0:
            stack[height], held[height] = v, False
            height += 1
            continue
        if height - back == 2:
            if not held[height - 1]:
                return loops[:0], ends[:0], 0
            bridges += 1
        elif height - back > 2:
            for s in range(back, height):
                loops[n] = stack[s]
                n += 1
            loops[n] = stack[back]
            n += 1
            ends[count] = n
            count += 1
        # A point that is merely repeated holds nothing.
        held[back] = held[back] or height - back > 1
        height = back + 1
    return loops[:n], ends[:count], bridges


@inner
def _signed_area(xy: FloatArray, loop: IntArray) -> float:
    twice = 0.0
    ox, oy = xy[loop[0], 0], xy[loop[0], 1]
    for k in range(1, len(loop) - 2):
        p, q = loop[k], loop[k + 1]
        twice += (xy[p, 0] - ox) * (xy[q, 1] - oy) - (xy[q, 0] - ox) * (xy[p, 1] - oy)
    return 0.5 * twice
