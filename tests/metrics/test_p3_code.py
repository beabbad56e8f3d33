"""Pair metrics as the public P3 code computes them."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given
from shapely import MultiPolygon, Polygon, box
from shapely.affinity import translate

import polygauge as pg
from polygauge.metrics import METRICS
from polygauge.suites import SUITES
from tests.oracles import distance, overlap
from tests.polygons import COURTYARD, TWO_PARTS, pair_sets, polygons
from tests.vectors import recorded, valid_pairs, valid_records

SETS = pair_sets()
# Two exteriors that share a vertex, where one ring ends and the next begins.
CHAIN = MultiPolygon([box(0, 0, 4, 4), Polygon([(4, 0), (9, -5), (9, 0)])])


def stored(shape) -> int:
    """Points of all rings, closing ones too."""
    return int(shapely.get_num_coordinates(shape))


def agree(a, b):
    """That the three distances of one pair are those of the plain versions."""
    assert pg.polis_p3(a, b) == pytest.approx(distance.polis_p3(a, b), abs=1e-9)
    expected = distance.sampled_p3(a, b, 0.7)
    assert pg.chamfer_p3(a, b, spacing=0.7) == pytest.approx(expected["chamfer"], abs=1e-9)
    assert pg.hausdorff_p3(a, b, spacing=0.7) == pytest.approx(expected["hausdorff"], abs=1e-9)


@pytest.mark.parametrize("name", SETS)
def test_distances_row_by_row(name):
    a, b = SETS[name]
    expected = [distance.polis_p3(x, y) for x, y in zip(a, b, strict=True)]
    np.testing.assert_allclose(pg.polis_p3(a, b), expected, atol=1e-9, rtol=0)
    expected = [distance.sampled_p3(x, y, 0.3) for x, y in zip(a, b, strict=True)]
    for key, function in (("chamfer", pg.chamfer_p3), ("hausdorff", pg.hausdorff_p3)):
        values = [e[key] for e in expected]
        np.testing.assert_allclose(function(a, b, spacing=0.3), values, atol=1e-9, rtol=0)


@given(polygons(), polygons())
def test_any_pair(a, b):
    agree(a, b)


def test_parts_that_share_a_vertex():
    agree(CHAIN, translate(CHAIN, 0.4, 0.3))


@pytest.mark.parametrize("name", SETS)
def test_counts_row_by_row(name):
    a, b = SETS[name]
    n, m = (np.array([stored(s) for s in side]) for side in (a, b))
    ratio = 1 - abs(n - m) / (n + m)
    np.testing.assert_allclose(pg.vertex_ratio_p3(a, b), ratio, rtol=1e-15)
    iou = [overlap.iou(x, y) for x, y in zip(a, b, strict=True)]
    np.testing.assert_allclose(pg.ciou_p3(a, b), ratio * iou, atol=1e-9, rtol=0)


def test_recorded_counts():
    # The records hold numbers of vertices; every ring has one point more.
    records = valid_records()
    vertices = np.array([r["own"]["n_vertices"] for r in records])
    rings = np.array([[1 + len(r[side]["holes"]) for side in ("gt", "pred")] for r in records])
    points = vertices + rings
    ratio = 1 - abs(points[:, 0] - points[:, 1]) / points.sum(axis=1)
    np.testing.assert_allclose(pg.vertex_ratio_p3(*valid_pairs()), ratio, rtol=0, atol=1e-12)
    expected = recorded("own", "iou_evenodd", "iou") * ratio
    np.testing.assert_allclose(pg.ciou_p3(*valid_pairs()), expected, rtol=0, atol=1e-9)
    # Its 1 - eq. 12 counts vertices: ours without the suffix.
    np.testing.assert_allclose(
        pg.vertex_ratio(*valid_pairs()), recorded("own", "nr_code"), rtol=0, atol=1e-12
    )


@pytest.mark.parametrize(
    ("a", "b", "n", "m"),
    [
        (COURTYARD, box(0, 0, 30, 20), 10, 5),
        (TWO_PARTS, box(0, 0, 4, 4), 10, 5),
        (Polygon([(0, 0), (4, 0), (4, 0), (4, 4), (0, 4), (0, 0)]), box(0, 0, 4, 4), 6, 5),
    ],
)
def test_counts_by_hand(a, b, n, m):
    assert pg.vertex_ratio_p3(a, b) == 1 - abs(n - m) / (n + m)


def test_holes_are_not_looked_at():
    solid = box(0, 0, 30, 20)
    for function in (pg.polis_p3, pg.chamfer_p3, pg.hausdorff_p3):
        assert function(COURTYARD, solid) == 0


def test_the_hausdorff_distance_is_the_usual_one_of_the_exteriors():
    a, b = SETS["holes"]
    fill = [[Polygon(shape.exterior) for shape in side] for side in (a, b)]
    np.testing.assert_array_equal(pg.hausdorff_p3(a, b), pg.hausdorff(*fill))


def test_no_suite_of_today_has_them():
    theirs = {metric.name for metric in METRICS if metric.name.endswith("_p3")}
    assert len(theirs) == 6
    for suite in SUITES.values():
        assert not theirs & set(suite.metrics)


@pytest.mark.parametrize("function", [pg.chamfer_p3, pg.hausdorff_p3])
def test_the_default_spacing_is_a_tenth(function):
    a, b = SETS["six vertices"]
    np.testing.assert_array_equal(function(a[:5], b[:5]), function(a[:5], b[:5], spacing=0.1))
