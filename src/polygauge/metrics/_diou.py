"""Distance IoU of polygons."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from polygauge.geometry import FloatArray, Pairs, intersection_over_union, separations
from polygauge.metrics._record import RIGID, Metric, Rings, measure_pairs


def diou(reference: ArrayLike, prediction: ArrayLike, *, rings: Rings = "all") -> Any:
    """Intersection over union, minus the squared distance of the centroids.

    DIoU(A, B) = IoU(A, B) - d² / c²   (after eq. 6 and 7 of [1]_, which are for boxes),
    d being the distance of the two centroids (of the areas, holes left out), c the diagonal of the
    smallest axis-parallel box around both.


    Parameters
    ----------
    reference, prediction : Polygon or MultiPolygon, or array_like of them, shape (n,)
        Pairs, row by row, in one planar coordinate system.
    rings : {"all", "exterior"}
        "exterior" fills the holes first, on both sides.

    Returns
    -------
    float or ndarray of float64, shape (n,)
        -1 to 1, higher is better. NaN where either side is missing, empty or invalid.

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
    All parts count. Symmetric. Unchanged by start vertex, ring direction, translation and vertices
    on a straight side. *Changed* by rotation, because the box is axis-parallel.

    References
    ----------
    .. [1] Zheng, Wang, Liu, Li, Ye, Ren (2020), Distance-IoU Loss: Faster and Better Learning for
       Bounding Box Regression. AAAI.

    Examples
    --------
    Two squares of side 3 that meet in a corner: their centroids are half of the diagonal apart.

    >>> from shapely import box
    >>> diou(box(0, 0, 3, 3), box(3, 3, 6, 6))
    -0.25
    >>> diou([box(0, 0, 2, 1), None], [box(0, 0, 2, 1), box(0, 0, 1, 1)])
    array([ 1., nan])
    """
    return measure_pairs(_diou, reference, prediction, rings)


def _diou(pairs: Pairs) -> FloatArray:
    apart = pairs.share(separations)
    return pairs.share(intersection_over_union) - (apart[:, 0] / apart[:, 1]) ** 2


DIOU = Metric(
    name="diou",
    title="DIoU",
    kind="pair",
    unit="ratio",
    best=1.0,
    bounds=(-1.0, 1.0),
    symmetric=True,
    invariant_to=RIGID - {"rotation"} | {"collinear_vertices"},
    equation="IoU - d² / c², d between centroids, c diagonal of the common box",
    source="Zheng et al. (2020), eq. 7",
    compute=_diou,
    function=diou,
)
