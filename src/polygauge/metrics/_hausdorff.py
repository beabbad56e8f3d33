"""Hausdorff distance of the sampled boundaries."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from polygauge.geometry import FloatArray, Pairs, sampled_distances
from polygauge.metrics._record import RIGID, Metric, Rings, check_length, measure_pairs


def hausdorff(
    reference: ArrayLike, prediction: ArrayLike, *, spacing: float = 0.1, rings: Rings = "all"
) -> Any:
    """Largest distance of a sample of either boundary to the nearest sample of the other.

    H(A, B) = max(max_{a in S_A} min_{b in S_B} |a - b|, max_{b in S_B} min_{a in S_A} |a - b|),
    S_A and S_B being samples along the boundaries: the usual reading of eq. 8 of [1]_, which
    prints the sum of the two (`hausdorff_sum`).

    Parameters
    ----------
    reference, prediction : Polygon or MultiPolygon, or array_like of them, shape (n,)
        Pairs, row by row, in one planar coordinate system.
    spacing : float
        Largest distance between neighbouring samples, CRS units, above 0.
    rings : {"all", "exterior"}
        "exterior" fills the holes first, on both sides.

    Returns
    -------
    float or ndarray of float64, shape (n,)
        CRS units, 0 and up, lower is better. NaN where either side is missing, empty or invalid.

    Raises
    ------
    OptionError
        `spacing` is not a length above 0, or `rings` is not one of its two values.
    ShapeError
        The two sides differ in length.
    GeometryError
        A geometry is not a polygon or multipolygon.

    Notes
    -----
    An edge is cut into ceil(length / spacing) equal parts; every cut and every vertex of all rings
    of all parts is one sample. An edge longer than a whole number of spacings by less than 1e-6 of
    one is not cut once more.

    Sample to sample: off by up to half a spacing, and above 0 for equal shapes with different
    vertices; `hausdorff_exact` is over every point. Symmetric. Unchanged by start vertex, ring
    direction, translation and rotation; *changed* by vertices on a straight side. Scales with
    coordinates and spacing together.

    References
    ----------
    .. [1] Sulzer et al. (2025), The P3 dataset: Pixels, Points and Polygons.

    Examples
    --------
    The far side of the moved square is 3 from the nearest side of the other.

    >>> from shapely import box
    >>> hausdorff(box(0, 0, 2, 2), box(3, 0, 5, 2), spacing=1)
    3.0
    """
    return measure_pairs(
        _hausdorff, reference, prediction, rings, spacing=check_length("spacing", spacing)
    )


def _hausdorff(pairs: Pairs, spacing: float) -> FloatArray:
    farthest: FloatArray = pairs.share(sampled_distances, spacing).maxima.max(axis=1)
    return farthest


HAUSDORFF = Metric(
    name="hausdorff",
    title="Hausdorff distance, sampled",
    kind="pair",
    unit="length",
    best=0.0,
    bounds=(0.0, float("inf")),
    symmetric=True,
    invariant_to=RIGID,
    equation="max(max_a min_b |a - b|, max_b min_a |a - b|), samples every `spacing`",
    source="P3 eq. 8 with the larger for the sum",
    compute=_hausdorff,
    function=hausdorff,
    parameters=("spacing",),
)
