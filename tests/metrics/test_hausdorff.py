"""Hausdorff distance of sampled boundaries."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from shapely import Polygon, box

import polygauge as pg
from tests.oracles import distance
from tests.polygons import polygons, random_pairs, special_pairs


@pytest.mark.parametrize("spacing", [0.2, 1.3])
@pytest.mark.parametrize(
    "pairs", [random_pairs(14, 25, 7, holes=True), special_pairs()], ids=["holes", "special"]
)
def test_row_by_row(pairs, spacing):
    expected = [distance.sampled(x, y, spacing)["hausdorff"] for x, y in zip(*pairs, strict=True)]
    np.testing.assert_allclose(pg.hausdorff(*pairs, spacing=spacing), expected, atol=1e-9, rtol=0)


def test_by_hand():
    assert pg.hausdorff(box(0, 0, 2, 2), box(0, 0, 7, 2), spacing=1) == 5
    # Equal shapes, one of them with a vertex on a side, 0.75 from the other's nearest sample.
    split = Polygon([(0, 0), (2, 0), (2.75, 0), (2.75, 2), (0, 2)])
    assert pg.hausdorff(split, box(0, 0, 2.75, 2), spacing=2.75) == 0.75


@given(polygons(), polygons())
def test_it_is_within_half_a_spacing_of_the_exact_one(a, b):
    assert pg.hausdorff(a, b, spacing=0.5) == pytest.approx(pg.hausdorff_exact(a, b), abs=0.25)
