"""Percentile of the boundary distance."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from polygauge.errors import OptionError
from polygauge.geometry import FloatArray, Pairs, boundary_profile
from polygauge.metrics._record import RIGID, Metric, Rings, measure_pairs


def hausdorff_percentile(
    reference: ArrayLike, prediction: ArrayLike, *, q: float = 95, rings: Rings = "all"
) -> Any:
    """Distance within which q percent of each boundary lies of the other one.

    H_q(A, B) = max(Q_q{d(a, dB) : a in dA}, Q_q{d(b, dA) : b in dB}),
    Q_q being the q-th percentile *by length*: the smallest distance that q percent of the boundary
    keep. With q = 100 it is the Hausdorff distance; below, short spikes no longer decide it ([1]_,
    for point sets).

    Parameters
    ----------
    reference, prediction : Polygon or MultiPolygon, or array_like of them, shape (n,)
        Pairs, row by row, in one planar coordinate system.
    q : float
        Percent, above 0, at most 100.
    rings : {"all", "exterior"}
        "exterior" fills the holes first, on both sides.

    Returns
    -------
    float or ndarray of float64, shape (n,)
        CRS units, 0 and up, lower is better; within 1e-9 of the size of the pair. NaN where either
        side is missing, empty or invalid.

    Raises
    ------
    OptionError
        `q` is not above 0 and at most 100, or `rings` is not one of its two values.
    ShapeError
        The two sides differ in length.
    GeometryError
        A geometry is not a polygon or multipolygon.

    Notes
    -----
    All rings of all parts count. Nothing is sampled: the length within a distance is a closed form,
    and the distance is found by halving an interval. Symmetric. Unchanged by start vertex, ring
    direction, translation, rotation and vertices on a straight side; scales with the coordinates.

    References
    ----------
    .. [1] Huttenlocher, Klanderman, Rucklidge (1993), Comparing images using the Hausdorff
       distance. IEEE TPAMI 15(9).

    Examples
    --------
    Of the square, 8 around, 4 lie on the flat shape, 2 run off from 0 to 1, and 2 lie 1 off: 5 / 8
    of it is within 0.5. Of the flat shape that much lies on the square.

    >>> from shapely import box
    >>> round(hausdorff_percentile(box(0, 0, 2, 1), box(0, 0, 2, 2), q=62.5), 6)
    0.5
    >>> hausdorff_percentile(box(0, 0, 2, 1), box(0, 0, 2, 2), q=100)
    1.0
    """
    if not 0 < q <= 100:
        raise OptionError(f"q is {q}", hint="give a percentage above 0, at most 100")
    return measure_pairs(_hausdorff_percentile, reference, prediction, rings, q=float(q))


def _hausdorff_percentile(pairs: Pairs, q: float = 95.0) -> FloatArray:
    larger: FloatArray = pairs.share(boundary_profile).quantiles(q / 100).max(axis=1)
    return larger


HAUSDORFF_PERCENTILE = Metric(
    name="hausdorff_percentile",
    title="Hausdorff distance, 95th percentile",
    kind="pair",
    unit="length",
    best=0.0,
    bounds=(0.0, float("inf")),
    symmetric=True,
    invariant_to=RIGID | {"collinear_vertices"},
    equation="max(Q_q{d(a, ∂B) : a ∈ ∂A}, Q_q{d(b, ∂A) : b ∈ ∂B}), by length",
    source="Huttenlocher et al. (1993), by length",
    compute=_hausdorff_percentile,
    function=hausdorff_percentile,
)
