"""Mean inflection point distance over the matched vertices alone."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from polygauge.geometry import FloatArray, Pairs, vertex_routes
from polygauge.metrics._record import RIGID, Metric, Rings, measure_pairs


def mpd_ep(reference: ArrayLike, prediction: ArrayLike, *, rings: Rings = "all") -> Any:
    """Mean distance of the matched vertices of two outlines.

    MPD_EP(A, B) = 1/k sum_s d(a_i(s), b_j(s))   (eq. 7 of [1]_) over the k vertex pairs of the
    cheapest route. A route goes once round both outlines in one direction by steps to the next
    vertex of A, of B or of both; so every vertex is matched, some with several. The cheapest has
    the smallest sum of distances, over all vertices to start from.

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
    Exterior rings only, as the name has it in the paper: holes are ignored. Where a side has
    several parts, every part of either side is matched with the part of the other whose centroid
    is nearest, and k runs over all vertex pairs of all these routes.

    Of routes whose sums agree to about 1e-9 of the largest vertex distance the one of fewest pairs
    counts: two squares with a common wall, 9 wide, have MPD_EP 9 with 4 pairs, not 6 with 6. Among
    those it is the one whose vertices also have neighbours close to each other; that does not
    change MPD_EP. Symmetric. Unchanged by start vertex, ring direction, translation and rotation;
    scales with the coordinates. *Changed* by vertices on a straight side: they are matched with
    corners (see `mpd`). O(q r log r) a pair.

    References
    ----------
    .. [1] Mean Inflection Point Distance: Artificial Intelligence Mapping Accuracy Evaluation Index
       (2023). Remote Sensing 15(7), 1848.

    Examples
    --------
    The square has a vertex more, in the middle of its lower side: five pairs, four at distance 0
    and one at distance 2.

    >>> from shapely import Polygon, box
    >>> square = Polygon([(0, 0), (2, 0), (4, 0), (4, 4), (0, 4)])
    >>> mpd_ep(box(0, 0, 4, 4), square)
    0.4
    """
    return measure_pairs(_mpd_ep, reference, prediction, rings)


def _mpd_ep(pairs: Pairs) -> FloatArray:
    routes = pairs.share(vertex_routes)
    return routes.means(routes.distances)


MPD_EP = Metric(
    name="mpd_ep",
    title="MPD, end points",
    kind="pair",
    unit="length",
    best=0.0,
    bounds=(0.0, float("inf")),
    symmetric=True,
    invariant_to=RIGID,
    equation="1/k Σ d(a_i, b_j) over the k vertex pairs of the cheapest route",
    source="Remote Sensing 15(7), 1848 (2023), eq. 7",
    compute=_mpd_ep,
    function=mpd_ep,
)
