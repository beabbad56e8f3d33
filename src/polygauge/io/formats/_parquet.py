"""GeoParquet: its metadata, and both of its geometry encodings."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import shapely
from numpy.typing import NDArray

from polygauge.errors import LayerError
from polygauge.io.formats import _source
from polygauge.io.formats._source import Batch, Source, file_crs, make_batch, reading, to_numpy

# GeoArrow encodings of what can be measured, with their levels of nesting above the coordinates.
_NATIVE = {
    "polygon": (shapely.GeometryType.POLYGON, 2),
    "multipolygon": (shapely.GeometryType.MULTIPOLYGON, 3),
}
_LONGITUDE_LATITUDE = "OGC:CRS84"  # what GeoParquet means where it names no CRS


def parquet_source(place: Path, geometry: str | None) -> Source:
    """A GeoParquet file, or a Parquet file with a column of WKB."""
    file = pq.ParquetFile(place)
    schema = file.schema_arrow
    # Some writers put `geo` into the file's own metadata, others into the Arrow schema's.
    metadata = {**(schema.metadata or {}), **(file.metadata.metadata or {})}
    described, primary = _geo_metadata(place, metadata.get(b"geo"))
    column = geometry or primary or ("geometry" if "geometry" in schema.names else None)
    if column is None or column not in schema.names:
        raise LayerError(
            f"{place} has no geometry column{f' {column!r}' if column else ''}; its columns: "
            f"{', '.join(schema.names)}",
            hint="name it with --geometry",
        )
    entry = described.get(column, {"crs": None})
    encoding = str(entry.get("encoding", "WKB"))
    crs, crs_error = file_crs(entry.get("crs", _LONGITUDE_LATITUDE), place)
    _check_encoding(place, schema.field(column).type, encoding)

    def batches(names: Sequence[str]) -> Iterator[Batch]:
        with reading(place):
            for record in file.iter_batches(batch_size=_source.BATCH, columns=[column, *names]):
                shapes = record.column(column)
                yield make_batch(
                    parse_geometry(shapes, encoding),
                    np.asarray(shapes.is_null()),
                    {name: to_numpy(record.column(name)) for name in names},
                )

    columns = {f.name: str(f.type) for f in schema if f.name != column}
    return Source(str(place), crs, columns, batches, crs_error)


def _geo_metadata(place: Path, raw: bytes | None) -> tuple[dict[str, dict[str, Any]], str | None]:
    """The entries of the geometry columns, and the name of the primary one."""
    if raw is None:
        return {}, None
    try:
        document = json.loads(raw)
        columns, primary = document["columns"], document["primary_column"]
        described = {str(name): dict(entry) for name, entry in columns.items()}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise LayerError(
            f"{place} has broken GeoParquet metadata: {error}", hint="write the file again"
        ) from error
    return described, str(primary)


def _check_encoding(place: Path, kind: pa.DataType, encoding: str) -> None:
    """Refuse a column that cannot hold what its encoding says.

    Raises
    ------
    LayerError
        It is no column of polygons.
    """
    if encoding.lower() in _NATIVE:
        _, levels = _NATIVE[encoding.lower()]
        inner = kind
        for _ in range(levels):
            if not (pa.types.is_list(inner) or pa.types.is_large_list(inner)):
                break
            inner = inner.value_type
        else:
            if pa.types.is_struct(inner) or pa.types.is_fixed_size_list(inner):
                return
    elif encoding.lower() == "wkb" and (pa.types.is_binary(kind) or pa.types.is_large_binary(kind)):
        return
    raise LayerError(
        f"{place}: a geometry column of type {kind} in encoding {encoding!r} holds no polygons",
        hint="WKB and the native polygon and multipolygon encodings are read",
    )


def parse_geometry(column: pa.Array, encoding: str) -> NDArray[np.object_]:
    """Shapely geometries of an Arrow column; None where missing or not parsable."""
    kind = encoding.lower()
    if kind in _NATIVE:
        return _from_native(column, *_NATIVE[kind])
    # Coordinates that are not numbers are judged later; the parser need not complain of them.
    with np.errstate(invalid="ignore"):
        shapes = shapely.from_wkb(column.to_numpy(zero_copy_only=False), on_invalid="ignore")
    return np.asarray(shapes, dtype=object)


def _from_native(column: pa.Array, kind: shapely.GeometryType, levels: int) -> NDArray[np.object_]:
    """Geometries from nested lists of coordinates; a null row becomes None."""
    missing = np.asarray(column.is_null())
    offsets = []
    values = column
    for _ in range(levels):
        bounds = np.asarray(values.offsets, dtype=np.int64)
        offsets.append(bounds - bounds[0])
        values = values.values.slice(bounds[0], bounds[-1] - bounds[0])
    if pa.types.is_struct(values.type):
        axes = dict(zip([f.name for f in values.type], values.flatten(), strict=True))
        coordinates = np.column_stack([np.asarray(axes[a]) for a in ("x", "y", "z") if a in axes])
    else:
        width = values.type.list_size
        flat = np.asarray(values.flatten(), dtype=np.float64)
        coordinates = flat.reshape(-1, width)[:, :3]
    coordinates = np.ascontiguousarray(coordinates)
    try:
        shapes = shapely.from_ragged_array(kind, coordinates, tuple(reversed(offsets)))
    except (shapely.errors.GEOSException, ValueError):
        shapes = _row_by_row(kind, coordinates, offsets)
    shapes[missing] = None
    return np.asarray(shapes, dtype=object)


def _row_by_row(
    kind: shapely.GeometryType, coordinates: NDArray[np.float64], offsets: list[NDArray[np.int64]]
) -> NDArray[np.object_]:
    """The same where some ring is none, having too few points or being open: None in its row."""
    shapes = np.full(len(offsets[0]) - 1, None, dtype=object)
    for row in range(len(shapes)):
        start, stop = row, row + 1
        pieces = []
        for level in offsets:
            pieces.append(level[start : stop + 1] - level[start])
            start, stop = level[start], level[stop]
        try:
            made = shapely.from_ragged_array(kind, coordinates[start:stop], tuple(reversed(pieces)))
        except (shapely.errors.GEOSException, ValueError):
            continue
        shapes[row] = made[0]
    return shapes
