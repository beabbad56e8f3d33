"""Max tangent angle."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from polygauge.geometry import FloatArray, Pairs, max_tangent_angles
from polygauge.metrics._record import RIGID, Metric, Rings, check_length, measure_pairs


def mta(
    reference: ArrayLike, prediction: ArrayLike, *, spacing: float = 2.0, rings: Rings = "all"
) -> Any:
    """Largest angle between the tangents of the prediction and of its projection.

    MTA(A, B) = max over s of angle(b_s+1 - b_s, P(b_s+1) - P(b_s))   (eq. 9-11 of [1]_, from [2]_),
    b_s being samples along the boundary of the prediction and P(b) the nearest point of the
    boundary of the reference.

    Parameters
    ----------
    reference, prediction : Polygon or MultiPolygon, or array_like of them, shape (n,)
        Pairs, row by row, in one planar coordinate system.
    spacing : float
        Every edge of the prediction is cut into round(length / spacing) equal pieces, at least one;
        CRS units, above 0. The paper's code uses 2 pixels.
    rings : {"all", "exterior"}
        "exterior" fills the holes first, on both sides.

    Returns
    -------
    float or ndarray of float64, shape (n,)
        Degrees, 0 to 90, lower is better. NaN where either side is missing, empty or invalid, and
        where no piece counts.

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
    All rings of all parts count, on both sides. A piece counts if its projection is less than twice
    and more than half as long as the piece (the gate of the papers' code): otherwise its ends went
    to different walls, or both to about one corner. Where several points of the reference are
    equally near (to 1e-8 of distance + spacing), the smallest of the angles that they give counts.

    Not symmetric: the prediction is sampled. Unchanged by start vertex, ring direction, translation
    and rotation; *changed* by vertices on a straight side, which change the pieces. The maximum
    makes it sensitive to a single corner: a rectangle moved along a side by half a spacing already
    scores 26.6.

    References
    ----------
    .. [1] Sulzer et al. (2025), The P3 dataset: Pixels, Points and Polygons.
    .. [2] Girard, Smirnov, Solomon, Tarabalka (2021), Polygonal Building Extraction by Frame Field
       Learning. CVPR.

    Examples
    --------
    The roof of the prediction rises by 1 over 2 to its tip, the one of the reference is flat:
    atan(1 / 2).

    >>> from shapely import Polygon, box
    >>> tip = Polygon([(0, 0), (4, 0), (4, 4), (2, 5), (0, 4)])
    >>> round(mta(box(0, 0, 4, 4), tip), 4)
    26.5651
    """
    return measure_pairs(
        _mta, reference, prediction, rings, tangent_spacing=check_length("spacing", spacing)
    )


def _mta(pairs: Pairs, tangent_spacing: float) -> FloatArray:
    return pairs.share(max_tangent_angles, tangent_spacing)


MTA = Metric(
    name="mta",
    title="Max tangent angle",
    kind="pair",
    unit="degree",
    best=0.0,
    bounds=(0.0, 90.0),
    symmetric=False,
    invariant_to=RIGID,
    equation="max ∠(b_s+1 - b_s, P(b_s+1) - P(b_s)), samples every `tangent_spacing`",
    source="P3 eq. 9-11; Girard et al. (2021)",
    compute=_mta,
    function=mta,
    parameters=("tangent_spacing",),
)
