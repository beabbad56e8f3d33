"""The ragged form: what it guarantees, and that nothing is lost on the way in and out."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from shapely import MultiPolygon, Point, Polygon, box

from polygauge.errors import GeometryError
from polygauge.geometry import Polygons
from tests.polygons import COURTYARD, NAMED, TWO_PARTS, polygons


@given(st.lists(st.one_of(st.none(), polygons(), st.just(Polygon())), max_size=6))
def test_round_trip_keeps_every_shape(shapes):
    ragged = Polygons.from_shapely(np.array(shapes, dtype=object))
    back = ragged.to_shapely()
    assert len(ragged) == len(shapes)
    for before, after in zip(shapes, back, strict=True):
        if before is None or before.is_empty:
            assert after.is_empty
        else:
            assert before.normalize().equals_exact(after.normalize(), 0)


@pytest.mark.parametrize("name", NAMED)
def test_areas_lengths_boxes_and_counts(name):
    shape = NAMED[name]
    ragged = Polygons.from_shapely([shape])
    assert ragged.areas[0] == pytest.approx(shape.area, rel=1e-14)
    assert ragged.lengths[0] == pytest.approx(shape.length, rel=1e-14)
    assert tuple(ragged.boxes[0]) == shape.bounds
    rings = sum(1 + len(part.interiors) for part in shapely.get_parts(shape))
    assert ragged.vertex_counts[0] == shapely.count_coordinates(shape) - rings


def test_directions_are_set_and_repeats_removed():
    clockwise = Polygon(
        [(0, 0), (0, 9), (0, 9), (9, 9), (9, 0), (9, 0)],
        [[(2, 2), (4, 2), (4, 4), (2, 4), (2, 4)]],
    )
    ragged = Polygons.from_shapely([clockwise])
    exterior, hole = ragged.to_shapely()[0].exterior, ragged.to_shapely()[0].interiors[0]
    assert shapely.is_ccw(exterior)
    assert not shapely.is_ccw(hole)
    assert ragged.vertex_counts.tolist() == [8]


def test_take_and_concatenate():
    ragged = Polygons.from_shapely([COURTYARD, None, TWO_PARTS])
    chosen = ragged.take([2, 0, 2, 1])
    assert chosen.areas.tolist() == [181, 500, 181, 0]
    assert chosen.is_empty.tolist() == [False, False, False, True]
    whole = Polygons.concatenate([chosen, Polygons.concatenate([]), ragged])
    assert len(whole) == 7
    assert whole.areas.tolist() == [181, 500, 181, 0, 500, 0, 181]
    assert whole.to_shapely()[6].equals(TWO_PARTS)


def test_area_keeps_its_digits_far_from_the_origin():
    ragged = Polygons.from_shapely([box(5e6, 5e6, 5e6 + 0.5, 5e6 + 0.25)])
    assert ragged.areas[0] == 0.125


def test_empty_features_have_no_box():
    ragged = Polygons.from_shapely([None, MultiPolygon()])
    assert np.isnan(ragged.boxes).all()
    assert ragged.areas.tolist() == [0, 0]


def test_another_type_is_refused_by_row_and_name():
    with pytest.raises(GeometryError, match="row 1 is a Point"):
        Polygons.from_shapely([box(0, 0, 1, 1), Point(0, 0)])


def test_repeated_points_are_counted_as_drawn_through_everything():
    doubled = Polygon([(0, 0), (4, 0), (4, 0), (4, 4), (0, 4)])
    ragged = Polygons.from_shapely([doubled, box(0, 0, 1, 1)])
    assert ragged.drawn_counts.tolist() == [5, 4]
    assert ragged.take([1, 0, 0]).drawn_counts.tolist() == [4, 5, 5]
    plain = Polygons.from_shapely([box(0, 0, 1, 1)])
    assert Polygons.concatenate([plain, ragged]).drawn_counts.tolist() == [4, 5, 4]
    moved = ragged.with_coordinates(ragged.coordinates + 7.0)
    assert moved.drawn_counts.tolist() == [5, 4]
    assert plain.drawn_counts.tolist() == [4]


ISLAND = MultiPolygon(
    [box(4, 4, 7, 7), box(0, 0, 12, 12).difference(box(2, 2, 9, 9)), box(20, 0, 27, 6)]
)


def test_filling_holes_takes_away_what_stood_in_them():
    shapes = [COURTYARD, ISLAND, None, TWO_PARTS]
    filled = Polygons.from_shapely(shapes).filled().to_shapely()
    expected = [
        box(0, 0, 30, 20),
        MultiPolygon([box(0, 0, 12, 12), box(20, 0, 27, 6)]),
        Polygon(),
        TWO_PARTS,
    ]
    for got, wanted in zip(filled, expected, strict=True):
        assert got.is_valid
        assert got.normalize().equals_exact(wanted.normalize(), 0)
    # Without holes only, the part stays where it was.
    assert len(Polygons.from_shapely([ISLAND]).without_holes().to_shapely()[0].geoms) == 3


def test_a_courtyard_in_a_courtyard():
    rings = [box(2 * k, 2 * k, 40 - 2 * k, 40 - 2 * k) for k in range(6)]
    nested = MultiPolygon([rings[k].difference(rings[k + 1]) for k in (4, 0, 2)])
    assert Polygons.from_shapely([nested]).filled().areas.tolist() == [1600]


def test_repeated_points_are_counted_ring_by_ring():
    shell = [(0, 0), (9, 0), (9, 0), (9, 9), (0, 9)]
    hole = [(2, 2), (4, 2), (4, 2), (4, 2), (3, 4)]
    one = Polygons.from_shapely([Polygon(shell, [hole]), Polygon(shell), COURTYARD])
    assert one.drawn_counts.tolist() == [10, 5, 8]
    assert one.filled().drawn_counts.tolist() == [5, 5, 4]
    assert one.take([2, 0]).drawn_counts.tolist() == [8, 10]
    moved = one.with_coordinates(one.coordinates + 3.0)
    assert moved.drawn_counts.tolist() == [10, 5, 8]
