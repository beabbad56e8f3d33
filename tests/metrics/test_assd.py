"""Mean boundary-to-boundary distance."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given
from shapely import box
from shapely.affinity import translate

import polygauge as pg
from tests.oracles import distance
from tests.polygons import TWO_PARTS, polygons, random_pairs, special_pairs

STEP = 0.02


@pytest.mark.parametrize(
    "pairs", [random_pairs(16, 40, 7, holes=True), special_pairs()], ids=["holes", "special"]
)
def test_row_by_row(pairs):
    expected = [distance.assd_near(x, y, STEP) for x, y in zip(*pairs, strict=True)]
    np.testing.assert_allclose(pg.assd(*pairs), expected, atol=STEP / 4, rtol=0)


def test_midpoints_converge_to_it_quadratically():
    # Along a piece the distance is smooth, so midpoints err by the square of the step, but for
    # the few steps over a kink.
    a, b = random_pairs(17, 20, 6)
    value = pg.assd(a, b)
    for step in (0.1, 0.01, 0.001):
        near = [distance.assd_near(x, y, step) for x, y in zip(a, b, strict=True)]
        np.testing.assert_allclose(near, value, atol=2 * step**2, rtol=0)


def test_by_hand():
    # Concentric squares 2 apart: inner to outer 2 all along; outer to inner 2 along the sides,
    # and sqrt(4 + t^2), t from 0 to 2, along the eight stretches beside the corners.
    inner, outer = box(2, 2, 8, 8), box(0, 0, 10, 10)
    beside = 0.5 * (2 * np.sqrt(8) + 4 * np.arcsinh(1))
    expected = (24 * 2 + 24 * 2 + 8 * beside) / (24 + 40)
    assert pg.assd(inner, outer) == pytest.approx(expected, abs=1e-12)
    # Both parts moved up by 0.25. The level sides, 38 of 76, are 0.25 off, but 0.25^2 / 2 less at
    # each end that is beside an upright of the other. Each upright sticks out by 0.25 at one end,
    # which adds 0.25^2 / 2. Either side has four such ends: they cancel.
    moved = translate(TWO_PARTS, 0, 0.25)
    assert pg.assd(TWO_PARTS, moved) == pytest.approx(38 * 0.25 / 76, abs=1e-12)


def test_equal_shapes_give_zero_exactly():
    a, b = special_pairs()
    same = [k for k in range(len(a)) if a[k].normalize() == b[k].normalize()]
    assert pg.assd(a[same], b[same]).tolist() == [0, 0, 0]


@given(polygons(), polygons())
def test_more_vertices_change_nothing(a, b):
    dense = shapely.segmentize(a, 0.7)
    assert pg.assd(dense, b) == pytest.approx(pg.assd(a, b), abs=1e-9)


@given(polygons(), polygons())
def test_never_above_the_hausdorff_distance(a, b):
    assert pg.assd(a, b) <= pg.hausdorff_exact(a, b) + 1e-9
