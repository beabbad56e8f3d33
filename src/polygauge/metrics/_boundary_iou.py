"""Boundary IoU of two vector outlines."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from polygauge.geometry import (
    BoolArray,
    FloatArray,
    Pairs,
    boundary_region_iou,
    overlap_areas,
)
from polygauge.metrics._record import RIGID, Metric, Rings, check_length, measure_pairs


def boundary_iou(
    reference: ArrayLike, prediction: ArrayLike, *, width: float, rings: Rings = "all"
) -> Any:
    """Intersection over union of the regions within `width` of the two boundaries.

    BIoU(A, B) = area(R(A) ∩ R(B)) / area(R(A) ∪ R(B)), R(X) being all points within `width` of
    the boundary of X, on both sides: the boundary of each shape buffered by `width` with round
    joins, 16 segments a quarter circle. It is the vector form of Boundary IoU [1]_; the mask form
    keeps the inner half only (`boundary_iou_inner`).

    Parameters
    ----------
    reference, prediction : Polygon or MultiPolygon, or array_like of them, shape (n,)
        Pairs, row by row, in metres or pixels, never degrees.
    width : float
        Half-width of the region, CRS units, above 0; 3 pixels is usual.
    rings : {"all", "exterior"}
        "exterior" fills the holes first, on both sides.

    Returns
    -------
    float or ndarray of float64, shape (n,)
        0 to 1, higher is better. NaN where either side is missing, empty or invalid.

    Raises
    ------
    OptionError
        `width` is not a length above 0, or `rings` is not one of its two values.
    ShapeError
        The two sides differ in length.
    GeometryError
        A geometry is not a polygon or multipolygon.

    Notes
    -----
    All rings of all parts count. Symmetric. Unchanged by start vertex, ring direction and
    translation; by rotation within 1e-3, because arcs are drawn as segments. Where a side is
    shorter than 1 % of the width, `shapely.buffer` gives values that depend on the direction of
    the ring, by up to 1e-3; this is the one of counter-clockwise exteriors. The function always
    computes; a *run* sets aside references with width >= sqrt(area) / 2, which the region covers
    nearly whole, and counts them.

    References
    ----------
    .. [1] Cheng, Girshick, Dollar, Berg, Kirillov (2021), Boundary IoU: Improving Object-Centric
       Image Segmentation Evaluation. CVPR.

    Examples
    --------
    A long bar moved across by 0.5: along both sides the strips of width 1 share a half, 0.5 of
    1.5, and its short ends add a little.

    >>> from shapely import box
    >>> bar = box(0, 0, 100, 2)
    >>> boundary_iou(bar, bar, width=0.5)
    1.0
    >>> round(boundary_iou(bar, box(0, 0.5, 100, 2.5), width=0.5), 3)
    0.342
    """
    return measure_pairs(
        _boundary_iou, reference, prediction, rings, width=check_length("width", width)
    )


def _boundary_iou(pairs: Pairs, width: float) -> FloatArray:
    return pairs.share(boundary_region_iou, width, False)


def _too_small(pairs: Pairs, width: float) -> BoolArray:
    """References that a region of this width covers nearly whole: width >= sqrt(area) / 2."""
    small: BoolArray = width >= 0.5 * np.sqrt(pairs.share(overlap_areas)[:, 1])
    return small


BOUNDARY_IOU = Metric(
    name="boundary_iou",
    title="Boundary IoU",
    kind="pair",
    unit="ratio",
    best=1.0,
    bounds=(0.0, 1.0),
    symmetric=True,
    invariant_to=RIGID - {"rotation"} | {"collinear_vertices"},
    equation="|R(A) ∩ R(B)| / |R(A) ∪ R(B)|, R(X) = {p : d(p, ∂X) ≤ width}",
    source="Cheng et al. (2021), vector form",
    compute=_boundary_iou,
    function=boundary_iou,
    parameters=("width",),
    set_aside=_too_small,
    set_aside_reason="too small for the band",
)
