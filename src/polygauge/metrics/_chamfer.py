"""Chamfer distance of the sampled boundaries."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from polygauge.geometry import FloatArray, Pairs, sampled_distances
from polygauge.metrics._record import RIGID, Metric, Rings, check_length, measure_pairs


def chamfer(
    reference: ArrayLike, prediction: ArrayLike, *, spacing: float = 0.1, rings: Rings = "all"
) -> Any:
    """Mean distance of the samples of each boundary to the nearest sample of the other.

    CD(A, B) = 1/(2 |S_A|) sum_{a in S_A} min_{b in S_B} |a - b|
    + 1/(2 |S_B|) sum_{b in S_B} min_{a in S_A} |a - b|   (eq. 7 of [1]_),
    S_A and S_B being samples along the boundaries. Not squared.

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
    vertices; `assd` is the limit of dense sampling. Symmetric. Unchanged by start vertex, ring
    direction, translation and rotation; *changed* by vertices on a straight side. Scales with
    coordinates and spacing together. Public code looks at exterior rings only and counts the
    closing vertex twice.

    References
    ----------
    .. [1] Sulzer et al. (2025), The P3 dataset: Pixels, Points and Polygons.

    Examples
    --------
    Sampled every 1, the lower shape has 6 samples, of which the middle of its upper side is 1 from
    the nearest sample of the other; the upper shape has 8, of which the 3 on its upper side are 1
    away: 1 / (2 * 6) + 3 / (2 * 8).

    >>> from shapely import box
    >>> round(chamfer(box(0, 0, 2, 1), box(0, 0, 2, 2), spacing=1), 6)
    0.270833
    """
    return measure_pairs(
        _chamfer, reference, prediction, rings, spacing=check_length("spacing", spacing)
    )


def _chamfer(pairs: Pairs, spacing: float) -> FloatArray:
    return pairs.share(sampled_distances, spacing).means @ [0.5, 0.5]


CHAMFER = Metric(
    name="chamfer",
    title="Chamfer distance",
    kind="pair",
    unit="length",
    best=0.0,
    bounds=(0.0, float("inf")),
    symmetric=True,
    invariant_to=RIGID,
    equation="1/(2|S_A|) Σ min |a - b| + 1/(2|S_B|) Σ min |b - a|, samples every `spacing`",
    source="P3 eq. 7",
    compute=_chamfer,
    function=chamfer,
    parameters=("spacing",),
)
