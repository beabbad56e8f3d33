"""Share of the reference that the prediction covers."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from shapely import box

import polygauge as pg
from tests.polygons import TWO_PARTS, pair_sets

SETS = pair_sets()


@pytest.mark.parametrize("name", SETS)
def test_row_by_row(name):
    a, b = SETS[name]
    expected = shapely.area(shapely.intersection(a, b)) / shapely.area(a)
    np.testing.assert_allclose(pg.area_recall(a, b), expected, rtol=0, atol=1e-9)


def test_both_parts_count():
    # 100 of 100 + 81.
    assert pg.area_recall(TWO_PARTS, box(0, 0, 10, 10)) == pytest.approx(100 / 181, abs=1e-15)
    assert pg.area_recall(TWO_PARTS, box(0, 0, 24, 10)) == 1
