"""Files and frames as streams of batches: geometries, and the columns asked for."""

from __future__ import annotations

import csv
import os
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import geopandas as gpd
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pyogrio
import pyogrio.errors
import pyproj
import shapely
from numpy.typing import NDArray

from polygauge.errors import CrsError, LayerError, ReadError
from polygauge.io._parquet import parse_geometry, read_geo_metadata

BATCH = 50_000
"""Features read at a time."""

WKT_NAMES = ("wkt", "geometry", "geom", "the_geom", "polygonwkt_pix")
PARQUET_ENDINGS = (".parquet", ".geoparquet", ".pq")
CSV_ENDINGS = (".csv", ".tsv")
GEOJSON_ENDINGS = (".geojson", ".json")

_CRS_MEMBER = re.compile(r'"crs"\s*:\s*\{[^}]*?"name"\s*:\s*"([^"]+:[^"]+)"')
_HEAD = 65_536  # bytes at the start of a GeoJSON in which its crs member is looked for

# Everything GDAL and Arrow raise on a file they cannot make sense of.
_BAD_FILE = (
    pyogrio.errors.DataSourceError,
    pyogrio.errors.DataLayerError,
    pyogrio.errors.FeatureError,
    pyogrio.errors.FieldError,
    pyogrio.errors.GeometryError,
    pa.ArrowException,
    OSError,
    RuntimeError,
)


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Some consecutive features.

    Attributes
    ----------
    geometry : ndarray of shapely geometries, shape (n,)
        None where there is none.
    unreadable : ndarray of bool, shape (n,)
        Where there was one that cannot be parsed.
    columns : dict of str to ndarray, shape (n,)
    """

    geometry: NDArray[np.object_]
    unreadable: NDArray[np.bool_]
    columns: dict[str, NDArray[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """A layer that can be read batch by batch.

    Attributes
    ----------
    name : str
        For messages: the path, and the layer where the file has several.
    crs : pyproj.CRS or None
    columns : dict of str to str
        Names and types of all attributes.
    batches : callable
        `batches(names)` yields the features with those columns.
    notes : list of str
        What the reading library had to say.
    """

    name: str
    crs: pyproj.CRS | None
    columns: dict[str, str]
    batches: Callable[[Sequence[str]], Iterator[Batch]]
    notes: list[str] = field(default_factory=list)


def open_source(
    path: str | os.PathLike[str], *, layer: str | None = None, geometry: str | None = None
) -> Source:
    """Open a file of polygons.

    Raises
    ------
    ReadError
        There is no such file, or it is no vector file.
    LayerError
        The layer or geometry column does not exist, or there are several and none is named.
    """
    place = Path(path)
    check_readable(place)
    ending = place.suffix.lower()
    with reading(place):
        if ending in PARQUET_ENDINGS or _starts_with(place, b"PAR1"):
            return _parquet_source(place, geometry)
        if ending in CSV_ENDINGS:
            return _csv_source(place, geometry)
        return _ogr_source(place, layer)


def check_readable(place: Path) -> None:
    """Refuse what cannot be a layer before a library words it less clearly."""
    if not place.exists():
        raise ReadError(f"there is no file {place}", hint="check the path")
    if place.is_dir() and place.suffix.lower() != ".gdb":
        raise ReadError(f"{place} is a folder", hint="name a file in it")
    if place.is_file() and place.stat().st_size == 0:
        raise ReadError(f"{place} is empty (0 bytes)", hint="write the file again")


def _starts_with(place: Path, magic: bytes) -> bool:
    if place.is_dir():
        return False
    with place.open("rb") as stream:
        return stream.read(len(magic)) == magic


@contextmanager
def reading(place: str | os.PathLike[str]) -> Iterator[None]:
    """Turn what a reading library raises into an error that names the file."""
    try:
        yield
    except (ReadError, LayerError, CrsError):
        raise
    except UnicodeDecodeError as error:
        raise ReadError(f"{place} is not UTF-8: {error}", hint="save it as UTF-8") from error
    except _BAD_FILE as error:
        raise ReadError(
            f"cannot read {place}: {' '.join(str(error).split())}",
            hint="GeoPackage, GeoParquet, GeoJSON, Shapefile, FlatGeobuf and CSV with WKT are read",
        ) from error


def frame_source(frame: gpd.GeoDataFrame | gpd.GeoSeries) -> Source:
    """A GeoDataFrame or GeoSeries as a source."""
    is_frame = isinstance(frame, gpd.GeoDataFrame)
    geometry = frame.geometry
    attributes = frame.drop(columns=geometry.name) if is_frame else None
    columns = {} if attributes is None else {str(k): str(v) for k, v in attributes.dtypes.items()}

    def batches(names: Sequence[str]) -> Iterator[Batch]:
        for start in range(0, len(frame), BATCH):
            rows = slice(start, start + BATCH)
            shapes = np.asarray(geometry.array[rows], dtype=object)
            chosen = {name: frame[name].to_numpy()[rows] for name in names}
            yield Batch(shapes, np.zeros(len(shapes), dtype=bool), chosen)

    return Source(f"<{type(frame).__name__}>", geometry.crs, columns, batches)


def list_layers(place: Path) -> list[tuple[str, str]]:
    """Names and geometry types of the layers of an OGR file."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [(str(name), str(kind)) for name, kind in pyogrio.list_layers(place)]


def _choose_layer(place: Path, layer: str | None) -> tuple[str, list[str]]:
    """The layer to read and what to say about the choice."""
    layers = list_layers(place)
    names = [name for name, _ in layers]
    if layer is not None:
        if layer not in names:
            raise LayerError(
                f"{place} has no layer {layer!r}", hint=f"its layers: {', '.join(names)}"
            )
        return layer, []
    if len(layers) == 1:
        return names[0], []
    polygonal = [name for name, kind in layers if "Polygon" in kind]
    if len(polygonal) == 1:
        return polygonal[0], [f"{place}: took {polygonal[0]!r}, the only layer of polygons"]
    raise LayerError(
        f"{place} has {len(layers)} layers: {', '.join(names) or 'none'}",
        hint="choose one with --reference-layer or --prediction-layer",
    )


def _ogr_source(place: Path, layer: str | None) -> Source:
    chosen, notes = _choose_layer(place, layer)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        info = pyogrio.read_info(place, layer=chosen)
    _check_named_crs(place)
    columns = dict(zip(map(str, info["fields"]), map(str, info["dtypes"]), strict=True))
    single = len(list_layers(place)) == 1
    name = str(place) if single else f"{place} (layer {chosen})"

    def batches(names: Sequence[str]) -> Iterator[Batch]:
        with reading(place), warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            with pyogrio.open_arrow(
                place, layer=chosen, columns=list(names), batch_size=BATCH, use_pyarrow=True
            ) as (meta, reader):
                shape_column = meta["geometry_name"] or "wkb_geometry"
                for record in reader:
                    shapes = record.column(shape_column)
                    yield _batch(
                        parse_geometry(shapes, "WKB"),
                        shapes,
                        {name: to_numpy(record.column(name)) for name in names},
                    )
            notes.extend(dict.fromkeys(f"{place}: {w.message}" for w in caught))

    return Source(name, parse_crs(info["crs"]), columns, batches, notes)


def _check_named_crs(place: Path) -> None:
    """Refuse a GeoJSON whose `crs` member names no CRS: GDAL would take it for degrees unasked.

    The member stands before the features in every file that has one.
    """
    if place.is_dir() or place.suffix.lower() not in GEOJSON_ENDINGS:
        return
    with place.open("rb") as stream:
        named = _CRS_MEMBER.search(stream.read(_HEAD).decode("utf-8", "replace"))
    if named is None:
        return
    try:
        pyproj.CRS.from_user_input(named[1])
    except pyproj.exceptions.CRSError as error:
        raise CrsError(
            f"{place} names a CRS that is not known: {named[1]}",
            hint="correct its crs member",
        ) from error


def _parquet_source(place: Path, geometry: str | None) -> Source:
    file = pq.ParquetFile(place)
    schema = file.schema_arrow
    # Some writers put `geo` into the file's own metadata, others into the Arrow schema's.
    metadata = {**(schema.metadata or {}), **(file.metadata.metadata or {})}
    column, encoding, crs = read_geo_metadata(place, schema, metadata, geometry)
    columns = {f.name: str(f.type) for f in schema if f.name != column}

    def batches(names: Sequence[str]) -> Iterator[Batch]:
        with reading(place):
            for record in file.iter_batches(batch_size=BATCH, columns=[column, *names]):
                shapes = record.column(column)
                yield _batch(
                    parse_geometry(shapes, encoding),
                    shapes,
                    {name: to_numpy(record.column(name)) for name in names},
                )

    return Source(str(place), crs, columns, batches)


def _csv_source(place: Path, geometry: str | None) -> Source:
    csv.field_size_limit(2**31 - 1)  # an outline of 300,000 vertices is one field
    with place.open(newline="", encoding="utf-8-sig") as stream:
        header_line = stream.readline()
        delimiter = max(",;\t|", key=header_line.count)
        stream.seek(0)
        rows = csv.reader(stream, delimiter=delimiter)
        header = next(rows, [])
        first = next(rows, [])
    column = _wkt_column(place, header, first, geometry)
    columns = {name: "text" for name in header if name != column}

    def batches(names: Sequence[str]) -> Iterator[Batch]:
        with reading(place), place.open(newline="", encoding="utf-8-sig") as stream:
            reader = csv.DictReader(stream, delimiter=delimiter)
            waiting: list[dict[str, str]] = []
            for row in reader:
                waiting.append(row)
                if len(waiting) == BATCH:
                    yield _csv_batch(waiting, column, names)
                    waiting = []
            if waiting:
                yield _csv_batch(waiting, column, names)

    return Source(str(place), None, columns, batches)


def _wkt_column(place: Path, header: list[str], first: list[str], geometry: str | None) -> str:
    if geometry is not None:
        if geometry not in header:
            raise LayerError(
                f"{place} has no column {geometry!r}", hint=f"its columns: {', '.join(header)}"
            )
        return geometry
    by_name = {name.strip().lower(): name for name in header}
    for name in WKT_NAMES:
        if name in by_name:
            return by_name[name]
    for name, value in zip(header, first, strict=False):
        if "POLYGON" in value.upper()[:20]:
            return name
    raise LayerError(
        f"{place} has no column with WKT polygons; its columns: {', '.join(header)}",
        hint="name it with --geometry",
    )


def _csv_batch(rows: list[dict[str, str]], column: str, names: Sequence[str]) -> Batch:
    texts = np.array([row[column] or None for row in rows], dtype=object)
    with np.errstate(invalid="ignore"):
        shapes = shapely.from_wkt(texts, on_invalid="ignore")
    absent = np.array([text is None for text in texts])
    return Batch(
        shapes,
        shapely.is_missing(shapes) & ~absent,
        {name: infer_numbers([row[name] for row in rows]) for name in names},
    )


def _batch(shapes: NDArray[np.object_], raw: pa.Array, columns: dict[str, NDArray[Any]]) -> Batch:
    absent = np.asarray(raw.is_null())
    return Batch(shapes, shapely.is_missing(shapes) & ~absent, columns)


def to_numpy(column: pa.Array) -> NDArray[Any]:
    """An Arrow column as numpy: integers and floats stay such, all else becomes objects."""
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if (pa.types.is_integer(column.type) and column.null_count == 0) or pa.types.is_floating(
        column.type
    ):
        return np.asarray(column.to_numpy(zero_copy_only=False))
    return np.array(column.to_pylist(), dtype=object)


def infer_numbers(texts: list[str]) -> NDArray[Any]:
    """Text as integers or floats where all of it is; else as it stands, empty as None."""
    for kind in (np.int64, np.float64):
        try:
            return np.array(texts, dtype=kind)
        except (ValueError, OverflowError):
            continue
    return np.array([text or None for text in texts], dtype=object)


def parse_crs(crs: Any) -> pyproj.CRS | None:
    """A CRS as pyproj's; None where the file has none or a nameless plane."""
    if crs is None or crs == "":
        return None
    parsed = pyproj.CRS.from_user_input(crs)
    return None if parsed.is_engineering else parsed
