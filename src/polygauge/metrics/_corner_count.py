"""Number of corners."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from polygauge.geometry import CORNER_ANGLE, FloatArray, Polygons, corners
from polygauge.metrics._record import RIGID, Metric, Rings, check_angle, measure_shapes


def corner_count(
    geometries: ArrayLike, *, angle: float = CORNER_ANGLE, rings: Rings = "all"
) -> Any:
    """Number of corners: vertices where the outline turns by more than `angle`.

    corner_count(A) = #{v : |turn(v)| > angle}, turn(v) being the change of direction at v.


    Parameters
    ----------
    geometries : Polygon or MultiPolygon, or array_like of them, shape (n,)
        In a planar coordinate system.
    angle : float
        A vertex that turns more than this is a corner, degree.
    rings : {"all", "exterior"}
        "exterior" fills the holes first.

    Returns
    -------
    float or ndarray of float64, shape (n,)
        A whole number, 0 and up. NaN where a geometry is missing, empty or invalid.

    Raises
    ------
    OptionError
        `angle` is not an angle from 0 to below 180 degrees, or `rings` is not one
        of its two values.
    GeometryError
        A geometry is not a polygon or multipolygon.

    Notes
    -----
    All rings of all parts count. Unchanged by start vertex, ring direction, translation, rotation
    and vertices on a straight side. A curve drawn with many small turns has no corners.

    References
    ----------
    Own definition, with the limit that momepy uses for the corners of a building.

    Examples
    --------
    An L has 6 corners; a circle drawn with 64 vertices turns by 5.6 degrees at each.

    >>> from shapely import Point, Polygon
    >>> corner_count(Polygon([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)]))
    6.0
    >>> corner_count([Point(0, 0).buffer(5), None])
    array([ 0., nan])
    """
    return measure_shapes(
        _corner_count, geometries, rings, angle=check_angle("angle", angle, below=180)
    )


def _corner_count(polygons: Polygons, angle: float = CORNER_ANGLE) -> FloatArray:
    return corners(polygons, angle=angle).counts.astype(np.float64)


CORNER_COUNT = Metric(
    name="corner_count",
    title="corners",
    kind="shape",
    unit="count",
    best=None,
    bounds=(0.0, float("inf")),
    symmetric=True,
    invariant_to=RIGID | {"collinear_vertices"},
    equation="#{v : |turn(v)| > angle}",
    source="own definition",
    compute=_corner_count,
    function=corner_count,
)
