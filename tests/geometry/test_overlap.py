"""The overlap sum where features are large or lie against each other, against overlay by GEOS."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from shapely import MultiPolygon, Polygon, box
from shapely.affinity import rotate, translate

from polygauge.geometry import Pairs, Polygons, intersection_over_union, overlap_areas
from tests.polygons import polygons, star


def areas(a, b):
    return overlap_areas(Pairs.row_by_row(Polygons.from_shapely([a]), Polygons.from_shapely([b])))[
        0
    ]


def comb(teeth: int) -> Polygon:
    """Long parallel teeth on a spine: every line across it meets all of them."""
    y = np.arange(2 * teeth) / 10
    x = np.tile([9.0, 9.0, 1.0, 1.0], teeth)[: 4 * teeth - 2]
    points = np.c_[x, np.repeat(y, 2)[1:-1]]
    return Polygon([(0, 0), (9, 0), *points[1:-1], (9, y[-1]), (0, y[-1])])


def block(columns: int, size: float) -> MultiPolygon:
    """A block of separate houses, as one feature."""
    return MultiPolygon(
        [box(5 * x, 5 * y, 5 * x + size, 5 * y + size) for x in range(columns) for y in range(9)]
    )


LARGE = {
    "combs": (comb(300), translate(comb(280), 0.3, 0.02)),
    "combs askew": (rotate(comb(300), 45), rotate(translate(comb(300), 0.3, 0.02), 45)),
    "combs crossed": (comb(120), rotate(comb(120), 90)),
    "stars": (star(np.random.default_rng(1), 900), star(np.random.default_rng(2), 700)),
    "blocks": (block(40, 3.0), translate(block(40, 2.5), 1, 1)),
    "one house on a block": (block(60, 3.0), box(0, 0, 40, 9)),
}


@pytest.mark.parametrize("angle", [0, 17, 90])
@pytest.mark.parametrize("name", LARGE)
def test_large_features(name, angle):
    a, b = (rotate(shape, angle, origin=(0, 0)) for shape in LARGE[name])
    assert shapely.is_valid([a, b]).all()
    shared, first, second = areas(a, b)
    assert (first, second) == pytest.approx((a.area, b.area), rel=1e-12)
    assert shared == pytest.approx(shapely.intersection(a, b).area, rel=1e-10)


@pytest.mark.parametrize("name", LARGE)
def test_large_features_equal_themselves_exactly(name):
    a = Polygons.from_shapely([LARGE[name][0]])
    b = Polygons.from_shapely([LARGE[name][0].reverse()])
    assert intersection_over_union(Pairs.row_by_row(a, b)).tolist() == [1.0]


@given(shape=polygons(), angle=st.floats(0, 360), x=st.floats(-9, 9))
def test_both_sides_of_a_line_add_up(shape, angle, x):
    # Two half planes that share the line cut the shape in two, exactly.
    turned = (rotate(box(*b), angle, origin=(x, 0)) for b in ((x, -99, 99, 99), (-99, -99, x, 99)))
    right, left = turned
    assert areas(right, left)[0] == 0
    assert areas(shape, right)[0] + areas(shape, left)[0] == pytest.approx(shape.area, rel=1e-12)


@pytest.mark.parametrize("angle", np.linspace(0, 350, 36))
@pytest.mark.parametrize("far", [0, 5_000_000])
def test_a_shared_wall_is_no_overlap(angle, far):
    # Rotated walls meet in rounded coordinates, but in the same ones.
    left = Polygon([(0, 0), (7, 0), (7, 5), (0, 5)])
    right = Polygon([(7, 0), (12, 0), (12, 5), (7, 5)])
    left, right = (translate(rotate(p, angle, origin=(7, 0)), far, far) for p in (left, right))
    assert areas(left, right)[0] == 0


def test_a_small_feature_in_a_very_large_one_keeps_its_digits():
    country, shed = box(0, 0, 1e6, 1e6), rotate(box(5e5, 5e5, 5e5 + 3, 5e5 + 2), 31)
    shared, _, small = areas(country, shed)
    assert shared == pytest.approx(small, rel=1e-9)


def test_empty_and_far_features_share_nothing():
    a = Polygons.from_shapely([box(0, 0, 1, 1), None, box(0, 0, 1, 1)])
    b = Polygons.from_shapely([box(5, 5, 6, 6), box(0, 0, 1, 1), None])
    assert overlap_areas(Pairs.row_by_row(a, b)).tolist() == [[0, 1, 1], [0, 0, 0], [0, 0, 0]]
