"""A made-up town, as frames or as files of any size."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import geopandas as gpd
import numpy as np
import pandas as pd
import pyarrow as pa
import pyogrio
import shapely
from numpy.typing import NDArray

from polygauge.dataset._faults import Faults, predict
from polygauge.dataset._plan import BLOCKS_PER_CHUNK, KIND, PER_BLOCK, Shape, draw, plan_chunk
from polygauge.errors import OptionError, OutputError
from polygauge.io.geoparquet import GeoParquetWriter

CRS = "EPSG:32632"
Format = Literal["gpkg", "parquet", "geojson", "fgb"]
_DRIVERS = {".gpkg": "GPKG", ".geojson": "GeoJSON", ".fgb": "FlatGeobuf"}
_EXTENSION = "ARROW:extension:name"


@dataclass(frozen=True, slots=True, eq=False)
class Town:
    """A reference layer and a prediction of it.

    Attributes
    ----------
    reference : GeoDataFrame
        id, kind, height and geometry.
    prediction : GeoDataFrame
        id, score, fault and geometry.
    """

    reference: gpd.GeoDataFrame
    prediction: gpd.GeoDataFrame


def make_town(features: int = 400, *, seed: int = 11, faults: Faults | None = None) -> Town:
    """A town of so many buildings and a prediction with typical faults, in EPSG:32632.

    Parameters
    ----------
    features : int
        Reference buildings.
    seed : int
        Another number, another town.
    faults : Faults, optional
        Rates and sizes of the faults.

    Returns
    -------
    Town

    Raises
    ------
    OptionError
        `features` is not positive or `seed` is negative.

    Examples
    --------
    >>> town = make_town(24, seed=3)
    >>> len(town.reference), town.reference.crs.to_string()
    (24, 'EPSG:32632')
    """
    return Town(
        reference=_frame(_references(features, seed)),
        prediction=_frame(_predictions(features, seed, faults or Faults())),
    )


def write_town(
    directory: str | os.PathLike[str],
    features: int = 400,
    *,
    seed: int = 11,
    faults: Faults | None = None,
    format: Format = "gpkg",
    overwrite: bool = False,
) -> tuple[Path, Path]:
    """Write a town as `reference.*` and `prediction.*`, piece by piece in bounded memory.

    Parameters
    ----------
    directory : path-like
        Made if it is not there.
    features, seed, faults
        As for `make_town`.
    format : {"gpkg", "parquet", "geojson", "fgb"}
    overwrite : bool
        Replace the two files.

    Returns
    -------
    reference, prediction : Path

    Raises
    ------
    OutputError
        A file is there already, or cannot be written.
    """
    folder = Path(directory)
    paths = folder / f"reference.{format}", folder / f"prediction.{format}"
    for path in paths:
        if path.exists() and not overwrite:
            raise OutputError(f"{path} exists", hint="pass --overwrite to replace it")
    partial = [path.with_name(f".{path.stem}.partial{path.suffix}") for path in paths]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path in partial:
            path.unlink(missing_ok=True)
        sides = {
            "reference": _references(features, seed),
            "prediction": _predictions(features, seed, faults or Faults()),
        }
        for (side, pieces), path in zip(sides.items(), partial, strict=True):
            if format == "parquet":
                _write_parquet(path, _SCHEMAS[side], pieces)
            else:
                _write_ogr(path, side, _SCHEMAS[side], pieces)
        for source, target in zip(partial, paths, strict=True):
            source.replace(target)
    except OSError as error:
        raise OutputError(
            f"cannot write to {folder}: {error.strerror or error}",
            hint="choose another folder with -o",
        ) from error
    finally:
        for path in partial:
            path.unlink(missing_ok=True)
    return paths


@dataclass(frozen=True, slots=True, eq=False)
class _Piece:
    """One side of one chunk: attribute columns by name, and the geometries."""

    columns: dict[str, NDArray[Any]]
    geometry: NDArray[np.object_]


_SCHEMAS = {
    "reference": pa.schema([("id", pa.int64()), ("kind", pa.string()), ("height", pa.float64())]),
    "prediction": pa.schema([("id", pa.int64()), ("score", pa.float64()), ("fault", pa.string())]),
}


def _references(features: int, seed: int) -> Iterator[_Piece]:
    """Reference buildings of one chunk after the other."""
    kinds = np.array([KIND[shape] for shape in Shape], dtype=object)
    for chunk in _chunks(features, seed):
        plan, _ = plan_chunk(chunk, features, seed)
        columns = {"id": plan.number + 1, "kind": kinds[plan.shape], "height": plan.height}
        yield _Piece(columns, draw(plan))


def _predictions(features: int, seed: int, faults: Faults) -> Iterator[_Piece]:
    """Predictions of one chunk after the other."""
    next_id = 1
    for chunk in _chunks(features, seed):
        plan, rng = plan_chunk(chunk, features, seed)
        geometry, fault, score = predict(plan, faults, rng)
        ids = np.arange(next_id, next_id + len(geometry))
        next_id += len(geometry)
        yield _Piece({"id": ids, "score": score, "fault": fault}, geometry)


def _chunks(features: int, seed: int) -> range:
    if features < 1:
        raise OptionError(f"a town of {features} buildings", hint="ask for at least 1")
    if seed < 0:
        raise OptionError(f"the seed is {seed}", hint="give 0 or more")
    return range(-(-features // (BLOCKS_PER_CHUNK * PER_BLOCK)))


def _frame(pieces: Iterator[_Piece]) -> gpd.GeoDataFrame:
    frames = [gpd.GeoDataFrame(p.columns, geometry=p.geometry, crs=CRS) for p in pieces]
    frame: gpd.GeoDataFrame = pd.concat(frames, ignore_index=True)
    return frame


def _write_parquet(path: Path, schema: pa.Schema, pieces: Iterator[_Piece]) -> None:
    with GeoParquetWriter(path, schema, CRS) as writer:
        for piece in pieces:
            writer.write(*_arrow(piece, schema))


def _write_ogr(path: Path, layer: str, schema: pa.Schema, pieces: Iterator[_Piece]) -> None:
    """A file of GDAL, fed batch by batch."""
    geometry = pa.field("geometry", pa.binary(), metadata={_EXTENSION: "geoarrow.wkb"})
    whole = schema.append(geometry)

    def batches() -> Iterator[pa.RecordBatch]:
        for piece in pieces:
            columns, wkb = _arrow(piece, schema)
            yield pa.RecordBatch.from_arrays([*columns, wkb], schema=whole)

    pyogrio.write_arrow(
        pa.RecordBatchReader.from_batches(whole, batches()),
        path,
        layer=layer,
        driver=_DRIVERS[path.suffix],
        geometry_name="geometry",
        geometry_type="Unknown",  # polygons and multipolygons, as they are
        crs=CRS,
    )


def _arrow(piece: _Piece, schema: pa.Schema) -> tuple[list[pa.Array], pa.Array]:
    columns = [pa.array(piece.columns[field.name], field.type) for field in schema]
    return columns, pa.array(shapely.to_wkb(piece.geometry), pa.binary())
