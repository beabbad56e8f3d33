"""The plan of a made-up town: where buildings stand, how large they are and what shape they have.

The town is a square of street blocks. Each block holds 12 buildings of one of four kinds: detached
houses with sheds, two rows of row houses, dense courtyard buildings (mostly in the middle of the
town), or halls (mostly towards its edge). Blocks come in
chunks of fixed size, each with a random stream of its own, so a town of any size costs little
memory and the same seed always gives the same town.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
import shapely
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

PER_BLOCK = 12
BLOCKS_PER_CHUNK = 400
# Street to street; a block covers 132 x 66 m of it, so that turned blocks do not touch.
_PITCH = (164.0, 104.0)
_LOT = (22.0, 33.0)
_DISTRICT = 4  # blocks a side that share one direction of their streets
_ORIGIN = (500_000.0, 5_300_000.0)
_MILLIMETRE = 3  # decimals


class Shape(IntEnum):
    """Form of a building."""

    RECTANGLE = 0
    L = 1
    T = 2
    U = 3
    COURTYARD = 4
    ROW = 5
    SHED = 6
    HALL = 7
    PARTS = 8


KIND = {
    Shape.RECTANGLE: "house",
    Shape.L: "house",
    Shape.T: "house",
    Shape.U: "house",
    Shape.COURTYARD: "courtyard",
    Shape.ROW: "row house",
    Shape.SHED: "shed",
    Shape.HALL: "hall",
    Shape.PARTS: "house in parts",
}


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """Some buildings before they are drawn; all arrays have one entry a building.

    Attributes
    ----------
    number : ndarray of int64
        From 0, in the order of the town.
    shape : ndarray of int64
        `Shape` codes.
    box : ndarray of float64, shape (n, 4)
        Left, bottom, right, top in the frame of the block, metres.
    notch : ndarray of float64, shape (n, 2)
        Where the wings of L, T and U begin, and the wall of a courtyard, as shares of the box.
    centre : ndarray of float64, shape (n, 2)
        Of the block, in the town.
    angle : ndarray of float64, shape (n,)
        Of the block, radians.
    height : ndarray of float64, shape (n,)
        Metres.
    """

    number: IntArray
    shape: IntArray
    box: FloatArray
    notch: FloatArray
    centre: FloatArray
    angle: FloatArray
    height: FloatArray

    def __len__(self) -> int:
        return len(self.number)

    def take(self, rows: NDArray[np.bool_] | IntArray) -> Plan:
        """The chosen buildings."""
        return Plan(
            self.number[rows],
            self.shape[rows],
            self.box[rows],
            self.notch[rows],
            self.centre[rows],
            self.angle[rows],
            self.height[rows],
        )


def plan_chunk(chunk: int, features: int, seed: int) -> tuple[Plan, np.random.Generator]:
    """Buildings of one chunk of blocks, and the random stream to go on with."""
    blocks = -(-features // PER_BLOCK)
    number = np.arange(chunk * BLOCKS_PER_CHUNK, min((chunk + 1) * BLOCKS_PER_CHUNK, blocks))
    rng = np.random.default_rng([seed, chunk])
    side = int(np.ceil(np.sqrt(blocks)))
    column, row = number % side, number // side
    chances = np.cumsum(_chances(column, row, side), axis=1)
    kinds = (rng.uniform(size=(len(number), 1)) >= chances[:, :-1]).sum(axis=1)
    shape = np.empty((len(number), PER_BLOCK), dtype=np.int64)
    box = np.empty((len(number), PER_BLOCK, 4))
    for kind, lay_out in enumerate((_detached, _rows, _dense, _halls)):
        chosen = np.flatnonzero(kinds == kind)
        shape[chosen], box[chosen] = lay_out(rng, len(chosen))
    notch = rng.uniform(0.35, 0.6, (len(number), PER_BLOCK, 2))
    height = rng.uniform(2.8, 4.2, (len(number), PER_BLOCK)) * np.where(shape == Shape.SHED, 1, 2)
    plan = Plan(
        number=(number[:, None] * PER_BLOCK + np.arange(PER_BLOCK)).ravel(),
        shape=shape.ravel(),
        box=box.reshape(-1, 4),
        notch=notch.reshape(-1, 2),
        centre=np.repeat(
            np.column_stack([column * _PITCH[0], row * _PITCH[1]]) + _ORIGIN, PER_BLOCK, axis=0
        ),
        angle=np.repeat(_directions(column, row, seed), PER_BLOCK),
        height=np.round(height.ravel(), 1),
    )
    return plan.take(plan.number < features), rng


def _chances(column: IntArray, row: IntArray, side: int) -> FloatArray:
    """Chances of the four kinds of blocks: courtyards in the middle, halls towards the edge."""
    centre = (side - 1) / 2
    out = np.hypot(column - centre, row - centre) / max(centre, 1)  # 1 in the middle of an edge
    dense = 1.3 * np.exp(-((out / 0.4) ** 2))
    halls = np.clip(0.5 * (out - 0.45), 0, 0.3)
    weights = np.stack([np.full(len(out), 0.6), np.full(len(out), 0.25), dense, halls], axis=1)
    chances: FloatArray = weights / weights.sum(axis=1, keepdims=True)
    return chances


def _directions(column: IntArray, row: IntArray, seed: int) -> FloatArray:
    """Direction of the streets of each block's district, within 6 degrees of the grid's."""
    a, b = column // _DISTRICT, row // _DISTRICT
    turns: FloatArray = np.radians(6) * np.sin(12.9898 * a + 78.233 * b + seed)
    return turns


def _lots() -> FloatArray:
    """Middles of the 12 lots: two rows of six, back to back."""
    x = (np.arange(6) - 2.5) * _LOT[0]
    return np.array([(px, py) for py in (-_LOT[1] / 2, _LOT[1] / 2) for px in x])


def _around(middle: FloatArray, width: FloatArray, depth: FloatArray) -> FloatArray:
    half = np.stack([width, depth], axis=-1) / 2
    return np.concatenate([middle - half, middle + half], axis=-1)


def _to_street(middle: FloatArray, by: float) -> FloatArray:
    """Lot middles moved towards (positive) or away from their street."""
    moved = middle.copy()
    moved[..., 1] += np.sign(middle[..., 1]) * by
    return moved


def _detached(rng: np.random.Generator, n: int) -> tuple[IntArray, FloatArray]:
    """Nine houses on twelve lots, three of them with a shed behind."""
    lots = _lots()[rng.permuted(np.tile(np.arange(12), (n, 1)), axis=1)[:, :9]]
    shape = rng.choice(
        [Shape.RECTANGLE, Shape.L, Shape.T, Shape.U], (n, 9), p=[0.5, 0.28, 0.14, 0.08]
    )
    middle = _to_street(lots, 4.0) + rng.uniform(-1.5, 1.5, (n, 9, 2))
    plain = shape == Shape.RECTANGLE
    width = np.where(plain, rng.uniform(8.5, 14, (n, 9)), rng.uniform(12, 17, (n, 9)))
    depth = np.where(plain, rng.uniform(8, 12, (n, 9)), rng.uniform(11, 15, (n, 9)))
    sheds = _to_street(lots[:, :3], -11.0) + rng.uniform(-3, 3, (n, 3, 2)) * [2.0, 0.6]
    shed_box = _around(sheds, rng.uniform(2.5, 5, (n, 3)), rng.uniform(2.5, 4, (n, 3)))
    return (
        np.concatenate([shape, np.full((n, 3), Shape.SHED)], axis=1),
        np.concatenate([_around(middle, width, depth), shed_box], axis=1),
    )


def _rows(rng: np.random.Generator, n: int) -> tuple[IntArray, FloatArray]:
    """Two rows of six houses that share their walls to the last bit."""
    width = np.round(rng.uniform(5.5, 8.5, (n, 2, 1)), 2)
    depth = np.round(rng.uniform(9, 12, (n, 2, 1)), 2)
    start = np.round(rng.uniform(-60, 10, (n, 2, 1)), 2)
    house = np.arange(6)
    # One expression for a wall, from whichever side it is seen.
    left, right = start + house * width, start + (house + 1) * width
    low = np.array([-_LOT[1] + 6.0, _LOT[1] - 6.0])[None, :, None] - depth * [[0.0], [1.0]]
    low = np.broadcast_to(low, left.shape)
    box = np.stack([left, low, right, low + depth], axis=-1).reshape(n, PER_BLOCK, 4)
    return np.full((n, PER_BLOCK), Shape.ROW), box


def _dense(rng: np.random.Generator, n: int) -> tuple[IntArray, FloatArray]:
    """Four courtyard buildings among eight others on twelve lots."""
    yards = np.isin(np.arange(12), (0, 3, 7, 10))
    shape = rng.choice([Shape.RECTANGLE, Shape.L, Shape.U], (n, 12), p=[0.4, 0.4, 0.2])
    shape[:, yards] = Shape.COURTYARD
    width = np.where(yards, rng.uniform(17, 20, (n, 12)), rng.uniform(11, 18, (n, 12)))
    depth = np.where(yards, rng.uniform(20, 27, (n, 12)), rng.uniform(11, 18, (n, 12)))
    middle = _to_street(_lots(), 1.0) + rng.uniform(-0.8, 0.8, (n, 12, 2))
    return shape, _around(middle, width, depth)


def _halls(rng: np.random.Generator, n: int) -> tuple[IntArray, FloatArray]:
    """Two halls, two buildings in parts, four offices with a shed each."""
    lots = _lots()
    middle = np.concatenate(
        [
            [(-34.0, -17.0), (-34.0, 17.0)],
            _to_street(lots[[3, 9]], 3.0),
            _to_street(lots[[4, 5, 10, 11]], 5.0),
            _to_street(lots[[4, 5, 10, 11]], -10.0),
        ]
    )
    shape = np.repeat([Shape.HALL, Shape.PARTS, Shape.RECTANGLE, Shape.SHED], [2, 2, 4, 4])
    spread = np.repeat([[46, 58, 20, 27], [17, 20, 12, 16], [10, 16, 9, 14], [3, 5, 3, 4]],
                       [2, 2, 4, 4], axis=0)  # fmt: skip
    width = rng.uniform(spread[:, 0], spread[:, 1], (n, 12))
    depth = rng.uniform(spread[:, 2], spread[:, 3], (n, 12))
    moved = middle + rng.uniform(-1, 1, (n, 12, 2))
    return np.tile(shape, (n, 1)), _around(moved, width, depth)


def rings(shape: Shape, notch: FloatArray) -> list[FloatArray]:
    """Rings of a form in the unit square, each (n, k, 2), open; one exterior a part, then holes."""
    p, q = notch[:, 0], notch[:, 1]
    o, i = np.zeros_like(p), np.ones_like(p)

    def ring(*corners: tuple[FloatArray, FloatArray]) -> FloatArray:
        return np.stack([np.stack(corner, axis=-1) for corner in corners], axis=1)

    if shape == Shape.L:
        return [ring((o, o), (i, o), (i, q), (p, q), (p, i), (o, i))]
    if shape == Shape.T:
        a, b = 0.5 - p / 2, 0.5 + p / 2
        return [ring((o, o), (i, o), (i, q), (b, q), (b, i), (a, i), (a, q), (o, q))]
    if shape == Shape.U:
        a, b = 0.6 * p, i - 0.6 * p
        return [ring((o, o), (i, o), (i, i), (b, i), (b, q), (a, q), (a, i), (o, i))]
    square = ring((o, o), (i, o), (i, i), (o, i))
    if shape == Shape.COURTYARD:
        a, b = 0.55 * p, 0.55 * q
        return [square, ring((a, b), (a, i - b), (i - a, i - b), (i - a, b))]
    if shape == Shape.PARTS:
        a, b = p - 0.06, p + 0.06
        return [
            ring((o, o), (a, o), (a, i), (o, i)),
            ring((b, o), (i, o), (i, q), (b, q)),
        ]
    return [square]


def place(plan: Plan, unit: FloatArray) -> FloatArray:
    """Points (n, k, 2) of the unit square in the town, on a millimetre grid."""
    low, high = plan.box[:, None, :2], plan.box[:, None, 2:]
    # Exactly `low` at 0 and exactly `high` at 1, so that shared walls stay shared.
    local = (1 - unit) * low + unit * high
    cos, sin = np.cos(plan.angle)[:, None], np.sin(plan.angle)[:, None]
    x = cos * local[..., 0] - sin * local[..., 1] + plan.centre[:, None, 0]
    y = sin * local[..., 0] + cos * local[..., 1] + plan.centre[:, None, 1]
    return np.round(np.stack([x, y], axis=-1), _MILLIMETRE).astype(np.float64, copy=False)


def draw(plan: Plan) -> NDArray[np.object_]:
    """The buildings as shapely geometries."""
    out = np.empty(len(plan), dtype=object)
    for shape in Shape:
        rows = np.flatnonzero(plan.shape == shape)
        some = plan.take(rows)
        placed = [place(some, unit) for unit in rings(shape, some.notch)]
        out[rows] = assemble(shape, placed)
    return out


def assemble(shape: Shape, placed: list[FloatArray]) -> NDArray[np.object_]:
    """Geometries of one form from the rings of all its buildings."""
    if len(placed[0]) == 0:
        return np.empty(0, dtype=object)
    lines = [shapely.linearrings(points) for points in placed]
    if shape == Shape.COURTYARD:
        return np.asarray(shapely.polygons(lines[0], holes=lines[1][:, None]), dtype=object)
    if shape == Shape.PARTS:
        parts = np.stack([shapely.polygons(line) for line in lines], axis=1)
        return np.asarray(shapely.multipolygons(parts), dtype=object)
    return np.asarray(shapely.polygons(lines[0]), dtype=object)
