"""PoLiS: mean distance of the vertices to the other outline."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from polygauge.geometry import FloatArray, Pairs, vertex_distances
from polygauge.metrics._record import RIGID, Metric, Rings, measure_pairs


def polis(reference: ArrayLike, prediction: ArrayLike, *, rings: Rings = "all") -> Any:
    """Mean distance of the vertices of each boundary to the other boundary.

    PoLiS(A, B) = 1/(2q) sum_i d(a_i, dB) + 1/(2r) sum_j d(b_j, dA)   ([1]_; eq. 6 of [2]_),
    q and r being the numbers of *distinct* vertices. Common code divides by q + 1 and r + 1,
    because it counts the closing vertex twice; its values are lower.

    Parameters
    ----------
    reference, prediction : Polygon or MultiPolygon, or array_like of them, shape (n,)
        Pairs, row by row, in one planar coordinate system.
    rings : {"all", "exterior"}
        "exterior" fills the holes first, on both sides.

    Returns
    -------
    float or ndarray of float64, shape (n,)
        CRS units, 0 and up, lower is better. NaN where either side is missing, empty or invalid.

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
    All rings of all parts count, holes included, on both sides. Symmetric. Unchanged by start
    vertex, ring direction, translation and rotation; scales with the coordinates. *Changed* by
    vertices on a straight side: each is one more distance in the mean.

    References
    ----------
    .. [1] Avbelj, Mueller, Bamler (2015), A Metric for Polygon Comparison and Building Extraction
       Evaluation. IEEE GRSL 12(1).
    .. [2] Sulzer et al. (2025), The P3 dataset: Pixels, Points and Polygons.

    Examples
    --------
    Two of the four corners of the square lie 1 from the flat rectangle, all of its corners on the
    square: 2 / (2 * 4).

    >>> from shapely import box
    >>> polis(box(0, 0, 2, 1), box(0, 0, 2, 2))
    0.25
    >>> polis([box(0, 0, 2, 1), None], [box(0, 0, 2, 2), box(0, 0, 1, 1)])
    array([0.25,  nan])
    """
    return measure_pairs(_polis, reference, prediction, rings)


def _polis(pairs: Pairs) -> FloatArray:
    return pairs.share(vertex_distances).means() @ [0.5, 0.5]


POLIS = Metric(
    name="polis",
    title="PoLiS",
    kind="pair",
    unit="length",
    best=0.0,
    bounds=(0.0, float("inf")),
    symmetric=True,
    invariant_to=RIGID,
    equation="1/(2q) Σ d(a_i, ∂B) + 1/(2r) Σ d(b_j, ∂A)",
    source="Avbelj et al. (2015); P3 eq. 6",
    compute=_polis,
    function=polis,
)
