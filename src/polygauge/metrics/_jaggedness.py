"""How often the outline turns back and forth."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from polygauge.geometry import FloatArray, Polygons, corners
from polygauge.metrics._record import RIGID, Metric, Rings, measure_shapes


def jaggedness(geometries: ArrayLike, *, rings: Rings = "all") -> Any:
    """Turns that an outline makes beyond the one that closes it.

    jaggedness(A) = Σ over rings of (Σ |turn(v)| / 360° - 1),
    turn(v) being the change of direction at v: the total absolute curvature in full turns, less 1.
    It is 0 for a convex ring and above 0 for any other ([1]_, [2]_).


    Parameters
    ----------
    geometries : Polygon or MultiPolygon, or array_like of them, shape (n,)
        In a planar coordinate system.
    rings : {"all", "exterior"}
        "exterior" fills the holes first.

    Returns
    -------
    float or ndarray of float64, shape (n,)
        Full turns, 0 and up: 0.5 for an L, 1 for a T or a U, k / 2 for k steps of a staircase.
        NaN where a geometry is missing, empty or invalid.

    Raises
    ------
    OptionError
        `rings` is not one of its two values.
    GeometryError
        A geometry is not a polygon or multipolygon.

    Notes
    -----
    All rings of all parts count, holes like exteriors. Unchanged by start vertex, ring direction,
    translation, rotation, size and vertices on a straight side. Outlines traced from pixels have
    large values, however small the pixels.

    References
    ----------
    .. [1] Fenchel (1929), Über Krümmung und Windung geschlossener Raumkurven. Mathematische
       Annalen 101.
    .. [2] Milnor (1950), On the total curvature of knots. Annals of Mathematics 52(2).

    Examples
    --------
    Five corners of an L turn left by 90 degrees, one turns right: 540 / 360 - 1.

    >>> from shapely import Polygon, box
    >>> corner = Polygon([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)])
    >>> jaggedness([corner, box(0, 0, 2, 1), None])
    array([0.5, 0. , nan])
    """
    return measure_shapes(_jaggedness, geometries, rings)


def _jaggedness(polygons: Polygons) -> FloatArray:
    vertices = corners(polygons)
    turns = vertices.sums(np.abs(vertices.turns)) / 360
    # Below 1e-12 of the turns, the excess over one turn a ring is rounding error.
    excess = turns - np.diff(polygons.feature_rings)
    return np.where(excess <= 1e-12 * turns, 0.0, excess)


JAGGEDNESS = Metric(
    name="jaggedness",
    title="jaggedness",
    kind="shape",
    unit="ratio",
    best=None,
    bounds=(0.0, float("inf")),
    symmetric=True,
    invariant_to=RIGID | {"collinear_vertices"},
    equation="Σ_rings (Σ |turn(v)| / 360° - 1)",
    source="total absolute curvature (Fenchel 1929, Milnor 1950), less one turn a ring",
    compute=_jaggedness,
    function=jaggedness,
)
