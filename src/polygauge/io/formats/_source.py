"""What every format is turned into: a source of batches."""

from __future__ import annotations

import csv
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyogrio.errors
import pyproj
import shapely
from numpy.typing import NDArray

from polygauge.errors import CrsError, InputError, ReadError

BATCH = 50_000
"""Features read at a time."""

# Everything GDAL, Arrow and the CSV reader raise on a file they cannot make sense of.
_BAD_FILE = (
    pyogrio.errors.DataSourceError,
    pyogrio.errors.DataLayerError,
    pyogrio.errors.FeatureError,
    pyogrio.errors.FieldError,
    pyogrio.errors.GeometryError,
    pa.ArrowException,
    csv.Error,
    OSError,
    RuntimeError,
)
_SHOWN = 200  # characters of a path in a message


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
    crs_error : CrsError or None
        Why what the file says of its CRS cannot be used; it matters unless the caller names one.
    notes : list of str
        What the reading library had to say.
    """

    name: str
    crs: pyproj.CRS | None
    columns: dict[str, str]
    batches: Callable[[Sequence[str]], Iterator[Batch]]
    crs_error: CrsError | None = None
    notes: list[str] = field(default_factory=list)


def check_readable(place: Path) -> None:
    """Refuse what cannot be a layer before a library words it less clearly."""
    shown = str(place) if len(str(place)) <= _SHOWN else f"{str(place)[:_SHOWN]}..."
    try:
        found = place.exists()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ReadError(f"cannot open {shown!r}: {reason}", hint="check the path") from error
    if not found:
        raise ReadError(f"there is no file {shown}", hint="check the path")
    if place.is_dir() and place.suffix.lower() != ".gdb":
        raise ReadError(f"{place} is a folder", hint="name a file in it")
    if place.is_file() and place.stat().st_size == 0:
        raise ReadError(f"{place} is empty (0 bytes)", hint="write the file again")


def starts_with(place: Path, magic: bytes) -> bool:
    """Whether a file begins with these bytes."""
    with place.open("rb") as stream:
        return stream.read(len(magic)) == magic


@contextmanager
def reading(place: str | os.PathLike[str]) -> Iterator[None]:
    """Turn what a reading library raises into an error that names the file."""
    try:
        yield
    except InputError:
        raise
    except UnicodeDecodeError as error:
        raise ReadError(f"{place} is not UTF-8: {error}", hint="save it as UTF-8") from error
    except PermissionError as error:
        raise ReadError(
            f"cannot read {place}: {error.strerror}", hint="ask for the right to read it"
        ) from error
    except _BAD_FILE as error:
        raise ReadError(
            f"cannot read {place}: {' '.join(str(error).split())}",
            hint="GeoPackage, GeoParquet, GeoJSON, Shapefile, FlatGeobuf and CSV with WKT are read",
        ) from error


def make_batch(
    shapes: NDArray[np.object_], absent: NDArray[np.bool_], columns: dict[str, NDArray[Any]]
) -> Batch:
    """A batch of parsed geometries; those missing though not absent are unreadable."""
    return Batch(shapes, shapely.is_missing(shapes) & ~absent, columns)


def to_numpy(column: pa.Array) -> NDArray[Any]:
    """An Arrow column as numpy: integers and floats stay such, all else becomes objects."""
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if (pa.types.is_integer(column.type) and column.null_count == 0) or pa.types.is_floating(
        column.type
    ):
        return np.asarray(column.to_numpy(zero_copy_only=False))
    values = np.empty(len(column), dtype=object)
    values[:] = column.to_pylist()
    return values


def is_scalar_column(values: NDArray[Any]) -> bool:
    """Whether a column holds single values, no lists or records."""
    return values.dtype != object or not any(
        isinstance(value, (list, tuple, dict, set, np.ndarray)) for value in values
    )


def parse_crs(crs: Any) -> pyproj.CRS | None:
    """A CRS as pyproj's; None where there is none or a nameless plane.

    Raises
    ------
    CrsError
        There is no such CRS, or it is none of places on a map.
    """
    if crs is None or crs == "":
        return None
    try:
        parsed = pyproj.CRS.from_user_input(crs)
    except (pyproj.exceptions.CRSError, TypeError) as error:
        shown = " ".join(str(crs).split())
        raise CrsError(
            f"there is no CRS {shown[:_SHOWN]!r}", hint="write it as EPSG:25832"
        ) from error
    if parsed.is_engineering:
        return None
    flat = parsed.sub_crs_list[0] if parsed.is_compound else parsed
    if flat.is_engineering:
        return None
    if flat.is_geocentric or not (flat.is_geographic or flat.is_projected):
        raise CrsError(
            f"{parsed.name!r} is a {parsed.type_name}, not a CRS of a map",
            hint="give a geographic or projected one, such as EPSG:25832",
        )
    return parsed


def file_crs(crs: Any, place: str | Path) -> tuple[pyproj.CRS | None, CrsError | None]:
    """What a file says its CRS is, or what is wrong with what it says."""
    try:
        return parse_crs(crs), None
    except CrsError as error:
        return None, CrsError(
            f"{place} does not say what its coordinates are in: {error.message}",
            hint="pass it with --reference-crs or --prediction-crs, as EPSG:25832",
        )
