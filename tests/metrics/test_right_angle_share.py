"""Share of right angles."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from shapely import Point, Polygon, box
from shapely.affinity import rotate, skew

import polygauge as pg
from tests.oracles import directions
from tests.polygons import COURTYARD, L_SHAPE, TRIANGLE, TWO_PARTS, U_SHAPE, pair_sets

SETS = pair_sets()


@pytest.mark.parametrize(("tolerance", "angle"), [(5.0, 10.0), (31.7, 40.2)])
@pytest.mark.parametrize("name", SETS)
def test_row_by_row(name, tolerance, angle):
    for side in SETS[name]:
        turns = [abs(directions.turns(s)[1]) for s in side]
        turns = [t[t > angle] for t in turns]
        expected = [np.mean(abs(t - 90) <= tolerance) if len(t) else np.nan for t in turns]
        got = pg.right_angle_share(side, tolerance=tolerance, angle=angle)
        np.testing.assert_allclose(got, expected, rtol=0, atol=1e-15)


def test_by_hand():
    shapes = [COURTYARD, TWO_PARTS, U_SHAPE, L_SHAPE, TRIANGLE]
    assert pg.right_angle_share(shapes).tolist() == [1, 1, 1, 1, 1 / 3]
    assert np.isnan(pg.right_angle_share(Point(0, 0).buffer(1, quad_segs=16)))


def test_the_tolerance_is_met_on_both_sides():
    for slant in (4.9, -4.9):
        assert pg.right_angle_share(skew(box(0, 0, 9, 9), xs=slant)) == 1
    assert pg.right_angle_share(skew(box(0, 0, 9, 9), xs=5.1)) == 0
    assert pg.right_angle_share(skew(box(0, 0, 9, 9), xs=5.1), tolerance=6) == 1


def test_vertices_on_a_side_are_no_corners():
    dense = shapely.segmentize(rotate(TRIANGLE, 12), 0.1)
    assert pg.right_angle_share(dense) == 1 / 3


@pytest.mark.parametrize("settings", [{"tolerance": 90}, {"tolerance": -1}, {"angle": 180}])
def test_angles_that_mean_nothing_are_refused(settings):
    with pytest.raises(pg.OptionError, match=f"{next(iter(settings))} is"):
        pg.right_angle_share(Polygon([(0, 0), (1, 0), (0, 1)]), **settings)
