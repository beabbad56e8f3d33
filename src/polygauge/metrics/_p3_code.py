"""Pair metrics as the public P3 evaluator computes them, to compare with its printed numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from polygauge.geometry import FloatArray, Pairs, max_tangent_angles, overlap_areas
from polygauge.metrics._record import RIGID, Metric, check_length, measure_pairs


def mta_p3(reference: ArrayLike, prediction: ArrayLike, *, spacing: float = 2.0) -> Any:
    """Max tangent angle of the predictions that lie mostly in the reference.

    `mta` where area(A ∩ B) / area(B) > 0.5, else undefined: the code of [1]_ drops a prediction B
    of which no more than half is covered, before it measures any angle.

    Parameters
    ----------
    reference, prediction : Polygon or MultiPolygon, or array_like of them, shape (n,)
        Pairs, row by row, in one planar coordinate system.
    spacing : float
        Wanted length of a piece, CRS units, above 0.

    Returns
    -------
    float or ndarray of float64, shape (n,)
        Degrees, 0 to 90, lower is better. NaN where either side is missing, empty or invalid, where
        no more than half of the prediction is covered, and where no piece counts.

    Raises
    ------
    OptionError
        `spacing` is not a length above 0.
    ShapeError
        The two sides differ in length.
    GeometryError
        A geometry is not a polygon or multipolygon.

    Notes
    -----
    One pair by itself. On a whole tile the code also unites predictions that touch, takes the area
    of all references together, and projects to the boundaries of all of them.

    References
    ----------
    .. [1] Sulzer et al. (2025), The P3 dataset: Pixels, Points and Polygons; its public code.

    Examples
    --------
    Half of the prediction outside is too much, a little less is not.

    >>> from shapely import box
    >>> mta_p3(box(0, 0, 8, 8), [box(4, 0, 12, 8), box(3, 0, 11, 8)])
    array([nan,  0.])
    """
    return measure_pairs(
        _mta_p3, reference, prediction, tangent_spacing=check_length("spacing", spacing)
    )


def _mta_p3(pairs: Pairs, tangent_spacing: float) -> FloatArray:
    shared, _, area = pairs.share(overlap_areas).T
    return np.where(shared > 0.5 * area, pairs.share(max_tangent_angles, tangent_spacing), np.nan)


MTA_P3 = Metric(
    name="mta_p3",
    title="Max tangent angle, P3 code",
    kind="pair",
    unit="degree",
    best=0.0,
    bounds=(0.0, 90.0),
    symmetric=False,
    invariant_to=RIGID,
    equation="mta where |A ∩ B| / |B| > 0.5",
    source="P3, public code",
    compute=_mta_p3,
    function=mta_p3,
    parameters=("tangent_spacing",),
)
