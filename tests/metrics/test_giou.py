"""Generalised IoU against the convex hull of both."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from shapely import box

import polygauge as pg
from polygauge.geometry import Pairs, Polygons, hull_areas
from tests.polygons import COURTYARD, L_SHAPE, NAMED, pair_sets

SETS = pair_sets()


def hulls(a, b):
    both = [shapely.geometrycollections([x, y]) for x, y in zip(a, b, strict=True)]
    return shapely.area(shapely.convex_hull(both))


@pytest.mark.parametrize("name", SETS)
def test_row_by_row(name):
    a, b = SETS[name]
    shared, union = (shapely.area(f(a, b)) for f in (shapely.intersection, shapely.union))
    hull = hulls(a, b)
    expected = shared / union - (hull - union) / hull
    np.testing.assert_allclose(pg.giou(a, b), expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize("name", SETS)
def test_hull_areas_row_by_row(name):
    a, b = SETS[name]
    pairs = Pairs.row_by_row(Polygons.from_shapely(a), Polygons.from_shapely(b))
    np.testing.assert_allclose(hull_areas(pairs), hulls(a, b), rtol=1e-12)


def test_by_hand():
    assert pg.giou(box(0, 0, 2, 2), box(0, 0, 2, 2).reverse()) == 1
    # An L is 85 of its hull's 102.5; a courtyard 500 of 600.
    assert pg.giou(L_SHAPE, L_SHAPE) == pytest.approx(1 - 17.5 / 102.5, abs=1e-12)
    assert pg.giou(COURTYARD, COURTYARD) == pytest.approx(500 / 600, abs=1e-12)


def test_falls_towards_minus_1_with_the_distance():
    far = [box(10.0**k, 0, 10.0**k + 1, 1) for k in range(1, 7)]
    values = pg.giou(box(0, 0, 1, 1), far)
    assert (np.diff(values) < 0).all()
    assert -1 < values[-1] < -0.9999


@pytest.mark.parametrize("name", NAMED)
def test_a_shape_and_its_hull(name):
    # Everything is inside the hull, so that nothing of it is empty.
    shape = NAMED[name]
    expected = shape.area / shape.convex_hull.area
    assert pg.giou(shape, shape.convex_hull) == pytest.approx(expected, abs=1e-12)
