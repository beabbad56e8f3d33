"""GeoParquet: its metadata, and both of its geometry encodings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyproj
import shapely
from numpy.typing import NDArray

from polygauge.errors import LayerError

# GeoArrow encodings of what can be measured, with their levels of nesting above the coordinates.
_NATIVE = {
    "polygon": (shapely.GeometryType.POLYGON, 2),
    "multipolygon": (shapely.GeometryType.MULTIPOLYGON, 3),
}


def read_geo_metadata(
    place: Path, schema: pa.Schema, metadata: dict[bytes, bytes], geometry: str | None
) -> tuple[str, str, pyproj.CRS | None]:
    """Geometry column, its encoding, and its CRS (longitude and latitude where left out)."""
    raw = metadata.get(b"geo")
    described: dict[str, Any] = {}
    primary = None
    if raw is not None:
        try:
            document = json.loads(raw)
            described, primary = document["columns"], document["primary_column"]
        except (ValueError, KeyError, TypeError) as error:
            raise LayerError(
                f"{place} has broken GeoParquet metadata: {error}", hint="write the file again"
            ) from error
    column = geometry or primary or ("geometry" if "geometry" in schema.names else None)
    if column is None or column not in schema.names:
        raise LayerError(
            f"{place} has no geometry column{f' {column!r}' if column else ''}; its columns: "
            f"{', '.join(schema.names)}",
            hint="name it with --geometry",
        )
    entry = described.get(column)
    if entry is None:
        return column, "WKB", None
    crs = entry.get("crs", "OGC:CRS84")
    return (
        column,
        str(entry.get("encoding", "WKB")),
        None if crs is None else pyproj.CRS.from_user_input(crs),
    )


def parse_geometry(column: pa.Array, encoding: str) -> NDArray[np.object_]:
    """Shapely geometries of an Arrow column; None where missing or not parsable."""
    kind = encoding.lower()
    if kind in _NATIVE:
        return _from_native(column, *_NATIVE[kind])
    if kind != "wkb" or not (
        pa.types.is_binary(column.type) or pa.types.is_large_binary(column.type)
    ):
        raise LayerError(
            f"geometry of type {column.type} in encoding {encoding!r} is not polygons",
            hint="WKB and the native polygon and multipolygon encodings are read",
        )
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
    shapes = shapely.from_ragged_array(
        kind, np.ascontiguousarray(coordinates), tuple(reversed(offsets))
    )
    shapes[missing] = None
    return np.asarray(shapes, dtype=object)
