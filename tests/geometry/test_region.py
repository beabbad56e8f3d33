"""Boundary regions that are written down directly, against the buffers they replace."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from shapely import MultiPolygon, Polygon, box
from shapely.affinity import rotate, translate

from polygauge.geometry import Pairs, Polygons, boundary_regions, overlap_areas
from polygauge.geometry._region import _BATCH, _offset_rings, boundary_region_iou
from tests.polygons import COURTYARD, NAMED, UNIT_SQUARE, polygons


def skyline(rng: np.random.Generator, steps: int) -> Polygon:
    """A block with a stepped roof: corners of both kinds, sides of 0.1 to 3."""
    x = np.cumsum(rng.uniform(0.1, 3, steps + 1))
    y = rng.uniform(6, 9, steps)
    top = np.c_[np.repeat(x, 2)[1:-1], np.repeat(y, 2)]
    return Polygon([(x[-1], 0), *top[::-1], (x[0], 0)])


def buffered(shape, width, inside):
    """The region by GEOS, of the shape with its rings in the direction that is kept."""
    shape = Polygons.from_shapely([shape]).to_shapely()[0]
    if inside:
        return shapely.difference(shape, shapely.buffer(shape, -width, quad_segs=64))
    return shapely.buffer(shapely.boundary(shape), width, quad_segs=16)


def is_direct(shape, width, inside):
    """Whether the region of a shape is written down without GEOS."""
    p = Polygons.from_shapely([shape])
    step = np.pi / 2 / (64 if inside else 16)
    row = np.array([0])
    rings = (p.coordinates, p.ring_offsets, p.feature_rings)
    return bool(_offset_rings(*rings, row, width, step, inside)[2][0])


def assert_same_region(shape, width, inside):
    """The signed rings cover what GEOS covers: no area of one is missing in the other."""
    ours = boundary_regions(Polygons.from_shapely([shape]), np.array([0]), width, inside)
    theirs = Polygons.from_shapely([buffered(shape, width, inside)])
    shared, a, b = overlap_areas(Pairs.row_by_row(ours, theirs))[0]
    assert a == pytest.approx(b, rel=1e-9)
    assert shared == pytest.approx(b, rel=1e-9)


@pytest.mark.parametrize("inside", [False, True])
@given(
    seed=st.integers(0, 10**6),
    steps=st.integers(1, 8),
    angle=st.floats(0, 360),
    width=st.sampled_from([0.05, 0.2, 0.5, 1.0, 2.5]),
)
def test_skylines(inside, seed, steps, angle, width):
    shape = rotate(skyline(np.random.default_rng(seed), steps), angle)
    assert_same_region(shape, width, inside)


@pytest.mark.parametrize("inside", [False, True])
@given(shape=polygons(), width=st.sampled_from([0.02, 0.3, 1.0, 3.0]))
def test_any_shape(inside, shape, width):
    assert_same_region(shape, width, inside)


@pytest.mark.parametrize("inside", [False, True])
@pytest.mark.parametrize("width", [0.1, 0.5, 1.5, 4.0])
@pytest.mark.parametrize("name", NAMED)
def test_named_shapes(name, width, inside):
    assert_same_region(NAMED[name], width, inside)


@pytest.mark.parametrize(
    ("shape", "width", "both", "inner"),
    [
        (UNIT_SQUARE, 0.49, True, True),
        (UNIT_SQUARE, 0.51, False, False),  # the inner curve collapses
        (COURTYARD, 2.4, True, True),
        (COURTYARD, 2.6, False, False),  # wall and courtyard are 5 apart
        # Two houses 1 apart: their inner strips do not mind.
        (MultiPolygon([box(0, 0, 5, 5), box(6, 0, 11, 5)]), 0.45, True, True),
        (MultiPolygon([box(0, 0, 5, 5), box(6, 0, 11, 5)]), 0.55, False, True),
        # A jog of 0.5 between walls of 10 keeps its parallels while the width is below it.
        (Polygon([(0, 0), (20, 0), (20, 9), (10, 9), (10, 8.5), (0, 8.5)]), 0.4, True, True),
        (Polygon([(0, 0), (20, 0), (20, 9), (10, 9), (10, 8.5), (0, 8.5)]), 0.6, False, False),
        # A vertex one millimetre off a straight wall is no obstacle; one that ends a side shorter
        # than 1 % of the width is.
        (Polygon([(0, 0), (5, -0.001), (10, 0), (10, 8), (0, 8)]), 1.0, True, True),
        (Polygon([(0, 0), (5, 0), (5.004, -0.001), (10, 0), (10, 8), (0, 8)]), 0.5, False, False),
    ],
)
def test_what_needs_geos(shape, width, both, inner):
    assert is_direct(shape, width, False) == both
    assert is_direct(shape, width, True) == inner
    assert_same_region(shape, width, False)
    assert_same_region(shape, width, True)


def test_area_of_a_square_by_hand():
    # Outer: 10 x 10 + 4 x 10 x 1 + a 64-gon of radius 1; inner: 8 x 8.
    polygon = 32 * np.sin(2 * np.pi / 64)
    square = Polygons.from_shapely([box(0, 0, 10, 10)])
    row = np.array([0])
    assert boundary_regions(square, row, 1.0, False).areas[0] == pytest.approx(140 + polygon - 64)
    assert boundary_regions(square, row, 1.0, True).areas[0] == 36


def test_rows_may_repeat_and_batches_do_not_show():
    shapes = [UNIT_SQUARE, COURTYARD, *NAMED.values(), translate(COURTYARD, 1e5, 2e5)]
    polygons_ = Polygons.from_shapely(shapes)
    rng = np.random.default_rng(4)
    i = rng.integers(0, len(shapes), _BATCH + 500)
    j = rng.integers(0, len(shapes), _BATCH + 500)
    values = boundary_region_iou(Pairs(polygons_, polygons_, i, j), 0.5, False)
    assert (values[i == j] == 1).all()
    last = slice(_BATCH, _BATCH + 500)
    alone = boundary_region_iou(Pairs(polygons_, polygons_, i[last], j[last]), 0.5, False)
    np.testing.assert_array_equal(values[last], alone)
