"""`pg.evaluate` and what it returns."""

from __future__ import annotations

import json

import geopandas as gpd
import numpy as np
import pytest
from shapely import MultiPolygon, Polygon, box
from shapely.affinity import translate

import polygauge as pg
from polygauge.errors import OptionError, OutputError
from polygauge.metrics import BY_NAME


def layer(shapes, **columns):
    return gpd.GeoDataFrame(columns, geometry=list(shapes), crs="EPSG:32632")


SQUARES = [box(x, 0, x + 10, 10) for x in (0, 20, 40, 60)]


def test_identical_layers_are_perfect():
    run = pg.evaluate(layer(SQUARES), layer(SQUARES), gsd=0.3)
    for name, value in run.summary.headline.items():
        best = BY_NAME[name].best if name in BY_NAME else 1
        assert value == pytest.approx(best, abs=1e-9), name


def test_an_empty_side_is_a_run_with_no_match():
    empty = layer([])
    run = pg.evaluate(layer(SQUARES), empty)
    d = run.summary.detection[0]
    assert (d.tp, d.fp, d.fn, d.recall, d.f1) == (0, 0, 4, 0, 0)
    assert np.isnan(d.precision)
    assert any("no prediction" in w for w in run.summary.warnings)
    assert json.loads(run.to_json())["detection"][0]["precision"] is None
    other = pg.evaluate(empty, layer(SQUARES)).summary.detection[0]
    assert (other.tp, other.fp, other.fn) == (0, 4, 0)
    both = pg.evaluate(empty, empty).summary.detection[0]
    assert np.isnan(both.f1)


def test_too_small_for_the_band_is_undefined_with_a_reason_and_counted():
    shapes = [box(0, 0, 1.5, 1.5), box(20, 0, 40, 20)]
    run = pg.evaluate(layer(shapes), layer(shapes), width=0.9, metrics=["iou", "boundary_iou"])
    summary = run.summary.metrics["boundary_iou"]
    assert (summary.n, summary.undefined) == (1, {"too small for the band": 1})
    assert run.pairs.boundary_iou.isna().tolist() == [True, False]
    assert run.pairs.boundary_iou_reason.fillna("").tolist() == ["too small for the band", ""]
    assert any("boundary_iou: 1 of 2" in w for w in run.summary.warnings)


def test_misses_are_in_the_mean_that_says_so():
    run = pg.evaluate(layer(SQUARES), layer(SQUARES[:1]), metrics=["iou", "polis"])
    assert run.summary.metrics["iou"].mean == 1
    assert run.summary.metrics["iou"].mean_with_misses == 0.25
    assert run.summary.metrics["polis"].mean_with_misses is None


def test_ignore_regions_excuse_both_sides():
    # The second building is under a cloud on both sides, the fourth is missed, and a prediction
    # far off is extra.
    prediction = [SQUARES[0], translate(SQUARES[1], 8, 0), SQUARES[2], box(200, 0, 210, 10)]
    run = pg.evaluate(
        layer(SQUARES), layer(prediction), ignore=box(18, -5, 39, 15), metrics=["iou"]
    )
    d = run.summary.detection[0]
    assert (d.tp, d.fp, d.fn, d.excused) == (2, 1, 1, 1)
    assert set(run.ledger[run.ledger.action == "set aside"].row) == {1}


def test_a_small_reference_excuses_its_prediction():
    shed = box(100, 0, 102, 2)
    run = pg.evaluate(
        layer([*SQUARES, shed]), layer([*SQUARES, shed]), min_area=10, metrics=["iou"]
    )
    d = run.summary.detection[0]
    assert (d.tp, d.fp, d.fn, d.excused) == (4, 0, 0, 1)


def test_an_object_cut_by_the_area_of_interest():
    # The edge at x = 24 leaves 40 % of the second square inside; at x = 26 it is 60 %.
    for edge, judged in ((24, 1), (26, 2)):
        run = pg.evaluate(
            layer(SQUARES), layer(SQUARES), aoi=box(-1, -1, edge, 11), metrics=["iou"]
        )
        assert run.summary.detection[0].tp == judged
        assert run.summary.detection[0].fp == run.summary.detection[0].fn == 0
    run = pg.evaluate(
        layer(SQUARES), layer(SQUARES), aoi=box(-1, -1, 26, 11), edge_objects="ignore",
        metrics=["iou"],
    )  # fmt: skip
    assert run.summary.detection[0].tp == 1


def test_tiles_keep_features_apart():
    reference = layer([SQUARES[0], SQUARES[0]], image=["a", "b"])
    prediction = layer([SQUARES[0], SQUARES[1]], image=["b", "a"])
    run = pg.evaluate(reference, prediction, tile="image", metrics=["iou"])
    d = run.summary.detection[0]
    assert (d.tp, d.fp, d.fn) == (1, 1, 1)
    assert run.pairs.reference_id.tolist() == [1]


def test_multipart_and_holes_go_through_whole():
    shape = MultiPolygon([box(0, 0, 10, 10).difference(box(3, 3, 6, 6)), box(20, 0, 25, 5)])
    run = pg.evaluate(layer([shape]), layer([shape]), gsd=0.1)
    assert run.pairs.iou.tolist() == [1]
    assert run.summary.counts["areas"]["reference"] == pytest.approx(91 + 25)


def test_exteriors_only_fills_holes_and_says_so():
    courtyard = box(0, 0, 10, 10).difference(box(3, 3, 6, 6))
    with_holes = pg.evaluate(layer([courtyard]), layer([box(0, 0, 10, 10)]), metrics=["iou"])
    assert with_holes.headline["iou"] == pytest.approx(0.91)
    assert "rings" not in with_holes.summary.policies
    filled = pg.evaluate(
        layer([courtyard]), layer([box(0, 0, 10, 10)]), metrics=["iou"], rings="exterior"
    )
    assert filled.headline["iou"] == 1
    assert "exteriors only" in filled.summary.policies["rings"]


def test_a_run_and_a_function_fill_holes_alike():
    drawn = [(0, 0), (12, 0), (12, 0), (12, 12), (0, 12)]
    island = MultiPolygon([Polygon(drawn, [box(2, 2, 9, 9).exterior.coords]), box(4, 4, 7, 7)])
    other = translate(box(0, 0, 12, 12), 1, 0)
    metrics = ["iou", "polis", "vertex_ratio"]
    run = pg.evaluate(layer([island]), layer([other]), metrics=metrics, rings="exterior")
    for name in metrics:
        value = getattr(pg, name)(island, other, rings="exterior")
        assert run.pairs[name].tolist() == pytest.approx([value], abs=1e-12)
    assert run.pairs.vertex_ratio.tolist() == [1 - 1 / 9]


def test_duplicate_ids_are_usable_and_warned_of():
    run = pg.evaluate(layer(SQUARES, key=[1, 1, 2, 3]), layer(SQUARES), reference_id="key")
    assert run.summary.detection[0].tp == 4
    assert any("1" in w and "more than once" in w for w in run.summary.warnings)


def test_a_misspelt_option_fails():
    with pytest.raises(TypeError, match="treshold"):
        pg.evaluate(layer(SQUARES), layer(SQUARES), treshold=0.5)
    with pytest.raises(OptionError, match="match is 'nearest'"):
        pg.evaluate(layer(SQUARES), layer(SQUARES), match="nearest")


def test_inputs_are_not_changed():
    reference = layer(SQUARES, key=list("abcd"))
    before = reference.copy()
    pg.evaluate(reference, layer(SQUARES), reference_id="key")
    assert reference.equals(before)


def test_write_refuses_what_is_there(tmp_path):
    run = pg.evaluate(layer(SQUARES), layer(SQUARES), metrics=["iou"])
    run.write(tmp_path / "run")
    with pytest.raises(OutputError, match="holds a run"):
        run.write(tmp_path / "run")
    assert run.write(tmp_path / "run", overwrite=True).is_dir()
    assert [p.name for p in tmp_path.iterdir()] == ["run"]


def test_a_failed_write_leaves_nothing(tmp_path, monkeypatch):
    run = pg.evaluate(layer(SQUARES), layer(SQUARES), metrics=["iou"])

    def full_disk(*arguments, **settings):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("polygauge.api.write_review", full_disk)
    with pytest.raises(OutputError, match="No space left on device"):
        run.write(tmp_path / "run")
    assert list(tmp_path.iterdir()) == []


def test_the_summary_reads_by_key_as_its_json_does():
    run = pg.evaluate(layer(SQUARES), layer(SQUARES[:3]), metrics=["iou"])
    document = json.loads(run.to_json())
    assert run.summary["headline"]["recall"] == document["headline"]["recall"] == 0.75
    assert run.summary["metrics"]["iou"]["mean"] == document["metrics"]["iou"]["mean"]
    assert run.summary["detection"][0]["fn"] == 1
    with pytest.raises(KeyError, match="head"):
        run.summary["head"]


def test_notebook_table_has_every_metric():
    run = pg.evaluate(layer(SQUARES), layer(SQUARES))
    html = run._repr_html_()
    for name in run.summary.metrics:
        assert name in html


def test_the_notes_of_planar_coordinates():
    shapes = gpd.GeoSeries(SQUARES)
    run = pg.evaluate(shapes, shapes, metrics=["polis"])
    assert run.run.reference.unit == "unit"
    assert any("own units" in n for n in run.summary.notes)


def test_a_million_metres_away_nothing_changes():
    rng = np.random.default_rng(3)
    moved = [translate(s, *rng.normal(0, 0.5, 2)) for s in SQUARES]
    near = pg.evaluate(gpd.GeoSeries(SQUARES), gpd.GeoSeries(moved), gsd=0.3)
    far = pg.evaluate(
        gpd.GeoSeries(SQUARES).translate(1e6, 5e6),
        gpd.GeoSeries(moved).translate(1e6, 5e6),
        gsd=0.3,
    )
    for name, value in near.summary.headline.items():
        assert far.summary.headline[name] == pytest.approx(value, abs=1e-8), name


def test_shape_metrics_stand_beside_the_pairs():
    run = pg.evaluate(layer(SQUARES), layer(SQUARES[:2]), metrics=["iou", "line_dof"])
    assert "line_dof" not in run.pairs
    # A square: one orthogonality class and four lines, over twice four edges.
    assert run.features.line_dof.tolist() == [5 / 8] * 6
    assert run.summary["shapes"]["line_dof"]["prediction"]["n"] == 2
    assert run.summary["shapes"]["line_dof"]["reference"]["mean"] == 5 / 8
