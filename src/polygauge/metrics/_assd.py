"""Average symmetric surface distance of two boundaries."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from polygauge.geometry import FloatArray, Pairs, boundary_profile
from polygauge.metrics._record import RIGID, Metric, Rings, measure_pairs


def assd(reference: ArrayLike, prediction: ArrayLike, *, rings: Rings = "all") -> Any:
    """Mean distance from one boundary to the other, over the length of both.

    ASSD(A, B) = (integral_dA d(a, dB) + integral_dB d(b, dA)) / (|dA| + |dB|),
    the integrals being over arc length and |.| the length of a boundary. It is the vector form of
    the mean surface distance of masks [1]_, and the limit of densely sampled `chamfer` when the two
    directions are weighted by length.

    Parameters
    ----------
    reference, prediction : Polygon or MultiPolygon, or array_like of them, shape (n,)
        Pairs, row by row, in one planar coordinate system.
    rings : {"all", "exterior"}
        "exterior" fills the holes first, on both sides.

    Returns
    -------
    float or ndarray of float64, shape (n,)
        CRS units, 0 and up, lower is better; within 1e-9 of the size of the pair. NaN where either
        side is missing, empty or invalid.

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
    All rings of all parts count. Exact up to rounding: along an edge the distance is that to one
    straight edge or one corner of the other boundary, piece by piece, and each piece has a closed
    integral. Symmetric. Unchanged by start vertex, ring direction, translation, rotation and
    vertices on a straight side; scales with the coordinates.

    References
    ----------
    .. [1] Heimann et al. (2009), Comparison and Evaluation of Methods for Liver Segmentation From
       CT Datasets. IEEE TMI 28(8). (The mask form.)

    Examples
    --------
    Of the flat shape only the upper side is off the other boundary: min(x, 1, 2 - x) over 0 to 2 is
    1. Of the square, two sides run off from 0 to 1 (1/2 each) and the upper side, 2 long, lies 1
    off: (1 + 1/2 + 1/2 + 2) / (6 + 8).

    >>> from shapely import box
    >>> round(assd(box(0, 0, 2, 1), box(0, 0, 2, 2)), 6)
    0.285714
    """
    return measure_pairs(_assd, reference, prediction, rings)


def _assd(pairs: Pairs) -> FloatArray:
    profile = pairs.share(boundary_profile)
    mean: FloatArray = profile.integrals().sum(axis=1) / profile.lengths.sum(axis=1)
    return mean


ASSD = Metric(
    name="assd",
    title="Average symmetric surface distance",
    kind="pair",
    unit="length",
    best=0.0,
    bounds=(0.0, float("inf")),
    symmetric=True,
    invariant_to=RIGID | {"collinear_vertices"},
    equation="(∫_∂A d(a, ∂B) + ∫_∂B d(b, ∂A)) / (|∂A| + |∂B|)",
    source="Heimann et al. (2009), vector form",
    compute=_assd,
    function=assd,
)
