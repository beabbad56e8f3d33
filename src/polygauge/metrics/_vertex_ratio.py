"""How well the numbers of vertices agree."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from polygauge.geometry import FloatArray, Pairs, vertex_ratios
from polygauge.metrics._record import RIGID, Metric, Rings, measure_pairs


def vertex_ratio(reference: ArrayLike, prediction: ArrayLike, *, rings: Rings = "all") -> Any:
    """How well the numbers of vertices of the two sides agree.

    vertex_ratio(A, B) = 1 - |n - m| / (n + m)   (1 - eq. 12 of [1]_; the N ratio of [2]_),
    n and m being the numbers of vertices over all rings, closing points left out. As printed,
    eq. 12 is 0 for equal numbers; the tables, like this function, give one minus it. Common code
    counts the closing vertex of closed rings as well.

    Parameters
    ----------
    reference, prediction : Polygon or MultiPolygon, or array_like of them, shape (n,)
        Pairs, row by row, in one planar coordinate system.
    rings : {"all", "exterior"}
        "exterior" fills the holes first, on both sides.

    Returns
    -------
    float or ndarray of float64, shape (n,)
        0 to 1, 1 for equal numbers. NaN where either side is missing, empty or invalid.

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
    .. [1] Sulzer et al. (2025), The P3 dataset: Pixels, Points and Polygons.
    .. [2] Zorzi, Bazrafkan, Habenschuss, Fraundorfer (2022), PolyWorld: Polygonal Building
       Extraction with Graph Neural Networks in Satellite Images. CVPR.

    Examples
    --------
    A square against a triangle: 1 - 1 / 7.

    >>> from shapely import Polygon, box
    >>> vertex_ratio(box(0, 0, 4, 4), Polygon([(0, 0), (4, 0), (0, 3)]))
    0.8571428571428572
    >>> vertex_ratio([box(0, 0, 4, 4), None], [box(7, 7, 8, 8), box(0, 0, 1, 1)])
    array([ 1., nan])
    """
    return measure_pairs(_vertex_ratio, reference, prediction, rings)


def _vertex_ratio(pairs: Pairs) -> FloatArray:
    return pairs.share(vertex_ratios)


VERTEX_RATIO = Metric(
    name="vertex_ratio",
    title="vertex ratio",
    kind="pair",
    unit="ratio",
    best=1.0,
    bounds=(0.0, 1.0),
    symmetric=True,
    invariant_to=RIGID,
    equation="1 - |n - m| / (n + m)",
    source="P3 eq. 12, one minus it; Zorzi et al. (2022)",
    compute=_vertex_ratio,
    function=vertex_ratio,
)
