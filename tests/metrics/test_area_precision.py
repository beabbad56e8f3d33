"""Share of the prediction that lies in the reference."""

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
    expected = shapely.area(shapely.intersection(a, b)) / shapely.area(b)
    np.testing.assert_allclose(pg.area_precision(a, b), expected, rtol=0, atol=1e-9)


def test_a_filled_hole_is_wrong_area():
    assert pg.area_precision(COURTYARD, box(0, 0, 30, 20)) == pytest.approx(500 / 600, abs=1e-15)
    assert pg.area_precision(COURTYARD, box(10, 5, 20, 15)) == 0
    assert pg.area_precision(COURTYARD, box(0, 0, 10, 20)) == 1


@pytest.mark.parametrize("name", SETS)
def test_swapped_it_is_recall(name):
    a, b = SETS[name]
    np.testing.assert_allclose(pg.area_precision(a, b), pg.area_recall(b, a), rtol=0, atol=1e-12)
