"""The fast kernels against the plain versions, row by row."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from shapely import MultiPolygon, Polygon, box
from shapely.affinity import rotate, translate

import polygauge as pg
from polygauge.geometry import Pairs, Polygons, boundary_regions
from tests.oracles import distance, overlap
from tests.polygons import COURTYARD, L_SHAPE, NAMED, U_SHAPE, polygons, random_pairs

WIDTHS = (0.05, 0.4, 1.5, 6.0)


def towns(count: int = 300):
    """Matching buildings of a made-up town, with every kind of fault."""
    from polygauge.dataset import make_town

    town = make_town(count, seed=5)
    run = pg.evaluate(town.reference, town.prediction, metrics=["iou"], threshold=0.1)
    pairs = run.pairs
    return (
        town.reference.geometry.to_numpy()[pairs.reference_row],
        town.prediction.geometry.to_numpy()[pairs.prediction_row],
    )


SETS = {
    "triangles": random_pairs(1, 150, 3),
    "six vertices": random_pairs(2, 150, 6),
    "forty vertices": random_pairs(3, 60, 40),
    "with holes": random_pairs(4, 60, 9, holes=True),
    "buildings": towns(),
}


@pytest.mark.parametrize("name", SETS)
def test_iou(name):
    a, b = SETS[name]
    expected = [overlap.iou(x, y) for x, y in zip(a, b, strict=True)]
    np.testing.assert_allclose(pg.iou(a, b), expected, atol=1e-9, rtol=0)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", SETS)
def test_boundary_iou(name, width):
    a, b = SETS[name]
    expected = [overlap.boundary_iou(x, y, width) for x, y in zip(a, b, strict=True)]
    np.testing.assert_allclose(pg.boundary_iou(a, b, width=width), expected, atol=1e-6, rtol=0)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", SETS)
def test_boundary_iou_inner(name, width):
    a, b = SETS[name]
    expected = [overlap.boundary_iou_inner(x, y, width) for x, y in zip(a, b, strict=True)]
    got = pg.boundary_iou_inner(a, b, width=width)
    np.testing.assert_allclose(got, expected, atol=1e-5, rtol=0)


@pytest.mark.parametrize("name", SETS)
def test_polis(name):
    a, b = SETS[name]
    expected = [distance.polis(x, y) for x, y in zip(a, b, strict=True)]
    np.testing.assert_allclose(pg.polis(a, b), expected, atol=1e-9, rtol=0)


@pytest.mark.parametrize("name", SETS)
def test_hausdorff_exact(name):
    a, b = SETS[name]
    values = pg.hausdorff_exact(a, b)
    for value, x, y in zip(values, a, b, strict=True):
        low, high = distance.hausdorff_between(x, y, 0.05)
        assert low - 1e-8 <= value <= high + 1e-8


def test_most_buildings_need_no_buffer():
    # The written-down region must be the one that is tested above: most plain buildings take it.
    a, _ = SETS["buildings"]
    ragged = Polygons.from_shapely(a)
    from polygauge.geometry._region import _offset_rings

    _, _, simple = _offset_rings(
        ragged.coordinates,
        ragged.ring_offsets,
        ragged.feature_rings,
        np.arange(len(a)),
        0.5,
        np.pi / 32,
        False,
    )
    assert simple.mean() > 0.9


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", NAMED)
def test_region_areas_of_named_shapes(name, width):
    shape = NAMED[name]
    region = boundary_regions(Polygons.from_shapely([shape]), np.array([0]), width, False)
    expected = shapely.buffer(shapely.boundary(shape), width, quad_segs=16).area
    assert region.areas[0] == pytest.approx(expected, rel=1e-7)
    inner = boundary_regions(Polygons.from_shapely([shape]), np.array([0]), width, True)
    expected = shape.area - shapely.buffer(shape, -width, quad_segs=64).area
    assert inner.areas[0] == pytest.approx(expected, rel=1e-7)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (box(0, 0, 1, 1), box(1, 0, 2, 1), 0),  # a shared wall
        (box(0, 0, 1, 1), box(1, 1, 2, 2), 0),  # a shared corner
        (COURTYARD, box(10, 5, 20, 15), 0),  # the hole, filled exactly
        (COURTYARD, box(0, 0, 30, 20), 500 / 600),  # the hole, missing
        (L_SHAPE, L_SHAPE.reverse(), 1),
        (U_SHAPE, box(0, 0, 12, 9), 88 / 108),
        (MultiPolygon([box(0, 0, 1, 1), box(2, 0, 3, 1)]), box(0, 0, 3, 1), 2 / 3),
    ],
)
def test_iou_by_hand(a, b, expected):
    assert pg.iou(a, b) == pytest.approx(expected, abs=1e-15)


def test_halves_far_from_the_origin_are_exactly_half():
    whole = box(500_000, 5_300_000, 500_020, 5_300_010)
    left = box(500_000, 5_300_000, 500_010, 5_300_010)
    assert pg.iou(whole, left) == 0.5


def test_hausdorff_inside_an_edge():
    # From the middle of the long side to the nearest tip of the saw it is 3 up or 5 along.
    saw = Polygon([(0, 0), (10, 0), (10, 4), (5, 1), (0, 4)])
    assert pg.hausdorff_exact(saw, box(0, 0, 10, 4)) == pytest.approx(
        distance.hausdorff_between(saw, box(0, 0, 10, 4), 1e-3)[0], abs=1e-3
    )
    assert shapely.hausdorff_distance(saw, box(0, 0, 10, 4)) < pg.hausdorff_exact(
        saw, box(0, 0, 10, 4)
    )


def big_ring(count: int, seed: int) -> Polygon:
    rng = np.random.default_rng(seed)
    angle = np.linspace(0, 2 * np.pi, count, endpoint=False)
    radius = 1000 + 20 * np.sin(7 * angle) + rng.uniform(0, 0.01, count)
    return Polygon(np.c_[radius * np.cos(angle), radius * np.sin(angle)])


def test_large_rings_agree_with_geos():
    a, b = big_ring(3_000, 1), translate(big_ring(2_500, 2), 3, 1)
    assert pg.iou(a, b) == pytest.approx(overlap.iou(a, b), abs=1e-9)
    assert pg.polis(a, b) == pytest.approx(distance.polis(a, b), abs=1e-9)
    low, high = distance.hausdorff_between(a, b, 0.05)
    assert low - 1e-6 <= pg.hausdorff_exact(a, b) <= high + 1e-6


@given(polygons(), polygons())
def test_any_pair(a, b):
    assert pg.iou(a, b) == pytest.approx(overlap.iou(a, b), abs=1e-9)
    assert pg.polis(a, b) == pytest.approx(distance.polis(a, b), abs=1e-9)
    for width in (0.2, 2.0):
        assert pg.boundary_iou(a, b, width=width) == pytest.approx(
            overlap.boundary_iou(a, b, width), abs=1e-6
        )
    low, high = distance.hausdorff_between(a, b, 0.1)
    assert low - 1e-8 <= pg.hausdorff_exact(a, b) <= high + 1e-8


@given(polygons(), st.floats(0, 360))
def test_identity_is_perfect(shape, angle):
    other = rotate(shape.reverse(), angle, origin=(0, 0))
    shape = rotate(shape, angle, origin=(0, 0))
    assert pg.iou(shape, other) == 1
    assert pg.polis(shape, other) == 0
    assert pg.hausdorff_exact(shape, other) == 0
    assert pg.boundary_iou(shape, other, width=0.3) == pytest.approx(1, abs=1e-12)


def test_a_batch_equals_single_calls_bit_for_bit():
    a, b = SETS["buildings"]
    for function in (pg.iou, pg.polis, pg.hausdorff_exact):
        assert function(a, b).tolist() == [function(x, y) for x, y in zip(a, b, strict=True)]


def test_steps_are_shared_within_a_batch():
    pairs = Pairs.row_by_row(*(Polygons.from_shapely(side) for side in SETS["six vertices"]))
    calls = []

    def step(batch, factor):
        calls.append(factor)
        return factor * len(batch)

    assert [pairs.share(step, 2), pairs.share(step, 2), pairs.share(step, 3)] == [300, 300, 450]
    assert calls == [2, 3]
