"""PoLiS of the exterior rings."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from polygauge.geometry import FloatArray, Pairs, vertex_distances
from polygauge.metrics._record import RIGID, Metric, measure_pairs


def polis_exterior(reference: ArrayLike, prediction: ArrayLike) -> Any:
    """Mean distance of the vertices of each outline to the other outline, holes left out.

    PoLiS(A, B) = 1/(2q) sum_i d(a_i, dB) + 1/(2r) sum_j d(b_j, dA)   ([1]_; eq. 6 of [2]_),
    a_i and b_j being the *distinct* vertices of the exterior rings and dA, dB those rings. This is
    what public code looks at, though it divides by q + 1 and r + 1; `polis` takes every ring.

    Parameters
    ----------
    reference, prediction : Polygon or MultiPolygon, or array_like of them, shape (n,)
        Pairs, row by row, in one planar coordinate system.

    Returns
    -------
    float or ndarray of float64, shape (n,)
        CRS units, 0 and up, lower is better. NaN where either side is missing, empty or invalid.

    Raises
    ------
    ShapeError
        The two sides differ in length.
    GeometryError
        A geometry is not a polygon or multipolygon.

    Notes
    -----
    All parts count, each by its exterior. Symmetric. Unchanged by start vertex, ring direction,
    translation and rotation; scales with the coordinates. *Changed* by vertices on a straight
    side. A missing or misplaced courtyard costs nothing.

    References
    ----------
    .. [1] Avbelj, Mueller, Bamler (2015), A Metric for Polygon Comparison and Building Extraction
       Evaluation. IEEE GRSL 12(1).
    .. [2] Sulzer et al. (2025), The P3 dataset: Pixels, Points and Polygons.

    Examples
    --------
    The courtyard is not looked at. Two of the four corners of the taller box lie 1 from the
    other outline, all of whose corners lie on it: 2 / (2 * 4).

    >>> from shapely import Polygon, box
    >>> holed = Polygon(box(0, 0, 8, 8).exterior, [box(2, 2, 6, 6).exterior])
    >>> polis_exterior(holed, box(0, 0, 8, 8))
    0.0
    >>> polis_exterior(holed, box(0, 0, 8, 9))
    0.25
    """
    return measure_pairs(_polis_exterior, reference, prediction)


def _polis_exterior(pairs: Pairs) -> FloatArray:
    return pairs.share(vertex_distances, True).means() @ [0.5, 0.5]


POLIS_EXTERIOR = Metric(
    name="polis_exterior",
    title="PoLiS, exterior rings",
    kind="pair",
    unit="length",
    best=0.0,
    bounds=(0.0, float("inf")),
    symmetric=True,
    invariant_to=RIGID,
    equation="1/(2q) Σ d(a_i, ∂B) + 1/(2r) Σ d(b_j, ∂A), exterior rings",
    source="Avbelj et al. (2015); P3 eq. 6",
    compute=_polis_exterior,
    function=polis_exterior,
)
