"""Areas of interest and ignore regions, and how much of each feature lies in them."""

from __future__ import annotations

import os
from typing import Any

import geopandas as gpd
import numpy as np
import pyproj
import shapely

from polygauge.errors import CrsError, LayerError, OptionError
from polygauge.geometry import FloatArray, Polygons
from polygauge.io._admit import admit
from polygauge.io._crs import reproject, same
from polygauge.io._layer import crs_name
from polygauge.io.formats import Source, frame_source, open_source

_PIECE = 65_536
# Rows that add nothing to a region.
_HARMLESS = ("null geometry", "empty geometry")


def load_region(
    region: Any, name: str, crs: pyproj.CRS | None, *, given_in: pyproj.CRS | None
) -> shapely.Geometry:
    """One polygonal geometry, in the CRS that is measured in.

    Parameters
    ----------
    region : path, GeoDataFrame, GeoSeries or shapely geometry
    name : str
        What it is, for messages.
    crs : pyproj.CRS or None
        What the result is in.
    given_in : pyproj.CRS or None
        What a bare geometry, or a source without a CRS, is in.

    Raises
    ------
    LayerError
        It has no polygon.
    CrsError
        It has a CRS and the layers have none.
    """
    if isinstance(region, shapely.Geometry):
        region = gpd.GeoSeries([region], crs=given_in)
    polygons, source = _polygons(region, name)
    if len(polygons) == 0:
        raise LayerError(f"the {name}, {source.name}, has no polygon", hint="give polygons")
    region_crs = source.crs or given_in
    if region_crs is not None and crs is not None and not same(region_crs, crs):
        coordinates = reproject(polygons, region_crs, crs)
        if not np.isfinite(coordinates).all():
            raise CrsError(
                f"the {name}, {source.name}, reaches where {crs_name(crs)} has no coordinates",
                hint="cut it to the layers, or correct its CRS",
            )
        polygons = polygons.with_coordinates(coordinates)
    elif source.crs is not None and crs is None:
        raise CrsError(
            f"the {name} is in {crs_name(source.crs)} but the layers have no CRS",
            hint="pass --reference-crs and --prediction-crs",
        )
    return shapely.union_all(shapely.make_valid(polygons.to_shapely()))


def _polygons(region: Any, name: str) -> tuple[Polygons, Source]:
    if isinstance(region, (gpd.GeoDataFrame, gpd.GeoSeries)):
        source = frame_source(region)
    elif isinstance(region, (str, os.PathLike)):
        source = open_source(region)
    else:
        raise OptionError(
            f"the {name} is a {type(region).__name__}",
            hint="give a path, a GeoDataFrame, a GeoSeries or a shapely geometry",
        )
    if source.crs_error is not None:
        raise source.crs_error
    pieces = []
    for batch in source.batches(()):
        admitted = admit(batch.geometry, batch.unreadable, "repair")
        for finding in admitted.findings:
            if finding.action == "skipped" and finding.what not in _HARMLESS:
                raise LayerError(
                    f"the {name}, {source.name}: row {finding.row} is {finding.what}",
                    hint="a region is made of polygons only; remove or correct that row",
                )
        pieces.append(Polygons.from_shapely(admitted.shapes))
    return Polygons.concatenate(pieces), source


def shares_inside(polygons: Polygons, region: shapely.Geometry) -> FloatArray:
    """Share of the area of each feature that lies in the region, shape (n,), 0 to 1."""
    shapely.prepare(region)
    out = np.empty(len(polygons))
    for start in range(0, len(polygons), _PIECE):
        stop = min(start + _PIECE, len(polygons))
        shapes = polygons.take(np.arange(start, stop)).to_shapely()
        share = shapely.contains_properly(region, shapes).astype(np.float64)
        edge = np.flatnonzero(share == 0)
        edge = edge[shapely.intersects(region, shapes[edge])]
        cut = shapely.area(shapely.intersection(shapes[edge], region))
        share[edge] = np.clip(cut / shapely.area(shapes[edge]), 0.0, 1.0)
        out[start:stop] = share
    return out
