"""The max tangent angle, against the plain version."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely import Polygon, box
from shapely.affinity import rotate, scale, translate

import polygauge as pg
from polygauge.geometry import Pairs, Polygons, max_tangent_angles
from tests.metrics.test_properties import redraw
from tests.oracles.mta import mta
from tests.polygons import grid_pairs, polygons, random_pairs, special_pairs, star
from tests.shared import shared

SETS = {
    "triangles": random_pairs(1, 60, 3),
    "six vertices": random_pairs(2, 60, 6),
    "forty vertices": random_pairs(3, 20, 40),
    "with holes": random_pairs(4, 30, 9, holes=True),
    "special": special_pairs(),
    "pixel grid": grid_pairs(5, 100),
}


def recorded():
    return json.loads(shared("vectors/pairs_public.json").read_text())["pairs"]


def sides(records):
    return (
        [Polygon(r[side]["shell"], r[side]["holes"]) for r in records] for side in ("gt", "pred")
    )


@pytest.mark.parametrize("spacing", [0.7, 2.0])
@pytest.mark.parametrize("name", SETS)
def test_the_plain_version(name, spacing):
    a, b = SETS[name]
    expected = [mta(x, y, spacing) for x, y in zip(a, b, strict=True)]
    np.testing.assert_allclose(pg.mta(a, b, spacing=spacing), expected, atol=1e-5, rtol=0)


@pytest.mark.parametrize("stretch", [1.2, 4.0, np.inf])
def test_other_stretches(stretch):
    a, b = SETS["six vertices"]
    pairs = Pairs.row_by_row(Polygons.from_shapely(a), Polygons.from_shapely(b))
    got = max_tangent_angles(pairs, 2.0, stretch)
    expected = [mta(x, y, 2.0, stretch) for x, y in zip(a, b, strict=True)]
    np.testing.assert_allclose(got, expected, atol=1e-5, rtol=0)
    assert not np.allclose(got, pg.mta(a, b), equal_nan=True)


def test_large_rings():
    rng = np.random.default_rng(6)
    a, b = star(rng, 300, 100), translate(star(rng, 250, 100), 3, 1)
    assert pg.mta(a, b) == pytest.approx(mta(a, b), abs=1e-5)


@given(polygons(), polygons(), st.sampled_from([0.5, 2.0, 7.0]))
def test_any_pair(a, b, spacing):
    assert pg.mta(a, b, spacing=spacing) == pytest.approx(mta(a, b, spacing), abs=1e-5, nan_ok=True)


@given(polygons(), st.floats(0, 360))
def test_equal_boundaries_have_no_angle(shape, angle):
    shape = rotate(shape, angle, origin=(0, 0))
    assert pg.mta(shape, shape.reverse()) == 0


@pytest.mark.parametrize("spacing", [1.0, 2.0, 3.0])
def test_ties_depend_on_the_shapes_alone(spacing):
    a, b = grid_pairs(7, 300)
    expected = pg.mta(a, b, spacing=spacing)
    for start, angle in ((1, 0), (2, 33), (5, 90)):
        c, d = (
            [rotate(redraw(shape, k, bool(k % 2)), angle, origin=(3, 1)) for shape in side]
            for side, k in ((a, start), (b, start + 1))
        )
        np.testing.assert_allclose(pg.mta(c, d, spacing=spacing), expected, atol=1e-6, rtol=0)
    c, d = ([translate(shape, 2**19, 2**22) for shape in side] for side in (a, b))
    np.testing.assert_allclose(pg.mta(c, d, spacing=spacing), expected, atol=1e-6, rtol=0)
    c, d = ([scale(shape, 3, 3, origin=(0, 0)) for shape in side] for side in (a, b))
    np.testing.assert_allclose(pg.mta(c, d, spacing=3 * spacing), expected, atol=1e-6, rtol=0)


def test_of_equally_near_points_those_of_the_smallest_angle():
    # The second sample of the sloping edge, (5, 5), is as far from the left wall as from the lower
    # one. Seen from (3, 7), which goes to (0, 7), it belongs to the left wall, (0, 5): 45 degrees.
    # Seen from (7, 3) it belongs to the lower one.
    slope = Polygon([(1, 9), (9, 1), (9, 9)])
    reference = Polygon([(0, 0), (30, 0), (30, -5), (-5, -5), (-5, 30), (0, 30)])
    assert pg.mta(reference, slope, spacing=np.hypot(2, 2)) == pytest.approx(
        mta(reference, slope, np.hypot(2, 2)), abs=1e-6
    )
    assert pg.mta(reference, slope, spacing=np.hypot(2, 2)) == pytest.approx(45, abs=1e-9)


def test_undefined_where_every_piece_shrinks_to_a_corner():
    assert np.isnan(pg.mta(box(0, 0, 1, 1), box(5, 5, 7, 7)))


def test_half_a_piece_is_rounded_to_the_even_number():
    # 5 / 2 is cut into 2 pieces of 2.5, also after a turn; 3 would meet the corner elsewhere.
    a, b = box(0, 0, 5, 5), box(1, 1, 6, 6)
    expected = mta(a, b, 2.0)
    assert pg.mta(a, b) == pytest.approx(expected, abs=1e-5)
    for angle in range(0, 360, 11):
        turned = [rotate(side, angle, origin=(0, 0)) for side in (a, b)]
        assert pg.mta(*turned) == pytest.approx(pg.mta(a, b), abs=1e-6)


@pytest.mark.parametrize("value", [0, -1.0, float("nan"), float("inf")])
@pytest.mark.parametrize("function", [pg.mta, pg.mta_p3])
def test_a_spacing_that_is_none_is_refused(function, value):
    with pytest.raises(pg.OptionError, match="spacing is"):
        function(box(0, 0, 1, 1), box(0, 0, 1, 1), spacing=value)


def test_recorded_values():
    records = [r for r in recorded() if not r.get("invalid") and not r["own"]["mta_tie"]]
    assert len(records) == 215
    expected = np.array([r["own"]["mta_signed"] for r in records], dtype=float)
    np.testing.assert_allclose(pg.mta(*sides(records)), expected, atol=1e-4, rtol=0)
    assert np.isnan(expected).sum() == 2


def test_recorded_values_of_the_public_code():
    records = [r for r in recorded() if not r.get("invalid") and not r["own"]["mta_tie"]]
    # An empty list: the prediction was dropped before any angle was measured.
    listed = [r["ref"]["mta_p3"] for r in records]
    expected = [np.nan if not v or v[0] is None else v[0] for v in listed]
    np.testing.assert_allclose(pg.mta_p3(*sides(records)), expected, atol=1e-4, rtol=0)
    assert 20 < np.isnan(expected).sum() < 40
