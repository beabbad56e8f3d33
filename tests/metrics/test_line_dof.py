"""Line degree of freedom."""

from __future__ import annotations

import json

import numpy as np
import pytest
import shapely
from shapely import MultiPolygon, Polygon, box
from shapely.affinity import rotate, scale, translate

import polygauge as pg
from polygauge.geometry import Polygons, edges_off_border, line_freedoms, polygon_edges
from tests.oracles import directions
from tests.polygons import COURTYARD, L_SHAPE, TRIANGLE, TWO_PARTS, U_SHAPE, pair_sets
from tests.shared import shared
from tests.vectors import recorded, valid_pairs

SETS = pair_sets()


@pytest.mark.parametrize(("angle", "offset"), [(0.5, 0.5), (7.3, 1.3), (40.1, 0.05)])
@pytest.mark.parametrize("name", SETS)
def test_row_by_row(name, angle, offset):
    for side in SETS[name]:
        expected = [directions.line_dof(directions.edges(s), angle, offset) for s in side]
        got = pg.line_dof(side, angle=angle, offset=offset)
        np.testing.assert_allclose(got, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize(("side", "key"), [(0, "dof_gt"), (1, "dof_pred")])
def test_recorded_values(side, key):
    shapes = valid_pairs()[side]
    np.testing.assert_allclose(pg.line_dof(shapes), recorded("own", key, "dof"), atol=1e-12)


def cases():
    return json.loads(shared("vectors/dof_cases_public.json").read_text())["cases"]


def test_recorded_hand_checked_lines():
    found = cases()
    assert len(found) == 20
    for case in found:
        lines = np.array(case["segments"], dtype=float).reshape(-1, 4)
        got = line_freedoms(lines, np.array([0, len(lines)]), 0.5, 0.5)[0]
        expected = case["own"]["dof"]
        assert got == pytest.approx(
            np.nan if expected is None else expected, abs=1e-12, nan_ok=True
        )


def test_recorded_hand_checked_rings():
    # An open ring without its closing edge is no polygon; the others are, tile borders left out.
    found = [case for case in cases() if "rings" in case and not case["p3_edges"]]
    assert len(found) >= 14
    for case in found:
        shape = MultiPolygon([Polygon(ring) for ring in case["rings"]])
        lines, offsets = polygon_edges(Polygons.from_shapely([shape]))
        if case["tile"]:
            lines, offsets = edges_off_border(lines, offsets, np.array([[0, 0, *case["tile"]]]))
        assert len(lines) == case["own"]["n_lines"]
        got = line_freedoms(lines, offsets, 0.5, 0.5)[0]
        expected = case["own"]["dof"]
        assert got == pytest.approx(
            np.nan if expected is None else expected, abs=1e-12, nan_ok=True
        )


@pytest.mark.parametrize(
    ("shape", "expected"),
    [
        (box(0, 0, 9, 9), 5 / 8),
        (Polygon([(0, 0), (12, 0), (4, 9)]), 1),  # nothing parallel or at right angles
        (TRIANGLE, 5 / 6),  # the legs share an orientation
        (L_SHAPE, 7 / 12),
        (U_SHAPE, 8 / 16),  # the two tops are one line
        (COURTYARD, 9 / 16),
        (TWO_PARTS, 8 / 16),  # the two bottoms are one line, the tops 10 and 9 are not
        (MultiPolygon([box(0, 0, 10, 10), box(15, 0, 25, 10)]), 7 / 16),
        (MultiPolygon([box(0, 0, 10, 10), box(15, 0.4, 25, 10.4)]), 7 / 16),
        (MultiPolygon([box(0, 0, 10, 10), box(15, 0.6, 25, 10.6)]), 9 / 16),
        (MultiPolygon([box(0, 0, 10, 10), rotate(box(30, 0, 40, 10), 20)]), 10 / 16),
    ],
)
def test_by_hand(shape, expected):
    assert pg.line_dof(shape) == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("angle", [0, 0.2, 44.9, 89.9, 90, 179.95, 331])
def test_directions_wrap_around(angle):
    # 0.4 degrees of slant around every direction, also where 180 meets 0.
    slanted = Polygon([(0, 0), (10, 0), (10 - 10 * np.tan(np.radians(0.4)), 10), (0, 10)])
    assert pg.line_dof(rotate(slanted, angle)) == 5 / 8
    steep = Polygon([(0, 0), (10, 0), (10 - 10 * np.tan(np.radians(0.6)), 10), (0, 10)])
    assert pg.line_dof(rotate(steep, angle)) == 6 / 8


def test_vertices_on_a_side_lower_it():
    square = box(0, 0, 10, 10)
    assert pg.line_dof(shapely.segmentize(square, 5)) == 5 / 16
    assert pg.line_dof(shapely.segmentize(square, 1)) == 5 / 80


def test_lengths_scale_with_the_offset():
    pair = MultiPolygon([box(0, 0, 10, 10), box(15, 0.4, 25, 10.4)])
    large = scale(pair, 10, 10, origin=(0, 0))
    assert pg.line_dof(large) == 9 / 16
    assert pg.line_dof(large, offset=5) == pg.line_dof(pair) == 7 / 16


def test_very_short_edges_are_left_out():
    corner = Polygon([(0, 0), (10, 0), (10, 10), (5e-10, 10), (0, 10 - 5e-10)])
    assert pg.line_dof(corner) == 5 / 8


def test_groups_are_on_their_own():
    shapes = [box(0, 0, 10, 10), L_SHAPE, translate(TRIANGLE, 7, 7)]
    lines, offsets = polygon_edges(Polygons.from_shapely(shapes))
    assert line_freedoms(lines, offsets, 0.5, 0.5).tolist() == pg.line_dof(shapes).tolist()
    together = line_freedoms(lines, offsets[[0, 3]], 0.5, 0.5)
    assert together[0] == pytest.approx(directions.line_dof(lines), abs=1e-15)


def test_edges_on_a_border_need_both_ends_there():
    shape = Polygon([(0, 0), (5, 0), (5, 3), (0, 3)])
    lines, offsets = polygon_edges(Polygons.from_shapely([shape, translate(shape, 1, 0)]))
    boxes = np.array([[0.0, 0.0, 5.0, 9.0]] * 2)
    kept, offsets = edges_off_border(lines, offsets, boxes)
    assert np.diff(offsets).tolist() == [1, 3]
    assert kept[0].tolist() == [5, 3, 0, 3]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"angle": 90}, "angle is 90"),
        ({"angle": -1}, "angle is -1"),
        ({"offset": 0}, "offset is 0"),
    ],
)
def test_tolerances_that_mean_nothing_are_refused(settings, message):
    with pytest.raises(pg.OptionError, match=message):
        pg.line_dof(box(0, 0, 1, 1), **settings)
