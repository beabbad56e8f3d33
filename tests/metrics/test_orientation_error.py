"""Difference of the main directions."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from shapely import Point, Polygon, box
from shapely.affinity import rotate

import polygauge as pg
from polygauge.geometry import Polygons, main_directions
from tests.oracles import directions
from tests.polygons import COURTYARD, L_SHAPE, TWO_PARTS, pair_sets

SETS = pair_sets()


def off(a, b):
    """Difference of directions modulo 90 degrees."""
    d = abs(a - b) % 90
    return np.minimum(d, 90 - d)


@pytest.mark.parametrize("name", SETS)
def test_row_by_row(name):
    a, b = SETS[name]
    (ta, ra), (tb, rb) = (
        np.transpose([directions.main_direction(s) for s in side]) for side in (a, b)
    )
    expected = np.where(np.minimum(ra, rb) < 0.05, np.nan, off(ta, tb))
    np.testing.assert_allclose(pg.orientation_error(a, b), expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize("name", SETS)
def test_main_directions_row_by_row(name):
    for side in SETS[name]:
        got, clear = main_directions(Polygons.from_shapely(side), np.arange(len(side)))
        expected = np.transpose([directions.main_direction(s) for s in side])
        np.testing.assert_allclose(clear, expected[1], rtol=0, atol=1e-12)
        sure = clear > 1e-3
        np.testing.assert_allclose(off(got, expected[0])[sure], 0, atol=1e-9)


@pytest.mark.parametrize("shape", [box(0, 0, 9, 4), L_SHAPE, COURTYARD, TWO_PARTS])
@given(angle=st.floats(-400, 400))
def test_a_turn_is_found(shape, angle):
    turned = rotate(shape, angle, origin=(3, 1))
    assert pg.orientation_error(shape, turned) == pytest.approx(off(angle, 0), abs=1e-9)


@pytest.mark.parametrize("corners", [3, 5, 6, 7, 8, 64])
def test_regular_shapes_but_the_square_have_no_direction(corners):
    t = np.linspace(0, 2 * np.pi, corners, endpoint=False)
    assert np.isnan(pg.orientation_error(box(0, 0, 1, 1), Polygon(np.c_[np.cos(t), np.sin(t)])))
    assert np.isnan(pg.orientation_error(Point(0, 0).buffer(3), box(0, 0, 1, 1)))


def test_edges_count_by_length():
    # Walls of 20 and 10 and a slanted one of 2 sqrt 2 instead of a corner: 45 degrees is opposite
    # to 0 on the circle of 90, so that it weakens the mean and does not turn it.
    cut = Polygon([(0, 0), (20, 0), (20, 8), (18, 10), (0, 10)])
    assert pg.orientation_error(box(0, 0, 20, 10), cut) == pytest.approx(0, abs=1e-12)
    _, clear = main_directions(Polygons.from_shapely([cut]), np.array([0]))
    assert clear[0] == pytest.approx((56 - 8**0.5) / (56 + 8**0.5), abs=1e-12)


def test_vertices_on_a_side_change_nothing():
    house = rotate(L_SHAPE, 20)
    dense = shapely.segmentize(house, 0.3)
    assert pg.orientation_error(L_SHAPE, dense) == pytest.approx(20, abs=1e-9)
