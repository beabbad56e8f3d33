"""Share of the reference's boundary that is near the prediction."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from polygauge.geometry import FloatArray, Pairs, boundary_profile
from polygauge.metrics._record import RIGID, Metric, Rings, check_length, measure_pairs


def boundary_share_reference(
    reference: ArrayLike, prediction: ArrayLike, *, tolerance: float, rings: Rings = "all"
) -> Any:
    """Share of the reference's boundary that lies within `tolerance` of the prediction's.

    share(A, B) = |{a in dA : d(a, dB) <= t}| / |dA|   ([1]_),
    |.| being length and t the tolerance. What is missing from the prediction shows here;
    `boundary_share` looks from both sides.

    Parameters
    ----------
    reference, prediction : Polygon or MultiPolygon, or array_like of them, shape (n,)
        Pairs, row by row, in one planar coordinate system.
    tolerance : float
        CRS units, above 0. A distance above it by less than 1e-9 of the longer boundary counts as
        within, so that a shift by exactly the tolerance is not decided by rounding.
    rings : {"all", "exterior"}
        "exterior" fills the holes first, on both sides.

    Returns
    -------
    float or ndarray of float64, shape (n,)
        0 to 1, higher is better. NaN where either side is missing, empty or invalid.

    Raises
    ------
    OptionError
        `tolerance` is not a length above 0, or `rings` is not one of its two values.
    ShapeError
        The two sides differ in length.
    GeometryError
        A geometry is not a polygon or multipolygon.

    Notes
    -----
    All rings of all parts count. Exact up to rounding: lengths are closed forms, nothing is sampled
    or buffered. Not symmetric. Unchanged by start vertex, ring direction, translation,
    rotation and vertices on a straight side.

    References
    ----------
    .. [1] Goodchild, Hunter (1997), A simple positional accuracy measure for linear features.
       IJGIS 11(3).

    Examples
    --------
    Within 0.5 of each other lie: of the flat shape all but the middle of the upper side, 5 of 6; of
    the square the lower side, 1.5 of each upright side, nothing of the upper side, 5 of 8.

    >>> from shapely import box
    >>> round(boundary_share_reference(box(0, 0, 2, 1), box(0, 0, 2, 2), tolerance=0.5), 6)
    0.833333
    """
    return measure_pairs(
        _boundary_share_reference,
        reference,
        prediction,
        rings,
        tolerance=check_length("tolerance", tolerance),
    )


def _boundary_share_reference(pairs: Pairs, tolerance: float) -> FloatArray:
    profile = pairs.share(boundary_profile)
    share: FloatArray = profile.within(tolerance)[:, 0] / profile.lengths[:, 0]
    return share


BOUNDARY_SHARE_REFERENCE = Metric(
    name="boundary_share_reference",
    title="Boundary share, reference",
    kind="pair",
    unit="ratio",
    best=1.0,
    bounds=(0.0, 1.0),
    symmetric=False,
    invariant_to=RIGID | {"collinear_vertices"},
    equation="|{a ∈ ∂A : d(a, ∂B) ≤ t}| / |∂A|",
    source="Goodchild and Hunter (1997)",
    compute=_boundary_share_reference,
    function=boundary_share_reference,
    parameters=("tolerance",),
)
