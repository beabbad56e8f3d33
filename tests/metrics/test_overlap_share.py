"""Shared area as a share of the smaller side."""

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
    shared, first, second = shapely.area(shapely.intersection(a, b)), *map(shapely.area, (a, b))
    expected = shared / np.minimum(first, second)
    np.testing.assert_allclose(pg.overlap_share(a, b), expected, rtol=0, atol=1e-9)


def test_one_inside_the_other_is_1_and_in_the_hole_0():
    assert pg.overlap_share(box(0, 0, 30, 20), box(1, 1, 2, 2)) == 1
    assert pg.overlap_share(COURTYARD, box(0, 0, 30, 20)) == 1
    assert pg.overlap_share(COURTYARD, box(12, 7, 18, 13)) == 0
