"""Turns beyond the one that closes a ring."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given
from shapely import Point, Polygon, box
from shapely.affinity import rotate

import polygauge as pg
from tests.oracles import directions
from tests.polygons import COURTYARD, L_SHAPE, TRIANGLE, TWO_PARTS, U_SHAPE, pair_sets, polygons

SETS = pair_sets()


@pytest.mark.parametrize("name", SETS)
def test_row_by_row(name):
    for side in SETS[name]:
        expected = [
            abs(directions.turns(s)[1]).sum() / 360 - len(directions.rings(s)) for s in side
        ]
        np.testing.assert_allclose(pg.jaggedness(side), expected, rtol=0, atol=1e-9)


def stairs(steps: int) -> Polygon:
    """The lower left half of a square, its diagonal drawn in steps."""
    low = [(steps - k, k) for k in range(steps)]
    return Polygon([(0, 0), *[p for x, y in low for p in ((x, y), (x, y + 1))]])


def test_by_hand():
    shapes = [box(0, 0, 2, 1), TRIANGLE, COURTYARD, TWO_PARTS, Point(0, 0).buffer(1)]
    assert pg.jaggedness(shapes).tolist() == [0] * 5
    assert pg.jaggedness([L_SHAPE, U_SHAPE]).tolist() == pytest.approx([0.5, 1.0], abs=1e-12)
    # Every step but the last adds a turn to the right and one more to the left.
    for steps in (2, 5, 40):
        assert pg.jaggedness(stairs(steps)) == pytest.approx((steps - 1) / 2, abs=1e-9)


@given(polygons())
def test_0_for_convex_rings_only(shape):
    value = pg.jaggedness(shape)
    rings = [Polygon(ring) for ring in directions.rings(shape)]
    convex = all(ring.area > (1 - 1e-9) * ring.convex_hull.area for ring in rings)
    assert value == 0 if convex else value > 1e-6


def test_a_dense_circle_is_smooth():
    circle = rotate(Point(3, 4).buffer(10, quad_segs=500), 7)
    assert pg.jaggedness(circle) == pytest.approx(0, abs=1e-9)
    assert pg.jaggedness(shapely.segmentize(U_SHAPE, 0.01)) == pytest.approx(1, abs=1e-9)
