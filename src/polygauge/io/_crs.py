"""Coordinate systems in which a metre is a metre."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pyproj
from pyproj.crs import ProjectedCRS
from pyproj.crs.coordinate_operation import TransverseMercatorConversion

from polygauge.errors import CrsError
from polygauge.geometry import FloatArray, Polygons
from polygauge.io._layer import crs_name, format_bounds

Bounds = tuple[float, float, float, float]

# A declared projection is kept while its lengths are this true at the data: national grids and
# UTM are (0.04 % to 1 %); Web Mercator away from the equator is not.
TRUE_TO_SCALE = 0.02
# Half-width of a local transverse Mercator: its scale error, (x / R)^2 / 2, stays below 1e-4.
_HALF_WIDTH_M = 90_000.0


# Beyond this a box of longitudes is no neighbourhood: it wraps around, and so would the width in
# metres.
_MOST_DEGREES = 90.0


@dataclass(frozen=True, slots=True)
class Fitness:
    """Whether lengths in a CRS are ground metres at a place, and if not, why."""

    fit: bool
    why: str
    scale: float


def fitness(crs: pyproj.CRS, at: tuple[float, float]) -> Fitness:
    """Judge a CRS at a longitude and latitude."""
    name = crs_name(crs)
    flat = flat_crs(crs)
    if not flat.is_projected:
        return Fitness(False, f"{name} is in degrees", float("nan"))
    axis = flat.axis_info[0]
    if axis.unit_conversion_factor != 1:
        return Fitness(False, f"{name} is in {axis.unit_name}", 1 / axis.unit_conversion_factor)
    factors = pyproj.Proj(flat).get_factors(*at)
    scales = (factors.meridional_scale, factors.parallel_scale)
    scale = float(max(scales, key=lambda s: abs(s - 1)))
    if not abs(scale - 1) <= TRUE_TO_SCALE:
        return Fitness(False, f"{name} units are {scale:.4g} to a ground metre here, not 1", scale)
    return Fitness(True, "", scale)


def flat_crs(crs: pyproj.CRS) -> pyproj.CRS:
    """The horizontal part of a CRS."""
    if crs.is_compound:
        crs = crs.sub_crs_list[0]
    return crs.to_2d()


def local_crs(crs: pyproj.CRS, focus: Bounds) -> pyproj.CRS:
    """A transverse Mercator with scale 1 on the middle of a box of longitudes and latitudes."""
    longitude = round((focus[0] + focus[2]) / 2, 4)
    latitude = round((focus[1] + focus[3]) / 2, 4)
    east = "E" if longitude >= 0 else "W"
    north = "N" if latitude >= 0 else "S"
    local = ProjectedCRS(
        name=(f"local transverse Mercator at {abs(longitude):g} {east} {abs(latitude):g} {north}"),
        conversion=TransverseMercatorConversion(
            latitude_natural_origin=latitude, longitude_natural_origin=longitude
        ),
        geodetic_crs=_geodetic(flat_crs(crs)),
    )
    # A plain CRS, because pyproj cannot flatten the subclass.
    return pyproj.CRS.from_wkt(local.to_wkt())


def _geodetic(crs: pyproj.CRS) -> pyproj.CRS:
    """The longitudes and latitudes that a CRS is a picture of."""
    return crs.geodetic_crs or pyproj.CRS("EPSG:4326")


def check_width(crs: pyproj.CRS, focus: Bounds, farthest: Callable[[], str]) -> None:
    """Refuse data too wide for one local frame.

    Parameters
    ----------
    crs : pyproj.CRS
        The local frame.
    focus : tuple of float
        Box around the data, longitudes and latitudes.
    farthest : callable
        Names the feature that lies farthest out, for the message.

    Raises
    ------
    CrsError
        Some of it lies more than 90 km east or west of the middle.
    """
    if focus[2] - focus[0] > _MOST_DEGREES:
        raise CrsError(
            f"the layers reach from {focus[0]:.6g} to {focus[2]:.6g} degrees of longitude: across "
            f"the antimeridian, or around the globe; the farthest out is {farthest()}",
            hint="pass a projected --crs made for the place, or cut the layers with --aoi",
        )
    x, _ = transformer(_geodetic(crs), crs).transform(
        [focus[0], focus[0], focus[2], focus[2]], [focus[1], focus[3], focus[1], focus[3]]
    )
    reach = float(np.max(np.abs(x)))
    if not reach <= _HALF_WIDTH_M:
        raise CrsError(
            f"the layers reach {reach / 1000:.0f} km east and west of their middle; a local "
            f"frame is true to scale within {_HALF_WIDTH_M / 1000:.0f} km; the farthest out is "
            f"{farthest()}",
            hint="pass a projected --crs made for the country, or cut the layers with --aoi",
        )


def geographic_bounds(crs: pyproj.CRS, boxes: FloatArray, name: str) -> Bounds:
    """A box around boxes, as longitudes and latitudes.

    Boxes without a place on the globe are left out; reprojecting sets those features aside.

    Parameters
    ----------
    crs : pyproj.CRS
    boxes : ndarray of float64, shape (n, 4)
        xmin, ymin, xmax, ymax of each feature.
    name : str
        Of the layer, for messages.

    Raises
    ------
    CrsError
        None has a place.
    """
    low, high = boxes[:, :2].min(axis=0), boxes[:, 2:].max(axis=0)
    around = (float(low[0]), float(low[1]), float(high[0]), float(high[1]))
    flat = flat_crs(crs)
    if flat.is_geographic:
        return around
    bounds = transform_bounds(flat, _geodetic(flat), around)
    if np.isfinite(bounds).all():
        return bounds
    middles = geographic_middles(flat, boxes)
    middles = middles[np.isfinite(middles).all(axis=1)]
    if len(middles) == 0:
        raise CrsError(
            f"{name} is said to be in {crs_name(crs)} but bounds are {format_bounds(around)}, "
            "which it has no place for",
            hint="pass what it is in with --reference-crs or --prediction-crs",
        )
    low, high = middles.min(axis=0), middles.max(axis=0)
    return float(low[0]), float(low[1]), float(high[0]), float(high[1])


def geographic_middles(crs: pyproj.CRS, boxes: FloatArray) -> FloatArray:
    """Longitudes and latitudes of the middles of boxes, shape (n, 2); NaN where there are none."""
    flat = flat_crs(crs)
    x, y = transformer(flat, _geodetic(flat)).transform(
        (boxes[:, 0] + boxes[:, 2]) / 2, (boxes[:, 1] + boxes[:, 3]) / 2
    )
    middles = np.column_stack([x, y])
    return np.where(np.isfinite(middles), middles, np.nan)


def transform_bounds(source: pyproj.CRS, target: pyproj.CRS, bounds: Bounds) -> Bounds:
    """A box in another CRS; infinite where it has no place there."""
    try:
        west, south, east, north = transformer(source, target).transform_bounds(*bounds)
    except pyproj.exceptions.ProjError:
        west = south = east = north = np.inf
    return west, south, east, north


def transformer(source: pyproj.CRS, target: pyproj.CRS) -> pyproj.Transformer:
    """From one CRS to another, x first.

    Raises
    ------
    CrsError
        There is no way, as between two planets.
    """
    try:
        return pyproj.Transformer.from_crs(flat_crs(source), flat_crs(target), always_xy=True)
    except pyproj.exceptions.ProjError as error:
        raise CrsError(
            f"there is no way from {crs_name(source)} to {crs_name(target)}: {error}",
            hint="correct the CRS of one side with --reference-crs or --prediction-crs",
        ) from error


def same(a: pyproj.CRS, b: pyproj.CRS) -> bool:
    """Whether coordinates mean the same in both, x first."""
    return bool(flat_crs(a).equals(flat_crs(b), ignore_axis_order=True))


def reproject(polygons: Polygons, source: pyproj.CRS, target: pyproj.CRS) -> FloatArray:
    """Coordinates of the polygons in another CRS; infinite where there are none."""
    x, y = transformer(source, target).transform(
        polygons.coordinates[:, 0], polygons.coordinates[:, 1]
    )
    return np.column_stack([x, y])
