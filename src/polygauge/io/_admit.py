"""Validity, decided once: from any geometries to valid polygons, and a word on every other one."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray

from polygauge.errors import GeometryError
from polygauge.io._options import Invalid

_COLLECTION = 7
_POLYGONAL = (3, 6)
_PLACE = re.compile(r"\[(.*)\]$")

# From here on neighbouring numbers of 64 bits are an eighth of a unit apart.
_FARTHEST = 1e15

# Repaired area and the signed area of the rings agree to this where nothing but zero-width pieces
# was removed.
_SAME_AREA = 1e-9


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found with one geometry of a batch."""

    row: int
    what: str
    where: str
    action: str


@dataclass(frozen=True, slots=True, eq=False)
class Admitted:
    """The usable geometries of a batch.

    Attributes
    ----------
    shapes : ndarray of Polygon and MultiPolygon, shape (k,)
        Valid, two-dimensional, with area.
    rows : ndarray of int64, shape (k,)
        Their places in the batch.
    findings : list of Finding
    heights : int
        Polygons that had Z or M.
    polygonal : int
        Geometries that were polygons or collections with some.
    invalid : int
        Polygons that were not valid.
    """

    shapes: NDArray[np.object_]
    rows: NDArray[np.int64]
    findings: list[Finding]
    heights: int
    polygonal: int
    invalid: int


def admit(
    geometry: NDArray[np.object_], unreadable: NDArray[np.bool_], invalid: Invalid
) -> Admitted:
    """Take the polygons of a batch; repair, drop or refuse the invalid ones.

    Raises
    ------
    GeometryError
        `invalid` is "fail" and there is one; its message starts with the place in the batch.
    """
    shapes = geometry.copy()
    findings: list[Finding] = []
    kinds = shapely.get_type_id(shapes)

    def skip(chosen: NDArray[np.bool_], what: str) -> None:
        findings.extend(Finding(int(r), what, "", "skipped") for r in np.flatnonzero(chosen))
        shapes[chosen] = None

    skip(unreadable, "unreadable geometry")
    skip((kinds < 0) & ~unreadable, "null geometry")
    skip(shapely.is_empty(shapes), "empty geometry")
    for row in np.flatnonzero((kinds == _COLLECTION) & ~shapely.is_missing(shapes)):
        part = polygonal_part(shapes[row])
        if part is not None:
            shapes[row] = part
            findings.append(Finding(int(row), "collection: polygonal part kept", "", "repaired"))
    kinds = shapely.get_type_id(shapes)
    for kind in np.unique(kinds[(kinds >= 0) & ~np.isin(kinds, _POLYGONAL)]):
        name = shapely.GeometryType(kind).name
        words = {"LINESTRING": "LineString", "MULTILINESTRING": "MultiLineString",
                 "LINEARRING": "LinearRing", "POINT": "Point", "MULTIPOINT": "MultiPoint",
                 "GEOMETRYCOLLECTION": "GeometryCollection"}  # fmt: skip
        skip(kinds == kind, f"not a polygon ({words[name]})")

    polygonal = int((~shapely.is_missing(shapes)).sum())
    heights = int((shapely.has_z(shapes) | shapely.has_m(shapes)).sum())
    shapes = np.asarray(shapely.force_2d(shapes), dtype=object)
    points, owner = shapely.get_coordinates(shapes, return_index=True)
    infinite = np.zeros(len(shapes), dtype=bool)
    infinite[owner[~np.isfinite(points).all(axis=1)]] = True
    skip(infinite, "not finite")
    distant = np.zeros(len(shapes), dtype=bool)
    distant[owner[(np.abs(points) > _FARTHEST).any(axis=1)]] = True
    skip(distant & ~infinite, f"coordinates beyond {_FARTHEST:g}")

    broken = np.flatnonzero(~shapely.is_valid(shapes) & ~shapely.is_missing(shapes))
    for row in broken:
        reason = shapely.is_valid_reason(shapes[row])
        if invalid == "fail":
            raise GeometryError(f"{row}: {reason}", hint="pass --invalid repair or drop")
        found, repaired = _repair(shapes[row], reason)
        where = "".join(_PLACE.findall(reason)[:1])
        if repaired is None or invalid == "drop":
            findings.append(Finding(int(row), found, where, "skipped"))
            shapes[row] = None
        else:
            findings.append(Finding(int(row), found, where, "repaired"))
            shapes[row] = repaired
    rows = np.flatnonzero(~shapely.is_missing(shapes))
    return Admitted(shapes[rows], rows, findings, heights, polygonal, len(broken))


def polygonal_part(shape: shapely.Geometry) -> shapely.Geometry | None:
    """All polygons in a geometry of any kind, as one geometry; None where there are none."""
    parts = np.array([shape], dtype=object)
    # Ids above a polygon's are those of multi-geometries and collections.
    while (shapely.get_type_id(parts) > _POLYGONAL[0]).any():
        parts = shapely.get_parts(parts)
    polygons = parts[(shapely.get_type_id(parts) == _POLYGONAL[0]) & ~shapely.is_empty(parts)]
    if len(polygons) == 0:
        return None
    return polygons[0] if len(polygons) == 1 else shapely.MultiPolygon(list(polygons))


def _repair(shape: shapely.Geometry, reason: str) -> tuple[str, shapely.Geometry | None]:
    """What is wrong with an invalid polygon, and its valid polygonal part with area, if any.

    Each part is repaired for itself (even-odd for crossing rings) and the parts are united, so that
    overlapping parts do not cancel.
    """
    parts = [part for part in shapely.get_parts(shape) if not _is_hollow(part)]
    repaired = shapely.union_all(shapely.make_valid(parts))
    part = polygonal_part(repaired)
    if part is None or part.area == 0:
        return "degenerate: no area", None
    same_area = abs(part.area - _drawn_area(shape)) <= _SAME_AREA * part.area
    holes, holes_before = _count_holes(part), _count_holes(shape)
    if same_area and holes > holes_before:
        return "bridge to a hole", part
    if (
        same_area
        and holes == holes_before
        and len(shapely.get_parts(part)) == len(shapely.get_parts(shape))
    ):
        return "spike", part
    return reason.split("[", maxsplit=1)[0].strip().lower().replace("ring self", "self"), part


def _is_hollow(polygon: shapely.Polygon) -> bool:
    """Whether a hole takes the whole polygon away."""
    exterior = shapely.Polygon(polygon.exterior)
    return any(shapely.equals(exterior, shapely.Polygon(hole)) for hole in polygon.interiors)


def _drawn_area(shape: shapely.Geometry) -> float:
    """Area as the rings are drawn: the shoelace sum of each exterior less its interiors."""
    total = 0.0
    for part in shapely.get_parts(shape):
        total += float(shapely.area(shapely.Polygon(part.exterior)))
        total -= float(sum(shapely.area(shapely.Polygon(ring)) for ring in part.interiors))
    return total


def _count_holes(shape: shapely.Geometry) -> int:
    return int(shapely.get_num_interior_rings(shapely.get_parts(shape)).sum())
