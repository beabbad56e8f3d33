"""The exact Hausdorff distance of two boundaries."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from polygauge.geometry import FloatArray, Pairs, directed_hausdorff
from polygauge.metrics._record import RIGID, Metric, Rings, measure_pairs


def hausdorff_exact(reference: ArrayLike, prediction: ArrayLike, *, rings: Rings = "all") -> Any:
    """Largest distance of any point of one boundary to the other boundary.

    H(A, B) = max(max_{a in dA} d(a, dB), max_{b in dB} d(b, dA))   (Hausdorff 1914 [1]_),
    over every point of every edge. The usual discrete form looks at vertices only and is a lower
    bound: the farthest point may lie inside an edge.

    Parameters
    ----------
    reference, prediction : Polygon or MultiPolygon, or array_like of them, shape (n,)
        Pairs, row by row, in one planar coordinate system.
    rings : {"all", "exterior"}
        "exterior" fills the holes first, on both sides.

    Returns
    -------
    float or ndarray of float64, shape (n,)
        CRS units, 0 and up, lower is better; within 1e-12 of the size of the pair. NaN where
        either side is missing, empty or invalid.

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
    All rings of all parts count. Symmetric. Unchanged by start vertex, ring direction, translation,
    rotation and vertices on a straight side; scales with the coordinates.

    References
    ----------
    .. [1] Hausdorff (1914), Grundzuege der Mengenlehre.

    Examples
    --------
    A square and the same square with a notch that reaches its middle, 2 from every side: the tip
    of the notch is 2 from the nearest side.

    >>> from shapely import Polygon, box
    >>> square = box(0, 0, 4, 4)
    >>> notched = Polygon([(0, 0), (2, 2), (4, 0), (4, 4), (0, 4)])
    >>> hausdorff_exact(square, notched)
    2.0

    A square moved by 6 is as far away as its far side.

    >>> hausdorff_exact(square, box(6, 0, 10, 4))
    6.0
    """
    return measure_pairs(_hausdorff_exact, reference, prediction, rings)


def _hausdorff_exact(pairs: Pairs) -> FloatArray:
    farthest: FloatArray = pairs.share(directed_hausdorff).max(axis=1)
    return farthest


HAUSDORFF_EXACT = Metric(
    name="hausdorff_exact",
    title="Hausdorff distance, exact",
    kind="pair",
    unit="length",
    best=0.0,
    bounds=(0.0, float("inf")),
    symmetric=True,
    invariant_to=RIGID | {"collinear_vertices"},
    equation="max(max_{a ∈ ∂A} d(a, ∂B), max_{b ∈ ∂B} d(b, ∂A))",
    source="Hausdorff (1914)",
    compute=_hausdorff_exact,
    function=hausdorff_exact,
)
