"""Samples along boundaries, and the distances between them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely import box
from shapely.affinity import translate

from polygauge.geometry import Pairs, Polygons, sampled_distances
from tests.geometry.test_distance import ring
from tests.oracles import distance
from tests.polygons import polygons, random_pairs, special_pairs
from tests.vectors import recorded, valid_pairs, valid_records


def measured(a, b, spacing):
    pairs = Pairs.row_by_row(Polygons.from_shapely(a), Polygons.from_shapely(b))
    return sampled_distances(pairs, spacing)


def agree(found, a, b, spacing):
    for k in range(len(a)):
        expected = distance.sampled(a[k], b[k], spacing)
        assert found.means[k].mean() == pytest.approx(expected["chamfer"], abs=1e-9)
        assert found.maxima[k].max() == pytest.approx(expected["hausdorff"], abs=1e-9)
        assert found.maxima[k].sum() == pytest.approx(expected["hausdorff_sum"], abs=1e-9)
        counts = [len(distance.samples(side[k], spacing)) for side in (a, b)]
        assert found.counts[k].tolist() == counts


def test_recorded_numbers_of_samples():
    counts = measured(*valid_pairs(), 0.1).counts
    expected = recorded("own", "n_samples")
    # A vertex that is stored twice is one vertex here; the record counts it twice.
    twice = np.array([r["pert"] == "duplicate_vertex" for r in valid_records()])
    assert twice.sum() == 1
    expected[twice, 1] -= 1
    np.testing.assert_array_equal(counts, expected)


@pytest.mark.parametrize(
    ("width", "parts"),
    [
        (2.0, 20),
        (2.0000000000000004, 20),  # 20.000000000000004 spacings
        (2.0 + 1e-9, 20),  # what coordinates of seven digits leave of 2
        (2.0 + 1e-6, 21),
        (1.9999999, 20),
        (0.1, 1),
        (0.05, 1),
        (0.3, 3),  # 0.3 / 0.1 is 2.9999999999999996
        (0.7, 7),  # 0.7 / 0.1 is 6.999999999999999
    ],
)
def test_the_number_of_parts(width, parts):
    shape = box(0, 0, width, 1.0)
    assert measured([shape], [shape], 0.1).counts.tolist() == [[2 * parts + 20] * 2]


@pytest.mark.parametrize("spacing", [0.07, 0.5, 3.0, 100.0])
@pytest.mark.parametrize("vertices", [3, 7, 60])
def test_against_the_whole_matrix(vertices, spacing):
    a, b = random_pairs(6, 12, vertices, holes=vertices == 7)
    agree(measured(a, b, spacing), a, b, spacing)


@pytest.mark.parametrize("spacing", [0.1, 0.37, 5.0])
def test_special_pairs(spacing):
    a, b = special_pairs()
    agree(measured(a, b, spacing), a, b, spacing)


@given(polygons(), polygons(), st.floats(0.05, 20))
def test_any_pair(a, b, spacing):
    agree(measured([a], [b], spacing), [a], [b], spacing)


def test_by_hand():
    # The lower side's samples 0, 1, 2 and so on round; the prediction is the same 3 to the right.
    found = measured([box(0, 0, 2, 2)], [box(3, 0, 5, 2)], 1.0)
    # Of 8 samples, 3 are 3 away, 2 are 2 away and 3 are 1 away.
    np.testing.assert_allclose(found.means, [[16 / 8, 16 / 8]])
    assert found.maxima.tolist() == [[3, 3]]


def test_edges_with_more_samples_than_are_handled_at_once():
    a, b = box(0, 0, 40, 1), translate(box(0, 0, 40, 1), 0.03, 0.2)
    agree(measured([a], [b], 0.05), [a], [b], 0.05)


def test_many_edges_are_searched_by_boxes():
    a, b = ring(500, 1), translate(ring(400, 2), 2, 1)
    agree(measured([a], [b], 0.4), [a], [b], 0.4)


def test_the_same_far_away():
    a, b = random_pairs(7, 30, 8)
    far = [[translate(shape, 1e6, 5e6) for shape in side] for side in (a, b)]
    near, there = measured(a, b, 0.25), measured(*far, 0.25)
    # The shift itself costs 5e-10 a coordinate.
    np.testing.assert_array_equal(near.counts, there.counts)
    np.testing.assert_allclose(near.means, there.means, atol=2e-9, rtol=0)
