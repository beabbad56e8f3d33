"""Area precision."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from polygauge.geometry import FloatArray, Pairs, overlap_areas
from polygauge.metrics._record import RIGID, Metric, Rings, measure_pairs


def area_precision(reference: ArrayLike, prediction: ArrayLike, *, rings: Rings = "all") -> Any:
    """Share of the prediction's area that lies in the reference.

    area_precision(A, B) = area(A ∩ B) / area(B)   (the area-based correctness of [1]_).


    Parameters
    ----------
    reference, prediction : Polygon or MultiPolygon, or array_like of them, shape (n,)
        Pairs, row by row, in one planar coordinate system.
    rings : {"all", "exterior"}
        "exterior" fills the holes first, on both sides.

    Returns
    -------
    float or ndarray of float64, shape (n,)
        0 to 1, higher is better; 1 also where the prediction covers only a part of the reference.
        NaN where either side is missing, empty or invalid.

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
    Holes and all parts count. Not symmetric: swapping the sides gives `area_recall`. Unchanged by
    start vertex, ring direction, translation, rotation and vertices on a straight side.

    References
    ----------
    .. [1] Rutzinger, Rottensteiner, Pfeifer (2009), A Comparison of Evaluation Techniques for
       Building Extraction From Airborne Laser Scanning. IEEE JSTARS 2(1).

    Examples
    --------
    A prediction of area 4, a unit square of which lies in the reference.

    >>> from shapely import box
    >>> area_precision(box(0, 0, 2, 1), box(1, 0, 5, 1))
    0.25
    >>> area_precision([box(0, 0, 2, 1), None], [box(0, 0, 1, 1), box(0, 0, 1, 1)])
    array([ 1., nan])
    """
    return measure_pairs(_area_precision, reference, prediction, rings)


def _area_precision(pairs: Pairs) -> FloatArray:
    areas = pairs.share(overlap_areas)
    return areas[:, 0] / areas[:, 2]


AREA_PRECISION = Metric(
    name="area_precision",
    title="area precision",
    kind="pair",
    unit="ratio",
    best=1.0,
    bounds=(0.0, 1.0),
    symmetric=False,
    invariant_to=RIGID | {"collinear_vertices"},
    equation="|A ∩ B| / |B|",
    source="Rutzinger et al. (2009), correctness",
    compute=_area_precision,
    function=area_precision,
)
