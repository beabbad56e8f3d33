"""The made-up town: valid, reproducible, of the size asked for, and with the faults it claims."""

from __future__ import annotations

import geopandas as gpd
import numpy as np
import pytest
import shapely

import polygauge as pg
from polygauge.dataset import Faults, make_town, write_town
from polygauge.errors import OptionError, OutputError


@pytest.fixture(scope="module")
def town():
    return make_town(2400, seed=11)


def test_every_shape_is_valid_and_has_area(town):
    for frame in (town.reference, town.prediction):
        assert frame.geometry.is_valid.all()
        assert (frame.area > 1).all()
        assert frame.crs == "EPSG:32632"


def test_columns_and_counts(town):
    assert town.reference.columns.tolist() == ["id", "kind", "height", "geometry"]
    assert town.prediction.columns.tolist() == ["id", "score", "fault", "geometry"]
    assert town.reference.id.tolist() == list(range(1, 2401))
    assert town.prediction.id.is_unique
    assert town.prediction.score.between(0, 1).all()


def test_all_kinds_of_buildings_and_faults_occur(town):
    assert set(town.reference.kind) == {
        "house", "row house", "shed", "courtyard", "hall", "house in parts",
    }  # fmt: skip
    assert set(town.prediction.fault) == {
        "none", "moved", "jitter", "cut_corner", "missing_wing", "simplified", "staircase",
        "merged_row", "extra_shed",
    }  # fmt: skip
    reference = town.reference.geometry
    assert (
        shapely.get_num_interior_rings(reference[town.reference.kind == "courtyard"]) == 1
    ).all()
    assert (
        town.reference[town.reference.kind == "house in parts"].geom_type == "MultiPolygon"
    ).all()


def test_row_houses_share_walls_and_nothing_overlaps(town):
    run = pg.evaluate(town.reference, town.reference, metrics=["iou"])
    assert run.summary.counts["areas"]["reference_overlaps"] == 0
    rows = town.reference[town.reference.kind == "row house"].geometry
    united = shapely.unary_union(rows.to_numpy())
    # 400 houses in rows of six: with shared walls each row dissolves into one polygon.
    assert len(shapely.get_parts(united)) <= np.ceil(len(rows) / 6) + 1


@pytest.mark.parametrize("features", [1, 11, 12, 13, 599])
def test_exactly_so_many_buildings(features):
    assert len(make_town(features, seed=1).reference) == features


def test_same_seed_same_town_and_another_seed_another():
    first, second, other = (make_town(300, seed=s) for s in (4, 4, 5))
    assert first.reference.equals(second.reference)
    assert first.prediction.equals(second.prediction)
    assert not first.reference.geometry.equals(other.reference.geometry)


def test_a_town_does_not_depend_on_how_it_is_written(tmp_path):
    town = make_town(6000, seed=9)
    _, prediction = write_town(tmp_path, 6000, seed=9, format="parquet")
    assert gpd.read_parquet(prediction).geometry.equals(town.prediction.geometry)


@pytest.mark.parametrize("kind", ["gpkg", "parquet", "geojson", "fgb"])
def test_every_format_opens_again_with_the_same_content(tmp_path, kind):
    paths = write_town(tmp_path, 60, seed=2, format=kind)
    assert [p.name for p in paths] == [f"reference.{kind}", f"prediction.{kind}"]
    read = gpd.read_parquet if kind == "parquet" else gpd.read_file
    town = make_town(60, seed=2)
    for path, made in zip(paths, (town.reference, town.prediction), strict=True):
        # FlatGeobuf stores features in the order of its spatial index.
        frame = read(path).sort_values("id", ignore_index=True)
        assert frame.crs == "EPSG:32632"
        assert frame.columns.tolist() == made.columns.tolist()
        for name in made.columns.drop("geometry"):
            assert frame[name].tolist() == made[name].tolist()
        assert frame.geom_equals_exact(made, 1e-9).all()
    with pytest.raises(OutputError, match="exists"):
        write_town(tmp_path, 60, seed=2, format=kind)
    write_town(tmp_path, 60, seed=2, format=kind, overwrite=True)


def test_rates_and_the_shift_are_as_asked():
    calm = Faults(
        shift_m=(2.0, 0.0), jitter_m=0.0, missed=0, moved=0, jitter=0, cut_corner=0,
        missing_wing=0, simplified=0, staircase=0, merged_row=0, extra_shed=0,
    )  # fmt: skip
    town = make_town(240, seed=3, faults=calm)
    assert len(town.prediction) == 240
    moved = town.reference.geometry.translate(2.0, 0.0)
    run = pg.evaluate(gpd.GeoSeries(moved, crs="EPSG:32632"), town.prediction, metrics=["iou"])
    assert run.summary.detection[0].tp == 240
    assert run.pairs.iou.min() > 0.999
    many = make_town(4800, seed=3, faults=Faults(missed=0.5, merged_row=0, extra_shed=0))
    assert 0.46 < len(many.prediction) / 4800 < 0.54


def test_each_fault_has_its_rate():
    town = make_town(24_000, seed=3, faults=Faults(merged_row=0.0, extra_shed=0.5))
    counts = town.prediction.fault.value_counts()
    # Four standard deviations of a binomial count.
    for name in ("moved", "jitter", "cut_corner", "staircase"):
        expected = 24_000 * getattr(Faults(), name)
        assert abs(counts[name] - expected) < 4 * np.sqrt(expected), name
    assert abs(counts["extra_shed"] - 1000) < 4 * np.sqrt(2000 * 0.5 * 0.5)
    assert abs(24_000 + counts["extra_shed"] - len(town.prediction) - 1200) < 4 * np.sqrt(1200)


def test_a_merged_row_is_the_outline_of_its_houses():
    faults = Faults(
        shift_m=(0, 0), jitter_m=0, missed=0, moved=0, jitter=0, cut_corner=0, missing_wing=0,
        simplified=0, staircase=0, merged_row=1, extra_shed=0,
    )  # fmt: skip
    town = make_town(600, seed=11, faults=faults)
    rows = town.reference[town.reference.kind == "row house"].union_all()
    merged = town.prediction[town.prediction.fault == "merged_row"].union_all()
    assert merged.area > 1000
    # Walls of 0.001 m rounding along rows of at most 60 x 12 m.
    assert merged.symmetric_difference(rows).area < 1e-3 * merged.length


def test_courtyards_with_stairs_keep_their_courtyards():
    faults = Faults(missed=0, moved=0, jitter=0, cut_corner=0, staircase=1)
    town = make_town(2400, seed=11, faults=faults)
    parts = shapely.get_parts(town.prediction.geometry.to_numpy())
    yards = (town.reference.kind == "courtyard").sum()
    assert yards > 20
    assert (shapely.get_num_interior_rings(parts) == 1).sum() == yards


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"missed": 1.5}, "Faults.missed is 1.5"),
        ({"moved": float("nan")}, "Faults.moved is nan"),
        ({"jitter_m": -1.0}, "Faults.jitter_m is -1.0"),
        ({"pixel_m": 0.0}, "Faults.pixel_m is 0.0"),
        ({"shift_m": (1.0, float("inf"))}, "Faults.shift_m"),
        ({"missed": 0.6, "moved": 0.6}, r"missed \+ moved .* is 1.43"),
        ({"missing_wing": 0.6, "simplified": 0.6}, "missing_wing .* is 1.2"),
    ],
)
def test_impossible_faults_are_refused(wrong, words):
    with pytest.raises(OptionError, match=words):
        Faults(**wrong)


@pytest.mark.parametrize(("features", "seed"), [(0, 1), (-3, 1), (5, -1)])
def test_nonsense_is_refused(features, seed):
    with pytest.raises(OptionError):
        make_town(features, seed=seed)
