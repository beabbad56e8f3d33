"""Polygons for tests: named ones, and makers that take a seed."""

from __future__ import annotations

import numpy as np
import shapely
from hypothesis import assume
from hypothesis import strategies as st
from shapely import MultiPolygon, Polygon, box
from shapely.affinity import rotate, scale, translate

UNIT_SQUARE = box(0, 0, 1, 1)
RECTANGLE = box(0, 0, 20, 10)
TRIANGLE = Polygon([(0, 0), (4, 0), (0, 3)])
L_SHAPE = Polygon([(0, 0), (12, 0), (12, 5), (5, 5), (5, 10), (0, 10)])
U_SHAPE = Polygon([(0, 0), (12, 0), (12, 9), (8, 9), (8, 4), (4, 4), (4, 9), (0, 9)])
COURTYARD = Polygon(box(0, 0, 30, 20).exterior, [box(10, 5, 20, 15).exterior])
TWO_PARTS = MultiPolygon([box(0, 0, 10, 10), box(15, 0, 24, 9)])
BOW_TIE = Polygon([(0, 0), (10, 10), (10, 0), (0, 10)])

NAMED = {
    "unit_square": UNIT_SQUARE,
    "rectangle": RECTANGLE,
    "triangle": TRIANGLE,
    "l_shape": L_SHAPE,
    "u_shape": U_SHAPE,
    "courtyard": COURTYARD,
    "two_parts": TWO_PARTS,
}


def star(rng: np.random.Generator, vertices: int, radius: float = 10.0) -> Polygon:
    """A simple polygon around the origin with random radii: concave, irregular, always valid."""
    angles = np.sort(rng.uniform(0, 2 * np.pi, vertices))
    # Equal steps mixed in keep every angular gap under 180 degrees, so the origin stays inside.
    angles = 0.3 * angles + 0.7 * np.linspace(0, 2 * np.pi, vertices, endpoint=False)
    radii = radius * rng.uniform(0.4, 1.0, vertices)
    return Polygon(np.c_[radii * np.cos(angles), radii * np.sin(angles)])


def with_hole(outer: Polygon, share: float = 0.3) -> Polygon:
    """`outer`, a star about the origin, with a small copy of itself cut out of its middle."""
    return Polygon(outer.exterior, [scale(outer, share, share, origin=(0, 0)).exterior])


def random_pairs(
    seed: int, count: int, vertices: int = 8, *, holes: bool = False
) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of overlapping random stars, some moved and turned, in two object arrays."""
    rng = np.random.default_rng(seed)
    a, b = np.empty(count, dtype=object), np.empty(count, dtype=object)
    for k in range(count):
        first, second = star(rng, vertices), star(rng, vertices)
        if holes:
            first, second = with_hole(first), with_hole(second)
        dx, dy = rng.normal(0, 4, 2)
        a[k] = first
        b[k] = translate(rotate(second, rng.uniform(0, 360)), dx, dy)
    return a, b


def special_pairs() -> tuple[np.ndarray, np.ndarray]:
    """Pairs in which something coincides: equal, touching, nested, split edges, far away."""
    square = box(0, 0, 10, 10)
    dense = shapely.segmentize(square, 0.5)
    pairs = [
        (square, square),
        (square, square.reverse()),
        (square, dense),
        (dense, translate(dense, 1, 0)),
        (square, box(10, 0, 20, 10)),  # a shared wall
        (square, box(10, 10, 20, 20)),  # a shared corner
        (square, box(2, 2, 8, 8)),
        (square, box(400, 300, 410, 310)),
        (square, translate(square, 0.5, 0)),
        (TRIANGLE, TRIANGLE.reverse()),
        (TRIANGLE, translate(TRIANGLE, 0, -1)),
        (L_SHAPE, U_SHAPE),
        (COURTYARD, box(0, 0, 30, 20)),
        (COURTYARD, box(10, 5, 20, 15)),  # fills the hole
        (COURTYARD, box(12, 7, 18, 13)),  # stands in the hole
        (TWO_PARTS, box(0, 0, 24, 10)),
        (TWO_PARTS, translate(TWO_PARTS, 0.3, -0.2)),
        (translate(L_SHAPE, 1e6, 5e6), translate(L_SHAPE, 1e6 + 0.25, 5e6)),
    ]
    a, b = np.empty(len(pairs), dtype=object), np.empty(len(pairs), dtype=object)
    a[:], b[:] = zip(*pairs, strict=True)
    return a, b


def grid_pairs(seed: int, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Outlines on a pixel grid, full of ties: unions of boxes against changed copies of them.

    A copy has vertices split, moved by a pixel or cut off, and may be moved as a whole.
    """
    rng = np.random.default_rng(seed)
    pairs: list[tuple[Polygon, Polygon]] = []
    while len(pairs) < count:
        corners = rng.integers(0, 12, (rng.integers(1, 4), 2))
        sizes = rng.integers(2, 9, corners.shape)
        shape = shapely.union_all(shapely.box(*corners.T, *(corners + sizes).T)).simplify(0)
        if shape.geom_type != "Polygon":
            continue
        shape = Polygon(shape.exterior)
        ring = shapely.get_coordinates(shape.exterior)[:-1]
        points = []
        for k, point in enumerate(ring):
            before, after = ring[k - 1] - point, ring[(k + 1) % len(ring)] - point
            fate = rng.choice(4, p=[0.6, 0.15, 0.15, 0.1])
            if fate == 1:
                points += [point + np.sign(before), point + np.sign(after)]
            elif fate == 2:
                points.append(point + rng.integers(-1, 2, 2))
            else:
                points.append(point)
            length = int(abs(after).sum())
            if length > 1 and rng.random() < 0.4:
                points.append(point + np.sign(after) * rng.integers(1, length))
        copy = shapely.remove_repeated_points(Polygon(points))
        copy = translate(copy, *rng.integers(-1, 2, 2))
        if copy.is_valid and copy.area > 0:
            pairs.append((shape, copy))
    a, b = np.empty(count, dtype=object), np.empty(count, dtype=object)
    a[:], b[:] = zip(*pairs, strict=True)
    return a, b


def pair_sets() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Pairs of every kind by name, for comparisons row by row."""
    return {
        "triangles": random_pairs(1, 60, 3),
        "six vertices": random_pairs(2, 60, 6),
        "forty vertices": random_pairs(3, 20, 40),
        "holes": random_pairs(4, 40, 9, holes=True),
        "grid": grid_pairs(5, 60),
        "special": special_pairs(),
    }


@st.composite
def polygons(draw: st.DrawFn) -> Polygon | MultiPolygon:
    """Any valid footprint: a star, with or without a hole, or two of them side by side."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    shape = star(rng, draw(st.integers(3, 14)))
    form = draw(st.sampled_from(["plain", "hole", "parts", "box"]))
    if form == "hole":
        shape = with_hole(shape)
    elif form == "parts":
        shape = MultiPolygon([shape, translate(star(rng, 5), 25, 0)])
    elif form == "box":
        shape = box(-5, -3, 5 + rng.integers(0, 5), 3)
    assume(shapely.is_valid(shape))
    return translate(shape, *rng.normal(0, 5, 2))
