"""Elongation of the smallest rectangle around a shape."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from polygauge.geometry import FloatArray, Polygons, rectangle_sides
from polygauge.metrics._record import RIGID, Metric, Rings, measure_shapes


def elongation(geometries: ArrayLike, *, rings: Rings = "all") -> Any:
    """How much longer than wide the smallest rectangle around a shape is.

    elongation(A) = 1 - shorter side / longer side   (after [1]_)
    of the rectangle of least area, turned as need be, that holds the whole of A.


    Parameters
    ----------
    geometries : Polygon or MultiPolygon, or array_like of them, shape (n,)
        In a planar coordinate system.
    rings : {"all", "exterior"}
        "exterior" fills the holes first.

    Returns
    -------
    float or ndarray of float64, shape (n,)
        0 to below 1: 0 for a square, 0.5 for a box twice as long as wide.
        NaN where a geometry is missing, empty or invalid.

    Raises
    ------
    OptionError
        `rings` is not one of its two values.
    GeometryError
        A geometry is not a polygon or multipolygon.

    Notes
    -----
    Holes do not matter; several parts have one rectangle around them all. Where rectangles of
    different form are equally small, as around every triangle without an obtuse angle, the one
    with the shortest outline counts. Unchanged by start vertex, ring direction, translation,
    rotation, size and vertices on a straight side.

    References
    ----------
    .. [1] Rosin (2005), Computing Global Shape Measures. Handbook of Pattern Recognition and
       Computer Vision, 3rd ed.

    Examples
    --------
    A box of 4 by 1: 1 - 1 / 4.

    >>> from shapely import box
    >>> elongation([box(0, 0, 4, 1), None])
    array([0.75,  nan])
    """
    return measure_shapes(_elongation, geometries, rings)


def _elongation(polygons: Polygons) -> FloatArray:
    sides = rectangle_sides(polygons)
    return 1 - sides[:, 0] / sides[:, 1]


ELONGATION = Metric(
    name="elongation",
    title="elongation",
    kind="shape",
    unit="ratio",
    best=None,
    bounds=(0.0, 1.0),
    symmetric=True,
    invariant_to=RIGID | {"collinear_vertices"},
    equation="1 - width / length of the smallest rectangle",
    source="Rosin (2005)",
    compute=_elongation,
    function=elongation,
)
