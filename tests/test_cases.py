"""The GIS cases 05 to 19: nasty inputs, with the behaviour their expected.md asks for."""

from __future__ import annotations

import geopandas as gpd
import numpy as np
import pytest

import polygauge as pg
from polygauge.errors import CrsError
from tests.shared import case

GEO_METRICS = ["iou", "boundary_iou", "polis", "hausdorff_exact"]


def run(number, prediction="pred.geojson", reference="gt.geojson", **options):
    folder = case(number)
    settings = {"id": "id", "metrics": GEO_METRICS, "gsd": 0.3, **options}
    return pg.evaluate(folder / reference, folder / prediction, **settings)


def found(result):
    """(TP, FP, FN) at the run's threshold."""
    d = result.summary.detection[0]
    return d.tp, d.fp, d.fn


def one_to_one(result):
    pairs = result.pairs
    return pairs[pairs.one_to_one].set_index("reference_id")


def test_05_a_hole_joined_by_a_bridge_is_a_hole():
    result = run(5)
    pair = one_to_one(result).loc[1]
    assert pair.iou == 1
    assert (pair.polis, pair.hausdorff_exact) == (0, 0)
    shape = result.features.set_index("side").geometry["prediction"]
    assert len(shape.interiors) == 1
    assert shape.area == pytest.approx(84)
    assert shape.length == pytest.approx(56)
    assert result.run.prediction.polygons.vertex_counts.tolist() == [8]
    assert result.summary.counts["prediction"]["repaired"] == {"bridge to a hole": 1}
    assert any("1 of 1 predicted polygons used a bridge" in n for n in result.summary.notes)
    assert found(result) == (1, 0, 0)


def test_06_bow_ties_are_repaired_by_even_odd_and_counted():
    result = run(6, "pred.csv", "gt.csv", score="score", threshold=0.4)
    pairs = one_to_one(result)
    assert pairs.iou[1] == pytest.approx(0.5)
    assert pairs.iou[2] == pytest.approx(0.414286, abs=1e-6)
    areas = result.features.query("side == 'prediction'").set_index("id").area
    assert areas[1] == pytest.approx(50)
    assert areas[2] == pytest.approx(41.428571)
    counts = result.summary.counts["prediction"]
    assert counts["invalid"] == 2
    assert any("2 of 2 predictions invalid" in w for w in result.summary.warnings)
    crossings = result.ledger.query("side == 'prediction'")["where"]
    assert crossings.tolist()[0] == "5 5"


def test_07_a_spike_goes_and_a_line_is_not_a_building():
    result = run(7, score="score")
    pair = one_to_one(result).loc[1]
    assert pair.iou == 1
    assert pair.hausdorff_exact == 0
    assert found(result) == (1, 0, 1)
    ledger = result.ledger.query("side == 'prediction'").set_index("id")
    assert ledger.what[1] == "spike"
    assert ledger.what[2] == "degenerate: no area"
    assert result.summary.counts["prediction"]["skipped"] == {"degenerate: no area": 1}


def test_08_the_same_shape_drawn_otherwise_is_the_same_shape():
    result = run(8, "pred_same.geojson")
    pairs = one_to_one(result)
    assert pairs.iou.tolist() == [1, 1]
    assert pairs.boundary_iou.to_numpy() == pytest.approx([1, 1], abs=1e-9)
    assert pairs.hausdorff_exact.tolist() == [0, 0]
    assert pairs.polis.tolist() == [0, 0]


def test_08_polis_sees_collinear_vertices_and_says_so():
    result = run(8, "pred_shifted.geojson")
    pairs = one_to_one(result)
    assert pairs.iou.to_numpy() == pytest.approx([0.904762, 0.904762], abs=1e-6)
    assert pairs.polis.to_numpy() == pytest.approx([0.5, 0.392857], abs=1e-6)
    assert "straight side are kept" in result.summary.policies["vertices"]


def test_09_degrees_become_metres():
    result = run(9, metrics=["iou", "hausdorff_exact", "boundary_iou_inner"], width=1.0)
    pairs = one_to_one(result)
    assert pairs.iou.to_numpy() == pytest.approx([0.818182, 0.666667], abs=1e-4)
    assert pairs.hausdorff_exact.to_numpy() == pytest.approx([2, 2], abs=0.01)
    # The expected inner-band values 0.473684 and 0.166667 are of the two bands' areas.
    assert pairs.boundary_iou_inner.to_numpy() == pytest.approx([0.473684, 0.166667], abs=2e-3)
    areas = result.features.query("side == 'reference'").area
    assert areas.to_numpy() == pytest.approx([200.1, 200.1], abs=0.3)


def test_10_two_systems_are_brought_together_and_it_says_so():
    result = run(10, "pred.gpkg", "gt.gpkg", id=None)
    assert found(result) == (2, 0, 0)
    assert (one_to_one(result).iou >= 0.99999).all()
    assert any("EPSG:4326 -> EPSG:25832" in note for note in result.summary.notes)
    assert sorted(result.features.query("side == 'reference'").area) == pytest.approx([180, 280])


def test_11_metres_labelled_as_degrees_are_refused():
    with pytest.raises(CrsError, match=r"EPSG:4326 but bounds are 691000.*looks projected"):
        run(11)


@pytest.mark.parametrize("crs", ["EPSG:25832", "planar"])
def test_11_and_right_once_the_system_is_given(crs):
    result = run(11, reference_crs=crs, prediction_crs=crs)
    pairs = one_to_one(result)
    assert pairs.iou.to_numpy() == pytest.approx([0.875, 0.866667], abs=1e-6)
    assert pairs.hausdorff_exact.to_numpy() == pytest.approx([1, 1])


def test_12_swapped_axes_are_named():
    result = run(12)
    assert found(result)[0] == 0
    (warning,) = [w for w in result.summary.warnings if "do not overlap" in w]
    assert "11.56" in warning
    assert "48.13" in warning
    assert any("swapping x and y of the prediction" in w for w in result.summary.warnings)


def test_12_and_right_once_swapped():
    folder = case(12)
    swapped = gpd.read_file(folder / "pred.geojson")
    swapped.geometry = swapped.geometry.apply(
        lambda g: type(g)([(y, x) for x, y in g.exterior.coords])
    )
    result = pg.evaluate(folder / "gt.geojson", swapped, metrics=["iou"])
    assert found(result) == (2, 0, 0)
    assert one_to_one(result).iou.to_numpy() == pytest.approx([1, 1])


def test_13_web_mercator_becomes_ground_metres():
    result = run(13, "pred.gpkg", "gt.gpkg", id=None)
    pair = one_to_one(result).iloc[0]
    assert pair.iou == pytest.approx(0.764706, abs=1e-3)
    assert pair.hausdorff_exact == pytest.approx(2.0, rel=0.01)
    assert result.features.area.to_numpy() == pytest.approx([180, 180], rel=0.01)
    assert any("3857" in text and "1.49" in text
               for text in (*result.summary.notes, *result.summary.warnings))  # fmt: skip


def test_14_heights_are_left_out_with_a_word():
    result = run(14, "pred.csv", "gt.csv", score="score")
    pairs = one_to_one(result)
    assert pairs.iou.to_numpy() == pytest.approx([1, 0.846154], abs=1e-6)
    assert pairs.hausdorff_exact.to_numpy() == pytest.approx([0, 1])
    assert pairs.polis.to_numpy() == pytest.approx([0, 0.5])
    assert any("Z ignored (2 of 2 reference, 1 of 2 prediction)" in n for n in result.summary.notes)


def test_15_what_is_no_polygon_is_skipped_and_listed():
    result = run(15)
    reference = result.summary.counts["reference"]
    assert (reference["read"], reference["used"]) == (8, 4)
    assert sum(reference["skipped"].values()) == 4
    prediction = result.summary.counts["prediction"]
    assert (prediction["read"], prediction["used"]) == (4, 3)
    assert found(result) == (3, 0, 1)
    d = result.summary.detection[0]
    assert (d.precision, d.recall) == (1, 0.75)
    assert d.f1 == pytest.approx(0.857143, abs=1e-6)
    assert result.summary.headline["iou"] == 1
    skipped = result.ledger.query("side == 'reference' and action == 'skipped'")
    assert skipped.id.tolist() == [2, 3, 5, 7]


def test_16_a_multipart_building_is_whole_and_split():
    result = run(16)
    assert found(result) == (2, 1, 0)
    d = result.summary.detection[0]
    assert d.precision == pytest.approx(0.666667, abs=1e-6)
    assert d.recall == 1
    pairs = result.pairs[result.pairs.reference_id == 1]
    assert sorted(pairs.iou) == pytest.approx([0.444444, 0.555556], abs=1e-6)
    assert pairs.relation.tolist() == ["1:n", "1:n"]
    assert pairs.group_iou.tolist() == pytest.approx([1, 1])
    assert result.summary.counts["groups"]["extra"] == 0
    assert result.summary.counts["areas"]["iou"] == pytest.approx(1)


def test_16_exploded_parts_are_buildings():
    result = run(16, explode=True)
    assert found(result) == (3, 0, 0)


def test_17_a_merged_row_is_one_merge():
    result = run(17)
    assert found(result) == (1, 1, 4)
    d = result.summary.detection[0]
    assert (d.precision, d.recall) == (0.5, 0.2)
    assert d.f1 == pytest.approx(0.285714, abs=1e-6)
    merged = result.pairs[result.pairs.relation == "n:1"]
    assert len(merged) == 4
    assert merged.iou.to_numpy() == pytest.approx([0.25] * 4)
    assert merged.group_iou.to_numpy() == pytest.approx([1] * 4)
    assert merged.intersection_area.to_numpy() == pytest.approx([72] * 4)
    assert merged.inner_wall_length.to_numpy() == pytest.approx([36] * 4)
    assert result.summary.counts["areas"]["iou"] == pytest.approx(1)
    assert result.summary.counts["groups"] == {
        "1:1": 1, "1:n": 0, "n:1": 1, "n:m": 0, "missed": 0, "extra": 0,
    }  # fmt: skip


@pytest.mark.parametrize("prediction", ["pred_a.geojson", "pred_b.geojson"])
def test_18_exactly_half_is_a_match_in_any_order(prediction):
    result = run(18, prediction, score="score")
    assert found(result) == (1, 1, 0)
    d = result.summary.detection[0]
    assert (d.precision, d.recall) == (0.5, 1)
    assert d.f1 == pytest.approx(0.666667, abs=1e-6)
    assert result.pairs.iou.tolist() == [0.5, 0.5]
    assert set(result.pairs.relation) == {"1:n"}
    assert result.pairs.group_iou.to_numpy() == pytest.approx([1, 1])
    assert ">=" in result.summary.policies["threshold"]


def test_18_every_mean_is_the_same_in_both_orders():
    first, second = (run(18, f"pred_{x}.geojson", score="score") for x in "ab")
    assert first.summary.headline == second.summary.headline


def test_19_greedy_and_optimal_each_as_defined_and_named():
    greedy = run(19, score="score", match="greedy")
    assert found(greedy) == (1, 1, 1)
    assert greedy.summary.policies["matching"].startswith("greedy")
    optimal = run(19, score="score")
    assert found(optimal) == (2, 0, 0)
    assert optimal.summary.headline["iou"] == pytest.approx(0.721429, abs=1e-6)
    assert optimal.summary.policies["matching"].startswith("optimal")
    assert optimal.summary.counts["areas"]["reference_overlap_area"] == pytest.approx(70)
    assert any("reference polygons overlap each other" in w for w in optimal.summary.warnings)
    iou = optimal.pairs.set_index(["reference_id", "prediction_id"]).iou
    expected = {(1, 1): 0.666667, (1, 2): 0.8, (2, 1): 0.642857, (2, 2): 0.3125}
    assert {k: iou[k] for k in expected} == pytest.approx(expected, abs=1e-6)
    assert np.isfinite(iou).all()
