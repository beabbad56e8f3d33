"""Inputs that crash a reference evaluator, or show its quirk: a value or a named error here.

The vector part of vectors/edge_cases_public.json, polygon by polygon; tiles, masks and COCO files
are tested with their readers.
"""

from __future__ import annotations

import inspect
import json
from functools import cache

import geopandas as gpd
import numpy as np
import pytest
from shapely import MultiPolygon, Polygon, box
from shapely.affinity import translate

import polygauge as pg
from polygauge.metrics import METRICS
from tests.polygons import BOW_TIE
from tests.shared import shared

OPTIONS = {"width": 0.4, "tolerance": 1.5}
SQUARE = box(10, 10, 30, 30)

every = pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)


@cache
def cases() -> dict[str, dict]:
    found = json.loads(shared("vectors/edge_cases_public.json").read_text())["cases"]
    return {case["id"]: case for case in found}


def drawn(annotations: list[dict]) -> list[Polygon]:
    """A feature an annotation, a part a ring, valid or not."""
    shapes = []
    for annotation in annotations:
        rings = [np.array(ring).reshape(-1, 2) for ring in annotation["segmentation"]]
        parts = [Polygon(ring) for ring in rings]
        shapes.append(parts[0] if len(parts) == 1 else MultiPolygon(parts))
    return shapes


def sides(name: str) -> tuple[list[Polygon], list[Polygon]]:
    content = cases()[name]["input"]
    return drawn(content["gt"]["annotations"]), drawn(content["results"])


def measured(metric, a, b) -> float:
    keywords = inspect.signature(metric.function).parameters
    options = {name: value for name, value in OPTIONS.items() if name in keywords}
    return metric.function(*((a, b) if metric.kind == "pair" else (b,)), **options)


def run(a, b, **options) -> pg.Evaluation:
    """Two lists of shapes evaluated, without a coordinate system."""
    return pg.evaluate(gpd.GeoSeries(a), gpd.GeoSeries(b), metrics=["iou", "polis"], **options)


def found(evaluation: pg.Evaluation) -> tuple[int, int, int]:
    counts = evaluation.summary.detection[0]
    return counts.tp, counts.fp, counts.fn


@pytest.mark.parametrize("name", ["E10", "E15", "E17", "E18", "E20", "E21", "E22", "E23"])
@every
def test_every_pair_of_a_case_has_a_value_or_none(metric, name):
    references, predictions = sides(name)
    for a in references:
        for b in predictions:
            value = measured(metric, a, b)
            judged = (a, b) if metric.kind == "pair" else (b,)
            assert type(value) is float
            if not all(side.is_valid for side in judged):
                assert np.isnan(value)
            elif metric.name not in ("mta", "mta_p3"):  # which may find every tangent unusable
                low, high = metric.bounds
                assert low <= value <= high


def test_the_distances_of_the_public_code():
    # E17 and E20 list a second prediction that its matching did not take.
    for name, prediction in (("E17", 1), ("E18", 0), ("E20", 0), ("E22", 0)):
        references, predictions = sides(name)
        a, b, expected = (
            references[0],
            predictions[prediction],
            cases()[name]["outcome"]["p3_point"],
        )
        assert pg.polis_p3(a, b) == pytest.approx(expected["POLIS"], abs=1e-9)
        assert pg.chamfer_p3(a, b) == pytest.approx(expected["chamfer"], abs=1e-9)
        assert pg.hausdorff_p3(a, b) == pytest.approx(expected["hausdorff"], abs=1e-9)


def test_a_building_of_two_parts():
    (two,), (one,) = sides("E10")
    # 19 of 20 columns of one part, of 2 * 20 + 1.
    assert pg.iou(two, one) == pytest.approx(19 / 41)
    assert pg.vertex_ratio(two, one) == 1 - 4 / 12
    assert found(run([two], [one])) == (0, 1, 1)
    assert found(run([two], [one], explode=True)) == (1, 0, 1)


def test_a_bow_tie_has_no_value_and_is_repaired_in_a_run():
    (square,), (tie,) = sides("E15")
    assert not tie.is_valid
    result = run([square], [tie])
    assert result.summary.counts["prediction"]["invalid"] == 1
    # Its two halves are half of the square: the public code says distance 0, and drops the tile.
    assert result.pairs.iou.tolist() == [pytest.approx(0.5)]
    assert result.pairs.polis.item() > 1
    assert np.isnan(pg.polis(square, tie))


def test_a_prediction_without_area_is_skipped_and_listed():
    references, predictions = sides("E17")
    result = run(references, predictions)
    assert found(result) == (1, 0, 0)
    assert result.ledger.what.tolist() == ["degenerate: no area"]
    assert np.isnan(pg.iou(SQUARE, predictions[0]))


def test_two_points_in_a_file_are_skipped_and_listed(tmp_path):
    def write(name, rings):
        features = [
            {"type": "Feature", "properties": {}, "geometry": {"type": "Polygon", "coordinates": r}}
            for r in rings
        ]
        path = tmp_path / name
        path.write_text(json.dumps({"type": "FeatureCollection", "features": features}))
        return path

    square = [[[10, 10], [30, 10], [30, 30], [10, 30], [10, 10]]]
    result = pg.evaluate(
        write("a.geojson", [square]),
        write("b.geojson", [[[[10, 10], [20, 20], [10, 10]]], square]),
        reference_crs="planar",
        prediction_crs="planar",
        metrics=["iou"],
    )
    assert found(result) == (1, 0, 0)
    assert result.ledger.action.tolist() == ["skipped"]


def test_one_to_one_where_there_are_more():
    assert found(run(*sides("E18"))) == (1, 0, 1)
    assert found(run(*sides("E20"))) == (1, 2, 0)


def test_a_stitched_courtyard_is_a_courtyard_and_matches_itself():
    references, predictions = sides("E21")
    assert not references[0].is_valid
    result = run(references, predictions)
    assert found(result) == (1, 0, 0)
    assert result.pairs.iou.tolist() == [1]
    assert result.summary.counts["areas"]["reference"] == pytest.approx(800)


def test_polygons_are_matched_not_their_boxes():
    (bar,), (mirrored,) = sides("E22")
    assert pg.iou(bar, mirrored) < 0.1
    assert pg.vertex_ratio_p3(bar, mirrored) == cases()["E22"]["outcome"]["p3_iou"]["NR"]
    assert found(run([bar], [mirrored])) == (0, 1, 1)
    (square,), (tailed,) = sides("E23")
    assert pg.iou(square, tailed) == pytest.approx(400 / 440)
    assert found(run([square], [tailed])) == (1, 0, 0)


@pytest.mark.parametrize("empty", [Polygon(), MultiPolygon(), None])
@every
def test_an_empty_polygon_has_no_value(metric, empty):
    assert np.isnan(measured(metric, SQUARE, empty))
    assert np.isnan(measured(metric, empty, empty))


@pytest.mark.filterwarnings("ignore:invalid value encountered:RuntimeWarning")
@every
def test_a_vertex_that_is_no_number_has_no_value(metric):
    for bad in (np.nan, np.inf):
        broken = Polygon([(0, 0), (10, 0), (bad, 5), (0, 10)])
        assert np.isnan(measured(metric, box(0, 0, 10, 10), broken))


@pytest.mark.filterwarnings("ignore:invalid value encountered:RuntimeWarning")
def test_a_vertex_that_is_no_number_is_skipped_in_a_run():
    broken = Polygon([(0, 0), (10, 0), (np.nan, 5), (0, 10)])
    result = run([broken, SQUARE], [SQUARE])
    assert found(result) == (1, 0, 0)
    assert result.summary.counts["reference"]["skipped"] == {"not finite": 1}


def test_an_invalid_polygon_stops_nothing():
    result = run([box(0, 0, 10, 10)], [BOW_TIE])
    assert found(result) == (1, 0, 0)
    with pytest.raises(pg.GeometryError, match="invalid"):
        run([box(0, 0, 10, 10)], [BOW_TIE], invalid="fail")


def test_pixels_without_a_coordinate_system_are_not_degrees():
    square = box(100, 100, 120, 120)
    result = run([square], [translate(square, 1, 0)])
    expected = cases()["E40"]["outcome"]["same_with_crs_3857"]
    assert found(result) == (expected["tp"], expected["fp"], expected["fn"])
    assert result.pairs.iou.item() == pytest.approx(expected["mean_iou"], abs=1e-9)


def test_an_empty_side_has_counts_and_no_precision():
    none = run([SQUARE], [])
    assert found(none) == (0, 0, 1)
    assert np.isnan(none.summary.detection[0].precision)
    assert found(run([], [SQUARE])) == (0, 1, 0)
    both = run([], [])
    assert found(both) == (0, 0, 0)
    assert np.isnan(both.summary.detection[0].f1)


def test_an_iou_of_exactly_the_threshold_reaches_it():
    assert found(run([box(0, 0, 10, 10)], [box(0, 0, 10, 5)], threshold=0.5)) == (1, 0, 0)


def test_the_best_assignment_finds_what_a_greedy_one_misses():
    content = cases()["E47"]
    a, b = (
        [Polygon(np.array(ring).reshape(-1, 2)) for ring in content["input"][side]]
        for side in ("gt", "pred")
    )
    assert found(run(a, b, match="optimal")) == (2, 0, 0)
    assert content["outcome"]["polymetrics"]["tp"] == 2
    scored = gpd.GeoDataFrame({"score": [0.9, 0.8]}, geometry=b)
    greedy = pg.evaluate(
        gpd.GeoSeries(a), scored, score="score", match="greedy", metrics=["iou"], threshold=0.5
    )
    theirs = content["outcome"]["solaris"][0]
    assert found(greedy) == (theirs["TruePos"], theirs["FalsePos"], theirs["FalseNeg"])
