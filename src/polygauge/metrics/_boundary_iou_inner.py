"""Boundary IoU on the inside of each outline."""

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


def boundary_iou_inner(
    reference: ArrayLike, prediction: ArrayLike, *, width: float, rings: Rings = "all"
) -> Any:
    """Intersection over union of the inner strips of width `width` along the two boundaries.

    BIoU(A, B) = area((A_d ∩ A) ∩ (B_d ∩ B)) / area((A_d ∩ A) ∪ (B_d ∩ B))   (eq. 1 of [1]_),
    X_d being all points within `width` of the boundary of X: the mask definition, on vectors.

    Parameters
    ----------
    reference, prediction : Polygon or MultiPolygon, or array_like of them, shape (n,)
        Pairs, row by row, in metres or pixels, never degrees.
    width : float
        Width of the strip, CRS units, above 0.
    rings : {"all", "exterior"}
        "exterior" fills the holes first, on both sides.

    Returns
    -------
    float or ndarray of float64, shape (n,)
        0 to 1, higher is better; IoU where the strip fills both shapes. NaN where either side is
        missing, empty or invalid.

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
    All rings of all parts count: a courtyard has its strip in the building around it. Symmetric.
    Unchanged by start vertex, ring direction and translation; by rotation within 1e-4, because
    arcs at inward corners are drawn with 64 segments a quarter circle. A run sets aside references
    with width >= sqrt(area) / 2.

    References
    ----------
    .. [1] Cheng, Girshick, Dollar, Berg, Kirillov (2021), Boundary IoU: Improving Object-Centric
       Image Segmentation Evaluation. CVPR.

    Examples
    --------
    Strips of a 20 x 10 rectangle are 200 - 18 * 8 = 56; moved along by 2, the long sides share
    18 * 2 = 36 and nothing else does: 36 / (56 + 56 - 36).

    >>> from shapely import box
    >>> round(boundary_iou_inner(box(0, 0, 20, 10), box(2, 0, 22, 10), width=1), 6)
    0.473684
    """
    return measure_pairs(
        _boundary_iou_inner, reference, prediction, rings, width=check_length("width", width)
    )


def _boundary_iou_inner(pairs: Pairs, width: float) -> FloatArray:
    return pairs.share(boundary_region_iou, width, True)


def _too_small(pairs: Pairs, width: float) -> BoolArray:
    small: BoolArray = width >= 0.5 * np.sqrt(pairs.share(overlap_areas)[:, 1])
    return small


BOUNDARY_IOU_INNER = Metric(
    name="boundary_iou_inner",
    title="Boundary IoU, inner strip",
    kind="pair",
    unit="ratio",
    best=1.0,
    bounds=(0.0, 1.0),
    symmetric=True,
    invariant_to=RIGID - {"rotation"} | {"collinear_vertices"},
    equation="|(A_d ∩ A) ∩ (B_d ∩ B)| / |(A_d ∩ A) ∪ (B_d ∩ B)|",
    source="Cheng et al. (2021), eq. 1, on vectors",
    compute=_boundary_iou_inner,
    function=boundary_iou_inner,
    parameters=("width",),
    set_aside=_too_small,
    set_aside_reason="too small for the band",
)
