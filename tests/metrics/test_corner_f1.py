"""Corner precision, recall and F1."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from shapely import Point, Polygon, box
from shapely.affinity import translate

import polygauge as pg
from polygauge.geometry import Pairs, Polygons, matched_corners
from tests.oracles import directions
from tests.polygons import COURTYARD, L_SHAPE, TWO_PARTS, pair_sets

SETS = pair_sets()


@pytest.mark.parametrize("tolerance", [0.3, 2.0, 9.0])
@pytest.mark.parametrize("name", SETS)
def test_row_by_row(name, tolerance):
    a, b = SETS[name]
    found = [[directions.corners(s) for s in side] for side in (a, b)]
    n, m = (np.array([len(c) for c in side]) for side in found)
    k = np.array([directions.most_matches(x, y, tolerance) for x, y in zip(*found, strict=True)])
    pairs = Pairs.row_by_row(Polygons.from_shapely(a), Polygons.from_shapely(b))
    assert matched_corners(pairs, tolerance).tolist() == np.c_[k, n, m].tolist()
    with np.errstate(invalid="ignore"):
        expected = {"precision": k / m, "recall": k / n, "f1": 2 * k / (n + m)}
    for kind, values in expected.items():
        got = getattr(pg, f"corner_{kind}")(a, b, tolerance=tolerance)
        np.testing.assert_allclose(got, values, rtol=0, atol=1e-15)


def test_a_largest_matching_not_the_nearest_neighbour():
    # Corners on a line, references at 0 and 3, predictions at 2 and 5, tolerance 2: nearest first
    # would pair 3 with 2 and leave 0 and 5 alone; 0 with 2 and 3 with 5 is possible.
    reference = Polygon([(0, 0), (3, 0), (3, 50), (0, 50)])
    prediction = Polygon([(2, 0), (5, 0), (5, 50), (2, 50)])
    assert pg.corner_recall(reference, prediction, tolerance=2) == 1


def test_one_corner_serves_once():
    cut = Polygon([(0, 0), (10, 0), (10, 10), (0.4, 10), (0, 9.6)])
    assert pg.corner_precision(box(0, 0, 10, 10), cut, tolerance=1) == 4 / 5
    assert pg.corner_recall(box(0, 0, 10, 10), cut, tolerance=1) == 1
    assert pg.corner_f1(box(0, 0, 10, 10), cut, tolerance=1) == 8 / 9


def test_exactly_the_tolerance_is_near_enough():
    square = box(0, 0, 20, 20)
    assert pg.corner_f1(square, translate(square, 3, 4), tolerance=5) == 1
    assert pg.corner_f1(square, translate(square, 3, 4), tolerance=4.999) == 0


def test_holes_and_parts_count_and_flat_vertices_do_not():
    assert pg.corner_recall(COURTYARD, box(0, 0, 30, 20), tolerance=1) == 4 / 8
    assert pg.corner_recall(TWO_PARTS, box(0, 0, 10, 10), tolerance=1) == 4 / 8
    assert pg.corner_precision(L_SHAPE, shapely.segmentize(L_SHAPE, 0.2), tolerance=0.1) == 1


def test_without_corners():
    circle, square = Point(0, 0).buffer(3), box(0, 0, 3, 3)
    assert np.isnan(pg.corner_precision(square, circle, tolerance=1))
    assert pg.corner_recall(square, circle, tolerance=1) == 0
    assert pg.corner_f1(square, circle, tolerance=1) == 0
    assert np.isnan(pg.corner_recall(circle, square, tolerance=1))
    assert np.isnan(pg.corner_f1(circle, circle, tolerance=1))


def test_a_long_chain_of_exchanges():
    # Combs with teeth 1 apart, moved by 0.6: every tip fits two others, and the matching must
    # shift all along the comb to take in the last one.
    def comb(shift: float) -> Polygon:
        teeth = [p for k in range(60) for p in ((k + shift, 5), (k + 0.5 + shift, 0))]
        return Polygon([(59.5 + shift, 9), (shift, 9), *teeth])

    a, b = comb(0), comb(0.6)
    k = directions.most_matches(directions.corners(a), directions.corners(b), 0.65)
    assert pg.corner_recall(a, b, tolerance=0.65) == k / len(directions.corners(a))
