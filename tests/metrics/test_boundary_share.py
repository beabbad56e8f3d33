"""Shares of the boundaries near each other: both together, and each side's own."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely import box
from shapely.affinity import translate

import polygauge as pg
from tests.oracles import distance
from tests.polygons import COURTYARD, UNIT_SQUARE, polygons, random_pairs, special_pairs

STEP = 0.02


@pytest.mark.parametrize("tolerance", [0.31, 2.2])
@pytest.mark.parametrize(
    "pairs", [random_pairs(18, 40, 7, holes=True), special_pairs()], ids=["holes", "special"]
)
def test_row_by_row(pairs, tolerance):
    there = pg.boundary_share_reference(*pairs, tolerance=tolerance)
    back = pg.boundary_share_prediction(*pairs, tolerance=tolerance)
    both = pg.boundary_share(*pairs, tolerance=tolerance)
    for k, (a, b) in enumerate(zip(*pairs, strict=True)):
        low, high = distance.share_between(a, b, tolerance, STEP)
        assert low - 1e-6 <= there[k] <= high + 1e-6
        low, high = distance.share_between(b, a, tolerance, STEP)
        assert low - 1e-6 <= back[k] <= high + 1e-6
        pooled = (there[k] * a.length + back[k] * b.length) / (a.length + b.length)
        assert both[k] == pytest.approx(pooled, abs=1e-12)


def test_by_hand():
    # The courtyard's hole, 40 of 140, is 5 from the plain box's boundary; the box's, 100, is all on
    # the courtyard's outline.
    plain = box(0, 0, 30, 20)
    assert pg.boundary_share_reference(COURTYARD, plain, tolerance=1) == pytest.approx(100 / 140)
    assert pg.boundary_share_prediction(COURTYARD, plain, tolerance=1) == 1
    assert pg.boundary_share(COURTYARD, plain, tolerance=1) == pytest.approx(200 / 240)
    near, far = box(0, 0, 3, 1), box(0, 5, 3, 9)
    # The far box's lower side is 4 from the near one's upper side; 1 more of each upright is within
    # 5: 3 + 1 + 1 of 14. The near box, 8 around, is within 5 wholly.
    assert pg.boundary_share_prediction(near, far, tolerance=5) == pytest.approx(5 / 14)
    assert pg.boundary_share_reference(near, far, tolerance=5) == pytest.approx(1)
    # A circle of 5 about the corner (0, 0) reaches 3 along the side that begins 4 away, and along
    # the lower side up to (5, 0).
    beside = box(4, 0, 6, 8)
    assert pg.boundary_share_prediction(box(-1, -1, 0, 0), beside, tolerance=5) == pytest.approx(
        (3 + 1) / 20
    )


def test_a_shift_by_exactly_the_tolerance_is_within():
    for x, y in ((0, 0), (1e6, 5e6), (123456.7, 5432109.8)):
        a = translate(box(0, 0, 12.3, 7.7), x, y)
        b = translate(a, 0.3, 0)
        assert pg.boundary_share(a, b, tolerance=0.3) == 1
        # Below it: the level sides, 4 x 12.3 of 80, but for the last 0.01 of what sticks out; and
        # of the two uprights inside the other, 0.29 at either end.
        less = (4 * 12.3 - 4 * 0.01 + 4 * 0.29) / 80
        assert pg.boundary_share(a, b, tolerance=0.29) == pytest.approx(less, abs=1e-7)


def test_a_smaller_tolerance_never_finds_more():
    a, b = random_pairs(19, 30, 8)
    shares = [pg.boundary_share(a, b, tolerance=t) for t in (0.1, 0.5, 1, 2, 5, 100)]
    assert (np.diff(shares, axis=0) >= 0).all()
    assert (shares[-1] == 1).all()


@given(polygons(), polygons(), st.floats(0.01, 20))
def test_the_sides_swap_names(a, b, tolerance):
    reference = pg.boundary_share_reference(a, b, tolerance=tolerance)
    prediction = pg.boundary_share_prediction(b, a, tolerance=tolerance)
    assert reference == pytest.approx(prediction, abs=1e-9)


@pytest.mark.parametrize(
    "function", [pg.boundary_share, pg.boundary_share_reference, pg.boundary_share_prediction]
)
@pytest.mark.parametrize("tolerance", [0, -1, float("nan"), float("inf")])
def test_a_tolerance_that_is_none_is_refused(function, tolerance):
    with pytest.raises(pg.OptionError, match=r"tolerance is .*\nhint: give a length above 0"):
        function(UNIT_SQUARE, UNIT_SQUARE, tolerance=tolerance)


def test_missing_and_invalid_are_nan():
    bow_tie = pg.boundary_share_reference(
        [UNIT_SQUARE, None], [UNIT_SQUARE, UNIT_SQUARE], tolerance=1
    )
    assert np.isnan(bow_tie).tolist() == [False, True]
