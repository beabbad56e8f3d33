"""The directed exact Hausdorff distances."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given
from shapely import Polygon, box
from shapely.affinity import translate

from polygauge.geometry import Pairs, Polygons, boundary_profile, directed_hausdorff
from tests.geometry.test_distance import ring
from tests.polygons import polygons, random_pairs, special_pairs
from tests.vectors import recorded, valid_pairs


def directed(a, b):
    pairs = Pairs.row_by_row(Polygons.from_shapely(a), Polygons.from_shapely(b))
    return directed_hausdorff(pairs)


def test_recorded_values_each_way():
    found = directed(*valid_pairs())
    for column, way in enumerate(("gt_to_pred", "pred_to_gt")):
        expected = recorded("own", "hausdorff_exact", way)
        np.testing.assert_allclose(found[:, column], expected, atol=1e-8, rtol=1e-11)


def test_by_hand():
    # The notch's tip is 2 from every side of the square; from the middle of the side that it cuts
    # open it is 2 / sqrt(2) to either leg of the notch.
    square = box(0, 0, 4, 4)
    notched = Polygon([(0, 0), (2, 2), (4, 0), (4, 4), (0, 4)])
    np.testing.assert_allclose(directed([square], [notched]), [[np.sqrt(2), 2]], atol=1e-9)
    # A long bar seen from the square at its one end, and back.
    np.testing.assert_allclose(directed([box(0, 0, 1, 1)], [box(0, 0, 9, 1)]), [[0.5, 8]])


def test_equal_boundaries_are_at_zero_exactly():
    a, b = special_pairs()
    same = [k for k in range(len(a)) if a[k].normalize() == b[k].normalize()]
    assert len(same) == 3
    assert (directed(a[same], b[same]) == 0).all()
    # One side with more vertices on the same lines: rounding, no more.
    split = [k for k in range(len(a)) if shapely.equals(a[k], b[k]) and k not in same]
    assert len(split) == 1
    assert directed(a[split], b[split]).max() < 1e-14


@pytest.mark.parametrize(("seed", "vertices"), [(1, 3), (2, 6), (3, 20), (4, 70)])
def test_two_ways_of_computing_agree(seed, vertices):
    # The profile knows every piece of the distance in closed form; this search never sees them.
    pairs = Pairs.row_by_row(
        *(Polygons.from_shapely(side) for side in random_pairs(seed, 100, vertices, holes=True))
    )
    found = directed_hausdorff(pairs)
    np.testing.assert_allclose(found, boundary_profile(pairs).quantiles(1.0), atol=1e-8, rtol=0)


@given(polygons(), polygons())
def test_at_least_the_vertices_and_swapped(a, b):
    found = directed([a], [b])[0]
    assert found.max() >= shapely.hausdorff_distance(a.boundary, b.boundary) - 1e-9
    np.testing.assert_allclose(directed([b], [a])[0], found[::-1], atol=1e-9, rtol=0)


@pytest.mark.parametrize("shift", [(1e6, 5e6), (-3e6, 2**20)])
def test_far_from_the_origin(shift):
    # On a grid of 2^-10 the shift itself costs no digits.
    a, b = (shapely.set_precision(side, 2.0**-10) for side in random_pairs(5, 50, 9))
    far = [np.array([translate(shape, *shift) for shape in side]) for side in (a, b)]
    np.testing.assert_allclose(directed(*far), directed(a, b), atol=1e-9, rtol=0)


def test_a_third_of_a_million_vertices_on_both_sides():
    a, b = ring(300_000, 1), translate(ring(300_000, 2), 3, 0)
    found = directed([a], [b])[0]
    # Both rings are within 0.02 of one smooth wavy circle, and one is moved by 3.
    lower = shapely.hausdorff_distance(
        ring(3_000, 1, 0).boundary, translate(ring(3_000, 1, 0), 3, 0)
    )
    assert (found <= 3 + 0.04).all()
    assert found.max() >= lower - 0.05
