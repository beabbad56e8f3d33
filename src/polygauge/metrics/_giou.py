"""Generalised IoU of polygons."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from polygauge.geometry import (
    FloatArray,
    Pairs,
    hull_areas,
    intersection_over_union,
    overlap_areas,
)
from polygauge.metrics._record import RIGID, Metric, Rings, measure_pairs


def giou(reference: ArrayLike, prediction: ArrayLike, *, rings: Rings = "all") -> Any:
    """Intersection over union, minus the empty share of the common convex hull.

    GIoU(A, B) = IoU(A, B) - (area(C) - area(A ∪ B)) / area(C)   (algorithm 1 of [1]_),
    C being the smallest convex shape around both: for polygons, the convex hull of both together.
    (Between boxes [1]_ takes the smallest box; that is another number.)


    Parameters
    ----------
    reference, prediction : Polygon or MultiPolygon, or array_like of them, shape (n,)
        Pairs, row by row, in one planar coordinate system.
    rings : {"all", "exterior"}
        "exterior" fills the holes first, on both sides.

    Returns
    -------
    float or ndarray of float64, shape (n,)
        Above -1, at most 1, higher is better. 1 for equal convex shapes; equal shapes with a notch
        or a hole have area(A) / area(C). NaN where either side is missing, empty or invalid.

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
    Holes and all parts count for the areas. Symmetric. Unchanged by start vertex, ring direction,
    translation, rotation and vertices on a straight side. Below 0 it says how far apart the two
    sides are, where their intersection over union is 0.

    References
    ----------
    .. [1] Rezatofighi, Tsoi, Gwak, Sadeghian, Reid, Savarese (2019), Generalized Intersection over
       Union: A Metric and A Loss for Bounding Box Regression. CVPR.

    Examples
    --------
    Two unit squares with a gap of 2 between them: 0 - (4 - 2) / 4.

    >>> from shapely import Polygon, box
    >>> giou(box(0, 0, 1, 1), box(3, 0, 4, 1))
    -0.5

    An L of three unit squares against itself: 1 - (3.5 - 3) / 3.5.

    >>> corner = Polygon([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)])
    >>> giou([corner, None], [corner, corner])
    array([0.85714286,        nan])
    """
    return measure_pairs(_giou, reference, prediction, rings)


def _giou(pairs: Pairs) -> FloatArray:
    areas, hull = pairs.share(overlap_areas), pairs.share(hull_areas)
    union = areas[:, 1] + areas[:, 2] - areas[:, 0]
    # A hull is never smaller than what it holds; rounding must not make it so.
    empty = np.maximum(hull - union, 0.0)
    return pairs.share(intersection_over_union) - empty / hull


GIOU = Metric(
    name="giou",
    title="GIoU",
    kind="pair",
    unit="ratio",
    best=1.0,
    bounds=(-1.0, 1.0),
    symmetric=True,
    invariant_to=RIGID | {"collinear_vertices"},
    equation="IoU - (|C| - |A ∪ B|) / |C|, C = convex hull of A ∪ B",
    source="Rezatofighi et al. (2019), algorithm 1",
    compute=_giou,
    function=giou,
)
