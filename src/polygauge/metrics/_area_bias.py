"""Signed error of the area."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from polygauge.geometry import FloatArray, Pairs, overlap_areas
from polygauge.metrics._record import RIGID, Metric, Rings, measure_pairs


def area_bias(reference: ArrayLike, prediction: ArrayLike, *, rings: Rings = "all") -> Any:
    """Area of the prediction minus area of the reference, as a share of the latter.

    area_bias(A, B) = (area(B) - area(A)) / area(A)   (the relative error of the area).


    Parameters
    ----------
    reference, prediction : Polygon or MultiPolygon, or array_like of them, shape (n,)
        Pairs, row by row, in one planar coordinate system.
    rings : {"all", "exterior"}
        "exterior" fills the holes first, on both sides.

    Returns
    -------
    float or ndarray of float64, shape (n,)
        -1 and up: 0 for equal areas, below 0 where the prediction is smaller, above 0 where it is
        larger. NaN where either side is missing, empty or invalid.

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
    Holes and all parts count; where the two lie does not. Not symmetric. Unchanged by start
    vertex, ring direction, translation, rotation and vertices on a straight side. Its mean says
    whether predictions are too small or too large; errors that cancel out need `iou`.

    References
    ----------
    Own name for the usual relative error.

    Examples
    --------
    An area of 4 predicted as 5, and as 1.

    >>> from shapely import box
    >>> square = box(0, 0, 2, 2)
    >>> area_bias([square, square, None], [box(0, 0, 5, 1), box(7, 7, 8, 8), square])
    array([ 0.25, -0.75,   nan])
    """
    return measure_pairs(_area_bias, reference, prediction, rings)


def _area_bias(pairs: Pairs) -> FloatArray:
    areas = pairs.share(overlap_areas)
    return (areas[:, 2] - areas[:, 1]) / areas[:, 1]


AREA_BIAS = Metric(
    name="area_bias",
    title="area bias",
    kind="pair",
    unit="ratio",
    best=0.0,
    bounds=(-1.0, float("inf")),
    symmetric=False,
    invariant_to=RIGID | {"collinear_vertices"},
    equation="(|B| - |A|) / |A|",
    source="relative error; own name",
    compute=_area_bias,
    function=area_bias,
)
