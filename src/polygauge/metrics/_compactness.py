"""Compactness after Polsby and Popper."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from polygauge.geometry import FloatArray, Polygons
from polygauge.metrics._record import RIGID, Metric, Rings, measure_shapes


def compactness(geometries: ArrayLike, *, rings: Rings = "all") -> Any:
    """Area over the area of the circle with the same outline length.

    compactness(A) = 4 π area / length²   (Polsby and Popper [1]_; Cox [2]_).


    Parameters
    ----------
    geometries : Polygon or MultiPolygon, or array_like of them, shape (n,)
        In a planar coordinate system.
    rings : {"all", "exterior"}
        "exterior" fills the holes first.

    Returns
    -------
    float or ndarray of float64, shape (n,)
        Above 0, below 1; a circle has 1, a square π / 4.
        NaN where a geometry is missing, empty or invalid.

    Raises
    ------
    OptionError
        `rings` is not one of its two values.
    GeometryError
        A geometry is not a polygon or multipolygon.

    Notes
    -----
    The area is that of all parts, holes left out; the length is that of all rings, so holes lower
    the value, and so do several parts. Unchanged by start vertex, ring direction, translation,
    rotation, size and vertices on a straight side.

    References
    ----------
    .. [1] Polsby, Popper (1991), The Third Criterion: Compactness as a Procedural Safeguard Against
       Partisan Gerrymandering. Yale Law & Policy Review 9(2).
    .. [2] Cox (1927), A Method of Assigning Numerical and Percentage Values to the Degree of
       Roundness of Sand Grains. Journal of Paleontology 1(3).

    Examples
    --------
    A unit square: 4 π / 16.

    >>> from shapely import box
    >>> compactness([box(0, 0, 1, 1), None])
    array([0.78539816,        nan])
    """
    return measure_shapes(_compactness, geometries, rings)


def _compactness(polygons: Polygons) -> FloatArray:
    return 4 * np.pi * polygons.areas / polygons.lengths**2


COMPACTNESS = Metric(
    name="compactness",
    title="compactness",
    kind="shape",
    unit="ratio",
    best=None,
    bounds=(0.0, 1.0),
    symmetric=True,
    invariant_to=RIGID | {"collinear_vertices"},
    equation="4π |A| / length(∂A)²",
    source="Polsby and Popper (1991)",
    compute=_compactness,
    function=compactness,
)
