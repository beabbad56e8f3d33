"""Share of right angles."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from polygauge.geometry import CORNER_ANGLE, FloatArray, Polygons, corners
from polygauge.metrics._record import RIGID, Metric, Rings, check_angle, measure_shapes


def right_angle_share(
    geometries: ArrayLike,
    *,
    tolerance: float = 5.0,
    angle: float = CORNER_ANGLE,
    rings: Rings = "all",
) -> Any:
    """Share of the corners that are right angles.

    right_angle_share(A) = #{corners v : ||turn(v)| - 90| ≤ tolerance} / #{corners v},
    a corner being a vertex where the outline turns by more than `angle`.


    Parameters
    ----------
    geometries : Polygon or MultiPolygon, or array_like of them, shape (n,)
        In a planar coordinate system.
    tolerance : float
        How far a right angle may be from 90 degrees, degree.
    angle : float
        A vertex that turns more than this is a corner, degree.
    rings : {"all", "exterior"}
        "exterior" fills the holes first.

    Returns
    -------
    float or ndarray of float64, shape (n,)
        0 to 1; 1 is rectangular throughout. NaN where a geometry is missing, empty or invalid. NaN
        also where there is no corner: a circle drawn with many vertices.

    Raises
    ------
    OptionError
        `tolerance` is not below 90 degrees, `angle` not below 180, or `rings` is not one
        of its two values.
    GeometryError
        A geometry is not a polygon or multipolygon.

    Notes
    -----
    Corners to the left and to the right, of all rings of all parts, count alike. Unchanged by start
    vertex, ring direction, translation, rotation and vertices on a straight side. A corner that is
    cut off by a short edge is two corners of 45 degrees, neither of them right.

    References
    ----------
    Own definition.

    Examples
    --------
    A box with one corner cut off: 3 right angles and 2 of 45 degrees.

    >>> from shapely import Polygon, box
    >>> cut = Polygon([(0, 0), (9, 0), (9, 7), (7, 9), (0, 9)])
    >>> right_angle_share([cut, box(0, 0, 2, 1), None])
    array([0.6, 1. , nan])
    """
    return measure_shapes(
        _right_angle_share,
        geometries,
        rings,
        tolerance=check_angle("tolerance", tolerance, below=90),
        angle=check_angle("angle", angle, below=180),
    )


def _right_angle_share(
    polygons: Polygons, tolerance: float = 5.0, angle: float = CORNER_ANGLE
) -> FloatArray:
    found = corners(polygons, angle=angle)
    right = found.sums((np.abs(np.abs(found.turns) - 90) <= tolerance).astype(np.float64))
    return np.where(found.counts > 0, right, np.nan) / np.maximum(found.counts, 1)


RIGHT_ANGLE_SHARE = Metric(
    name="right_angle_share",
    title="right angles",
    kind="shape",
    unit="ratio",
    best=None,
    bounds=(0.0, 1.0),
    symmetric=True,
    invariant_to=RIGID | {"collinear_vertices"},
    equation="#{corners v : ||turn(v)| - 90°| ≤ tolerance} / #{corners v}",
    source="own definition",
    compute=_right_angle_share,
    function=right_angle_share,
)
