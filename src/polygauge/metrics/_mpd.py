"""Mean inflection point distance."""

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


def mpd(
    reference: ArrayLike,
    prediction: ArrayLike,
    *,
    alpha: float = 2.0,
    beta: float = 1.0,
    tolerance: float | None = None,
    rings: Rings = "all",
) -> Any:
    """Mean distance of the matched vertices of two outlines, edge points measured to the edge.

    MPD(A, B) = 1/k (sum of d(a_i, b_j) over end points + sum of d(p, edge) over edge points)   [1]_

    The k vertex pairs are those of `mpd_ep`. Where one vertex is matched with several, one of the
    several is an edge point if it lies beside an edge rather than at the vertex: farther than
    `alpha` times MPD_EP from the vertex, and with the foot of its perpendicular on one of the two
    edges at the vertex, nearer than `beta` times MPD_EP (or than `tolerance`). The nearer of two
    such feet counts.

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
    The sum is divided by the number of pairs k, where the paper's eq. 10 prints min(q, r) + b, b
    being the number of edge points: then a pair without edge points but with q != r would have a
    value above MPD_EP, against the paper's own text. `mpd_eq10` keeps the printed form.

    Exterior rings only; parts as in `mpd_ep`, whose mean over all parts is also the one that the
    factors refer to. A distance that equals a limit to a billionth does not pass it. Symmetric.
    Unchanged by start vertex, ring direction, translation and rotation; scales with the coordinates
    (and the tolerance). *Changed* by vertices on a straight side, but less than `mpd_ep`.

    References
    ----------
    .. [1] Mean Inflection Point Distance: Artificial Intelligence Mapping Accuracy Evaluation Index
       (2023). Remote Sensing 15(7), 1848.

    Examples
    --------
    The square has a vertex more, 0.25 below the middle of its lower side. MPD_EP is
    hypot(2, 0.25) / 5 = 0.403; the vertex is farther than twice that from the corner, and nearer
    than that to the edge: 0.25 / 5.

    >>> from shapely import Polygon, box
    >>> square = Polygon([(0, 0), (2, -0.25), (4, 0), (4, 4), (0, 4)])
    >>> mpd(box(0, 0, 4, 4), square)
    0.05
    >>> round(mpd(box(0, 0, 4, 4), square, tolerance=0.2), 6)
    0.403113
    """
    return measure_pairs(
        _mpd,
        reference,
        prediction,
        rings,
        alpha=check_factor("alpha", alpha),
        beta=check_factor("beta", beta),
        tolerance=None if tolerance is None else check_length("tolerance", tolerance),
    )


def _mpd(
    pairs: Pairs, alpha: float = 2.0, beta: float = 1.0, tolerance: float | None = None
) -> FloatArray:
    points = pairs.share(edge_points, alpha, beta, tolerance)
    return points.routes.means(points.distances)


MPD = Metric(
    name="mpd",
    title="MPD",
    kind="pair",
    unit="length",
    best=0.0,
    bounds=(0.0, float("inf")),
    symmetric=True,
    invariant_to=RIGID,
    equation="1/k (Σ d(a_i, b_j) over end points + Σ d(p, edge) over edge points)",
    source="Remote Sensing 15(7), 1848 (2023), eq. 10 with k",
    compute=_mpd,
    function=mpd,
)
