"""Number of corners."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from shapely import Point, Polygon, box

import polygauge as pg
from polygauge.geometry import Polygons, corners
from tests.oracles import directions
from tests.polygons import COURTYARD, NAMED, TWO_PARTS, U_SHAPE, pair_sets

SETS = pair_sets()


@pytest.mark.parametrize("angle", [0.1, 10.0, 33.3, 90.5])
@pytest.mark.parametrize("name", SETS)
def test_row_by_row(name, angle):
    for side in SETS[name]:
        expected = [len(directions.corners(s, angle)) for s in side]
        assert pg.corner_count(side, angle=angle).tolist() == expected


@pytest.mark.parametrize("name", SETS)
def test_turns_row_by_row(name):
    for side in SETS[name]:
        found = corners(Polygons.from_shapely(side))
        for k, shape in enumerate(side):
            chosen = slice(found.offsets[k], found.offsets[k + 1])
            got = dict(zip(map(tuple, found.points[chosen]), found.turns[chosen], strict=True))
            expected = dict(zip(map(tuple, np.vstack(directions.rings(shape))),
                                directions.turns(shape)[1], strict=True))  # fmt: skip
            assert got == pytest.approx(expected, abs=1e-7)


def test_by_hand():
    assert pg.corner_count([COURTYARD, TWO_PARTS, U_SHAPE]).tolist() == [8, 8, 8]
    # A circle drawn with n vertices turns by 360 / n at each of them.
    assert pg.corner_count(Point(0, 0).buffer(1, quad_segs=8)) == 32
    assert pg.corner_count(Point(0, 0).buffer(1, quad_segs=10)) == 0
    assert pg.corner_count(Point(0, 0).buffer(1, quad_segs=10), angle=8.9) == 40
    # A step back of 180 degrees less a little is a corner as well.
    needle = Polygon([(0, 0), (10, 0), (10, 0.001)])
    assert pg.corner_count(needle) == 3


@pytest.mark.parametrize("name", NAMED)
def test_a_slight_bend_is_no_corner(name):
    dense = shapely.segmentize(NAMED[name], 0.3)
    assert pg.corner_count(dense) == pg.corner_count(NAMED[name])


@pytest.mark.parametrize("angle", [-1, 180, float("nan")])
def test_angles_that_mean_nothing_are_refused(angle):
    with pytest.raises(pg.OptionError, match="angle is"):
        pg.corner_count(box(0, 0, 1, 1), angle=angle)
