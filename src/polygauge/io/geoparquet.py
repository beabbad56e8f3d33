"""Writing GeoParquet piece by piece, so that memory does not grow with the table."""

from __future__ import annotations

import json
from pathlib import Path
from types import TracebackType
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pyproj
import shapely

from polygauge.geometry import Polygons

PIECE = 65_536
"""Rows written at a time."""


class GeoParquetWriter:
    """A GeoParquet 1.1 file with one WKB geometry column named `geometry`.

    Parameters
    ----------
    path : Path
    schema : pyarrow.Schema
        The other columns.
    crs : str or None
        Anything pyproj understands; None for planar coordinates without a CRS.
    """

    def __init__(self, path: Path, schema: pa.Schema, crs: str | None) -> None:
        column: dict[str, Any] = {
            "encoding": "WKB",
            "geometry_types": [],
            "crs": None if crs is None else pyproj.CRS.from_user_input(crs).to_json_dict(),
        }
        geo = {"version": "1.1.0", "primary_column": "geometry", "columns": {"geometry": column}}
        self.schema = schema.append(pa.field("geometry", pa.binary())).with_metadata(
            {"geo": json.dumps(geo)}
        )
        self._writer = pq.ParquetWriter(path, self.schema, compression="zstd")

    def write(self, columns: list[pa.Array], geometry: pa.Array) -> None:
        """Append rows; `geometry` is WKB."""
        arrays = [*columns, geometry]
        self._writer.write_table(pa.Table.from_arrays(arrays, schema=self.schema))

    def __enter__(self) -> GeoParquetWriter:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._writer.close()


def to_wkb(polygons: Polygons) -> pa.Array:
    """Geometries as a WKB column."""
    return pa.array(shapely.to_wkb(polygons.to_shapely()), type=pa.binary())
