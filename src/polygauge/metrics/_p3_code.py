"""Pair metrics as the public P3 evaluator computes them, to compare with its printed numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from polygauge.geometry import (
    FloatArray,
    Pairs,
    intersection_over_union,
    max_tangent_angles,
    overlap_areas,
    ring_counts,
    sampled_distances,
    vertex_distances,
    vertex_ratios,
)
from polygauge.metrics._record import RIGID, Metric, Rings, check_length, measure_pairs


def polis_p3(reference: ArrayLike, prediction: ArrayLike, *, rings: Rings = "all") -> Any:
    """Mean distance of the vertices of each outline to the other, over one more than there are.

    PoLiS_P3(A, B) = 1/(2(q + s)) sum_i d(a_i, dB) + 1/(2(r + t)) sum_j d(b_j, dA),
    a_i and b_j being the q and r distinct vertices of the s and t exterior rings, dA and dB those
    rings. The code of [1]_ sums over the vertices and divides by the number of stored points, in
    which the closing point of a ring is one more; its paper divides by q and r.

    Parameters
    ----------
    reference, prediction : Polygon or MultiPolygon, or array_like of them, shape (n,)
        Pairs, row by row, in one planar coordinate system.
    rings : {"all", "exterior"}
        "exterior" fills the holes first, on both sides.

    Returns
    -------
    float or ndarray of float64, shape (n,)
        CRS units, 0 and up, lower is better. NaN where either side is missing, empty or invalid.

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
    Per side q / (q + s) times what `polis_exterior` has: triangles lose a quarter of their error,
    rectangles a fifth. So shapes with few vertices look better. Holes are not looked at. The code
    knows no multipolygons; here every part has its exterior. Repeated points are left out.
    Symmetric. Unchanged by start vertex, ring direction, translation and rotation; scales with the
    coordinates. *Changed* by vertices on a straight side.

    References
    ----------
    .. [1] Sulzer et al. (2025), The P3 dataset: Pixels, Points and Polygons; its public code.

    Examples
    --------
    A rectangle against itself moved by 1: on each side 4 vertices, two of them 1 away, over 5. The
    paper's formula has 2 / 4.

    >>> from shapely import box
    >>> polis_p3(box(0, 0, 20, 16), box(1, 0, 21, 16))
    0.4
    """
    return measure_pairs(_polis_p3, reference, prediction, rings)


def chamfer_p3(
    reference: ArrayLike, prediction: ArrayLike, *, spacing: float = 0.1, rings: Rings = "all"
) -> Any:
    """Mean distance of the samples of each outline to those of the other, first vertices twice.

    CD_P3(A, B) = 1/(2 |S_A|) sum_{a in S_A} min_{b in S_B} |a - b|
    + 1/(2 |S_B|) sum_{b in S_B} min_{a in S_A} |a - b|,
    S_A and S_B being samples along the exterior rings, in which the first vertex of a ring comes
    again as its last: the code of [1]_ averages over the stored points. Eq. 7 of its paper has
    every point once (`chamfer`, which looks at holes too).

    Parameters
    ----------
    reference, prediction : Polygon or MultiPolygon, or array_like of them, shape (n,)
        Pairs, row by row, in one planar coordinate system.
    spacing : float
        Largest distance between neighbouring samples, CRS units, above 0. The code has 0.1, in
        whatever unit the coordinates are.
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
    Sampled as for `chamfer`. Invalid shapes have no value; the code repairs them first, which
    turns a courtyard stitched into its outline back into a hole, and then leaves it out. It knows
    no multipolygons; here every part has its exterior. Symmetric. Unchanged by translation and
    rotation. *Changed* by the start vertex, which counts twice, and by vertices on a straight side.
    Scales with coordinates and spacing together.

    References
    ----------
    .. [1] Sulzer et al. (2025), The P3 dataset: Pixels, Points and Polygons; its public code.

    Examples
    --------
    Corners only: on each side the two on the right are 1 from the nearest of the other, so the
    longer box has a mean of 2 / 5. The square has 3 / 5 when it is drawn from one of the two, and
    2 / 5 when it is drawn from the left.

    >>> from shapely import Polygon, box
    >>> longer = Polygon([(0, 0), (3, 0), (3, 2), (0, 2)])
    >>> chamfer_p3(Polygon([(2, 0), (2, 2), (0, 2), (0, 0)]), longer, spacing=9)
    0.5
    >>> chamfer_p3(Polygon([(0, 0), (2, 0), (2, 2), (0, 2)]), longer, spacing=9)
    0.4
    """
    return measure_pairs(
        _chamfer_p3, reference, prediction, rings, spacing=check_length("spacing", spacing)
    )


def hausdorff_p3(
    reference: ArrayLike, prediction: ArrayLike, *, spacing: float = 0.1, rings: Rings = "all"
) -> Any:
    """Largest distance of a sample of either outline to the nearest sample of the other.

    HD_P3(A, B) = max(max_{a in S_A} min_{b in S_B} |a - b|, max_{b in S_B} min_{a in S_A} |a - b|),
    S_A and S_B being samples along the exterior rings: `hausdorff` without holes. Eq. 8 of [1]_
    prints the sum of the two maxima (`hausdorff_sum`); its code takes the larger.

    Parameters
    ----------
    reference, prediction : Polygon or MultiPolygon, or array_like of them, shape (n,)
        Pairs, row by row, in one planar coordinate system.
    spacing : float
        Largest distance between neighbouring samples, CRS units, above 0. The code has 0.1, in
        whatever unit the coordinates are.
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
    Sampled as for `hausdorff`. Invalid shapes have no value; the code repairs them first, and a
    spike disappears. It knows no multipolygons; here every part has its exterior. Symmetric.
    Unchanged by start vertex, ring direction, translation and rotation; *changed* by vertices on a
    straight side. Scales with coordinates and spacing together.

    References
    ----------
    .. [1] Sulzer et al. (2025), The P3 dataset: Pixels, Points and Polygons; its public code.

    Examples
    --------
    The courtyard that the prediction lacks is not looked at: the far wall of the longer one is 1
    from the other.

    >>> from shapely import Polygon, box
    >>> court = Polygon(box(0, 0, 8, 8).exterior, [box(2, 2, 6, 6).exterior])
    >>> hausdorff_p3(court, [box(0, 0, 8, 8), box(0, 0, 9, 8), None])
    array([ 0.,  1., nan])
    """
    return measure_pairs(
        _hausdorff_p3, reference, prediction, rings, spacing=check_length("spacing", spacing)
    )


def mta_p3(
    reference: ArrayLike, prediction: ArrayLike, *, spacing: float = 2.0, rings: Rings = "all"
) -> Any:
    """Max tangent angle of the predictions that lie mostly in the reference.

    `mta` where area(A ∩ B) / area(B) > 0.5, else undefined: the code of [1]_ drops a prediction B
    of which no more than half is covered, before it measures any angle.

    Parameters
    ----------
    reference, prediction : Polygon or MultiPolygon, or array_like of them, shape (n,)
        Pairs, row by row, in one planar coordinate system.
    spacing : float
        Wanted length of a piece, CRS units, above 0.
    rings : {"all", "exterior"}
        "exterior" fills the holes first, on both sides.

    Returns
    -------
    float or ndarray of float64, shape (n,)
        Degrees, 0 to 90, lower is better. NaN where either side is missing, empty or invalid, where
        no more than half of the prediction is covered, and where no piece counts.

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
        _mta_p3, reference, prediction, rings, tangent_spacing=check_length("spacing", spacing)
    )


def vertex_ratio_p3(reference: ArrayLike, prediction: ArrayLike, *, rings: Rings = "all") -> Any:
    """How well the numbers of stored points of the two sides agree.

    vertex_ratio_P3(A, B) = 1 - |n - m| / (n + m),
    n and m being the numbers of points of all rings, closing points included: one minus eq. 12 of
    [1]_, as its code computes it. `vertex_ratio` leaves the closing points out.

    Parameters
    ----------
    reference, prediction : Polygon or MultiPolygon, or array_like of them, shape (n,)
        Pairs, row by row, in one planar coordinate system.
    rings : {"all", "exterior"}
        "exterior" fills the holes first, on both sides.

    Returns
    -------
    float or ndarray of float64, shape (n,)
        0 to 1, 1 for equal numbers. NaN where either side is missing, empty or invalid.

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
    The code counts the points as they stand in its files, where some rings repeat their first point
    and others do not: an open ring counts one less, and a perfect prediction may have less than 1.
    Here every ring is closed, as in shapely and in GIS files, and so has one point more than it has
    vertices. The code knows no holes: its files stitch a courtyard into the outline, with a point
    more than the two rings have. Repeated points count, as drawn. Symmetric. Unchanged by start
    vertex, ring direction, translation and rotation. *Changed* by vertices on a straight side.

    References
    ----------
    .. [1] Sulzer et al. (2025), The P3 dataset: Pixels, Points and Polygons; its public code.

    Examples
    --------
    A square against a triangle, with 5 and 4 points: 1 - 1 / 9, where 4 and 3 vertices have
    1 - 1 / 7.

    >>> from shapely import Polygon, box
    >>> vertex_ratio_p3([box(0, 0, 4, 4), None], Polygon([(0, 0), (4, 0), (0, 3)]))
    array([0.88888889,        nan])
    """
    return measure_pairs(_vertex_ratio_p3, reference, prediction, rings)


def ciou_p3(reference: ArrayLike, prediction: ArrayLike, *, rings: Rings = "all") -> Any:
    """Intersection over union, lowered where the numbers of stored points differ.

    C-IoU_P3(A, B) = IoU(A, B) (1 - |n - m| / (n + m)),
    n and m being the numbers of points of all rings, closing points included, as the code of [1]_
    has it. Eq. 13 of its paper, taken literally, is 0 for identical polygons; `ciou` leaves the
    closing points out.

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
    Points are counted as for `vertex_ratio_p3`. One pair by itself: the code takes the areas of a
    whole tile together, from rasters. Symmetric. Unchanged by start vertex, ring direction,
    translation and rotation. *Changed* by vertices on a straight side.

    References
    ----------
    .. [1] Sulzer et al. (2025), The P3 dataset: Pixels, Points and Polygons; its public code.

    Examples
    --------
    A square against its lower left half: the areas 8 of 16, the points 1 - 1 / 9.

    >>> from shapely import Polygon, box
    >>> round(ciou_p3(box(0, 0, 4, 4), Polygon([(0, 0), (4, 0), (0, 4)])), 6)
    0.444444
    """
    return measure_pairs(_ciou_p3, reference, prediction, rings)


def _polis_p3(pairs: Pairs) -> FloatArray:
    distances = pairs.share(vertex_distances, True)
    vertices = np.column_stack(
        [np.diff(distances.reference_offsets), np.diff(distances.prediction_offsets)]
    )
    points = vertices + ring_counts(pairs.share(Pairs.without_holes))
    halves: FloatArray = distances.means() * vertices / points @ [0.5, 0.5]
    return halves


def _chamfer_p3(pairs: Pairs, spacing: float) -> FloatArray:
    return pairs.share(sampled_distances, spacing, True).closed_means @ [0.5, 0.5]


def _hausdorff_p3(pairs: Pairs, spacing: float) -> FloatArray:
    farthest: FloatArray = pairs.share(sampled_distances, spacing, True).maxima.max(axis=1)
    return farthest


def _mta_p3(pairs: Pairs, tangent_spacing: float) -> FloatArray:
    shared, _, area = pairs.share(overlap_areas).T
    return np.where(shared > 0.5 * area, pairs.share(max_tangent_angles, tangent_spacing), np.nan)


def _vertex_ratio_p3(pairs: Pairs) -> FloatArray:
    return pairs.share(vertex_ratios, True)


def _ciou_p3(pairs: Pairs) -> FloatArray:
    return pairs.share(intersection_over_union) * pairs.share(vertex_ratios, True)


POLIS_P3 = Metric(
    name="polis_p3",
    title="PoLiS, P3 code",
    kind="pair",
    unit="length",
    best=0.0,
    bounds=(0.0, float("inf")),
    symmetric=True,
    invariant_to=RIGID,
    equation="1/(2(q + s)) Σ d(a_i, ∂B) + 1/(2(r + t)) Σ d(b_j, ∂A), s and t exterior rings",
    source="P3, public code",
    compute=_polis_p3,
    function=polis_p3,
)

CHAMFER_P3 = Metric(
    name="chamfer_p3",
    title="Chamfer distance, P3 code",
    kind="pair",
    unit="length",
    best=0.0,
    bounds=(0.0, float("inf")),
    symmetric=True,
    invariant_to=frozenset({"translation", "rotation"}),
    equation="1/(2|S_A|) Σ min |a - b| + 1/(2|S_B|) Σ min |b - a|, exterior rings with both ends",
    source="P3, public code",
    compute=_chamfer_p3,
    function=chamfer_p3,
    parameters=("spacing",),
)

HAUSDORFF_P3 = Metric(
    name="hausdorff_p3",
    title="Hausdorff distance, P3 code",
    kind="pair",
    unit="length",
    best=0.0,
    bounds=(0.0, float("inf")),
    symmetric=True,
    invariant_to=RIGID,
    equation="max(max_a min_b |a - b|, max_b min_a |a - b|), samples of the exterior rings",
    source="P3, public code",
    compute=_hausdorff_p3,
    function=hausdorff_p3,
    parameters=("spacing",),
)

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

VERTEX_RATIO_P3 = Metric(
    name="vertex_ratio_p3",
    title="vertex ratio, P3 code",
    kind="pair",
    unit="ratio",
    best=1.0,
    bounds=(0.0, 1.0),
    symmetric=True,
    invariant_to=RIGID,
    equation="1 - |n - m| / (n + m), closing points counted",
    source="P3, public code",
    compute=_vertex_ratio_p3,
    function=vertex_ratio_p3,
)

CIOU_P3 = Metric(
    name="ciou_p3",
    title="C-IoU, P3 code",
    kind="pair",
    unit="ratio",
    best=1.0,
    bounds=(0.0, 1.0),
    symmetric=True,
    invariant_to=RIGID,
    equation="IoU (1 - |n - m| / (n + m)), closing points counted",
    source="P3, public code",
    compute=_ciou_p3,
    function=ciou_p3,
)
