"""Area recall."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from polygauge.geometry import FloatArray, Pairs, overlap_areas
from polygauge.metrics._record import RIGID, Metric, Rings, measure_pairs


def area_recall(reference: ArrayLike, prediction: ArrayLike, *, rings: Rings = "all") -> Any:
    """Share of the reference's area that the prediction covers.

    area_recall(A, B) = area(A ∩ B) / area(A)   (the area-based completeness of [1]_).


    Parameters
    ----------
    reference, prediction : Polygon or MultiPolygon, or array_like of them, shape (n,)
        Pairs, row by row, in one planar coordinate system.
    rings : {"all", "exterior"}
        "exterior" fills the holes first, on both sides.

    Returns
    -------
    float or ndarray of float64, shape (n,)
        0 to 1, higher is better; 1 also where the prediction covers more than the reference.
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
    Holes and all parts count. Not symmetric: swapping the sides gives `area_precision`. Unchanged
    by start vertex, ring direction, translation, rotation and vertices on a straight side.

    References
    ----------
    .. [1] Rutzinger, Rottensteiner, Pfeifer (2009), A Comparison of Evaluation Techniques for
       Building Extraction From Airborne Laser Scanning. IEEE JSTARS 2(1).

    Examples
    --------
    A reference of area 2, a unit square of which is found.

    >>> from shapely import box
    >>> area_recall(box(0, 0, 2, 1), box(1, 0, 5, 1))
    0.5
    >>> area_recall([box(0, 0, 2, 1), None], [box(0, 0, 9, 9), box(0, 0, 1, 1)])
    array([ 1., nan])
    """
    return measure_pairs(_area_recall, reference, prediction, rings)


def _area_recall(pairs: Pairs) -> FloatArray:
    areas = pairs.share(overlap_areas)
    return areas[:, 0] / areas[:, 1]


AREA_RECALL = Metric(
    name="area_recall",
    title="area recall",
    kind="pair",
    unit="ratio",
    best=1.0,
    bounds=(0.0, 1.0),
    symmetric=False,
    invariant_to=RIGID | {"collinear_vertices"},
    equation="|A ∩ B| / |A|",
    source="Rutzinger et al. (2009), completeness",
    compute=_area_recall,
    function=area_recall,
)
