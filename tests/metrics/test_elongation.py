"""Elongation of the smallest rectangle around a shape."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from shapely import Point, Polygon, box
from shapely.affinity import rotate, scale

import polygauge as pg
from polygauge.geometry import Polygons, rectangle_sides
from tests.oracles import directions
from tests.polygons import COURTYARD, TRIANGLE, TWO_PARTS, pair_sets, polygons

SETS = pair_sets()


@pytest.mark.parametrize("name", SETS)
def test_row_by_row(name):
    for side in SETS[name]:
        expected = np.array([directions.smallest_rectangle(s) for s in side])
        got = rectangle_sides(Polygons.from_shapely(side))
        np.testing.assert_allclose(got, expected, rtol=1e-9)
        np.testing.assert_allclose(
            pg.elongation(side), 1 - expected[:, 0] / expected[:, 1], atol=1e-9
        )


@given(polygons(), st.floats(0, 360))
def test_any_shape_turned(shape, angle):
    width, length = directions.smallest_rectangle(shape)
    turned = rotate(shape, angle, origin=(0, 0))
    assert pg.elongation(turned) == pytest.approx(1 - width / length, abs=1e-9)


def test_by_hand():
    shapes = [box(0, 0, 8, 2), COURTYARD, TWO_PARTS, box(0, 0, 3, 3)]
    assert pg.elongation(shapes).tolist() == pytest.approx([3 / 4, 1 / 3, 14 / 24, 0], abs=1e-15)


@pytest.mark.parametrize("angle", [0, 13, 45, 77, 160])
def test_of_equally_small_rectangles_the_one_with_the_shortest_outline(angle):
    # Around a triangle with sides 3, 4, 5 lie one of 3 by 4 and one of 5 by 2.4.
    assert pg.elongation(rotate(TRIANGLE, angle)) == pytest.approx(1 / 4, abs=1e-9)


def test_a_large_ellipse():
    ellipse = rotate(scale(Point(0, 0).buffer(100, quad_segs=2_000), 1, 0.3), 31)
    assert pg.elongation(ellipse) == pytest.approx(0.7, abs=1e-6)


def test_an_empty_feature_has_no_rectangle():
    assert np.isnan(rectangle_sides(Polygons.from_shapely([None, box(0, 0, 2, 1)]))[0]).all()


def test_parallel_sides_and_many_vertices():
    dense = shapely.segmentize(rotate(box(0, 0, 12, 3), 22), 0.01)
    assert pg.elongation(dense) == pytest.approx(0.75, abs=1e-9)
    assert pg.elongation(Polygon([(0, 0), (6, 0), (8, 2), (2, 2)])) == pytest.approx(0.75, abs=1e-9)
