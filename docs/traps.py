"""Known traps of the metrics: where papers, public code and expectations part; with worked numbers.

The numbers are computed when the docs are built, and `tests/test_docs.py` compares them with those
on record.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import shapely
from shapely import Polygon, box

import polygauge as pg
from polygauge.geometry import line_freedoms

RECTANGLE, MOVED = box(10, 10, 30, 26), box(11, 10, 31, 26)
LARGE, LARGE_TRACED = box(0, 0, 30, 30), box(-3, -3, 33, 33)
SMALL, SMALL_TRACED = box(0, 0, 8, 5), box(-0.5, -0.5, 8.5, 5.5)
COURT = Polygon(box(0, 0, 30, 20).exterior, [box(10, 5, 20, 15).exterior])
SOLID = box(0, 0, 30, 20)
SQUARE, HALF = box(0, 0, 4, 4), Polygon([(0, 0), (4, 0), (0, 4)])
L_SHAPE = Polygon([(0, 0), (12.03, 0), (12.03, 5.01), (5.02, 5.01), (5.02, 10.04), (0, 10.04)])
PLAIN, NOTCHED = box(0, 0, 10, 4), Polygon([(0, 0), (10, 0), (10, 4), (5, 1), (0, 4)])


@dataclass(frozen=True)
class Trap:
    """One trap.

    Attributes
    ----------
    text : str
        What parts from what; `{0}`, `{1}`, ... stand for the numbers.
    numbers : callable
        Computes them.
    """

    text: str
    numbers: Callable[[], tuple[float, ...]] = tuple

    def __str__(self) -> str:
        return self.text.format(*(f"{round(number, 9):.6g}" for number in self.numbers()))


def split(shape: Polygon, step: float) -> Polygon:
    """The same shape with vertices on its sides."""
    return shapely.segmentize(shape, step)


def open_line_dof() -> float:
    """Line degree of freedom of a square of 10 without its closing edge."""
    lines = np.array([[0, 0, 10, 0], [10, 0, 10, 10], [10, 10, 0, 10]], dtype=float)
    return float(line_freedoms(lines, np.array([0, 3]), 0.5, 0.5)[0])


def eq_12(a: Polygon, b: Polygon) -> float:
    """|n - m| / (n + m), as printed."""
    return 1 - pg.vertex_ratio(a, b)


_RECTANGLE = "A rectangle of 20 by 16 against itself moved by 1"
_COURT = "a building of 30 by 20 with a courtyard of 10 by 10, against the same without it,"
_UNITS = Trap(
    "Tables of the P3 dataset are headed metres, but the current code takes the coordinates as "
    "they are, in pixels; the 0.1 between its samples is then a tenth of a pixel. Here every "
    "length is in the unit of the coordinates, and a run converts to metres."
)

TRAPS: dict[str, tuple[Trap, ...]] = {
    "polis": (
        Trap(
            "Public code divides by the number of stored points, in which the closing point is one "
            f"more, though it sums over vertices. {_RECTANGLE} has {{0}} by the formula and {{1}} "
            "by the code (`polis_p3`). Values of both kinds must not stand in one table.",
            lambda: (pg.polis(RECTANGLE, MOVED), pg.polis_p3(RECTANGLE, MOVED)),
        ),
        Trap(
            f"Public code looks at exteriors only: {_COURT} has {{0}} over all rings and {{1}} "
            "over the exteriors (`polis_exterior`).",
            lambda: (pg.polis(COURT, SOLID), pg.polis_exterior(COURT, SOLID)),
        ),
        Trap(
            "Vertices on a straight side are vertices. The same moved rectangle with its sides cut "
            "every 2 has {0} in place of {1}.",
            lambda: (
                pg.polis(split(RECTANGLE, 2), split(MOVED, 2)),
                pg.polis(RECTANGLE, MOVED),
            ),
        ),
        _UNITS,
    ),
    "polis_exterior": (
        Trap(
            f"A lost courtyard costs nothing: {_COURT} has {{0}}; `polis` has {{1}}.",
            lambda: (pg.polis_exterior(COURT, SOLID), pg.polis(COURT, SOLID)),
        ),
    ),
    "chamfer": (
        Trap(
            f"Public code counts the closing point of every ring twice. {_RECTANGLE} has {{0}} by "
            "the formula and {1} by the code (`chamfer_p3`); where the rings begin, decides.",
            lambda: (pg.chamfer(RECTANGLE, MOVED), pg.chamfer_p3(RECTANGLE, MOVED)),
        ),
        Trap(
            "Samples are compared with samples, so equal shapes whose vertices differ are not at "
            "distance 0: an L against itself with sides cut every 0.7 has {0}. `assd`, over every "
            "point, has {1}.",
            lambda: (
                pg.chamfer(L_SHAPE, split(L_SHAPE, 0.7)),
                pg.assd(L_SHAPE, split(L_SHAPE, 0.7)),
            ),
        ),
        Trap(
            f"Public code looks at exteriors only: {_COURT} has {{0}} over all rings and {{1}} "
            "over the exteriors.",
            lambda: (pg.chamfer(COURT, SOLID), pg.chamfer_p3(COURT, SOLID)),
        ),
        _UNITS,
    ),
    "hausdorff": (
        Trap(
            "The P3 paper prints the sum of the two directed maxima, its code takes the larger, as "
            "everybody else does. A square of 30 traced 3 too wide: larger {0}, sum {1}.",
            lambda: (
                pg.hausdorff(LARGE, LARGE_TRACED),
                pg.hausdorff_sum(LARGE, LARGE_TRACED),
            ),
        ),
        Trap(
            "Samples are compared with samples: an L against itself with sides cut every 0.7 has "
            "{0}, up to half the spacing. `hausdorff_exact` has {1}.",
            lambda: (
                pg.hausdorff(L_SHAPE, split(L_SHAPE, 0.7)),
                pg.hausdorff_exact(L_SHAPE, split(L_SHAPE, 0.7)),
            ),
        ),
        Trap(
            f"Public code looks at exteriors only: {_COURT} has {{0}} over all rings and {{1}} "
            "over the exteriors.",
            lambda: (pg.hausdorff(COURT, SOLID), pg.hausdorff_p3(COURT, SOLID)),
        ),
        _UNITS,
    ),
    "hausdorff_sum": (
        Trap(
            "This is the printed formula and not what is called Hausdorff distance elsewhere: {0} "
            "where the larger of the two is {1}, for a square of 30 traced 3 too wide.",
            lambda: (
                pg.hausdorff_sum(LARGE, LARGE_TRACED),
                pg.hausdorff(LARGE, LARGE_TRACED),
            ),
        ),
    ),
    "hausdorff_exact": (
        Trap(
            "GEOS, and so shapely and PostGIS, looks only at vertices, and gives a lower bound. A "
            "box against itself with a notch: {0} by GEOS, {1} over every point.",
            lambda: (
                shapely.hausdorff_distance(PLAIN.exterior, NOTCHED.exterior),
                pg.hausdorff_exact(PLAIN, NOTCHED),
            ),
        ),
    ),
    "frechet": (
        Trap(
            "GEOS walks both rings from their stored first vertex in their stored direction. An L "
            "against itself, drawn the other way round: {0} by GEOS, {1} here.",
            lambda: (
                shapely.frechet_distance(L_SHAPE.exterior, L_SHAPE.reverse().exterior),
                pg.frechet(L_SHAPE, L_SHAPE.reverse()),
            ),
        ),
    ),
    "mta": (
        Trap(
            "The spacing of 2 pixels and the rounding of the number of pieces are in no paper, "
            f"only in code, and they decide. {_RECTANGLE} has no edge turned and yet {{0}} "
            "degrees, because a piece of length 2 at the corner is projected to a length of 1 and "
            "a step of 1.",
            lambda: (pg.mta(RECTANGLE, MOVED),),
        ),
        Trap(
            "Some public codes grow the reference by 0.0001 first, which rounds its corners: {0} "
            "in place of {1} for a rectangle against itself.",
            lambda: (
                pg.mta(RECTANGLE.buffer(0.0001), RECTANGLE),
                pg.mta(RECTANGLE, RECTANGLE),
            ),
        ),
        Trap(
            "Public code measures every prediction that lies mostly in some reference, on the "
            "boundaries of all references of a tile, and averages over predictions. Here a value "
            "belongs to a pair."
        ),
    ),
    "mta_p3": (
        Trap(
            "A prediction with no more than half of its area in the reference has no value, "
            "however well the reference is covered: a square around a box of half its area has a "
            "covered share of {0}, and the angle {1}; `mta` has {2}.",
            lambda: (
                pg.area_precision(box(0, 0, 8, 4), box(0, 0, 8, 8)),
                pg.mta_p3(box(0, 0, 8, 4), box(0, 0, 8, 8)),
                pg.mta(box(0, 0, 8, 4), box(0, 0, 8, 8)),
            ),
        ),
    ),
    "vertex_ratio": (
        Trap(
            "Eq. 12 of the P3 paper is 0 for equal numbers; its tables, where 1 is best, have one "
            "minus it. For 8 against 4 vertices (a lost courtyard) eq. 12 has {0} and this {1}.",
            lambda: (eq_12(COURT, SOLID), pg.vertex_ratio(COURT, SOLID)),
        ),
        Trap(
            "Public code counts stored points, so that a closed ring has one more than an open "
            "one. A square against a triangle has {0} by vertices and {1} by stored points "
            "(`vertex_ratio_p3`); a perfect square stored open against closed has {2}.",
            lambda: (
                pg.vertex_ratio(SQUARE, HALF),
                pg.vertex_ratio_p3(SQUARE, HALF),
                1 - 1 / 9,
            ),
        ),
    ),
    "ciou": (
        Trap(
            "Eq. 13 of the P3 paper multiplies by eq. 12, which is 0 for equal numbers of "
            "vertices: a rectangle of 20 by 16 against itself moved by 1 would have {0}. The code "
            "multiplies by one minus it, {1}.",
            lambda: (
                pg.iou(RECTANGLE, MOVED) * eq_12(RECTANGLE, MOVED),
                pg.ciou(RECTANGLE, MOVED),
            ),
        ),
        Trap(
            "Public code takes the areas of a whole tile from rasters, both numbers of points over "
            "the tile, and counts closing points. `ciou_p3` counts those, pair by pair."
        ),
    ),
    "iou": (
        Trap(
            "A courtyard drawn as one ring that runs in and out by a bridge is no valid polygon, "
            "and has no value in a function. Scorers that do not repair it find a perfect "
            "prediction missed; a run repairs it to a courtyard first."
        ),
        Trap(
            "Public code takes the areas from rasters and adds 1e-9 to the denominator, so it "
            "agrees to a few digits only. Two equal polygons have {0} here, exactly.",
            lambda: (pg.iou(L_SHAPE, L_SHAPE.reverse()),),
        ),
    ),
    "boundary_iou": (
        Trap(
            "Two things are called so. This one takes the band on both sides of the outline; the "
            "one for masks takes the inner half (`boundary_iou_inner`). "
            f"{_RECTANGLE}, width 0.75: {{0}} and {{1}}.",
            lambda: (
                pg.boundary_iou(RECTANGLE, MOVED, width=0.75),
                pg.boundary_iou_inner(RECTANGLE, MOVED, width=0.75),
            ),
        ),
        Trap(
            "It is 0 as soon as the outlines are two widths apart, so the width decides which "
            "errors it tells apart: a square of 30 traced 3 too wide has {0} at width 0.75 and {1} "
            "at width 3; a shed of 8 by 5 traced 0.5 too wide has {2} at 0.75.",
            lambda: (
                pg.boundary_iou(LARGE, LARGE_TRACED, width=0.75),
                pg.boundary_iou(LARGE, LARGE_TRACED, width=3),
                pg.boundary_iou(SMALL, SMALL_TRACED, width=0.75),
            ),
        ),
    ),
    "boundary_iou_inner": (
        Trap(
            "The code for masks erodes by a square, so that its band is wider across corners than "
            "the width says, and takes the edge of the image for boundary. Here the band is all "
            "points within the width, and there is no image."
        ),
    ),
    "assd": (
        Trap(
            "Weighted by length over both boundaries together. Codes for masks take plain means "
            "over boundary pixels, and the mean of the two directed means weighs a short outline "
            "like a long one. A small box in a large one has {0} here and {1} as such a mean "
            "(`chamfer` with dense samples).",
            lambda: (
                pg.assd(box(0, 0, 20, 20), box(9, 9, 11, 11)),
                pg.chamfer(box(0, 0, 20, 20), box(9, 9, 11, 11), spacing=0.01),
            ),
        ),
    ),
    "line_dof": (
        Trap(
            "Eq. 15 of the P3 paper is printed with k + 1, which makes it 0 for two aligned "
            "squares where the text says it cannot be 0. With k - 1, as here, they have {0}.",
            lambda: (pg.line_dof(shapely.union(box(0, 0, 10, 10), box(15, 0, 25, 10))),),
        ),
        Trap(
            "Vertices on a straight side lower it, and lower is better: a square has {0}, the same "
            "with its sides halved {1}.",
            lambda: (
                pg.line_dof(box(0, 0, 10, 10)),
                pg.line_dof(split(box(0, 0, 10, 10), 5)),
            ),
        ),
        Trap(
            "The public driver loses the closing edge of rings stored open: the square then has "
            "{0}.",
            lambda: (open_line_dof(),),
        ),
    ),
    "mpd": (
        Trap(
            "Eq. 10 of the paper divides by min(q, r) + b, which is the number of its terms only "
            "where the vertex counts differ by the b edge points. A square against half of it: the "
            "sum is divided by 4 pairs here, {0}, and by 3 there, {1} (`mpd_eq10`).",
            lambda: (pg.mpd(SQUARE, HALF), pg.mpd_eq10(SQUARE, HALF)),
        ),
        Trap(
            "No code was published and the paper leaves the matching open: other readings give "
            "other numbers. [How alpha, beta and the denominator change it](mpd.md)."
        ),
    ),
    "mpd_eq10": (
        Trap(
            "It can exceed MPD_EP, against the paper's own text: {0} against {1} for a square and "
            "half of it.",
            lambda: (pg.mpd_eq10(SQUARE, HALF), pg.mpd_ep(SQUARE, HALF)),
        ),
    ),
}
