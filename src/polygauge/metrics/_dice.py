"""Dice coefficient."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from polygauge.geometry import FloatArray, Pairs, overlap_areas
from polygauge.metrics._record import RIGID, Metric, Rings, measure_pairs


def dice(reference: ArrayLike, prediction: ArrayLike, *, rings: Rings = "all") -> Any:
    """Twice the shared area over the sum of the areas.

    Dice(A, B) = 2 area(A ∩ B) / (area(A) + area(B))   ([1]_),
    which is 2 IoU / (1 + IoU), and the F1 score of the areas.


    Parameters
    ----------
    reference, prediction : Polygon or MultiPolygon, or array_like of them, shape (n,)
        Pairs, row by row, in one planar coordinate system.
    rings : {"all", "exterior"}
        "exterior" fills the holes first, on both sides.

    Returns
    -------
    float or ndarray of float64, shape (n,)
        0 to 1, higher is better. NaN where either side is missing, empty or invalid.

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
    rotation and vertices on a straight side.

    References
    ----------
    .. [1] Dice (1945), Measures of the Amount of Ecologic Association Between Species. Ecology
       26(3).

    Examples
    --------
    Two boxes of area 2 that share a unit square: 2 / (2 + 2).

    >>> from shapely import box
    >>> dice(box(0, 0, 2, 1), box(1, 0, 3, 1))
    0.5
    >>> dice([box(0, 0, 2, 1), None], [box(0, 0, 2, 1), box(0, 0, 1, 1)])
    array([ 1., nan])
    """
    return measure_pairs(_dice, reference, prediction, rings)


def _dice(pairs: Pairs) -> FloatArray:
    areas = pairs.share(overlap_areas)
    return 2 * areas[:, 0] / (areas[:, 1] + areas[:, 2])


DICE = Metric(
    name="dice",
    title="Dice",
    kind="pair",
    unit="ratio",
    best=1.0,
    bounds=(0.0, 1.0),
    symmetric=True,
    invariant_to=RIGID | {"collinear_vertices"},
    equation="2 |A ∩ B| / (|A| + |B|)",
    source="Dice (1945)",
    compute=_dice,
    function=dice,
)
