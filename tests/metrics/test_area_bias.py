"""Signed error of the area."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from shapely import box

import polygauge as pg
from tests.polygons import COURTYARD, pair_sets

SETS = pair_sets()


@pytest.mark.parametrize("name", SETS)
def test_row_by_row(name):
    a, b = SETS[name]
    first, second = shapely.area(a), shapely.area(b)
    expected = (second - first) / first
    np.testing.assert_allclose(pg.area_bias(a, b), expected, rtol=0, atol=1e-9)


def test_holes_count_and_the_place_does_not():
    # 600 for 500.
    assert pg.area_bias(COURTYARD, box(100, 0, 130, 20)) == pytest.approx(0.2, abs=1e-15)
    assert pg.area_bias(box(0, 0, 30, 20), COURTYARD) == pytest.approx(-1 / 6, abs=1e-15)
