"""Mean inflection point distance with the denominator that the paper prints."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from polygauge.geometry import FloatArray, Pairs, edge_points
from polygauge.metrics._record import (
    RIGID,
    Metric,
    Rings,
    check_factor,
    check_length,
    measure_pairs,
)


def mpd_eq10(
    reference: ArrayLike,
    prediction: ArrayLike,
    *,
    alpha: float = 2.0,
    beta: float = 1.0,
    tolerance: float | None = None,
    rings: Rings = "all",
) -> Any:
    """Sum of the distances of `mpd` over min(q, r) + b, as eq. 10 of the paper has it.

    MPD(A, B) = (sum of d(a_i, b_j) over end points + sum of d(p, edge) over edge points)
    / (min(q, r) + b)   (eq. 10 of [1]_), q and r being the numbers of vertices, b that of edge
    points.

    Parameters
    ----------
    reference, prediction : Polygon or MultiPolygon, or array_like of them, shape (n,)
        Pairs, row by row, in one planar coordinate system.
    alpha : float
        An edge point is farther than this times MPD_EP from its vertex; above 0.
    beta : float
        An edge point is nearer than this times MPD_EP to its edge; above 0.
    tolerance : float, optional
        An edge point is nearer than this to its edge, CRS units, above 0; instead of `beta`.
    rings : {"all", "exterior"}
        "exterior" fills the holes first, on both sides.

    Returns
    -------
    float or ndarray of float64, shape (n,)
        CRS units, 0 and up, lower is better. NaN where either side is missing, empty or invalid.

    Raises
    ------
    OptionError
        `alpha`, `beta` or `tolerance` is not above 0, or `rings` is not one of its two values.
    ShapeError
        The two sides differ in length.
    GeometryError
        A geometry is not a polygon or multipolygon.

    Notes
    -----
    Kept to compare with printed values. The denominator is the number of terms only where the
    vertex counts differ by b; elsewhere the value exceeds the mean of its own distances, and can
    exceed `mpd_ep`. See `mpd` for the edge points, what holes and parts do and what changes
    nothing; with several parts q, r and b are added up over the routes.

    References
    ----------
    .. [1] Mean Inflection Point Distance: Artificial Intelligence Mapping Accuracy Evaluation Index
       (2023). Remote Sensing 15(7), 1848.

    Examples
    --------
    The triangle is half of the square. Four pairs, three at distance 0; the fourth corner of the
    square is 4 from the nearest vertices, and its foot on the long side 2.83 from it, too far for
    an edge point. The sum of 4 is divided by 3, in `mpd` by 4.

    >>> from shapely import Polygon, box
    >>> round(mpd_eq10(box(0, 0, 4, 4), Polygon([(0, 0), (4, 0), (0, 4)])), 6)
    1.333333
    """
    return measure_pairs(
        _mpd_eq10,
        reference,
        prediction,
        rings,
        alpha=check_factor("alpha", alpha),
        beta=check_factor("beta", beta),
        tolerance=None if tolerance is None else check_length("tolerance", tolerance),
    )


def _mpd_eq10(
    pairs: Pairs, alpha: float = 2.0, beta: float = 1.0, tolerance: float | None = None
) -> FloatArray:
    points = pairs.share(edge_points, alpha, beta, tolerance)
    return points.routes.sums(points.distances) / (points.routes.fewer_vertices + points.counts)


MPD_EQ10 = Metric(
    name="mpd_eq10",
    title="MPD, eq. 10 as printed",
    kind="pair",
    unit="length",
    best=0.0,
    bounds=(0.0, float("inf")),
    symmetric=True,
    invariant_to=RIGID,
    equation="(Σ d(a_i, b_j) over end points + Σ d(p, edge) over b edge points) / (min(q, r) + b)",
    source="Remote Sensing 15(7), 1848 (2023), eq. 10",
    compute=_mpd_eq10,
    function=mpd_eq10,
)
