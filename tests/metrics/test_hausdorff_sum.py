"""The two directed Hausdorff distances of sampled boundaries, added."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from shapely import box

import polygauge as pg
from tests.oracles import distance
from tests.polygons import polygons, random_pairs, special_pairs


@pytest.mark.parametrize(
    "pairs", [random_pairs(15, 25, 7, holes=True), special_pairs()], ids=["holes", "special"]
)
def test_row_by_row(pairs):
    expected = [distance.sampled(x, y, 0.4)["hausdorff_sum"] for x, y in zip(*pairs, strict=True)]
    np.testing.assert_allclose(pg.hausdorff_sum(*pairs, spacing=0.4), expected, atol=1e-9, rtol=0)


def test_by_hand():
    # Moved by 3, each square's far side is 3 from the other.
    assert pg.hausdorff_sum(box(0, 0, 2, 2), box(3, 0, 5, 2), spacing=0.5) == 6


@given(polygons(), polygons())
def test_between_one_and_two_times_the_larger(a, b):
    larger = pg.hausdorff(a, b, spacing=0.5)
    both = pg.hausdorff_sum(a, b, spacing=0.5)
    assert larger <= both <= 2 * larger
