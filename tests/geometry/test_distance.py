"""Distances of points and vertices to a boundary, against shapely."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given
from shapely import Polygon
from shapely.affinity import translate

from polygauge.geometry import Pairs, Polygons, boundary_distances, vertex_distances
from tests.oracles import distance
from tests.polygons import COURTYARD, TRIANGLE, polygons, random_pairs, special_pairs


def as_pairs(a, b):
    return Pairs.row_by_row(Polygons.from_shapely(a), Polygons.from_shapely(b))


def ring(count: int, seed: int, rough: float = 0.02) -> Polygon:
    """A wavy circle of radius 100 whose vertices jump in and out."""
    rng = np.random.default_rng(seed)
    angle = np.linspace(0, 2 * np.pi, count, endpoint=False)
    radius = 100 + 10 * np.sin(5 * angle) + rng.uniform(-rough, rough, count)
    return Polygon(np.c_[radius * np.cos(angle), radius * np.sin(angle)])


@pytest.mark.parametrize(
    "pairs",
    [special_pairs(), *(random_pairs(3, 40, count, holes=count > 8) for count in (3, 6, 11, 30))],
    ids=["special", "3", "6", "11 with holes", "30 with holes"],
)
def test_every_vertex(pairs):
    a, b = pairs
    found = vertex_distances(as_pairs(a, b))
    for k in range(len(a)):
        for side, other, values, offsets in (
            (a[k], b[k], found.reference, found.reference_offsets),
            (b[k], a[k], found.prediction, found.prediction_offsets),
        ):
            points = shapely.points(distance.vertices(side))
            expected = shapely.distance(points, shapely.boundary(other))
            # Rings may have been turned round, so the order of the vertices is not compared.
            np.testing.assert_allclose(
                np.sort(values[offsets[k] : offsets[k + 1]]), np.sort(expected), atol=1e-9, rtol=0
            )


def test_exteriors_leave_holes_out_on_both_sides():
    pairs = as_pairs([COURTYARD], [translate(COURTYARD, 0, 1)])
    # Corners of the outlines only: 2 on the other outline, 2 at distance 1.
    np.testing.assert_allclose(np.sort(vertex_distances(pairs, True).reference), [0, 0, 1, 1])
    assert vertex_distances(pairs).reference_offsets.tolist() == [0, 8]


@pytest.mark.parametrize("count", [4, 47, 48, 49, 64, 65, 600, 5_000])
def test_any_points_to_any_number_of_edges(count):
    # Either side of where boxes begin to be used, and several levels of them.
    rng = np.random.default_rng(count)
    shape = ring(count, 1)
    points = np.vstack([rng.uniform(-300, 300, (200, 2)), shapely.get_coordinates(shape)[:50]])
    offsets = np.array([0, 1, 1, len(points)])
    values = boundary_distances(
        points, offsets, Polygons.from_shapely([TRIANGLE, shape]), np.array([0, 0, 1])
    )
    near = shapely.distance(shapely.points(points[:1]), TRIANGLE.boundary)
    far = shapely.distance(shapely.points(points[1:]), shape.boundary)
    np.testing.assert_allclose(values, [*near, *far], atol=1e-9, rtol=0)


def test_no_pairs():
    empty = vertex_distances(as_pairs([], []))
    assert empty.reference_offsets.tolist() == [0]
    assert empty.means().shape == (0, 2)


@given(polygons(), polygons())
def test_means_of_any_pair(a, b):
    means = vertex_distances(as_pairs([a], [b])).means()
    assert means.sum() / 2 == pytest.approx(distance.polis(a, b), abs=1e-9)


def test_a_third_of_a_million_vertices():
    # The tree makes this seconds; all vertices against all edges would be hours. Both
    # rings stay within 0.02 of one smooth line, so no vertex is 0.04 from the other ring.
    a, b = ring(300_000, 1), ring(300_000, 2)
    means = vertex_distances(as_pairs([a], [b])).means()
    assert (means < 0.04).all()
    points = shapely.get_coordinates(a)[:300_000:3_000]
    found = boundary_distances(
        points, np.array([0, 100]), Polygons.from_shapely([b]), np.array([0])
    )
    expected = shapely.distance(shapely.points(points), b.boundary)
    np.testing.assert_allclose(found, expected, atol=1e-9, rtol=0)
