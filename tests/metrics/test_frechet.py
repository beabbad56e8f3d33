"""The cyclic discrete Fréchet distance, against the plain version."""

from __future__ import annotations

import json

import numpy as np
import pytest
import shapely
from hypothesis import given
from shapely import MultiPolygon, Polygon, box
from shapely.affinity import rotate, scale, translate

import polygauge as pg
from tests.metrics.test_properties import redraw
from tests.oracles import frechet as oracle
from tests.polygons import COURTYARD, grid_pairs, polygons, random_pairs, special_pairs, star
from tests.shared import shared


def unequal(seed, count, most):
    rng = np.random.default_rng(seed)
    sides = np.empty((2, count), dtype=object)
    for k in range(count):
        sides[0, k], sides[1, k] = (star(rng, rng.integers(3, most)) for _ in range(2))
    return sides


SMALL = {
    "triangles": random_pairs(1, 60, 3),
    "six vertices": random_pairs(2, 60, 6),
    "with holes": random_pairs(4, 15, 9, holes=True),
    "unequal": unequal(5, 60, 9),
}
LARGE = {
    "forty vertices": random_pairs(3, 15, 40),
    "unequal": unequal(6, 40, 30),
    "special": special_pairs(),
    "pixel grid": grid_pairs(7, 150),
}


@pytest.mark.parametrize("name", SMALL)
def test_the_search_over_every_pair_of_starts(name):
    a, b = SMALL[name]
    expected = [oracle.frechet(x, y) for x, y in zip(a, b, strict=True)]
    np.testing.assert_allclose(pg.frechet(a, b), expected, atol=1e-9, rtol=0)


@pytest.mark.parametrize("name", LARGE)
def test_the_search_over_every_start_of_one_side(name):
    a, b = LARGE[name]
    expected = [oracle.frechet(x, y, oracle.from_one_row) for x, y in zip(a, b, strict=True)]
    np.testing.assert_allclose(pg.frechet(a, b), expected, atol=1e-9, rtol=0)


@given(polygons(), polygons())
def test_any_pair(a, b):
    expected = oracle.frechet(a, b, oracle.from_one_row)
    assert pg.frechet(a, b) == pytest.approx(expected, abs=1e-9)


def test_it_is_not_the_hausdorff_distance():
    # Every vertex may have a partner near by, and yet no walk lead from partner to partner.
    a, b = LARGE["forty vertices"]
    gaps = []
    for x, y in zip(a, b, strict=True):
        table = oracle.distance_table(oracle.outlines(x)[0], oracle.outlines(y)[0])
        gaps.append(max(table.min(axis=0).max(), table.min(axis=1).max()))
    values = pg.frechet(a, b)
    assert (values >= np.array(gaps) - 1e-12).all()
    assert (values > np.array(gaps) + 0.1).any()


def test_no_more_than_geos_that_begins_where_the_rings_are_stored_to_begin():
    a, b = LARGE["unequal"]
    b = np.array([redraw(shape, 3, reverse=True) for shape in b])
    geos = shapely.frechet_distance(shapely.get_exterior_ring(a), shapely.get_exterior_ring(b))
    values = pg.frechet(a, b)
    assert (values <= geos + 1e-12).all()
    assert (values < geos - 1).any()


def test_the_other_direction_may_be_nearer():
    # A flat triangle and its mirror image. Walked in opposite directions both pass left, middle,
    # right, 0.2 apart in the middle; in one direction somebody is at an end and the other half-way.
    below, above = Polygon([(0, 0), (10, -0.1), (20, 0)]), Polygon([(0, 0), (20, 0), (10, 0.1)])
    table = oracle.distance_table(*(oracle.outlines(shape)[0] for shape in (below, above)))
    one_way = min(
        oracle.leash(np.roll(table, (-s, -t), axis=(0, 1))) for s in range(3) for t in range(3)
    )
    assert one_way == pytest.approx(np.hypot(10, 0.1))
    assert pg.frechet(below, above) == pytest.approx(0.2, abs=1e-12)


def test_holes_do_not_matter_and_the_largest_part_does():
    filled = Polygon(COURTYARD.exterior)
    other = translate(filled, 1, 0.5)
    assert pg.frechet(COURTYARD, other) == pg.frechet(filled, other)
    two = MultiPolygon([box(0, 0, 4, 4), box(20, 0, 24, 4)])
    moved = MultiPolygon([box(20, 3, 24, 7), box(0, 1, 4, 5)])
    assert pg.frechet(two, moved) == 3
    assert pg.frechet(two, box(20, 0, 24, 4)) == 20
    assert pg.frechet(box(20, 0, 24, 4), two) == 20


def test_units_place_and_turn():
    a, b = SMALL["unequal"]
    expected = pg.frechet(a, b)
    turned = [[rotate(s, 25, origin=(0, 0)) for s in side] for side in (a, b)]
    np.testing.assert_allclose(pg.frechet(*turned), expected, atol=1e-9, rtol=0)
    larger = [[scale(s, 7, 7, origin=(0, 0)) for s in side] for side in (a, b)]
    np.testing.assert_allclose(pg.frechet(*larger), 7 * expected, atol=1e-9, rtol=0)


def test_recorded_values():
    records = json.loads(shared("vectors/pairs_public.json").read_text())["pairs"]
    records = [r for r in records if r["own"].get("frechet_exterior_cyclic") is not None]
    records = [r for r in records if not r.get("invalid")]
    assert len(records) > 200
    a, b = (
        [Polygon(r[side]["shell"], r[side]["holes"]) for r in records] for side in ("gt", "pred")
    )
    expected = [r["own"]["frechet_exterior_cyclic"] for r in records]
    np.testing.assert_allclose(pg.frechet(a, b), expected, atol=1e-9, rtol=1e-9)
