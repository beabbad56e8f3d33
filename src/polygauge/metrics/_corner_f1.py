"""Precision, recall and F1 score of corners."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from polygauge.geometry import FloatArray, Pairs, matched_corners
from polygauge.metrics._record import RIGID, Metric, Rings, check_length, measure_pairs


def corner_precision(
    reference: ArrayLike, prediction: ArrayLike, *, tolerance: float, rings: Rings = "all"
) -> Any:
    """Share of the prediction's corners that are corners of the reference.

    corner_precision(A, B) = matched / #corners(B)   ([1]_, [2]_),
    a corner being a vertex that turns by more than 10 degrees, matched being the largest number of
    one-to-one matches of corners within `tolerance`.

    Parameters
    ----------
    reference, prediction : Polygon or MultiPolygon, or array_like of them, shape (n,)
        Pairs, row by row, in one planar coordinate system.
    tolerance : float
        Largest distance of matched corners, CRS units, above 0. The sources use 8 pixels.
    rings : {"all", "exterior"}
        "exterior" fills the holes first, on both sides.

    Returns
    -------
    float or ndarray of float64, shape (n,)
        0 to 1, higher is better. NaN where either side is missing, empty or invalid, and where the
        prediction has no corner.

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
    All rings of all parts count. Not symmetric: swapping the sides gives `corner_recall`. The
    sources match each corner in turn with the nearest; a largest matching depends on no order and
    is never smaller. Unchanged by start vertex, ring direction, translation, rotation and vertices
    on a straight side; scales if `tolerance` does.

    References
    ----------
    .. [1] Nauata, Furukawa (2020), Vectorizing World Buildings: Planar Graph Reconstruction by
       Primitive Detection and Relationship Inference. ECCV.
    .. [2] Zhang, Nauata, Furukawa (2020), Conv-MPN: Convolutional Message Passing Neural Network
       for Structured Outdoor Architecture Reconstruction. CVPR.

    Examples
    --------
    Of the four corners of the longer box, the two on the left are corners of the shorter one.

    >>> from shapely import box
    >>> corner_precision([box(0, 0, 4, 4), None], [box(0, 0, 9, 4), box(0, 0, 1, 1)], tolerance=1)
    array([0.5, nan])
    """
    return _measure(_corner_precision, reference, prediction, tolerance, rings)


def corner_recall(
    reference: ArrayLike, prediction: ArrayLike, *, tolerance: float, rings: Rings = "all"
) -> Any:
    """Share of the reference's corners that the prediction has.

    corner_recall(A, B) = matched / #corners(A)   ([1]_, [2]_),
    a corner being a vertex that turns by more than 10 degrees, matched being the largest number of
    one-to-one matches of corners within `tolerance`.

    Parameters
    ----------
    reference, prediction : Polygon or MultiPolygon, or array_like of them, shape (n,)
        Pairs, row by row, in one planar coordinate system.
    tolerance : float
        Largest distance of matched corners, CRS units, above 0. The sources use 8 pixels.
    rings : {"all", "exterior"}
        "exterior" fills the holes first, on both sides.

    Returns
    -------
    float or ndarray of float64, shape (n,)
        0 to 1, higher is better. NaN where either side is missing, empty or invalid, and where the
        reference has no corner.

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
    All rings of all parts count. Not symmetric: swapping the sides gives `corner_precision`.
    Unchanged by start vertex, ring direction, translation, rotation and vertices on a straight
    side; scales if `tolerance` does.

    References
    ----------
    .. [1] Nauata, Furukawa (2020), Vectorizing World Buildings: Planar Graph Reconstruction by
       Primitive Detection and Relationship Inference. ECCV.
    .. [2] Zhang, Nauata, Furukawa (2020), Conv-MPN: Convolutional Message Passing Neural Network
       for Structured Outdoor Architecture Reconstruction. CVPR.

    Examples
    --------
    Of the six corners of the L, the prediction has all but the inner one and its neighbours.

    >>> from shapely import Polygon, box
    >>> corner = Polygon([(0, 0), (9, 0), (9, 4), (4, 4), (4, 9), (0, 9)])
    >>> corner_recall([corner, None], [box(0, 0, 9, 9), corner], tolerance=1)
    array([0.5, nan])
    """
    return _measure(_corner_recall, reference, prediction, tolerance, rings)


def corner_f1(
    reference: ArrayLike, prediction: ArrayLike, *, tolerance: float, rings: Rings = "all"
) -> Any:
    """Harmonic mean of the precision and the recall of corners.

    corner_f1(A, B) = 2 matched / (#corners(A) + #corners(B))   ([1]_, [2]_),
    a corner being a vertex that turns by more than 10 degrees, matched being the largest number of
    one-to-one matches of corners within `tolerance`.

    Parameters
    ----------
    reference, prediction : Polygon or MultiPolygon, or array_like of them, shape (n,)
        Pairs, row by row, in one planar coordinate system.
    tolerance : float
        Largest distance of matched corners, CRS units, above 0. The sources use 8 pixels.
    rings : {"all", "exterior"}
        "exterior" fills the holes first, on both sides.

    Returns
    -------
    float or ndarray of float64, shape (n,)
        0 to 1, higher is better. NaN where either side is missing, empty or invalid, and where
        neither has a corner.

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
    All rings of all parts count. Symmetric. Unchanged by start vertex, ring direction, translation,
    rotation and vertices on a straight side; scales if `tolerance` does.

    References
    ----------
    .. [1] Nauata, Furukawa (2020), Vectorizing World Buildings: Planar Graph Reconstruction by
       Primitive Detection and Relationship Inference. ECCV.
    .. [2] Zhang, Nauata, Furukawa (2020), Conv-MPN: Convolutional Message Passing Neural Network
       for Structured Outdoor Architecture Reconstruction. CVPR.

    Examples
    --------
    Three of the L's six corners are three of the square's four: 2 * 3 / (6 + 4).

    >>> from shapely import Polygon, box
    >>> corner = Polygon([(0, 0), (9, 0), (9, 4), (4, 4), (4, 9), (0, 9)])
    >>> corner_f1([corner, None], [box(0, 0, 9, 9), corner], tolerance=1)
    array([0.6, nan])
    """
    return _measure(_corner_f1, reference, prediction, tolerance, rings)


def _measure(
    compute: Any, reference: ArrayLike, prediction: ArrayLike, tolerance: float, rings: Rings
) -> Any:
    length = check_length("tolerance", tolerance)
    return measure_pairs(compute, reference, prediction, rings, corner_tolerance=length)


def _corner_precision(pairs: Pairs, corner_tolerance: float) -> FloatArray:
    matched, _, prediction = pairs.share(matched_corners, corner_tolerance).T
    return _ratio(matched, prediction)


def _corner_recall(pairs: Pairs, corner_tolerance: float) -> FloatArray:
    matched, reference, _ = pairs.share(matched_corners, corner_tolerance).T
    return _ratio(matched, reference)


def _corner_f1(pairs: Pairs, corner_tolerance: float) -> FloatArray:
    matched, reference, prediction = pairs.share(matched_corners, corner_tolerance).T
    return _ratio(2 * matched, reference + prediction)


def _ratio(part: FloatArray, whole: FloatArray) -> FloatArray:
    """Part of the whole; NaN where there is no whole."""
    return np.where(whole > 0, part, np.nan) / np.maximum(whole, 1)


CORNER_PRECISION = Metric(
    name="corner_precision",
    title="corner precision",
    kind="pair",
    unit="ratio",
    best=1.0,
    bounds=(0.0, 1.0),
    symmetric=False,
    invariant_to=RIGID | {"collinear_vertices"},
    equation="matched / #corners(B)",
    source="Nauata and Furukawa (2020); Zhang et al. (2020)",
    compute=_corner_precision,
    function=corner_precision,
    parameters=("corner_tolerance",),
)

CORNER_RECALL = Metric(
    name="corner_recall",
    title="corner recall",
    kind="pair",
    unit="ratio",
    best=1.0,
    bounds=(0.0, 1.0),
    symmetric=False,
    invariant_to=RIGID | {"collinear_vertices"},
    equation="matched / #corners(A)",
    source="Nauata and Furukawa (2020); Zhang et al. (2020)",
    compute=_corner_recall,
    function=corner_recall,
    parameters=("corner_tolerance",),
)

CORNER_F1 = Metric(
    name="corner_f1",
    title="corner F1",
    kind="pair",
    unit="ratio",
    best=1.0,
    bounds=(0.0, 1.0),
    symmetric=True,
    invariant_to=RIGID | {"collinear_vertices"},
    equation="2 matched / (#corners(A) + #corners(B))",
    source="Nauata and Furukawa (2020); Zhang et al. (2020)",
    compute=_corner_f1,
    function=corner_f1,
    parameters=("corner_tolerance",),
)
