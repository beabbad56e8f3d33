"""CSV with a column of WKT."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from polygauge.errors import LayerError, ReadError
from polygauge.io.formats import _source
from polygauge.io.formats._source import Batch, Source, make_batch, reading

_WKT_NAMES = ("wkt", "geometry", "geom", "the_geom", "polygonwkt_pix")
# An integer as Python prints it and 64 bits hold.
_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,17}")


def csv_source(place: Path, geometry: str | None) -> Source:
    """A CSV file in UTF-8, with commas, semicolons, tabs or bars between its fields.

    CSV has no types. A column holds integers where every value in the file is one and is written as
    Python would write it; all else stays text, so `007` and ids of 20 digits keep their digits.
    """
    csv.field_size_limit(2**31 - 1)  # an outline of 300,000 vertices is one field
    rows = _rows(place)
    header = next(rows, [])
    column = _wkt_column(place, header, next(rows, []), geometry)

    def batches(names: Sequence[str]) -> Iterator[Batch]:
        with reading(place):
            wanted = {name: _position(place, header, name) for name in names}
            integers = _integer_columns(place, wanted)
            shape = _position(place, header, column)
            rows = islice(_rows(place), 1, None)
            while chunk := list(islice(rows, _source.BATCH)):
                texts = np.array([row[shape] or None for row in chunk], dtype=object)
                with np.errstate(invalid="ignore"):
                    shapes = shapely.from_wkt(texts, on_invalid="ignore")
                columns = {
                    name: _values([row[k] for row in chunk], name in integers)
                    for name, k in wanted.items()
                }
                yield make_batch(shapes, np.array([t is None for t in texts], dtype=bool), columns)

    return Source(str(place), None, {name: "text" for name in header if name != column}, batches)


def _rows(place: Path) -> Iterator[list[str]]:
    """The header, then every row that is not blank, all of one length."""
    with place.open(newline="", encoding="utf-8-sig") as stream:
        first = stream.readline()
        stream.seek(0)
        reader = csv.reader(stream, delimiter=max(",;\t|", key=first.count), strict=True)
        try:
            header = next(reader, [])
            yield header
            for row in reader:
                if len(row) == len(header):
                    yield row
                elif row:
                    raise ReadError(
                        f"{place}, line {reader.line_num}: {len(row)} fields, but the header has "
                        f"{len(header)}",
                        hint="complete the row; a field that holds the separator needs quotes",
                    )
        except csv.Error as error:
            raise ReadError(
                f"{place}, line {reader.line_num}: {error}",
                hint="look for a quote that is opened and never closed",
            ) from error


def _position(place: Path, header: list[str], name: str) -> int:
    if header.count(name) > 1:
        raise LayerError(
            f"{place} has {header.count(name)} columns named {name!r}", hint="rename them"
        )
    return header.index(name)


def _integer_columns(place: Path, wanted: dict[str, int]) -> set[str]:
    """The columns of which every value that is not empty is a plain integer."""
    left = dict(wanted)
    for row in islice(_rows(place), 1, None):
        for name in [n for n, k in left.items() if row[k] and not _INTEGER.fullmatch(row[k])]:
            del left[name]
        if not left:
            break
    return set(left)


def _values(texts: list[str], integers: bool) -> NDArray[Any]:
    """A column as integers or text; None where a field is empty."""
    if integers and all(texts):
        return np.array(texts, dtype=np.int64)
    values = np.empty(len(texts), dtype=object)
    values[:] = [(int(text) if integers else text) if text else None for text in texts]
    return values


def _wkt_column(place: Path, header: list[str], first: list[str], geometry: str | None) -> str:
    if geometry is not None:
        if geometry not in header:
            raise LayerError(
                f"{place} has no column {geometry!r}", hint=f"its columns: {', '.join(header)}"
            )
        return geometry
    by_name = {name.strip().lower(): name for name in header}
    for name in _WKT_NAMES:
        if name in by_name:
            return by_name[name]
    for name, value in zip(header, first, strict=False):
        if "POLYGON" in value.upper()[:20]:
            return name
    raise LayerError(
        f"{place} has no column with WKT polygons; its columns: {', '.join(header)}",
        hint="name it with --geometry",
    )
