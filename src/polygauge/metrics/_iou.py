"""Intersection over union."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from polygauge.geometry import FloatArray, Pairs, intersection_over_union
from polygauge.metrics._record import RIGID, Metric, Rings, measure_pairs


def iou(reference: ArrayLike, prediction: ArrayLike, *, rings: Rings = "all") -> Any:
    """Area of the intersection over area of the union.

    IoU(A, B) = area(A ∩ B) / area(A ∪ B)   (Jaccard [1]_),
    the union being area(A) + area(B) - area(A ∩ B).

    Parameters
    ----------
    reference, prediction : Polygon or MultiPolygon, or array_like of them, shape (n,)
        Pairs, row by row, in one planar coordinate system.
    rings : {"all", "exterior"}
        "exterior" fills the holes first, on both sides.

    Returns
    -------
    float or ndarray of float64, shape (n,)
        0 to 1, higher is better. NaN where either side is missing, empty or invalid.

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
    Holes and all parts count. Symmetric. Unchanged by start vertex, ring direction, translation,
    rotation and vertices on a straight side. Exact: a closed form over pairs of edges, no overlay
    and no raster. Unions that exceed the intersection by less than 1e-12 of themselves, the
    rounding error of the sum, give exactly 1.

    References
    ----------
    .. [1] Jaccard (1912), The distribution of the flora in the alpine zone. New Phytologist 11(2).

    Examples
    --------
    Two unit-high boxes of length 2 that share a unit square: 1 / (2 + 2 - 1).

    >>> from shapely import box
    >>> iou(box(0, 0, 2, 1), box(1, 0, 3, 1))
    0.3333333333333333
    >>> iou([box(0, 0, 2, 1), None], [box(0, 0, 2, 1), box(0, 0, 1, 1)])
    array([ 1., nan])
    """
    return measure_pairs(_iou, reference, prediction, rings)


def _iou(pairs: Pairs) -> FloatArray:
    return pairs.share(intersection_over_union)


IOU = Metric(
    name="iou",
    title="IoU",
    kind="pair",
    unit="ratio",
    best=1.0,
    bounds=(0.0, 1.0),
    symmetric=True,
    invariant_to=RIGID | {"collinear_vertices"},
    equation="|A ∩ B| / |A ∪ B|",
    source="Jaccard (1912)",
    compute=_iou,
    function=iou,
)
