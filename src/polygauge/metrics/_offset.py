"""Displacement of the prediction against the reference, in x, in y, and its length."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from polygauge.geometry import FloatArray, Pairs, best_translations
from polygauge.metrics._record import RIGID, Metric, Rings, measure_pairs


def offset_x(reference: ArrayLike, prediction: ArrayLike, *, rings: Rings = "all") -> Any:
    """Displacement of the prediction against the reference, x component.

    The prediction lies where the reference does, moved by (offset_x, offset_y): the opposite of
    the translation t that makes IoU(A, B + t) largest, which then is `iou_aligned`. Above 0 the
    prediction lies too far to the east.

    Parameters
    ----------
    reference, prediction : Polygon or MultiPolygon, or array_like of them, shape (n,)
        Pairs, row by row, in one planar coordinate system.
    rings : {"all", "exterior"}
        "exterior" fills the holes first, on both sides.

    Returns
    -------
    float or ndarray of float64, shape (n,)
        CRS units, any sign, 0 is best. NaN where either side is missing, empty or invalid, and
        where no start of the search makes the two overlap.

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
    Not the difference of the centroids, which also moves when the prediction misses a wing. Where
    several translations are as good, as for a prediction that fits inside the reference with room
    to spare, one is taken that cannot be shortened along the main direction of the edges or across
    it: 0 for a prediction that lies inside already.
    Holes and all parts count. Swapping the sides changes the sign. Unchanged by start vertex, ring
    direction, translation of both sides and vertices on a straight side; scales with the
    coordinates. *Changed* by rotation, which turns the vector. Search and precision: see
    `iou_aligned`.

    References
    ----------
    .. [1] Own definition.

    Examples
    --------
    The prediction misses a third of the building, and the rest lies 0.5 too far west.

    >>> from shapely import box
    >>> offset_x(box(0, 0, 9, 4), box(-0.5, 0, 5.5, 4))
    -0.5
    >>> offset_x([box(0, 0, 4, 2), None], [box(3, 1, 7, 3), box(0, 0, 1, 1)])
    array([ 3., nan])
    """
    return measure_pairs(_offset_x, reference, prediction, rings)


def offset_y(reference: ArrayLike, prediction: ArrayLike, *, rings: Rings = "all") -> Any:
    """Displacement of the prediction against the reference, y component.

    The prediction lies where the reference does, moved by (offset_x, offset_y): the opposite of
    the translation t that makes IoU(A, B + t) largest, which then is `iou_aligned`. Above 0 the
    prediction lies too far to the north.

    Parameters
    ----------
    reference, prediction : Polygon or MultiPolygon, or array_like of them, shape (n,)
        Pairs, row by row, in one planar coordinate system.
    rings : {"all", "exterior"}
        "exterior" fills the holes first, on both sides.

    Returns
    -------
    float or ndarray of float64, shape (n,)
        CRS units, any sign, 0 is best. NaN where either side is missing, empty or invalid, and
        where no start of the search makes the two overlap.

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
    As for `offset_x`. Swapping the sides changes the sign. Unchanged by start vertex, ring
    direction, translation of both sides and vertices on a straight side; scales with the
    coordinates. *Changed* by rotation, which turns the vector.

    References
    ----------
    .. [1] Own definition.

    Examples
    --------
    Moved by 3 to the east and 1 to the north.

    >>> from shapely import box
    >>> offset_y([box(0, 0, 4, 2), None], [box(3, 1, 7, 3), box(0, 0, 1, 1)])
    array([ 1., nan])
    """
    return measure_pairs(_offset_y, reference, prediction, rings)


def offset(reference: ArrayLike, prediction: ArrayLike, *, rings: Rings = "all") -> Any:
    """How far the prediction is displaced against the reference.

    offset = sqrt(offset_x² + offset_y²),   the length of the translation t that makes IoU(A, B + t)
    largest, which then is `iou_aligned`.

    Parameters
    ----------
    reference, prediction : Polygon or MultiPolygon, or array_like of them, shape (n,)
        Pairs, row by row, in one planar coordinate system.
    rings : {"all", "exterior"}
        "exterior" fills the holes first, on both sides.

    Returns
    -------
    float or ndarray of float64, shape (n,)
        CRS units, 0 and up, lower is better. NaN where either side is missing, empty or invalid,
        and where no start of the search makes the two overlap.

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
    As for `offset_x`. Symmetric where the best translation is the only one. Unchanged by start
    vertex, ring direction, translation and rotation of both sides and vertices on a straight side;
    scales with the coordinates.

    References
    ----------
    .. [1] Own definition.

    Examples
    --------
    Moved by 3 to the east and 4 to the north: 5.

    >>> from shapely import box
    >>> offset([box(0, 0, 8, 6), None], [box(3, 4, 11, 10), box(0, 0, 1, 1)])
    array([ 5., nan])
    """
    return measure_pairs(_offset, reference, prediction, rings)


def _offset_x(pairs: Pairs) -> FloatArray:
    # 0 minus it, so that no displacement is 0 and not -0.
    return 0.0 - pairs.share(best_translations)[:, 0]


def _offset_y(pairs: Pairs) -> FloatArray:
    return 0.0 - pairs.share(best_translations)[:, 1]


def _offset(pairs: Pairs) -> FloatArray:
    moved = pairs.share(best_translations)
    return np.hypot(moved[:, 0], moved[:, 1])


OFFSET_X = Metric(
    name="offset_x",
    title="offset in x",
    kind="pair",
    unit="length",
    best=0.0,
    bounds=(float("-inf"), float("inf")),
    symmetric=False,
    invariant_to=RIGID - {"rotation"} | {"collinear_vertices"},
    equation="-x of argmax_t |A ∩ (B + t)|",
    source="own definition",
    compute=_offset_x,
    function=offset_x,
)

OFFSET_Y = Metric(
    name="offset_y",
    title="offset in y",
    kind="pair",
    unit="length",
    best=0.0,
    bounds=(float("-inf"), float("inf")),
    symmetric=False,
    invariant_to=RIGID - {"rotation"} | {"collinear_vertices"},
    equation="-y of argmax_t |A ∩ (B + t)|",
    source="own definition",
    compute=_offset_y,
    function=offset_y,
)

OFFSET = Metric(
    name="offset",
    title="offset",
    kind="pair",
    unit="length",
    best=0.0,
    bounds=(0.0, float("inf")),
    symmetric=True,
    invariant_to=RIGID | {"collinear_vertices"},
    equation="|argmax_t |A ∩ (B + t)||",
    source="own definition",
    compute=_offset,
    function=offset,
)
