"""Files and frames of polygons as streams of batches; one file a format."""

from __future__ import annotations

import os
from pathlib import Path

from polygauge.errors import LayerError
from polygauge.io.formats._csv import csv_source
from polygauge.io.formats._frame import frame_source
from polygauge.io.formats._ogr import ogr_layers, ogr_source
from polygauge.io.formats._parquet import parquet_source
from polygauge.io.formats._source import (
    Batch,
    Source,
    check_readable,
    is_scalar_column,
    parse_crs,
    reading,
    starts_with,
)

__all__ = [
    "Batch",
    "Source",
    "frame_source",
    "is_scalar_column",
    "layer_names",
    "open_source",
    "parse_crs",
    "reading",
]

_PARQUET_ENDINGS = (".parquet", ".geoparquet", ".pq")
_CSV_ENDINGS = (".csv", ".tsv")


def open_source(
    path: str | os.PathLike[str], *, layer: str | None = None, geometry: str | None = None
) -> Source:
    """Open a file of polygons.

    Parameters
    ----------
    path : path
    layer : str, optional
        Layer of a file that has several.
    geometry : str, optional
        Geometry column of a CSV or Parquet file; other formats know theirs.

    Raises
    ------
    ReadError
        There is no such file, or it is no vector file.
    LayerError
        The layer or geometry column does not exist, or there are several and none is named.
    """
    place = Path(path)
    check_readable(place)
    with reading(place):
        if not _has_one_table(place):
            source = ogr_source(place, layer)
            if geometry is not None:
                source.notes.append(f"{place}: --geometry is for CSV and Parquet; not used here")
            return source
        if layer is not None:
            raise LayerError(
                f"{place} has no layer {layer!r}: Parquet and CSV files have no layers",
                hint="leave --reference-layer or --prediction-layer out for it",
            )
        return csv_source(place, geometry) if _is_csv(place) else parquet_source(place, geometry)


def layer_names(path: str | os.PathLike[str]) -> list[str | None]:
    """What `open_source` takes as `layer`: the layers with geometry; None for a plain table.

    Raises
    ------
    ReadError
        The file cannot be read.
    """
    place = Path(path)
    check_readable(place)
    if _has_one_table(place):
        return [None]
    with reading(place):
        return [name for name, kind in ogr_layers(place) if kind != "None"]


def _is_csv(place: Path) -> bool:
    return place.suffix.lower() in _CSV_ENDINGS


def _has_one_table(place: Path) -> bool:
    """Whether the file is CSV or Parquet, which have no layers."""
    return (
        _is_csv(place)
        or place.suffix.lower() in _PARQUET_ENDINGS
        or (place.is_file() and starts_with(place, b"PAR1"))
    )
