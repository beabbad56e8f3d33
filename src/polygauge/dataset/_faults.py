"""The faults of a made-up prediction: what real ones get wrong, each at a stated rate."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
import shapely
from numpy.typing import NDArray

from polygauge.dataset._plan import PER_BLOCK, FloatArray, Plan, Shape, draw
from polygauge.dataset._stairs import staircases
from polygauge.errors import OptionError

_WINGED = (Shape.L, Shape.T, Shape.U)
# Faults that may befall any building; the others need wings, a row or an empty place.
_ANYWHERE = ("missed", "moved", "jitter", "cut_corner", "staircase")


@dataclass(frozen=True, slots=True, kw_only=True)
class Faults:
    """How a prediction departs from its town.

    Attributes
    ----------
    shift_m : tuple of float
        Systematic shift of the whole layer, east and north, metres.
    jitter_m : float
        Standard deviation of every vertex, metres.
    rough_m : float
        The same for buildings with the fault "jitter".
    missed, moved, jitter, cut_corner, staircase : float
        Share of all buildings that are not there, are 1.2 to 3.5 m off, are drawn roughly, lack
        one corner, or are outlines of a raster of `pixel_m`. At most one fault a building.
    missing_wing, simplified : float
        Share of the L, T and U shapes without one of those faults that lack their wings, or whose
        outline is simplified by `simplify_m`.
    merged_row : float
        Share of the complete rows of row houses drawn as one polygon.
    extra_shed : float
        Share of the blocks with a shed that does not exist.
    pixel_m : float
        Side of a pixel of the staircases, metres.
    simplify_m : float
        Tolerance of the simplified outlines, metres.

    Raises
    ------
    OptionError
        A length is negative or no number, a share is outside 0 to 1, or the shares of faults that
        exclude each other are more than 1 in all.

    Examples
    --------
    >>> Faults(missed=0.5).missed
    0.5
    >>> Faults(missed=1.5)
    Traceback (most recent call last):
        ...
    polygauge.errors.OptionError: Faults.missed is 1.5
    hint: give a share from 0 to 1
    """

    shift_m: tuple[float, float] = (0.35, -0.2)
    jitter_m: float = 0.12
    rough_m: float = 0.7
    missed: float = 0.05
    moved: float = 0.06
    jitter: float = 0.10
    cut_corner: float = 0.08
    staircase: float = 0.05
    missing_wing: float = 0.20
    simplified: float = 0.10
    merged_row: float = 0.30
    extra_shed: float = 0.35
    pixel_m: float = 0.5
    simplify_m: float = 2.5

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name == "shift_m":
                if len(value) != 2 or not np.isfinite(value).all():
                    raise OptionError(
                        f"Faults.shift_m is {value}", hint="give two lengths, east and north"
                    )
            elif field.name.endswith("_m"):
                if not (np.isfinite(value) and value >= 0) or (
                    field.name == "pixel_m" and not value
                ):
                    raise OptionError(f"Faults.{field.name} is {value}", hint="give a length")
            elif not 0 <= value <= 1:
                raise OptionError(
                    f"Faults.{field.name} is {value}", hint="give a share from 0 to 1"
                )
        for names in (_ANYWHERE, ("missing_wing", "simplified")):
            total = sum(getattr(self, name) for name in names)
            if total > 1 + 1e-9:
                raise OptionError(
                    f"{' + '.join(names)} is {total:g}",
                    hint="a building has one of them at most: give shares that add up to 1 or less",
                )


# Confidence of a prediction by its fault: middle of a narrow spread.
_CONFIDENCE = {
    "none": 0.93,
    "moved": 0.8,
    "jitter": 0.72,
    "cut_corner": 0.82,
    "staircase": 0.78,
    "missing_wing": 0.7,
    "simplified": 0.84,
    "merged_row": 0.66,
    "extra_shed": 0.5,
}


def predict(
    plan: Plan, faults: Faults, rng: np.random.Generator
) -> tuple[NDArray[np.object_], NDArray[np.object_], FloatArray]:
    """Predicted geometries of some blocks, the fault of each and its confidence."""
    fault = _choose(plan, faults, rng)
    merged = _merge_rows(plan, fault, faults, rng)
    shown = np.flatnonzero((fault != "missed") & (fault != "merged_row"))
    some, some_fault = plan.take(shown), fault[shown]

    straight = some.shape.copy()
    straight[some_fault == "missing_wing"] = Shape.RECTANGLE
    box = some.box.copy()
    lost = some_fault == "missing_wing"
    box[lost, 3] = box[lost, 1] + some.notch[lost, 1] * (box[lost, 3] - box[lost, 1])
    drawn = Plan(some.number, straight, box, some.notch, some.centre, some.angle, some.height)
    shapes = draw(drawn)
    spread = np.where(some_fault == "jitter", faults.rough_m, faults.jitter_m)
    offset = np.zeros((len(some), 2))
    moved = some_fault == "moved"
    turn = rng.uniform(0, 2 * np.pi, len(some))
    far = rng.uniform(1.2, 3.5, len(some))
    offset[moved] = (far[:, None] * np.column_stack([np.cos(turn), np.sin(turn)]))[moved]
    shapes = _shake(shapes, offset, spread, rng)
    cut = np.flatnonzero(some_fault == "cut_corner")
    shapes[cut] = _cut_corners(shapes[cut], rng.uniform(1.0, 3.0, len(cut)))
    stairs = np.flatnonzero(some_fault == "staircase")
    shapes[stairs] = staircases(shapes[stairs], faults.pixel_m)
    coarse = np.flatnonzero(some_fault == "simplified")
    shapes[coarse] = _simplify(shapes[coarse], faults.simplify_m)

    extra = _extra_sheds(plan, faults, rng)
    every = np.concatenate([shapes, merged, extra])
    names = np.concatenate(
        [some_fault, np.full(len(merged), "merged_row", object),
         np.full(len(extra), "extra_shed", object)]
    )  # fmt: skip
    every = _shift(every, faults.shift_m)
    middle = np.array([_CONFIDENCE[name] for name in names])
    score = np.clip(middle + rng.normal(0, 0.06, len(middle)), 0.05, 0.999)
    return every, names, np.round(score, 3)


def _choose(plan: Plan, faults: Faults, rng: np.random.Generator) -> NDArray[np.object_]:
    """One fault a building."""
    rates = np.array([getattr(faults, name) for name in _ANYWHERE])
    kinds = np.array([*_ANYWHERE, "none"], dtype=object)
    fault = kinds[np.searchsorted(np.cumsum(rates), rng.uniform(size=len(plan)), side="right")]
    winged = np.isin(plan.shape, _WINGED) & (fault == "none")
    draws = rng.uniform(size=len(plan))
    fault[winged & (draws < faults.missing_wing)] = "missing_wing"
    later = faults.missing_wing + faults.simplified
    fault[winged & (draws >= faults.missing_wing) & (draws < later)] = "simplified"
    return fault


def _merge_rows(
    plan: Plan, fault: NDArray[np.object_], faults: Faults, rng: np.random.Generator
) -> NDArray[np.object_]:
    """Rows drawn as one polygon; their houses are marked in `fault`."""
    half = PER_BLOCK // 2
    row = plan.number // half
    whole, start, count = np.unique(row, return_index=True, return_counts=True)
    chosen = (plan.shape[start] == Shape.ROW) & (count == half)
    chosen &= rng.uniform(size=len(whole)) < faults.merged_row
    first = start[chosen]
    fault[(first[:, None] + np.arange(half)).ravel()] = "merged_row"
    ends = plan.take(first)
    box = ends.box.copy()
    box[:, 2] = plan.box[first + half - 1, 2]
    united = Plan(ends.number, ends.shape, box, ends.notch, ends.centre, ends.angle, ends.height)
    shapes = draw(united)
    return _shake(shapes, np.zeros((len(shapes), 2)), np.full(len(shapes), faults.jitter_m), rng)


def _extra_sheds(plan: Plan, faults: Faults, rng: np.random.Generator) -> NDArray[np.object_]:
    """Sheds between the back gardens of some blocks."""
    blocks = np.unique(plan.number // PER_BLOCK, return_index=True)[1]
    chosen = blocks[rng.uniform(size=len(blocks)) < faults.extra_shed]
    middle = np.column_stack([rng.uniform(-60, 60, len(chosen)), rng.uniform(-2, 2, len(chosen))])
    half = rng.uniform(1.2, 2.2, (len(chosen), 2))
    some = plan.take(chosen)
    sheds = Plan(
        some.number,
        np.full(len(chosen), Shape.SHED),
        np.column_stack([middle - half, middle + half]),
        some.notch,
        some.centre,
        some.angle,
        some.height,
    )
    return draw(sheds)


def _shake(
    shapes: NDArray[np.object_], offset: FloatArray, spread: FloatArray, rng: np.random.Generator
) -> NDArray[np.object_]:
    """Shapes moved, and every vertex displaced; one that would become invalid is only moved."""
    points, owner = shapely.get_coordinates(shapes, return_index=True)
    noise = rng.normal(0, 1, points.shape)
    # A ring's last point repeats its first and must move with it.
    rings = shapely.get_rings(shapely.get_parts(shapes))
    counts = shapely.get_num_coordinates(rings)
    last = np.cumsum(counts) - 1
    noise[last] = noise[last - counts + 1]
    calm = shapely.set_coordinates(shapes.copy(), np.round(points + offset[owner], 3))
    rough = np.round(points + offset[owner] + noise * spread[owner][:, None], 3)
    shaken = shapely.set_coordinates(shapes.copy(), rough)
    kept: NDArray[np.object_] = np.where(shapely.is_valid(shaken), shaken, calm)
    return kept


def _shift(shapes: NDArray[np.object_], by: tuple[float, float]) -> NDArray[np.object_]:
    moved: NDArray[np.object_] = shapely.transform(shapes, lambda p: np.round(p + by, 3))
    return moved


def _cut_corners(shapes: NDArray[np.object_], size: FloatArray) -> NDArray[np.object_]:
    """One corner of each outline cut off, at most a third of either side."""
    out = shapes.copy()
    for k, shape in enumerate(shapes):
        part = shapely.get_parts(shape)[0]
        points = shapely.get_coordinates(part.exterior)[:-1]
        corner = points[0]
        sides = [points[-1] - corner, points[1] - corner]
        ends = [corner + s * min(size[k] / np.hypot(*s), 1 / 3) for s in sides]
        ring = np.round(np.vstack([ends[1], points[1:], ends[0]]), 3)
        cut = shapely.Polygon(ring, [r.coords for r in part.interiors])
        rest = list(shapely.get_parts(shape)[1:])
        candidate = shapely.MultiPolygon([cut, *rest]) if rest else cut
        if candidate.is_valid:
            out[k] = candidate
    return out


def _simplify(shapes: NDArray[np.object_], tolerance: float) -> NDArray[np.object_]:
    """Outlines with the vertices left out that matter least; as they were where none is left."""
    coarse = shapely.simplify(shapes, tolerance, preserve_topology=True)
    usable = shapely.is_valid(coarse) & (shapely.area(coarse) > 0)
    kept: NDArray[np.object_] = np.where(usable, coarse, shapes)
    return kept
