"""Shared area as a share of the smaller side."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from polygauge.geometry import FloatArray, Pairs, overlap_areas
from polygauge.metrics._record import RIGID, Metric, Rings, measure_pairs


def overlap_share(reference: ArrayLike, prediction: ArrayLike, *, rings: Rings = "all") -> Any:
    """Shared area over the smaller of the two areas.

    overlap_share(A, B) = area(A ∩ B) / min(area(A), area(B))   (the overlap coefficient [1]_).


    Parameters
    ----------
    reference, prediction : Polygon or MultiPolygon, or array_like of them, shape (n,)
        Pairs, row by row, in one planar coordinate system.
    rings : {"all", "exterior"}
        "exterior" fills the holes first, on both sides.

    Returns
    -------
    float or ndarray of float64, shape (n,)
        0 to 1, higher is better; 1 wherever one side lies in the other.
        NaN where either side is missing, empty or invalid.

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
    Holes and all parts count. Symmetric. Unchanged by start vertex, ring direction, translation,
    rotation and vertices on a straight side. It relates a whole to its parts, where the
    intersection over union is small: matching uses it to form groups.

    References
    ----------
    .. [1] Simpson (1943), Mammals and the nature of continents. American Journal of Science
       241(1).

    Examples
    --------
    A box of area 2 and one of area 4 that share a unit square: 1 / 2.

    >>> from shapely import box
    >>> overlap_share(box(0, 0, 2, 1), box(1, 0, 5, 1))
    0.5
    >>> overlap_share([box(0, 0, 9, 9), None], [box(2, 2, 3, 3), box(0, 0, 1, 1)])
    array([ 1., nan])
    """
    return measure_pairs(_overlap_share, reference, prediction, rings)


def _overlap_share(pairs: Pairs) -> FloatArray:
    areas = pairs.share(overlap_areas)
    return areas[:, 0] / np.minimum(areas[:, 1], areas[:, 2])


OVERLAP_SHARE = Metric(
    name="overlap_share",
    title="share of the smaller",
    kind="pair",
    unit="ratio",
    best=1.0,
    bounds=(0.0, 1.0),
    symmetric=True,
    invariant_to=RIGID | {"collinear_vertices"},
    equation="|A ∩ B| / min(|A|, |B|)",
    source="Simpson (1943), overlap coefficient",
    compute=_overlap_share,
    function=overlap_share,
)
