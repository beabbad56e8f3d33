"""Displacement of the prediction, and the translation that undoes it."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from shapely import MultiPolygon, Polygon, box
from shapely.affinity import rotate, translate

import polygauge as pg
from polygauge.geometry import Pairs, Polygons, best_translations
from tests.oracles import displacement
from tests.polygons import (
    COURTYARD,
    L_SHAPE,
    NAMED,
    TWO_PARTS,
    polygons,
    random_pairs,
    special_pairs,
)

SETS = {
    "triangles": random_pairs(31, 25, 3),
    "seven vertices": random_pairs(32, 25, 7),
    "holes": random_pairs(33, 15, 6, holes=True),
    "special": special_pairs(),
}


def best(a, b):
    return best_translations(Pairs.row_by_row(Polygons.from_shapely(a), Polygons.from_shapely(b)))


@pytest.mark.parametrize("name", SETS)
def test_row_by_row(name):
    a, b = SETS[name]
    for x, y, (tx, ty, shared) in zip(a, b, best(a, b), strict=True):
        _, expected = displacement.best_translation(x, y)
        size = np.sqrt(min(x.area, y.area))
        # The grid of the plain version may miss a hill, so that it may be the lower one.
        assert shared >= expected - 1e-9 * size**2
        assert displacement.shared_area(x, y, (tx, ty)) == pytest.approx(shared, rel=1e-8)


@pytest.mark.parametrize("name", ["triangles", "seven vertices", "holes"])
def test_the_place_where_the_top_is_sharp(name):
    a, b = SETS[name]
    compared = 0
    for x, y, (tx, ty, shared) in zip(a, b, best(a, b), strict=True):
        t, expected = displacement.best_translation(x, y)
        flat = shared > (1 - 1e-9) * min(x.area, y.area)
        if flat or shared > expected * (1 + 1e-7):
            continue
        # A step of 1e-3 in any direction loses more than rounding, and no other place is as good.
        size = np.sqrt(x.area)
        around = [(np.cos(d), np.sin(d)) for d in np.linspace(0, 2 * np.pi, 16)]
        near = max(
            displacement.shared_area(x, y, (tx + 1e-3 * size * c, ty + 1e-3 * size * s))
            for c, s in around
        )
        if near < shared * (1 - 1e-8):
            compared += 1
            assert np.hypot(tx - t[0], ty - t[1]) < 1e-5 * size
    assert compared > 0.3 * len(a)


@given(polygons(), st.floats(-30, 30), st.floats(-30, 30))
def test_a_moved_copy_is_found(shape, dx, dy):
    moved = translate(shape, dx, dy)
    assert pg.offset_x(shape, moved) == pytest.approx(dx, abs=1e-9)
    assert pg.offset_y(shape, moved) == pytest.approx(dy, abs=1e-9)
    assert pg.offset(shape, moved) == pytest.approx(np.hypot(dx, dy), abs=1e-9)


@pytest.mark.parametrize("name", NAMED)
def test_a_copy_in_place_is_not_moved(name):
    shape = NAMED[name]
    for turned in (shape, rotate(shape, 31)):
        assert pg.offset_x(turned, turned.reverse()) == 0
        assert np.copysign(1, pg.offset_x(turned, turned)) == 1  # not -0
        assert pg.offset(turned, turned) == 0


@pytest.mark.parametrize("angle", [0, 30, 117])
def test_no_further_than_a_fit_demands(angle):
    # Half as long, out by 1 to the west and 2 to the south: moved in by just so much.
    house, part = box(0, 0, 20, 10), box(-1, -2, 9, 8)
    turned = [rotate(shape, angle, origin=(0, 0)) for shape in (house, part)]
    x, y = pg.offset_x(*turned), pg.offset_y(*turned)
    c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    assert (c * x + s * y, c * y - s * x) == pytest.approx((-1, -2), abs=1e-7)
    # Inside already: not moved, wherever the middle would be.
    inside = rotate(box(1, 1, 6, 4), angle, origin=(0, 0))
    assert pg.offset(turned[0], inside) == 0


def test_a_missing_wing_is_no_displacement():
    # The centroids are 1.5 apart, but the walls that are there are in place.
    wing = box(0, 0, 12, 5)
    assert pg.offset(L_SHAPE, wing) == 0
    assert pg.offset_x(L_SHAPE, translate(wing, 0.4, -0.3)) == pytest.approx(0.4, abs=1e-9)
    assert pg.offset_y(L_SHAPE, translate(wing, 0.4, -0.3)) == pytest.approx(-0.3, abs=1e-9)


def test_holes_and_parts_are_aligned():
    solid = box(0, 0, 30, 20)
    assert pg.offset_x(COURTYARD, translate(solid, 2, 0)) == pytest.approx(2, abs=1e-9)
    # Aligned by the two walls of 5 and the yard of 10 between, not by the overall centroid.
    halves = MultiPolygon([box(0.5, 0, 10.5, 10), box(15.5, 0, 24.5, 7)])
    assert pg.offset_x(TWO_PARTS, halves) == pytest.approx(0.5, abs=1e-9)


def test_far_apart_and_far_away():
    square = box(0, 0, 8, 8)
    assert pg.offset_x(square, translate(square, 5e3, 0)) == pytest.approx(5e3, abs=1e-9)
    far = [translate(shape, 1e6, 5e6) for shape in (square, translate(square, 0.25, 0))]
    assert pg.offset_x(*far) == 0.25


def test_no_value_where_no_start_overlaps():
    # A frame, and a speck that no start brings onto it: not centroid on centroid, for that is the
    # yard, nor a corner of its box, because the frame has its corners cut off.
    frame = box(-10, -10, 10, 10).difference(box(-9, -9, 9, 9))
    for x in (-10, 10):
        for y in (-10, 10):
            frame = frame.difference(box(x - 3, y - 3, x + 3, y + 3))
    speck = box(30, 30, 30.5, 30.5)
    assert np.isnan(pg.offset(frame, speck))
    assert np.isnan(pg.offset_x(frame, speck))
    assert pg.iou_aligned(frame, speck) == 0


def test_large_outlines():
    t = np.linspace(0, 2 * np.pi, 1_500, endpoint=False)
    r = 100 + 10 * np.sin(5 * t) + 3 * np.cos(11 * t)
    ring = Polygon(np.c_[r * np.cos(t), r * np.sin(t)])
    moved = translate(Polygon(shapely.get_coordinates(ring)[::3]), -3, 2)
    assert (pg.offset_x(ring, moved), pg.offset_y(ring, moved)) == pytest.approx((-3, 2), abs=0.02)
