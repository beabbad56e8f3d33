"""What GDAL passes over in silence in a GeoJSON file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pyproj

from polygauge.errors import CrsError, ReadError
from polygauge.io import _json_text as json_text

_CRS_MEMBER = re.compile(r'"crs"\s*:\s*\{[^}]*?"name"\s*:\s*"([^"]+:[^"]+)"')
_HEAD = 65_536  # bytes at the start of a file in which its crs member is looked for
_RECORD_SEPARATOR = b"\x1e"
_GEOMETRIES = ("Polygon", "MultiPolygon", "GeometryCollection", "Point", "MultiPoint",
               "LineString", "MultiLineString")  # fmt: skip


def unknown_crs(place: Path) -> CrsError | None:
    """What is wrong with the `crs` member of a GeoJSON that names no CRS.

    GDAL would take such a file for degrees unasked. The member stands before the features in every
    file that has one.
    """
    with place.open("rb") as stream:
        named = _CRS_MEMBER.search(stream.read(_HEAD).decode("utf-8", "replace"))
    if named is None:
        return None
    try:
        pyproj.CRS.from_user_input(named[1])
    except pyproj.exceptions.CRSError:
        return CrsError(
            f"{place} names a CRS that is not known: {named[1]}",
            hint="correct its crs member, or pass --reference-crs or --prediction-crs",
        )
    return None


def check_complete(place: Path, driver: str, count: int) -> None:
    """Refuse a file of which GDAL read only `count` features though there are more.

    GDAL leaves out what is not a Feature, lines that are not JSON, and what follows the first value
    of a file, all without a word.

    Raises
    ------
    ReadError
        With the first record that was left out.
    """
    if driver == "GeoJSONSeq":
        records, unit = _records, "record"
    else:
        records, unit = _features, "feature"
    if sum(1 for _ in records(place)) == count:
        return
    for number, record in records(place):
        wrong = _fault(record)
        if wrong:
            raise ReadError(
                f"{place}, {unit} {number}: {wrong}",
                hint="GDAL would leave it out without a word; correct or remove it",
            )
    raise ReadError(
        f"{place} has {sum(1 for _ in records(place))} {unit}s but GDAL reads {count}",
        hint="convert it to GeoPackage, or look for what is unusual in it",
    )


def _records(place: Path) -> Iterator[tuple[int, bytes]]:
    """The texts of a sequence and their places, from 1: lines, or what separators part."""
    with place.open("rb") as stream:
        if stream.read(1) == _RECORD_SEPARATOR:
            pieces: Iterator[bytes] = iter(stream.read().split(_RECORD_SEPARATOR))
        else:
            stream.seek(0)
            pieces = iter(stream)
        for number, piece in enumerate(pieces, start=1):
            if piece.strip():
                yield number, piece


def _features(place: Path) -> Iterator[tuple[int, bytes]]:
    """The members of a collection and their places, from 1; a single feature or geometry is one."""
    text = json_text.mapped(place)
    try:
        top = json_text.members(text)
    except ValueError as error:
        raise ReadError(f"{place}: {error}", hint="write the file again") from error
    end = json_text.rest(text)
    if end < len(text):
        raise ReadError(
            f"{place}: the JSON ends at byte {end}, but the file goes on",
            hint="a file is one collection, or one Feature a line",
        )
    spans = json_text.elements(text, top["features"]) if "features" in top else [(0, end)]
    for number, (start, stop) in enumerate(spans, start=1):
        yield number, text[start:stop].tobytes()


def _fault(record: bytes) -> str:
    """Why a text is no Feature; empty where it is one."""
    try:
        value = json.loads(record.decode("utf-8-sig"))
    except ValueError as error:
        return f"not JSON: {error}"
    kind = value.get("type") if isinstance(value, dict) else None
    if kind == "Feature" or kind in _GEOMETRIES:
        return ""
    return f"not a Feature but {kind or type(value).__name__}"
