"""A made-up town, as frames or as files of any size."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import geopandas as gpd
import numpy as np
import pandas as pd
import pyarrow as pa
import pyogrio
import shapely

from polygauge.dataset._faults import Faults, predict
from polygauge.dataset._plan import BLOCKS_PER_CHUNK, KIND, PER_BLOCK, Shape, draw, plan_chunk
from polygauge.errors import OptionError, OutputError
from polygauge.io.geoparquet import GeoParquetWriter

CRS = "EPSG:32632"
Format = Literal["gpkg", "parquet", "geojson", "fgb"]
_DRIVERS = {"gpkg": "GPKG", "geojson": "GeoJSON", "fgb": "FlatGeobuf"}


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
    pieces = list(_pieces(features, seed, faults or Faults()))
    return Town(*(pd.concat(side, ignore_index=True) for side in zip(*pieces, strict=True)))


def write_town(
    directory: str | os.PathLike[str],
    features: int = 400,
    *,
    seed: int = 11,
    faults: Faults | None = None,
    format: Format = "gpkg",
    overwrite: bool = False,
) -> tuple[Path, Path]:
    """Write a town as `reference.*` and `prediction.*`, piece by piece.

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
        if format == "parquet":
            _write_parquet(partial, features, seed, faults or Faults())
        else:
            _write_ogr(partial, features, seed, faults or Faults(), _DRIVERS[format])
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


def _pieces(
    features: int, seed: int, faults: Faults
) -> Iterator[tuple[gpd.GeoDataFrame, gpd.GeoDataFrame]]:
    """Reference and prediction of one chunk after the other."""
    if features < 1:
        raise OptionError(f"a town of {features} buildings", hint="ask for at least 1")
    if seed < 0:
        raise OptionError(f"the seed is {seed}", hint="give 0 or more")
    next_id = 1
    chunk_features = BLOCKS_PER_CHUNK * PER_BLOCK
    kinds = np.array([KIND[shape] for shape in Shape], dtype=object)
    for chunk in range(-(-features // chunk_features)):
        plan, rng = plan_chunk(chunk, features, seed)
        reference = gpd.GeoDataFrame(
            {"id": plan.number + 1, "kind": kinds[plan.shape], "height": plan.height},
            geometry=draw(plan),
            crs=CRS,
        )
        shapes, fault, score = predict(plan, faults, rng)
        prediction = gpd.GeoDataFrame(
            {"id": np.arange(next_id, next_id + len(shapes)), "score": score, "fault": fault},
            geometry=shapes,
            crs=CRS,
        )
        next_id += len(shapes)
        yield reference, prediction


def _write_ogr(paths: list[Path], features: int, seed: int, faults: Faults, driver: str) -> None:
    """Formats of GDAL; FlatGeobuf and GeoJSON are written in one go, GeoPackage in pieces."""
    if driver != "GPKG":
        town = make_town(features, seed=seed, faults=faults)
        for frame, path in zip((town.reference, town.prediction), paths, strict=True):
            _write_frame(frame, path, driver, append=False)
        return
    for k, sides in enumerate(_pieces(features, seed, faults)):
        for frame, path in zip(sides, paths, strict=True):
            _write_frame(frame, path, driver, append=k > 0)


def _write_frame(frame: gpd.GeoDataFrame, path: Path, driver: str, *, append: bool) -> None:
    layer = path.stem.split(".")[1]
    with warnings.catch_warnings():
        # GeoJSON is written in EPSG:32632 on purpose, with its `crs` member.
        warnings.filterwarnings("ignore", category=RuntimeWarning)
        pyogrio.write_dataframe(
            frame,
            path,
            layer=layer,
            driver=driver,
            append=append,
            geometry_type="Unknown",
            promote_to_multi=False,
        )


def _write_parquet(paths: list[Path], features: int, seed: int, faults: Faults) -> None:
    schemas = (
        pa.schema([("id", pa.int64()), ("kind", pa.string()), ("height", pa.float64())]),
        pa.schema([("id", pa.int64()), ("score", pa.float64()), ("fault", pa.string())]),
    )
    with (
        GeoParquetWriter(paths[0], schemas[0], CRS) as reference,
        GeoParquetWriter(paths[1], schemas[1], CRS) as prediction,
    ):
        for sides in _pieces(features, seed, faults):
            for frame, writer, schema in zip(sides, (reference, prediction), schemas, strict=True):
                columns = [pa.array(frame[f.name].to_numpy(), f.type) for f in schema]
                wkb = pa.array(shapely.to_wkb(frame.geometry.to_numpy()), pa.binary())
                writer.write(columns, wkb)
