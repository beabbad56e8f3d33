"""Complexity-aware IoU."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from polygauge.geometry import FloatArray, Pairs, intersection_over_union, vertex_ratios
from polygauge.metrics._record import RIGID, Metric, Rings, measure_pairs


def ciou(reference: ArrayLike, prediction: ArrayLike, *, rings: Rings = "all") -> Any:
    """Intersection over union, lowered where the numbers of vertices differ.

    C-IoU(A, B) = IoU(A, B) (1 - |n - m| / (n + m))   ([1]_; eq. 12 and 13 of [2]_),
    n and m being the numbers of vertices over all rings, closing points left out. Taken literally
    eq. 13 would give 0 for identical polygons; this is the form that the tables show.


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
    Holes and all parts count. Symmetric. Unchanged by start vertex, ring direction, translation
    and rotation. *Changed* by vertices on a straight side, because it counts them.

    References
    ----------
    .. [1] Zorzi, Bazrafkan, Habenschuss, Fraundorfer (2022), PolyWorld: Polygonal Building
       Extraction with Graph Neural Networks in Satellite Images. CVPR.
    .. [2] Sulzer et al. (2025), The P3 dataset: Pixels, Points and Polygons.

    Examples
    --------
    A square against its lower left half: the areas 8 of 16, the vertices 1 - 1 / 7.

    >>> from shapely import Polygon, box
    >>> ciou(box(0, 0, 4, 4), Polygon([(0, 0), (4, 0), (0, 4)]))
    0.4285714285714286
    >>> ciou([box(0, 0, 4, 4), None], [box(0, 0, 4, 4), box(0, 0, 1, 1)])
    array([ 1., nan])
    """
    return measure_pairs(_ciou, reference, prediction, rings)


def _ciou(pairs: Pairs) -> FloatArray:
    return pairs.share(intersection_over_union) * pairs.share(vertex_ratios)


CIOU = Metric(
    name="ciou",
    title="C-IoU",
    kind="pair",
    unit="ratio",
    best=1.0,
    bounds=(0.0, 1.0),
    symmetric=True,
    invariant_to=RIGID,
    equation="IoU (1 - |n - m| / (n + m))",
    source="Zorzi et al. (2022); P3 eq. 13",
    compute=_ciou,
    function=ciou,
)
