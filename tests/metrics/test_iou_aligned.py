"""IoU after the best translation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely import box
from shapely.affinity import rotate, translate

import polygauge as pg
from tests.oracles import displacement
from tests.polygons import COURTYARD, L_SHAPE, pair_sets, polygons, random_pairs

SETS = pair_sets()


@pytest.mark.parametrize("vertices", [3, 6])
def test_row_by_row(vertices):
    a, b = random_pairs(40 + vertices, 20, vertices)
    for x, y, value in zip(a, b, pg.iou_aligned(a, b), strict=True):
        _, shared = displacement.best_translation(x, y)
        assert value >= shared / (x.area + y.area - shared) - 1e-9


@pytest.mark.parametrize("name", SETS)
def test_never_below_iou_and_reached_by_the_offset(name):
    a, b = SETS[name]
    aligned = pg.iou_aligned(a, b)
    assert (aligned >= pg.iou(a, b)).all()
    x, y = pg.offset_x(a, b), pg.offset_y(a, b)
    back = [translate(s, -dx, -dy) for s, dx, dy in zip(b, x, y, strict=True)]
    np.testing.assert_allclose(pg.iou(a, back), aligned, rtol=0, atol=1e-8)


@pytest.mark.parametrize("name", SETS)
def test_never_above_what_the_areas_allow(name):
    a, b = SETS[name]
    areas = np.array([(x.area, y.area) for x, y in zip(a, b, strict=True)])
    limit = areas.min(axis=1) / areas.max(axis=1)
    assert (pg.iou_aligned(a, b) <= limit + 1e-12).all()


@given(polygons(), polygons(), st.floats(-6, 6), st.floats(-6, 6))
def test_moving_one_side_within_reach_changes_little(a, b, dx, dy):
    # Several hills may be climbed from elsewhere, but a copy stays a copy.
    assert pg.iou_aligned(a, translate(a, dx, dy)) == 1
    assert pg.iou_aligned(a, translate(b, dx, dy)) >= pg.iou(a, translate(b, dx, dy))


def test_by_hand():
    assert pg.iou_aligned(box(0, 0, 4, 4), box(50, 9, 54, 13)) == 1
    # 6 by 2 fits into 8 by 4 wherever it lies.
    assert pg.iou_aligned(box(0, 0, 8, 4), box(7, 3, 13, 5)) == pytest.approx(12 / 32, abs=1e-10)
    # Crossed bars share the square of their width.
    assert pg.iou_aligned(box(0, 0, 9, 1), box(20, 0, 21, 9)) == pytest.approx(1 / 17, abs=1e-10)
    # An L against its filled square: nothing to gain by moving.
    square = box(0, 0, 12, 10)
    assert pg.iou_aligned(L_SHAPE, square) == pytest.approx(85 / 120, abs=1e-10)
    assert pg.iou_aligned(COURTYARD, box(3, 1, 33, 21)) == pytest.approx(500 / 600, abs=1e-10)


@pytest.mark.parametrize("angle", [0, 13, 45])
def test_turned_shapes(angle):
    # A square on its tip over one that lies flat, both of side 2 and about one middle: an octagon.
    flat = rotate(box(0, 0, 2, 2), angle)
    tip = rotate(box(7, 3, 9, 5), 45 + angle)
    octagon = 8 * (2**0.5 - 1)
    expected = octagon / (8 - octagon)
    assert pg.iou_aligned(flat, tip) == pytest.approx(expected, abs=1e-12)
