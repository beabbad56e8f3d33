"""Distance IoU between centroids."""

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
    iou = shapely.area(shapely.intersection(a, b)) / shapely.area(shapely.union(a, b))
    d = shapely.distance(shapely.centroid(a), shapely.centroid(b))
    both = [shapely.geometrycollections([x, y]).bounds for x, y in zip(a, b, strict=True)]
    c = np.array([np.hypot(x1 - x0, y1 - y0) for x0, y0, x1, y1 in both])
    np.testing.assert_allclose(pg.diou(a, b), iou - d**2 / c**2, rtol=0, atol=1e-9)


def test_by_hand():
    # Centroids 3 apart in a box of 5 by 1: IoU 0, 9 / 26.
    assert pg.diou(box(0, 0, 2, 1), box(3, 0, 5, 1)) == pytest.approx(-9 / 26, abs=1e-15)
    # A hole to the left shifts the centroid: that of the ring is left of the middle.
    west = shapely.Polygon(box(0, 0, 30, 20).exterior, [box(2, 5, 12, 15).exterior])
    shift = (600 * 15 - 100 * 7) / 500 - 15
    # The holes of 100 each share 2 x 10, so 420 are in both and 580 in either.
    assert pg.diou(COURTYARD, west) == pytest.approx(420 / 580 - shift**2 / 1300, abs=1e-12)
