"""The distance along a boundary in pieces, against many short steps."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely import Polygon, box
from shapely.affinity import translate

from polygauge.geometry import Pairs, Polygons, boundary_profile
from tests.geometry.test_distance import ring
from tests.oracles import distance
from tests.polygons import polygons, random_pairs, special_pairs
from tests.vectors import recorded, valid_pairs


def profile(a, b):
    return boundary_profile(Pairs.row_by_row(Polygons.from_shapely(a), Polygons.from_shapely(b)))


def agree(found, a, b, step, tolerances=(0.2, 2.0), percents=(5, 50, 95)):
    """Every summary within the proven error of steps so long."""
    integrals = found.integrals() / found.lengths
    within = {t: found.within(t) / found.lengths for t in tolerances}
    quantiles = {q: found.quantiles(q / 100) for q in percents}
    for k in range(len(a)):
        for way, (first, second) in enumerate(((a[k], b[k]), (b[k], a[k]))):
            lengths, distances = distance.steps(first, second, step)
            assert found.lengths[k, way] == pytest.approx(lengths.sum(), rel=1e-9)
            mean = (lengths * distances).sum() / lengths.sum()
            assert integrals[k, way] == pytest.approx(mean, abs=step / 4 + 1e-9)
            for t in tolerances:
                low, high = distance.share_between(first, second, t, step)
                assert low - 1e-6 <= within[t][k, way] <= high + 1e-6
            for q in percents:
                near = distance.percentile_near(first, second, q, step)
                assert quantiles[q][k, way] == pytest.approx(near, abs=step / 2 + 1e-6)


@pytest.mark.parametrize("vertices", [3, 6, 15, 60])
def test_random_pairs(vertices):
    a, b = random_pairs(8, 25, vertices, holes=vertices == 15)
    agree(profile(a, b), a, b, 0.02)


def test_special_pairs():
    # An offset, so that no tolerance is exactly the distance of two parallel sides.
    a, b = special_pairs()
    agree(profile(a, b), a, b, 0.02, tolerances=(0.21, 2.1), percents=(7, 53, 97))


@given(polygons(), polygons(), st.floats(0.01, 30), st.floats(1, 100))
def test_any_pair(a, b, tolerance, percent):
    agree(profile([a], [b]), [a], [b], 0.05, (tolerance,), (percent,))


def test_pieces_follow_each_other_without_a_step():
    a, b = random_pairs(9, 40, 9)
    found = profile(a, b)
    u = found.pieces[:, 1:3]
    h = found.pieces[:, 3:]
    ends = np.where(h < 0, np.abs(u), np.hypot(u, np.maximum(h, 0)))
    for k in range(len(found.offsets) - 1):
        walk = ends[found.offsets[k] : found.offsets[k + 1]]
        # Rings are closed, so the last piece leads back to the first.
        np.testing.assert_allclose(walk[:, 1], np.roll(walk[:, 0], -1), atol=1e-7, rtol=0)
    np.testing.assert_allclose(
        np.abs(u[:, 1] - u[:, 0])[h[:, 0] >= 0], found.pieces[h[:, 0] >= 0, 0]
    )


def test_by_hand():
    # Over the upper side of the flat box, 2 long, the distance to the square is x, then 2 - x.
    found = profile([box(0, 0, 2, 1)], [box(0, 0, 2, 2)])
    np.testing.assert_allclose(found.integrals(), [[1, 3]], atol=1e-12)
    np.testing.assert_allclose(found.within(0.5), [[5, 5]], atol=1e-8)
    np.testing.assert_allclose(found.quantiles(0.625), [[0, 0.5]], atol=1e-11)
    # From the side x = 3 of a square, seen from a point-like tip at (0, 0): an integral of
    # sqrt(9 + y^2) from -1 to 1, which is sqrt(10) + 9 asinh(1 / 3).
    tip = Polygon([(0, 0), (-1e3, -1), (-1e3, 1)])
    there = profile([box(3, -1, 3 + 1e-9, 1)], [tip]).integrals()[0, 0] / 2
    assert there == pytest.approx(np.sqrt(10) + 9 * np.arcsinh(1 / 3), abs=1e-7)


def test_recorded_integrals():
    found = profile(*valid_pairs())
    means = found.integrals() / found.lengths
    for column, way in enumerate(("gt_to_pred", "pred_to_gt")):
        expected = recorded("own", "chamfer_exact", way)
        np.testing.assert_allclose(means[:, column], expected, atol=1e-5, rtol=0)
        expected = recorded("own", "hausdorff_exact", way)
        np.testing.assert_allclose(found.quantiles(1.0)[:, column], expected, atol=1e-9, rtol=1e-11)


def test_equal_shapes_are_at_zero_exactly():
    a, b = special_pairs()
    same = [k for k in range(len(a)) if a[k].normalize() == b[k].normalize()]
    found = profile(a[same], b[same])
    assert (found.integrals() == 0).all()
    assert (found.quantiles(1.0) == 0).all()
    np.testing.assert_array_equal(found.within(1e-12), found.lengths)


def test_many_edges_near_one_edge_are_taken_in_stretches():
    # One side of the square has 1,000 edges of the comb over it, each with its own pieces.
    teeth = np.array([(x / 100, 1.5 if x % 2 else 1) for x in range(1_001)])
    comb = Polygon([(10, 3), (0, 3), *teeth])
    a, b = [box(0, 0, 10, 0.9)], [comb]
    found = profile(a, b)
    agree(found, a, b, 0.004, (0.15,), (50,))
    assert np.diff(found.offsets)[0] > 1_000


def test_large_rings():
    a, b = [ring(3_000, 1)], [translate(ring(2_500, 2), 2, 1)]
    agree(profile(a, b), a, b, 0.05, (1.0,), (50, 95))


def test_no_pairs():
    found = profile([], [])
    assert (
        found.integrals().shape == found.within(1.0).shape == found.quantiles(0.5).shape == (0, 2)
    )
