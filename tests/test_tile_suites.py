"""Suites of images against what was recorded for the same two files."""

from __future__ import annotations

import json
from functools import cache

import numpy as np
import pandas as pd
import pytest

import polygauge as pg
from polygauge.errors import CrsError, OptionError
from tests.shared import shared

# Metres a pixel of the recorded tiles; the recorded lengths are in pixels.
GSD = 0.25


@cache
def files() -> tuple[str, str]:
    return str(shared("vectors/tiles_public_gt.json")), str(shared("vectors/tiles_public_dt.json"))


@cache
def record() -> dict:
    return json.loads(shared("vectors/tiles_public.json").read_text())


@cache
def run(suite: str, **options) -> pg.Evaluation:
    return pg.evaluate(*files(), suite=suite, **options)


def column(*path: str) -> np.ndarray:
    """The value under these keys of every tile; NaN where it is null."""
    values = []
    for tile in record()["tiles"]:
        value = tile
        for key in path:
            value = None if value is None else value.get(key)
        values.append(np.nan if value is None else value)
    return np.array(values, dtype=float)


@pytest.mark.parametrize(
    ("name", "key", "scale", "tolerance"),
    [
        ("iou", "mean_iou_vector", 1, 1e-9),
        ("ciou", "mean_ciou_vector", 1, 1e-9),
        ("vertex_ratio", "mean_nr", 1, 1e-9),
        ("polis", "tile_mean_polis", GSD, 1e-9),
        ("chamfer", "tile_mean_chamfer_0p4px", GSD, 1e-9),
        ("hausdorff", "tile_mean_hausdorff_max_0p4px", GSD, 1e-9),
        ("mta", "tile_mean_mta", 1, 1e-4),
        ("line_dof", "mean_dof", 1, 1e-9),
        ("ap", "coco_AP_vector_iou", 1, 1e-9),
        ("ar", "coco_AR100_vector_iou", 1, 1e-9),
        ("precision_mean", "mean_precision_eq4_vector", 1, 1e-9),
        ("recall_mean", "mean_recall_eq5_vector", 1, 1e-9),
    ],
)
def test_p3_headline(name, key, scale, tolerance):
    headline = run("p3", gsd=GSD, rings="as-stored").headline
    assert headline[name] == pytest.approx(record()["aggregate"]["own"][key] * scale, abs=tolerance)


@pytest.mark.parametrize(
    ("name", "path", "scale", "tolerance"),
    [
        ("iou", ("iou_vector",), 1, 1e-9),
        ("vertex_ratio", ("nr",), 1, 1e-9),
        ("ciou", ("ciou_vector",), 1, 1e-9),
        ("line_dof", ("dof", "dof"), 1, 1e-9),
        ("line_dof_reference", ("dof_gt", "dof"), 1, 1e-9),
        ("matched_polis", ("matched_mean", "polis"), GSD, 1e-9),
        ("matched_chamfer", ("matched_mean", "chamfer_0p4px"), GSD, 1e-9),
        ("matched_hausdorff", ("matched_mean", "hausdorff_max_0p4px"), GSD, 1e-9),
        ("matched_mta", ("matched_mean", "mta"), 1, 1e-4),
        ("precision_mean", ("precision_eq4_vector",), 1, 1e-9),
        ("recall_mean", ("recall_eq5_vector",), 1, 1e-9),
    ],
)
def test_p3_tile_by_tile(name, path, scale, tolerance):
    tiles = run("p3", gsd=GSD, rings="as-stored").tiles
    expected = column("own", *path) * scale
    np.testing.assert_allclose(tiles[name], expected, rtol=0, atol=tolerance)


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("polis", "instance_mean_polis"),
        ("chamfer", "instance_mean_chamfer_0p4px"),
        ("hausdorff", "instance_mean_hausdorff_max_0p4px"),
    ],
)
def test_p3_pair_by_pair(name, key):
    metrics = run("p3", gsd=GSD, rings="as-stored").summary.metrics
    expected = record()["aggregate"]["own"][key] * GSD
    assert metrics[name].mean == pytest.approx(expected, abs=1e-9)


def test_courtyards_are_holes_unless_as_stored():
    """What only needs the ground covered does not change; what walks the rings does."""
    holes, stored = (run("p3", gsd=GSD, rings=rings).headline for rings in ("all", "as-stored"))
    for name in ("iou", "ap", "ar", "precision_mean", "recall_mean"):
        assert holes[name] == stored[name]
    assert abs(holes["polis"] - stored["polis"]) > 1e-4


def test_spacenet_counts():
    headline = run("spacenet").headline
    expected = record()["aggregate"]["ref"]["solaris_spacenet_csv"]
    assert headline["tp"] == expected["TruePos"]
    assert headline["fp"] == expected["FalsePos"]
    assert headline["fn"] == expected["FalseNeg"]
    assert headline["f1"] == pytest.approx(expected["F1"], abs=1e-9)


@pytest.mark.parametrize(
    ("name", "key"), [("tp", "TruePos"), ("fp", "FalsePos"), ("fn", "FalseNeg")]
)
def test_spacenet_tile_by_tile(name, key):
    np.testing.assert_array_equal(run("spacenet").tiles[name], column("ref", "solaris", key))


def test_metres_come_from_the_images_or_the_option():
    assert run("p3").headline == run("p3", gsd=GSD).headline
    assert run("p3", gsd=2 * GSD).headline["polis"] == pytest.approx(
        2 * run("p3").headline["polis"], rel=0.05
    )


def test_metres_need_a_ground_size(tmp_path):
    pair = coco(tmp_path, [square(0, 0, 10)], [(square(0, 0, 10), 1.0)])
    with pytest.raises(CrsError, match="1 of 1 images have no ground size"):
        pg.evaluate(*pair, suite="p3")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"aoi": "area.geojson"}, "aoi means nothing for COCO files"),
        ({"id": "id"}, "id means nothing for COCO files"),
        ({"max_detections": [10]}, "max-detections means nothing in the suite footprints"),
        ({"suite": "p3", "gsd": 1.0, "max_detections": [0]}, "max-detections"),
    ],
)
def test_options_that_mean_nothing(options, message):
    with pytest.raises(OptionError, match=message):
        pg.evaluate(*files(), **options)


def coco(folder, references, predictions, size=100):
    """Two COCO files of one image each way round: outlines as lists of corners."""

    def annotation(number, corners, **more):
        flat = [float(x) for corner in corners for x in corner]
        return {"id": number, "image_id": 1, "category_id": 1, "segmentation": [flat], **more}

    truth = {
        "images": [{"id": 1, "file_name": "a.png", "width": size, "height": size}],
        "categories": [{"id": 1, "name": "building"}],
        "annotations": [annotation(k, r) for k, r in enumerate(references, 1)],
    }
    found = [annotation(k, p, score=s) for k, (p, s) in enumerate(predictions, 1)]
    paths = folder / "truth.json", folder / "found.json"
    for path, content in zip(paths, (truth, found), strict=True):
        path.write_text(json.dumps(content))
    return tuple(map(str, paths))


def square(x, y, side):
    return [(x, y), (x + side, y), (x + side, y + side), (x, y + side)]


def test_objects_at_the_edge_can_be_set_aside(tmp_path):
    pair = coco(
        tmp_path,
        [square(0, 0, 10), square(50, 50, 10)],
        [(square(0, 0, 10), 0.9), (square(50, 50, 10), 0.8)],
    )
    counted = pg.evaluate(*pair, suite="p3", gsd=1.0)
    aside = pg.evaluate(*pair, suite="p3", gsd=1.0, edge_objects="ignore")
    assert counted.summary.detection[0].tp == 2
    assert aside.summary.detection[0].tp == 1
    assert aside.summary.detection[0].fp == 0
    assert aside.ledger["what"].tolist() == ["reaching the edge of its image"] * 2


def test_the_most_detections_that_count(tmp_path):
    pair = coco(
        tmp_path,
        [square(10, 10, 10)],
        [(square(70, 70, 10), 0.9), (square(10, 10, 10), 0.8)],
    )
    assert pg.evaluate(*pair, suite="p3", gsd=1.0).headline["ap"] == pytest.approx(0.5)
    one = pg.evaluate(*pair, suite="p3", gsd=1.0, max_detections=[1])
    assert one.headline["ap"] == 0


def test_a_run_folder_of_tiles(tmp_path):
    result = run("p3", gsd=GSD)
    result.write(tmp_path / "run")
    tiles = pd.read_parquet(tmp_path / "run/tiles.parquet")
    assert tiles["tile"].tolist()[:2] == ["tile000.tif", "tile001.tif"]
    np.testing.assert_array_equal(tiles["iou"], result.tiles["iou"])
    summary = json.loads((tmp_path / "run/summary.json").read_text())
    assert summary["headline"] == result.headline
    assert summary["pooled"]["iou"] == pytest.approx(0.628, abs=1e-3)


def test_a_layer_is_one_tile():
    """A suite of images on layers without tiles: the whole layer is the one tile."""
    from geopandas import GeoSeries
    from shapely import box

    known = GeoSeries([box(0, 0, 10, 10), box(20, 0, 30, 10)], crs="EPSG:32632")
    found = GeoSeries([box(0, 0, 10, 10)], crs="EPSG:32632")
    result = pg.evaluate(known, found, suite="spacenet")
    assert result.headline["f1"] == pytest.approx(2 / 3)
    assert len(result.tiles) == 1


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("[]", True),
        ('{"info": {"type": "x"}, "images": []}', True),
        ('\ufeff{"annotations": []}', True),
        ('{"type": "FeatureCollection", "features": []}', False),
        ('{"name": "images", "features": []}', False),
        ('{"properties": {"images": []}, "type": "Feature"}', False),
        ("id,geometry\n", False),
        ("", False),
    ],
)
def test_telling_coco_files(tmp_path, text, is_one):
    from polygauge.io.coco import is_coco

    path = tmp_path / "file.json"
    path.write_text(text, encoding="utf-8")
    assert is_coco(path) is is_one
