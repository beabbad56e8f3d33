"""Vertex matching and the mean inflection point distance, against the plain versions."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from shapely import MultiPolygon, Polygon, box
from shapely.affinity import rotate, scale, translate

import polygauge as pg
from polygauge.geometry import Pairs, Polygons, edge_points, vertex_routes
from tests.metrics.test_properties import redraw
from tests.oracles import mpd as oracle
from tests.polygons import (
    COURTYARD,
    TWO_PARTS,
    grid_pairs,
    polygons,
    random_pairs,
    special_pairs,
    star,
)
from tests.shared import shared

SMALL = {
    "triangles": random_pairs(1, 60, 3),
    "six vertices": random_pairs(2, 60, 6),
    "with holes": random_pairs(4, 20, 9, holes=True),
    "pixel grid": grid_pairs(5, 60),
}
LARGE = {
    "forty vertices": random_pairs(3, 8, 40),
    "special": special_pairs(),
    "pixel grid": grid_pairs(6, 150),
}
GRAPH = {"router": oracle.route_in_a_graph}


def unequal(seed, count):
    """Pairs of stars of 3 to 9 vertices, hardly ever of the same number."""
    rng = np.random.default_rng(seed)
    sides = np.empty((2, count), dtype=object)
    for k in range(count):
        sides[0, k], sides[1, k] = (star(rng, rng.integers(3, 10)) for _ in range(2))
    return sides


def batch(a, b):
    return Pairs.row_by_row(Polygons.from_shapely(a), Polygons.from_shapely(b))


@pytest.mark.parametrize("name", SMALL)
def test_the_search_over_every_pair_of_starts(name):
    a, b = SMALL[name]
    for function in ("mpd_ep", "mpd", "mpd_eq10"):
        expected = [getattr(oracle, function)(x, y) for x, y in zip(a, b, strict=True)]
        np.testing.assert_allclose(getattr(pg, function)(a, b), expected, atol=1e-9, rtol=0)


def test_the_search_over_every_pair_of_starts_when_one_side_has_more_vertices():
    a, b = unequal(7, 150)
    for function in ("mpd_ep", "mpd", "mpd_eq10"):
        expected = [getattr(oracle, function)(x, y) for x, y in zip(a, b, strict=True)]
        np.testing.assert_allclose(getattr(pg, function)(a, b), expected, atol=1e-9, rtol=0)


@pytest.mark.parametrize("name", LARGE)
def test_shortest_paths_in_a_graph(name):
    a, b = LARGE[name]
    for function in ("mpd_ep", "mpd", "mpd_eq10"):
        expected = [getattr(oracle, function)(x, y, **GRAPH) for x, y in zip(a, b, strict=True)]
        np.testing.assert_allclose(getattr(pg, function)(a, b), expected, atol=1e-9, rtol=0)


def test_many_vertices():
    rng = np.random.default_rng(8)
    a, b = star(rng, 130), rotate(star(rng, 90), 200)
    assert pg.mpd_ep(a, b) == pytest.approx(oracle.mpd_ep(a, b, **GRAPH), abs=1e-9)


@given(polygons(), polygons())
def test_any_pair(a, b):
    assert pg.mpd_ep(a, b) == pytest.approx(oracle.mpd_ep(a, b, **GRAPH), abs=1e-9)
    assert pg.mpd(a, b) == pytest.approx(oracle.mpd(a, b, **GRAPH), abs=1e-9)


@pytest.mark.parametrize(
    "options",
    [
        {"alpha": 1.0},
        {"alpha": 1.2, "beta": 0.4},
        {"beta": 2.5},
        {"tolerance": 6.0},
        {"alpha": 1.0, "tolerance": 1.0},
    ],
)
def test_options(options):
    a, b = unequal(9, 60)
    for function in ("mpd", "mpd_eq10"):
        expected = [getattr(oracle, function)(x, y, **options) for x, y in zip(a, b, strict=True)]
        got = getattr(pg, function)(a, b, **options)
        np.testing.assert_allclose(got, expected, atol=1e-9, rtol=0)
        assert not np.allclose(got, getattr(pg, function)(a, b))


@pytest.mark.parametrize("name", ["six vertices", "pixel grid"])
def test_a_route_uses_every_vertex_and_goes_round_once(name):
    a, b = SMALL[name]
    pairs = batch(a, b)
    routes = vertex_routes(pairs)
    for k in range(len(a)):
        part = slice(*routes.offsets[k : k + 2])
        ends = []
        for rows, side in ((routes.reference, pairs.a), (routes.prediction, pairs.b)):
            start, stop = side.ring_offsets[k], side.ring_offsets[k + 1] - 1
            steps = (np.diff(rows[part], append=rows[part][0])) % (stop - start)
            assert set(steps) <= {0, 1}
            assert steps.sum() == stop - start
            assert set(rows[part]) == set(range(start, stop))
            ends.append(side.coordinates[rows[part]])
        np.testing.assert_allclose(
            routes.distances[part], np.hypot(*(ends[0] - ends[1]).T), atol=1e-12
        )


def test_edge_points_name_their_foot():
    pairs = batch([box(0, 0, 4, 4)], [Polygon([(0, 0), (2, -0.25), (4, 0), (4, 4), (0, 4)])])
    points = edge_points(pairs, 2.0, 1.0, None)
    assert points.counts.tolist() == [1]
    assert points.feet[points.found].tolist() == [[2, 0]]
    assert np.isnan(points.feet[~points.found]).all()
    prediction = pairs.b.coordinates[points.routes.prediction[points.found]]
    assert prediction.tolist() == [[2, -0.25]]


def test_the_route_is_found_once_for_the_three_metrics():
    pairs = batch(*SMALL["six vertices"])
    for metric in pg.METRICS:
        if metric.name in {"mpd_ep", "mpd", "mpd_eq10"}:
            metric.compute(pairs)
    steps = [step.__name__ for step, _ in pairs._steps]
    assert sorted(steps) == ["edge_points", "exterior_pairs", "vertex_routes"]


# Squares 9 wide with a wall in common: 4 pairs of 9, or 6 pairs that add up to 36 as well.
def test_of_equally_cheap_routes_the_one_of_fewest_pairs():
    left, right = box(0, 0, 9, 9), box(9, 0, 18, 9)
    for angle in range(0, 360, 7):
        turned = [rotate(side, angle, origin=(0, 0)) for side in (left, right)]
        assert pg.mpd_ep(*turned) == pytest.approx(9, abs=1e-9)


@pytest.mark.parametrize("function", [pg.mpd_ep, pg.mpd, pg.mpd_eq10])
def test_ties_depend_on_the_shapes_alone(function):
    a, b = grid_pairs(10, 300)
    expected = function(a, b)
    np.testing.assert_allclose(function(b, a), expected, atol=1e-9, rtol=0)
    for start, angle in ((1, 0), (2, 33), (5, 90)):
        c, d = (
            [rotate(redraw(shape, k, bool(k % 2)), angle, origin=(3, 1)) for shape in side]
            for side, k in ((a, start), (b, start + 1))
        )
        np.testing.assert_allclose(function(c, d), expected, atol=1e-9, rtol=0)
    c, d = ([translate(shape, 2**19, 2**22) for shape in side] for side in (a, b))
    np.testing.assert_allclose(function(c, d), expected, atol=1e-9, rtol=0)
    c, d = ([scale(shape, 3, 3, origin=(0, 0)) for shape in side] for side in (a, b))
    np.testing.assert_allclose(function(c, d), 3 * expected, atol=1e-9, rtol=0)


def test_holes_do_not_matter():
    filled = Polygon(COURTYARD.exterior)
    other = translate(filled, 1, 0.5)
    for function in (pg.mpd_ep, pg.mpd, pg.mpd_eq10):
        assert function(COURTYARD, other) == function(filled, other)


def test_every_part_is_matched():
    # One part of the reference is missing in the prediction: its four corners go 20 to the right,
    # where the only part is; those of the other part lie 1 beside it.
    two = MultiPolygon([box(0, 0, 4, 4), box(20, 0, 24, 4)])
    one = box(20, 1, 24, 5)
    expected = (4 * np.hypot(20, 1) + 4 * 1) / 8
    assert pg.mpd_ep(two, one) == pytest.approx(expected, abs=1e-12)
    assert pg.mpd_ep(one, two) == pytest.approx(expected, abs=1e-12)
    assert pg.mpd_eq10(two, one) == pytest.approx(expected, abs=1e-12)
    swapped = MultiPolygon(list(two.geoms)[::-1])
    assert pg.mpd_ep(two, swapped) == 0
    moved = translate(TWO_PARTS, 0.3, 0.4)
    assert pg.mpd(TWO_PARTS, moved) == pytest.approx(0.5, abs=1e-12)


@pytest.mark.parametrize("name", ["alpha", "beta", "tolerance"])
@pytest.mark.parametrize("value", [0, -1.0, float("nan"), float("inf")])
@pytest.mark.parametrize("function", [pg.mpd, pg.mpd_eq10])
def test_options_that_mean_nothing_are_refused(function, name, value):
    with pytest.raises(pg.OptionError, match=f"{name} is"):
        function(box(0, 0, 1, 1), box(0, 0, 1, 1), **{name: value})


def test_recorded_values():
    records = json.loads(shared("vectors/pairs_public.json").read_text())["pairs"]
    records = [r for r in records if r["own"].get("mpd")]
    assert len(records) == 189
    a, b = (
        [Polygon(r[side]["shell"], r[side]["holes"]) for r in records] for side in ("gt", "pred")
    )
    recorded = {key: np.array([r["own"]["mpd"][key] for r in records]) for key in ("k", "b")}
    for function, key in ((pg.mpd_ep, "mpd_ep"), (pg.mpd, "mpd_mean_k"), (pg.mpd_eq10, "mpd")):
        expected = [r["own"]["mpd"][key] for r in records]
        np.testing.assert_allclose(function(a, b), expected, atol=1e-9, rtol=1e-9)
    pairs = batch(a, b)
    points = edge_points(pairs, 2.0, 1.0, None)
    assert points.counts.tolist() == recorded["b"].tolist()
    # The record counts a vertex that is stored twice as two vertices; here it is one.
    twice = np.array([r["pert"] == "duplicate_vertex" for r in records])
    assert (points.routes.counts + twice).tolist() == recorded["k"].tolist()
    assert twice.sum() == 1
