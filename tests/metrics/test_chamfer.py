"""Chamfer distance of sampled boundaries."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from shapely import box

import polygauge as pg
from tests.oracles import distance
from tests.polygons import UNIT_SQUARE, random_pairs, special_pairs


@pytest.mark.parametrize("spacing", [0.2, 1.3])
@pytest.mark.parametrize(
    "pairs", [random_pairs(12, 25, 7, holes=True), special_pairs()], ids=["holes", "special"]
)
def test_row_by_row(pairs, spacing):
    expected = [distance.sampled(x, y, spacing)["chamfer"] for x, y in zip(*pairs, strict=True)]
    np.testing.assert_allclose(pg.chamfer(*pairs, spacing=spacing), expected, atol=1e-9, rtol=0)


def test_by_hand():
    # Corners only: each corner of the moved square is 1 from one of the other.
    assert pg.chamfer(box(0, 0, 2, 2), box(1, 0, 3, 2), spacing=5) == 1
    # Samples every 1: of either side's 8, 3 lie 1 off, 2 lie on the other's, and the 3 of the
    # side that is inside lie 1 off.
    assert pg.chamfer(box(0, 0, 2, 2), box(1, 0, 3, 2), spacing=1) == pytest.approx(4 / 8)


def test_the_default_spacing_is_a_tenth():
    a, b = random_pairs(13, 5, 6)
    np.testing.assert_array_equal(pg.chamfer(a, b), pg.chamfer(a, b, spacing=0.1))


def test_dense_samples_approach_the_integral():
    # Halves of directed means against lengths pooled: equal perimeters make them the same.
    a = box(0, 0, 6, 4)
    b = shapely.affinity.translate(a, 0.7, 0.4)
    for spacing in (0.1, 0.01):
        assert pg.chamfer(a, b, spacing=spacing) == pytest.approx(pg.assd(a, b), abs=spacing / 2)


@pytest.mark.parametrize("function", [pg.chamfer, pg.hausdorff, pg.hausdorff_sum])
@pytest.mark.parametrize("spacing", [0, -0.1, float("nan"), float("inf")])
def test_a_spacing_that_is_none_is_refused(function, spacing):
    with pytest.raises(pg.OptionError, match=r"spacing is .*\nhint: give a length above 0"):
        function(UNIT_SQUARE, UNIT_SQUARE, spacing=spacing)
