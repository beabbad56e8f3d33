"""Ratio of the numbers of vertices."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from shapely import Polygon, box

import polygauge as pg
from tests.oracles import directions
from tests.polygons import COURTYARD, L_SHAPE, TRIANGLE, TWO_PARTS, pair_sets
from tests.vectors import recorded, valid_pairs

SETS = pair_sets()


@pytest.mark.parametrize("name", SETS)
def test_row_by_row(name):
    a, b = SETS[name]
    n, m = (np.array([len(directions.edges(s)) for s in side]) for side in (a, b))
    np.testing.assert_allclose(pg.vertex_ratio(a, b), 1 - abs(n - m) / (n + m), rtol=1e-15)


def test_recorded_values():
    got, expected = pg.vertex_ratio(*valid_pairs()), 1 - recorded("own", "nr_eq12")
    np.testing.assert_allclose(got, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    ("a", "b", "n", "m"),
    [
        (COURTYARD, box(0, 0, 30, 20), 8, 4),  # the hole counts
        (TWO_PARTS, TRIANGLE, 8, 3),  # so do both parts
        (L_SHAPE, shapely.segmentize(L_SHAPE, 1e9), 6, 6),
        (Polygon([(0, 0), (2, 0), (4, 0), (4, 4), (0, 4)]), box(0, 0, 4, 4), 5, 4),
        (Polygon([(0, 0), (4, 0), (4, 0), (4, 4), (0, 4), (0, 0)]), box(0, 0, 4, 4), 5, 4),
    ],
)
def test_by_hand(a, b, n, m):
    assert pg.vertex_ratio(a, b) == 1 - abs(n - m) / (n + m)
