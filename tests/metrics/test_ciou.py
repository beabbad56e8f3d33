"""Complexity-aware IoU."""

from __future__ import annotations

import numpy as np
import pytest
import shapely

import polygauge as pg
from tests.oracles import directions, overlap
from tests.polygons import L_SHAPE, pair_sets
from tests.vectors import recorded, valid_pairs

SETS = pair_sets()


@pytest.mark.parametrize("name", SETS)
def test_row_by_row(name):
    a, b = SETS[name]
    n, m = (np.array([len(directions.edges(s)) for s in side]) for side in (a, b))
    iou = np.array([overlap.iou(x, y) for x, y in zip(a, b, strict=True)])
    expected = iou * (1 - abs(n - m) / (n + m))
    np.testing.assert_allclose(pg.ciou(a, b), expected, rtol=0, atol=1e-9)


def test_recorded_values():
    got, expected = pg.ciou(*valid_pairs()), recorded("own", "ciou")
    np.testing.assert_allclose(got, expected, rtol=0, atol=1e-9)


def test_an_equal_shape_with_twice_the_vertices_loses_a_third():
    # 6 and 12 vertices: 1 - 6 / 18.
    split = shapely.Polygon(
        [p for e in directions.edges(L_SHAPE) for p in (e[:2], (e[:2] + e[2:]) / 2)]
    )
    assert pg.ciou(L_SHAPE, split) == pytest.approx(2 / 3, abs=1e-15)
