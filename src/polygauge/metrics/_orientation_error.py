"""Difference of the main directions."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from polygauge.geometry import FloatArray, Pairs, main_directions
from polygauge.metrics._record import RIGID, Metric, Rings, measure_pairs

# Clearness below which there is no main direction: turning 2.5 % of the outline could then point
# the mean anywhere.
WEAKEST = 0.05


def orientation_error(reference: ArrayLike, prediction: ArrayLike, *, rings: Rings = "all") -> Any:
    """Angle between the main directions of the two sides, modulo 90 degrees.

    The main direction θ of a shape is that of all its edges, weighted by length L and averaged on
    the circle with period 90 degrees:   Σ L exp(4iθ_k) = R Σ L exp(4iθ)   (p-fold axial data with
    p = 4, [1]_; the wall statistic of [2]_). So a wall and the one at a right angle to it agree.


    Parameters
    ----------
    reference, prediction : Polygon or MultiPolygon, or array_like of them, shape (n,)
        Pairs, row by row, in one planar coordinate system.
    rings : {"all", "exterior"}
        "exterior" fills the holes first, on both sides.

    Returns
    -------
    float or ndarray of float64, shape (n,)
        0 to 45 degrees, 0 is best. NaN where either side is missing, empty or invalid.
        NaN also where the mean is too weak to have a direction, R < 0.05 on either side: circles,
        regular triangles, hexagons and octagons.

    Raises
    ------
    OptionError
        `rings` is not one of its two values.
    ShapeError
        The two sides differ in length.
    GeometryError
        A geometry is not a polygon or multipolygon.

    Notes
    -----
    All rings of all parts count. Symmetric. Unchanged by start vertex, ring direction, translation,
    rotation of both sides and vertices on a straight side.

    References
    ----------
    .. [1] Mardia, Jupp (2000), Directional Statistics. Wiley.
    .. [2] Duchêne, Bard, Barillot, Ruas, Trévisan, Holzapfel (2003), Quantitative and qualitative
       description of building orientation. ICA Workshop on Progress in Automated Map
       Generalisation.

    Examples
    --------
    A box turned by 10 degrees, and by 80, which is 10 the other way.

    >>> from shapely import box
    >>> from shapely.affinity import rotate
    >>> house = box(0, 0, 12, 8)
    >>> orientation_error([house, house, None], [rotate(house, 10), rotate(house, 80), house])
    array([10., 10., nan])
    """
    return measure_pairs(_orientation_error, reference, prediction, rings)


def _orientation_error(pairs: Pairs) -> FloatArray:
    a, a_clear = main_directions(pairs.a, pairs.i)
    b, b_clear = main_directions(pairs.b, pairs.j)
    turn = np.abs(a - b) % 90
    error = np.minimum(turn, 90 - turn)
    return np.where(np.minimum(a_clear, b_clear) < WEAKEST, np.nan, error)


ORIENTATION_ERROR = Metric(
    name="orientation_error",
    title="orientation error",
    kind="pair",
    unit="degree",
    best=0.0,
    bounds=(0.0, 45.0),
    symmetric=True,
    invariant_to=RIGID | {"collinear_vertices"},
    equation="|θ_A - θ_B| modulo 90°, Σ L exp(4iθ_k) = R Σ L exp(4iθ)",
    source="Mardia and Jupp (2000); Duchêne et al. (2003)",
    compute=_orientation_error,
    function=orientation_error,
)
