"""The verbs `info` and `example`."""

from __future__ import annotations

import json

import geopandas as gpd


def test_info_names_layers_crs_and_columns(command, layers):
    done = command("info", layers[0])
    assert done.status == 0
    for text in ("layer reference", "EPSG:32632", "key", "kind", "Polygon"):
        assert text in done.out
    document = json.loads(command("info", layers[1], "--json").out)
    assert document["layers"][0]["features"] == 3


def test_info_on_what_is_no_layer(command, tmp_path):
    (tmp_path / "notes.txt").write_text("hello")
    done = command("info", tmp_path / "notes.txt")
    assert done.status == 2
    assert done.err.startswith("error: ")


def test_example_writes_two_layers_that_evaluate(command, tmp_path):
    made = command("example", "-o", tmp_path / "town", "--features", "60", "--seed", "5")
    assert made.status == 0, made.err
    reference, prediction = made.out.split()
    assert len(gpd.read_file(reference)) == 60
    done = command("evaluate", reference, prediction, "--id", "id", "--score", "score")
    assert done.status == 0, done.err


def test_example_is_reproducible_and_does_not_overwrite(command, tmp_path):
    for name in ("a", "b"):
        command("example", "-o", tmp_path / name, "--features", "40", "--format", "parquet")
    first, second = (gpd.read_parquet(tmp_path / n / "prediction.parquet") for n in ("a", "b"))
    assert first.equals(second)
    refused = command("example", "-o", tmp_path / "a", "--features", "40", "--format", "parquet")
    assert refused.status == 2
    assert "--overwrite" in refused.err
