"""Fréchet distance of two outlines, vertex by vertex."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from polygauge.geometry import FloatArray, Pairs, frechet_distances
from polygauge.metrics._record import RIGID, Metric, Rings, measure_pairs


def frechet(reference: ArrayLike, prediction: ArrayLike, *, rings: Rings = "all") -> Any:
    """Shortest leash that joins two walkers, each going once round an outline, vertex by vertex.

    F(A, B) = min over routes of max over s of d(a_i(s), b_j(s))   ([1]_, closed)

    A route goes once round both outlines by steps to the next vertex of A, of B or of both. The
    minimum is over all vertices to start from and both directions of B.

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
    Exterior rings only, and their vertices only: one half-way along a side that the other outline
    lacks counts half the side. Where a side has several parts, every part of either side goes with
    the part of the other whose centroid is nearest, and the largest of these distances counts.
    Symmetric. Unchanged by start vertex, ring direction, translation and rotation; scales with the
    coordinates. *Changed* by vertices on a straight side. Never below the largest distance of a
    vertex to the nearest vertex of the other side. Elsewhere, for example in GEOS, the rings are
    taken as they are stored, from their first vertex and in their direction, which gives the same
    value or a larger one.
    O(q r log(q r)) a pair.

    References
    ----------
    .. [1] Eiter, Mannila (1994), Computing Discrete Fréchet Distance. TU Wien, CD-TR 94/64.

    Examples
    --------
    Two corners of the square have to walk 1 beside the flat rectangle.

    >>> from shapely import box
    >>> frechet(box(0, 0, 2, 1), box(0, 0, 2, 2))
    1.0
    """
    return measure_pairs(_frechet, reference, prediction, rings)


def _frechet(pairs: Pairs) -> FloatArray:
    return pairs.share(frechet_distances)


FRECHET = Metric(
    name="frechet",
    title="Fréchet distance",
    kind="pair",
    unit="length",
    best=0.0,
    bounds=(0.0, float("inf")),
    symmetric=True,
    invariant_to=RIGID,
    equation="min over closed routes of max d(a_i, b_j)",
    source="Eiter, Mannila (1994), closed",
    compute=_frechet,
    function=frechet,
)
