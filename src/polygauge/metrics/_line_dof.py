"""Line degree of freedom."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from polygauge.geometry import FloatArray, Polygons, line_freedoms, polygon_edges
from polygauge.metrics._record import (
    RIGID,
    Metric,
    Rings,
    check_angle,
    check_length,
    measure_shapes,
)


def line_dof(
    geometries: ArrayLike, *, angle: float = 0.5, offset: float = 0.5, rings: Rings = "all"
) -> Any:
    """How many independent numbers the lines of an outline need, as a share of the most possible.

    line_dof(A) = (o + c) / (2 |L|)   (eq. 14 and 15 of [1]_, corrected; see Notes),
    |L| being the number of edges over all rings, o the number of orthogonality classes (directions
    modulo 90 degrees: one number each, a shared orientation) and c the number of distinct lines
    (one number each, an offset). 1 means no regularity at all.


    Parameters
    ----------
    geometries : Polygon or MultiPolygon, or array_like of them, shape (n,)
        In a planar coordinate system.
    angle : float
        Directions this close are one, degree.
    offset : float
        Parallel edges this close lie on one line, CRS units; the default is half a pixel.
    rings : {"all", "exterior"}
        "exterior" fills the holes first.

    Returns
    -------
    float or ndarray of float64, shape (n,)
        Above 0, at most 1; lower is more regular.
        NaN where a geometry is missing, empty or invalid.

    Raises
    ------
    OptionError
        `angle` is not below 90 degrees, `offset` is not a length above 0, or `rings` is not one
        of its two values.
    GeometryError
        A geometry is not a polygon or multipolygon.

    Notes
    -----
    Classes are single linkage: directions within `angle` on the circle of 90 or 180 degrees, and,
    among parallel edges, middles of edges within `offset` across the class's length-weighted mean
    direction; so a chain of small steps is one class. Edges of length 1e-9 and below are left
    out. Eq. 15 is printed with k + 1 where only k - 1 gives the values its text names: 1 / |L| for
    collinear lines, 1 for lines without any regularity. All rings of all parts count together.

    Unchanged by start vertex, ring direction, translation and rotation (except where a value lies
    on a tolerance); scales if `offset` does. *Lowered* by vertices on a straight side: they add
    edges, but no direction and no line. A square has 5 / 8, with each side halved 5 / 16.

    References
    ----------
    .. [1] Sulzer et al. (2025), The P3 dataset: Pixels, Points and Polygons.

    Examples
    --------
    A square: 1 orientation and 4 lines of 4 edges, 5 / 8. A triangle with sides 3, 4 and 5: the
    legs share an orientation, (2 + 3) / 6.

    >>> from shapely import Polygon, box
    >>> line_dof(box(0, 0, 10, 10))
    0.625
    >>> line_dof([Polygon([(0, 0), (3, 0), (0, 4)]), None])
    array([0.83333333,        nan])
    """
    return measure_shapes(
        _line_dof,
        geometries,
        rings,
        dof_angle=check_angle("angle", angle, below=90),
        dof_offset=check_length("offset", offset),
    )


def _line_dof(polygons: Polygons, dof_angle: float, dof_offset: float) -> FloatArray:
    return line_freedoms(*polygon_edges(polygons), dof_angle, dof_offset)


LINE_DOF = Metric(
    name="line_dof",
    title="line DoF",
    kind="shape",
    unit="ratio",
    best=0.0,
    bounds=(0.0, 1.0),
    symmetric=True,
    invariant_to=RIGID,
    equation="(o + c) / (2 |L|)",
    source="P3 eq. 14-15, with k - 1",
    compute=_line_dof,
    function=line_dof,
    parameters=("dof_angle", "dof_offset"),
)
