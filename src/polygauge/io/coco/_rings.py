"""Rings as the files store them, and the polygons they are read as."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from polygauge.errors import GeometryError
from polygauge.geometry import BoolArray, FloatArray, IntArray, Polygons, inner, jit
from polygauge.io._admit import admit
from polygauge.io._options import Invalid
from polygauge.io.coco._bridges import take_apart
from polygauge.io.coco._columns import Growing, grown_offsets
from polygauge.io.coco._options import NestedRings

_BRIDGE = "bridge to a hole"
_DEGENERATE = "degenerate"
_DROPPED = "an invalid ring"

# Beyond this many edges or parts GEOS, which sorts them, is faster than comparing all pairs.
_SHORT = 40


@dataclass(frozen=True, slots=True, eq=False)
class StoredRings:
    """The rings of a side as they were written: x, y in pixels, y down, any direction.

    Attributes
    ----------
    coordinates : ndarray of float64, shape (v, 2)
    ring_offsets : ndarray of int64, shape (r + 1,)
        Ring k owns coordinates `ring_offsets[k]` to `ring_offsets[k + 1]`.
    annotation_offsets : ndarray of int64, shape (n + 1,)
        Annotation i owns rings `annotation_offsets[i]` to `annotation_offsets[i + 1]`.
    """

    coordinates: FloatArray
    ring_offsets: IntArray
    annotation_offsets: IntArray

    @property
    def closed(self) -> BoolArray:
        """Rings whose last point repeats the first, shape (r,)."""
        return _closed(self.coordinates, self.ring_offsets)

    @property
    def point_counts(self) -> IntArray:
        """Points of each annotation as stored, closing repeats counted, shape (n,)."""
        return np.diff(self.ring_offsets[self.annotation_offsets])

    def as_polygons(self, rows: IntArray, *, keep_repeated: bool = False) -> Polygons:
        """Every ring of these annotations (-1 for none) as a part of its own, closed."""
        arrays = _closed_rings(self.coordinates, self.ring_offsets, self.annotation_offsets, rows)
        return Polygons.from_ragged(*arrays, keep_repeated=keep_repeated)


@dataclass(slots=True)
class Admission:
    """What became of the rings of a batch, by row of the batch.

    Attributes
    ----------
    direct : ndarray of bool
        The stored rings are the parts of the polygon, each valid and none meeting another.
    shapes : dict of int to Polygon or MultiPolygon
        The polygons of the others that have one.
    faults : dict of int to str
        Why there is none.
    found : list of (code, row, detail)
    """

    direct: BoolArray
    shapes: dict[int, Any] = field(default_factory=dict)
    faults: dict[int, str] = field(default_factory=dict)
    found: list[tuple[str, int, str]] = field(default_factory=list)


def admit_rings(
    xy: FloatArray,
    ring_offsets: IntArray,
    row_offsets: IntArray,
    stored_areas: FloatArray,
    invalid: Invalid,
    nested: NestedRings,
) -> Admission:
    """Make polygons of stored rings, each annotation one polygon or multipolygon.

    Raises
    ------
    GeometryError
        A ring is invalid and `invalid` is "fail"; the message starts with the row.
    """
    simple = _simple(xy, ring_offsets)
    _ask_geos(xy, ring_offsets, simple)
    out = Admission(_apart(xy, ring_offsets, row_offsets, simple))
    rows = np.flatnonzero(~out.direct & (np.diff(row_offsets) > 0))
    if len(rows) == 0:
        return out
    chosen = np.repeat(~out.direct, np.diff(row_offsets))
    owner = np.repeat(np.arange(len(out.direct)), np.diff(row_offsets))[chosen]
    rings = np.flatnonzero(chosen)
    shapes, whys = _admit_rings(out, xy, ring_offsets, rings, owner, simple[rings], invalid)
    starts = np.searchsorted(owner, rows)
    for row, start, stop in zip(rows.tolist(), starts, [*starts[1:], len(owner)], strict=True):
        found, bad = shapes[start:stop], [why for why in whys[start:stop] if why]
        _admit_row(out, row, found[~shapely.is_missing(found)], bad, stored_areas[row], nested)
    return out


def _ask_geos(xy: FloatArray, ring_offsets: IntArray, simple: BoolArray) -> None:
    """Set `simple` for the rings that are valid though that was not proven."""
    usable = ~simple & (np.diff(ring_offsets) > 3)
    finite = np.concatenate([[0], np.cumsum(~np.isfinite(xy).all(axis=1))])
    usable &= np.diff(finite[ring_offsets]) == 0
    asked = np.flatnonzero(usable)
    if len(asked) == 0:
        return
    owner = np.repeat(np.arange(len(simple)), np.diff(ring_offsets))
    chosen = usable[owner]
    place = np.cumsum(usable) - 1
    rings = shapely.polygons(shapely.linearrings(xy[chosen], indices=place[owner[chosen]]))
    simple[asked] = shapely.is_valid(rings) & (shapely.area(rings) > 0)


def _admit_rings(
    out: Admission,
    xy: FloatArray,
    ring_offsets: IntArray,
    rings: IntArray,
    owner: IntArray,
    simple: BoolArray,
    invalid: Invalid,
) -> tuple[NDArray[np.object_], list[str]]:
    """Each of these rings as a valid polygon, or None and why there is none."""
    shapes = np.full(len(rings), None, dtype=object)
    whys = [""] * len(rings)
    doubtful = np.flatnonzero(~simple)
    places, polygons = take_apart(xy, ring_offsets, rings[doubtful])
    shapes[doubtful[places]] = polygons
    out.found += [("bridge", row, "") for row in owner[doubtful[places]].tolist()]
    broken = []
    for k in np.flatnonzero(shapely.is_missing(shapes)).tolist():
        ring = rings[k]
        points = xy[ring_offsets[ring] : ring_offsets[ring + 1]]
        whys[k] = "" if simple[k] else _no_ring(points)
        if not whys[k]:
            shapes[k] = shapely.Polygon(points)
            if not simple[k]:
                broken.append(k)
    try:
        admitted = admit(shapes[broken], np.zeros(len(broken), dtype=bool), invalid)
    except GeometryError as error:
        place, _, reason = error.message.partition(": ")
        row = owner[broken[int(place)]]
        raise GeometryError(f"{row}: {reason}", hint=error.hint) from error
    replaced = np.full(len(broken), None, dtype=object)
    replaced[admitted.rows] = admitted.shapes
    shapes[broken] = replaced
    for finding in admitted.findings:
        k = broken[finding.row]
        if finding.what.startswith(_DEGENERATE):
            whys[k] = "no area"
        elif finding.action == "skipped":
            whys[k] = _DROPPED
            out.found.append(("invalid-dropped", int(owner[k]), finding.what))
        elif finding.what == _BRIDGE:
            out.found.append(("bridge", int(owner[k]), ""))
        else:
            out.found.append(("invalid-ring", int(owner[k]), finding.what))
    return shapes, whys


def _no_ring(points: FloatArray) -> str:
    """Why these points are no ring at all; "" where they are one."""
    if not np.isfinite(points).all():
        return "a coordinate that is not finite"
    closed = len(points) > 1 and bool((points[0] == points[-1]).all())
    if len(points) - closed < 3:
        return "4 numbers, a box" if len(points) == 2 else "fewer than 3 points"
    return ""


def _admit_row(
    out: Admission,
    row: int,
    shapes: NDArray[np.object_],
    whys: list[str],
    stored_area: float,
    nested: NestedRings,
) -> None:
    """Make the polygon of one annotation of its rings that are polygons."""
    if _DROPPED in whys:
        out.faults[row] = f"with {_DROPPED} (--invalid drop)"
        return
    if len(shapes) == 0:
        out.faults[row] = f"with {whys[0]}"
        return
    if whys:
        out.found.append(("ring-left-out", row, f"with {whys[0]}"))
    out.shapes[row] = (
        shapes[0] if len(shapes) == 1 else _join(out, row, shapes, stored_area, nested)
    )


def _join(
    out: Admission,
    row: int,
    column: NDArray[np.object_],
    stored_area: float,
    nested: NestedRings,
) -> Any:
    """One polygon or multipolygon of several."""
    outer, inner = shapely.STRtree(column).query(column, predicate="contains")
    areas = shapely.area(column)
    inside = areas[inner] < areas[outer]
    outer, inner = outer[inside], inner[inside]
    union = shapely.union_all(column)
    if len(inner) == 0:
        whole = shapely.MultiPolygon(list(shapely.get_parts(column)))
        if whole.is_valid:
            return whole
        out.found.append(("overlapping-rings", row, ""))
        return union
    depths = np.bincount(inner, minlength=len(column))
    holes = union
    # From outside inwards, rings in turn add and take away.
    for k in np.argsort(depths, kind="stable"):
        if depths[k] % 2:
            holes = shapely.difference(holes, column[k])
        elif depths[k]:
            holes = shapely.union(holes, column[k])
    if nested == "holes":
        out.found.append(("nested-hole", row, ""))
        return holes
    out.found.append(("nested-ring", row, _evidence(union.area, holes.area, stored_area)))
    return union


def _evidence(united: float, with_holes: float, stored: float) -> str:
    """Which reading the stored area speaks for; it may be rounded or counted in pixels."""
    if np.isnan(stored):
        return ""
    gap = abs(united - with_holes)
    if abs(stored - with_holes) < 0.25 * gap:
        return "with a stored area that leaves the hole out"
    if abs(stored - united) < 0.25 * gap:
        return "with a stored area that counts both"
    return ""


class RingCollector:
    """Takes the rings of one side, batch by batch."""

    def __init__(self) -> None:
        self.coordinates = Growing(np.float64, 2)
        self.ring_ends = Growing(np.int64)
        self.annotation_ends = Growing(np.int64)

    def extend(self, xy: FloatArray, ring_points: IntArray, ring_counts: IntArray) -> None:
        """Add rings of so many points each, so many of them an annotation."""
        self.annotation_ends.extend(grown_offsets(ring_counts, len(self.ring_ends)))
        self.ring_ends.extend(grown_offsets(ring_points, len(self.coordinates)))
        self.coordinates.extend(xy)

    def finish(self) -> StoredRings:
        """All of them."""
        zero = np.zeros(1, dtype=np.int64)
        return StoredRings(
            self.coordinates.finish(),
            np.concatenate([zero, self.ring_ends.finish()]),
            np.concatenate([zero, self.annotation_ends.finish()]),
        )


def assemble(
    rings: StoredRings,
    direct: BoolArray,
    others: Polygons,
    slots: IntArray,
    rows: IntArray,
    *,
    keep_repeated: bool = False,
) -> Polygons:
    """The polygons of these annotations: stored rings, closed, or from `others` at their slot."""
    stored = rings.as_polygons(np.where(direct[rows], rows, -1), keep_repeated=keep_repeated)
    replaced = np.flatnonzero(slots[rows] >= 0)
    if len(replaced) == 0:
        return stored
    order = np.arange(len(rows))
    order[replaced] = len(rows) + np.arange(len(replaced))
    both = Polygons.concatenate([stored, others.take(slots[rows[replaced]])])
    return both.take(order)


@jit
def _closed(xy: FloatArray, rings: IntArray) -> BoolArray:
    out = np.zeros(len(rings) - 1, dtype=np.bool_)
    for k in range(len(out)):
        a, b = rings[k], rings[k + 1] - 1
        out[k] = b > a and xy[a, 0] == xy[b, 0] and xy[a, 1] == xy[b, 1]
    return out


@jit
def _closed_rings(
    xy: FloatArray, rings: IntArray, annotations: IntArray, rows: IntArray
) -> tuple[FloatArray, IntArray, IntArray, IntArray]:
    """Stored rings of these annotations (-1 for none) as GeoArrow parts, each closed."""
    points, count = 0, 0
    for i in rows:
        if i >= 0:
            for k in range(annotations[i], annotations[i + 1]):
                points += rings[k + 1] - rings[k] + 1
                count += 1
    out = np.empty((points, 2))
    ring_offsets = np.zeros(count + 1, dtype=np.int64)
    features = np.zeros(len(rows) + 1, dtype=np.int64)
    n, ring = 0, 0
    for j in range(len(rows)):
        i = rows[j]
        if i >= 0:
            for k in range(annotations[i], annotations[i + 1]):
                first = n
                for v in range(rings[k], rings[k + 1]):
                    out[n] = xy[v]
                    n += 1
                if out[first, 0] != out[n - 1, 0] or out[first, 1] != out[n - 1, 1]:
                    out[n] = out[first]
                    n += 1
                ring += 1
                ring_offsets[ring] = n
        features[j + 1] = ring
    return out[:n], ring_offsets, np.arange(count + 1), features


@jit
def _simple(xy: FloatArray, rings: IntArray) -> BoolArray:
    """Rings proven valid and with area: finite, no two edges meet but neighbours at their corner.

    A proof only: what is doubtful in rounding, or long, is not claimed.
    """
    out = np.zeros(len(rings) - 1, dtype=np.bool_)
    for k in range(len(out)):
        a, b = rings[k], rings[k + 1]
        if b - a > 1 and xy[a, 0] == xy[b - 1, 0] and xy[a, 1] == xy[b - 1, 1]:
            b -= 1
        if 3 <= b - a <= _SHORT:
            out[k] = _is_simple(xy, a, b)
    return out


@inner
def _is_simple(xy: FloatArray, a: int, b: int) -> bool:
    n = b - a
    size = 0.0
    for k in range(a, b):
        for c in range(2):
            if not np.isfinite(xy[k, c]):
                return False
            size = max(size, abs(xy[k, c] - xy[a, c]))
    # Rounding of an orientation of points within `size` of each other, with room to spare.
    slack = 1e-14 * size * size
    for i in range(n):
        px, py = xy[a + i, 0], xy[a + i, 1]
        qx, qy = xy[a + (i + 1) % n, 0], xy[a + (i + 1) % n, 1]
        ex, ey = qx - px, qy - py
        if ex * ex + ey * ey <= slack:
            return False
        rx, ry = xy[a + (i + 2) % n, 0], xy[a + (i + 2) % n, 1]
        turn = ex * (ry - qy) - ey * (rx - qx)
        # The next edge may go straight on, but not back along this one.
        if abs(turn) <= slack and ex * (rx - qx) + ey * (ry - qy) <= 0:
            return False
        for j in range(i + 2, n):
            if i == 0 and j == n - 1:
                continue
            sx, sy = xy[a + j, 0], xy[a + j, 1]
            tx, ty = xy[a + (j + 1) % n, 0], xy[a + (j + 1) % n, 1]
            if max(sx, tx) < min(px, qx) or max(px, qx) < min(sx, tx):
                continue
            if max(sy, ty) < min(py, qy) or max(py, qy) < min(sy, ty):
                continue
            d1 = ex * (sy - py) - ey * (sx - px)
            d2 = ex * (ty - py) - ey * (tx - px)
            if (d1 > slack and d2 > slack) or (d1 < -slack and d2 < -slack):
                continue
            fx, fy = tx - sx, ty - sy
            d3 = fx * (py - sy) - fy * (px - sx)
            d4 = fx * (qy - sy) - fy * (qx - sx)
            if (d3 > slack and d4 > slack) or (d3 < -slack and d4 < -slack):
                continue
            return False
    return True


@jit
def _apart(xy: FloatArray, rings: IntArray, annotations: IntArray, simple: BoolArray) -> BoolArray:
    """Annotations whose rings are all simple and whose rings' boxes do not meet."""
    out = np.zeros(len(annotations) - 1, dtype=np.bool_)
    for i in range(len(out)):
        first, last = annotations[i], annotations[i + 1]
        fine = last > first
        for k in range(first, last):
            fine = fine and simple[k]
        # Many parts: left to the tree that GEOS has.
        fine = fine and last - first <= _SHORT
        if fine and last - first > 1:
            boxes = np.empty((last - first, 4))
            for k in range(first, last):
                boxes[k - first, :2] = np.inf
                boxes[k - first, 2:] = -np.inf
                for v in range(rings[k], rings[k + 1]):
                    for c in range(2):
                        boxes[k - first, c] = min(boxes[k - first, c], xy[v, c])
                        boxes[k - first, 2 + c] = max(boxes[k - first, 2 + c], xy[v, c])
            for k in range(len(boxes)):
                for m in range(k):
                    if (
                        boxes[k, 0] <= boxes[m, 2]
                        and boxes[m, 0] <= boxes[k, 2]
                        and boxes[k, 1] <= boxes[m, 3]
                        and boxes[m, 1] <= boxes[k, 3]
                    ):
                        fine = False
        out[i] = fine
    return out
