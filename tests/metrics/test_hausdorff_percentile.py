"""Percentile by length of the boundary distance."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely import Polygon, box

import polygauge as pg
from tests.oracles import distance
from tests.polygons import UNIT_SQUARE, polygons, random_pairs, special_pairs

STEP = 0.02


@pytest.mark.parametrize("q", [3, 48, 95, 100])
@pytest.mark.parametrize(
    "pairs", [random_pairs(20, 30, 7, holes=True), special_pairs()], ids=["holes", "special"]
)
def test_row_by_row(pairs, q):
    expected = [
        max(distance.percentile_near(x, y, q, STEP), distance.percentile_near(y, x, q, STEP))
        for x, y in zip(*pairs, strict=True)
    ]
    found = pg.hausdorff_percentile(*pairs, q=q)
    np.testing.assert_allclose(found, expected, atol=STEP / 2 + 1e-6, rtol=0)


def test_by_hand():
    # A spike 6 long and thin on a square 10: the spike is 12 of 52 or so, and its last 60 %, 7.2
    # of it, are more than 2.4 off. So at most 86 % are within 2.4.
    spike = Polygon([(0, 0), (10, 0), (10, 4.999), (16, 5), (10, 5.001), (10, 10), (0, 10)])
    length = spike.length
    outside = 2 * np.hypot(6, 0.001)
    for share in (0.25, 0.5, 0.9):
        q = 100 * (1 - outside * (1 - share) / length)
        found = pg.hausdorff_percentile(spike, box(0, 0, 10, 10), q=q)
        assert found == pytest.approx(6 * share, abs=1e-6)
    assert pg.hausdorff_percentile(spike, box(0, 0, 10, 10), q=100) == pytest.approx(6)
    assert pg.hausdorff_percentile(spike, box(0, 0, 10, 10), q=70) == 0


def test_the_default_is_95():
    a, b = random_pairs(21, 5, 6)
    np.testing.assert_array_equal(
        pg.hausdorff_percentile(a, b), pg.hausdorff_percentile(a, b, q=95)
    )


@given(polygons(), polygons())
def test_with_all_of_the_length_it_is_the_hausdorff_distance(a, b):
    assert pg.hausdorff_percentile(a, b, q=100) == pytest.approx(pg.hausdorff_exact(a, b), abs=1e-9)


@given(polygons(), polygons(), st.floats(1, 100), st.floats(1, 100))
def test_it_grows_with_q(a, b, q, other):
    low, high = sorted((q, other))
    assert pg.hausdorff_percentile(a, b, q=low) <= pg.hausdorff_percentile(a, b, q=high) + 1e-9


@given(polygons(), polygons(), st.floats(1, 100))
def test_so_much_of_each_boundary_is_within_it(a, b, q):
    # The share's own slack of 1e-9 of the boundary covers the halving.
    limit = max(pg.hausdorff_percentile(a, b, q=q), 1e-9)
    for share in (pg.boundary_share_reference, pg.boundary_share_prediction):
        assert share(a, b, tolerance=limit) >= q / 100 - 1e-9


@pytest.mark.parametrize("q", [0, -5, 100.1, float("nan")])
def test_a_percentage_that_is_none_is_refused(q):
    with pytest.raises(pg.OptionError, match=r"q is .*\nhint: give a percentage above 0"):
        pg.hausdorff_percentile(UNIT_SQUARE, UNIT_SQUARE, q=q)
