"""Dice coefficient."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from shapely import box

import polygauge as pg
from tests.polygons import COURTYARD, NAMED, pair_sets

SETS = pair_sets()


@pytest.mark.parametrize("name", SETS)
def test_row_by_row(name):
    a, b = SETS[name]
    shared, first, second = shapely.area(shapely.intersection(a, b)), *map(shapely.area, (a, b))
    expected = 2 * shared / (first + second)
    np.testing.assert_allclose(pg.dice(a, b), expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize("name", SETS)
def test_it_follows_from_iou(name):
    iou = pg.iou(*SETS[name])
    np.testing.assert_allclose(pg.dice(*SETS[name]), 2 * iou / (1 + iou), rtol=0, atol=1e-12)


def test_equal_shapes_give_1_exactly():
    shapes = list(NAMED.values())
    assert pg.dice(shapes, [shape.reverse() for shape in shapes]).tolist() == [1] * len(shapes)


def test_the_missing_hole_by_hand():
    # 500 of 500 are shared with a filled courtyard of 600.
    assert pg.dice(COURTYARD, box(0, 0, 30, 20)) == pytest.approx(1000 / 1100, abs=1e-15)
