"""Polsby and Popper's compactness."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from shapely import Point

import polygauge as pg
from tests.polygons import COURTYARD, TWO_PARTS, pair_sets

SETS = pair_sets()


@pytest.mark.parametrize("name", SETS)
def test_row_by_row(name):
    for side in SETS[name]:
        expected = 4 * np.pi * shapely.area(side) / shapely.length(side) ** 2
        np.testing.assert_allclose(pg.compactness(side), expected, rtol=1e-12)


def test_by_hand():
    # 500 m² in 100 m around and 40 m inside; 100 + 81 in 40 + 36.
    assert pg.compactness(COURTYARD) == pytest.approx(4 * np.pi * 500 / 140**2, rel=1e-14)
    assert pg.compactness(TWO_PARTS) == pytest.approx(4 * np.pi * 181 / 76**2, rel=1e-14)
    assert 0.9999 < pg.compactness(Point(0, 0).buffer(1, quad_segs=100)) < 1
