"""The box tree against comparing every pair."""

from __future__ import annotations

import numpy as np
import pytest

from polygauge.geometry import box_pairs, box_pairs_within
from tests.oracles.boxes import meeting_boxes


def random_boxes(rng, count, grid=None):
    corner = rng.uniform(0, 100, (count, 2))
    size = rng.uniform(0, 12, (count, 2))
    boxes = np.hstack([corner, corner + size])
    return boxes if grid is None else np.round(boxes / grid) * grid


@pytest.mark.parametrize(("n", "m"), [(0, 0), (0, 7), (7, 0), (1, 1), (16, 17), (257, 300)])
@pytest.mark.parametrize("grid", [None, 5.0])
def test_every_meeting_pair_once_and_in_order(n, m, grid):
    # On a grid of 5 many boxes touch in an edge or a corner, and some are points.
    rng = np.random.default_rng(n + m)
    a, b = random_boxes(rng, n, grid), random_boxes(rng, m, grid)
    i, j = box_pairs(a, b)
    expected = meeting_boxes(a, b, np.zeros(n), np.zeros(m))
    np.testing.assert_array_equal(i, expected[0])
    np.testing.assert_array_equal(j, expected[1])


def test_tiles_keep_boxes_apart():
    rng = np.random.default_rng(8)
    a, b = random_boxes(rng, 200), random_boxes(rng, 150)
    a_tiles, b_tiles = rng.integers(0, 5, 200), rng.integers(0, 5, 150)
    i, j = box_pairs(a, b, a_tiles, b_tiles)
    expected = meeting_boxes(a, b, a_tiles, b_tiles)
    np.testing.assert_array_equal(i, expected[0])
    np.testing.assert_array_equal(j, expected[1])


def test_a_box_of_nan_meets_nothing():
    a = np.array([[0.0, 0, 1, 1], [np.nan] * 4])
    i, j = box_pairs(a, a)
    assert (i.tolist(), j.tolist()) == ([0], [0])


def test_within_one_set_each_pair_comes_once():
    rng = np.random.default_rng(9)
    a = random_boxes(rng, 180)
    i, j = box_pairs_within(a)
    expected = meeting_boxes(a, a, np.zeros(180), np.zeros(180))
    later = expected[0] < expected[1]
    np.testing.assert_array_equal(i, expected[0][later])
    np.testing.assert_array_equal(j, expected[1][later])


def test_one_box_over_everything():
    rng = np.random.default_rng(10)
    a = random_boxes(rng, 400)
    a[7] = [-1, -1, 200, 200]
    i, j = box_pairs(a, a)
    assert (i == 7).sum() == 400
    assert (j == 7).sum() == 400


def test_all_boxes_in_one_place():
    a = np.tile([5.0, 5, 6, 6], (40, 1))
    i, j = box_pairs(a, a)
    assert len(i) == 1600
    assert (np.diff(i * 40 + j) == 1).all()
