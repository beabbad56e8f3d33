"""PoLiS without holes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from shapely import MultiPolygon, Polygon, box

import polygauge as pg
from tests.oracles import distance
from tests.polygons import COURTYARD, polygons, random_pairs, special_pairs


@pytest.mark.parametrize(
    "pairs", [random_pairs(11, 60, 9, holes=True), special_pairs()], ids=["holes", "special"]
)
def test_row_by_row(pairs):
    expected = [distance.polis_exterior(x, y) for x, y in zip(*pairs, strict=True)]
    np.testing.assert_allclose(pg.polis_exterior(*pairs), expected, atol=1e-9, rtol=0)


def test_a_missing_courtyard_costs_nothing_here_and_something_in_polis():
    filled = box(0, 0, 30, 20)
    assert pg.polis_exterior(COURTYARD, filled) == 0
    # The hole's four corners are 5 from the outline; they are half of eight vertices.
    assert pg.polis(COURTYARD, filled) == 5 / 4


def test_every_part_has_its_exterior():
    # A part inside the hole of another is a part: its corners are 3 from the outline.
    inner = MultiPolygon(
        [Polygon(box(0, 0, 10, 10).exterior, [box(1, 1, 9, 9).exterior]), box(3, 3, 7, 7)]
    )
    assert pg.polis_exterior(inner, box(0, 0, 10, 10)) == pytest.approx(4 * 3 / 8 / 2, abs=1e-15)


@given(polygons(), polygons())
def test_it_is_polis_of_the_filled_shapes(a, b):
    assert pg.polis_exterior(a, b) == pytest.approx(distance.polis_exterior(a, b), abs=1e-9)
