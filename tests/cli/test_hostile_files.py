"""Files that are broken, cut, mislabelled or strange: a named error, never a traceback."""

from __future__ import annotations

import json
import sqlite3

import geopandas as gpd
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import shapely
from shapely import Polygon, box

SQUARES = [box(x, 5_300_000, x + 10, 5_300_010) for x in (500_000, 500_020, 500_040)]
MOON = 'GEOGCS["Moon 2000",DATUM["D_Moon_2000",SPHEROID["Moon_2000_IAU_IAG",1737400,0]],' \
    'PRIMEM["Reference_Meridian",0],UNIT["Degree",0.0174532925199433]]'  # fmt: skip
LOCAL = 'LOCAL_CS["site grid",LOCAL_DATUM["site",0],UNIT["metre",1],AXIS["x",EAST],AXIS["y",NORTH]]'


@pytest.fixture
def good(tmp_path):
    path = tmp_path / "good.gpkg"
    gpd.GeoDataFrame({"key": [1, 2, 3]}, geometry=SQUARES, crs="EPSG:32632").to_file(path)
    return path


def parquet(path, *, columns=None, geo=None, crs="EPSG:32632", **attributes):
    """A Parquet file with a WKB column and any `geo` metadata."""
    table = pa.table({**attributes, "geometry": [shapely.to_wkb(s) for s in SQUARES]})
    document = {
        "version": "1.1.0",
        "primary_column": "geometry",
        "columns": {"geometry": {"encoding": "WKB", "geometry_types": [], "crs": None}},
    }
    document["columns"]["geometry"].update(geo or {})
    if columns is not None:
        document["columns"] = columns
    pq.write_table(table.replace_schema_metadata({"geo": json.dumps(document)}), path)
    return path


def geojson_lines(path, *lines):
    path.write_text("\n".join(lines) + "\n")
    return path


def feature(shape, **properties):
    return json.dumps(
        {
            "type": "Feature",
            "properties": properties,
            "geometry": json.loads(shapely.to_geojson(shape)),
        }
    )


WKT = "POLYGON((500000 5300000,500010 5300000,500010 5300010,500000 5300000))"

CSV_FAULTS = {
    "short row": (f'wkt,id\n"{WKT}",1\n"{WKT}"\n', "line 3: 1 fields, but the header has 2"),
    "long row": (f'wkt,id\n"{WKT}",1\n"{WKT}",2,3\n', "line 3: 3 fields, but the header has 2"),
    "open quote": (f'wkt,id\n"{WKT}",1\n"{WKT},2\n"{WKT}",3\n', "line "),
    "unclosed at the end": (f'wkt,id\n"{WKT}",1\n"{WKT}', "unexpected end of data"),
    "two columns of one name": (f'wkt,id,id\n"{WKT}",1,2\n', "2 columns named 'id'"),
}


@pytest.mark.parametrize("fault", CSV_FAULTS)
def test_csv_rows_that_do_not_fit_their_header(command, good, tmp_path, fault):
    text, message = CSV_FAULTS[fault]
    path = tmp_path / "a.csv"
    path.write_text(text)
    done = command("evaluate", path, good, "--id", "id")
    assert done.status == 2
    assert f"error: {path}" in done.err
    assert message in done.err


def test_csv_ids_keep_their_digits(command, tmp_path):
    path = tmp_path / "a.csv"
    long = "12345678901234567890"
    path.write_text(f'wkt,id\n"{WKT}",007\n"{WKT}",7\n"{WKT}",{long}\n"{WKT}",{long[:-1]}1\n')
    run = tmp_path / "run"
    done = command("evaluate", path, path, "--id", "id", "-o", run)
    assert done.status == 0, done.err
    ids = gpd.read_parquet(run / "features.parquet").id.tolist()
    assert ids[:4] == ["007", "7", long, f"{long[:-1]}1"]


def test_csv_tiles_meet_those_of_other_files_by_their_text(command, tmp_path):
    a, b = tmp_path / "a.csv", tmp_path / "b.gpkg"
    a.write_text(f'wkt,tile\n"{WKT}",1\n"{WKT}",2\n')
    gpd.GeoDataFrame(
        {"tile": [1.0, None]}, geometry=[shapely.from_wkt(WKT)] * 2, crs=32632
    ).to_file(b)
    done = command("evaluate", a, b, "--tile", "tile", "--json")
    assert json.loads(done.out)["detection"][0]["tp"] == 1


LINE_FAULTS = {
    "cut off": ('{"type": "Feature", "geometry"', "record 2: not JSON"),
    "not a Feature": ('{"type": "Feture", "geometry": null}', "record 2: not a Feature but Feture"),
    "a number": ("17", "but the file goes on"),
}

MEMBER_FAULTS = {
    "not a Feature": (
        '{"type": "Feture", "geometry": null}',
        "feature 2: not a Feature but Feture",
    ),
    "a number": ("17", "feature 2: not a Feature but int"),
    "null": ("null", "feature 2: not a Feature but NoneType"),
    "text": ('"]}, \\" {["', "feature 2: not a Feature but str"),
}


@pytest.mark.parametrize("fault", LINE_FAULTS)
@pytest.mark.parametrize("verb", ["evaluate", "info"])
def test_lines_that_gdal_leaves_out_in_silence(command, good, tmp_path, fault, verb):
    line, message = LINE_FAULTS[fault]
    path = geojson_lines(
        tmp_path / "a.geojsonl", feature(SQUARES[0]), line, "", feature(SQUARES[2])
    )
    done = command(verb, path, *([good] if verb == "evaluate" else []))
    assert done.status == 2
    assert str(path) in done.err
    assert message in done.err


@pytest.mark.parametrize("fault", MEMBER_FAULTS)
@pytest.mark.parametrize("verb", ["evaluate", "info"])
def test_members_that_gdal_leaves_out_in_silence(command, good, tmp_path, fault, verb):
    member, message = MEMBER_FAULTS[fault]
    path = tmp_path / "a.geojson"
    members = ", ".join([feature(SQUARES[0]), member, feature(SQUARES[2])])
    path.write_text(f'{{"type": "FeatureCollection", "features": [{members}]}}')
    done = command(verb, path, *([good] if verb == "evaluate" else []))
    assert done.status == 2
    assert f"{path}, {message}" in done.err


GEO_FAULTS = {
    "columns is a list": ({"columns": ["geometry"]}, "broken GeoParquet metadata"),
    "an entry is text": ({"columns": {"geometry": "WKB"}}, "broken GeoParquet metadata"),
    "native over bytes": ({"geo": {"encoding": "polygon"}}, "in encoding 'polygon' holds no"),
    "points": ({"geo": {"encoding": "point"}}, "in encoding 'point' holds no polygons"),
    "unknown CRS": ({"geo": {"crs": "EPSG:999999"}}, "there is no CRS 'EPSG:999999'"),
    "CRS of a number": ({"geo": {"crs": 3.5}}, "does not say what its coordinates are in"),
}


@pytest.mark.parametrize("fault", GEO_FAULTS)
def test_geoparquet_metadata_that_lies(command, good, tmp_path, fault):
    changes, message = GEO_FAULTS[fault]
    path = parquet(tmp_path / "a.parquet", **changes)
    done = command("evaluate", path, good)
    assert done.status == 2
    assert str(path) in done.err
    assert message in done.err


def test_a_crs_that_the_caller_names_replaces_a_broken_one(command, good, tmp_path):
    path = parquet(tmp_path / "a.parquet", geo={"crs": "EPSG:999999"})
    assert command("evaluate", path, good, "--reference-crs", "EPSG:32632").status == 0


@pytest.mark.parametrize("option", ["--id", "--score", "--tile", "--strata"])
@pytest.mark.parametrize("values", [[[1], [2], [3]], [{"a": 1}, {"a": 2}, {"a": 3}]])
def test_columns_of_lists_are_refused(command, good, tmp_path, option, values):
    path = parquet(tmp_path / "a.parquet", odd=values)
    done = command("evaluate", path, path, option, "odd")
    assert done.status == 2
    assert "column 'odd'" in done.err
    assert "lists or records" in done.err


def test_a_table_without_geometry(command, good, tmp_path):
    path = tmp_path / "a.gpkg"
    path.write_bytes(good.read_bytes())
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE prices (id INTEGER PRIMARY KEY, euro REAL)")
        database.execute(
            "INSERT INTO gpkg_contents (table_name, data_type, identifier) "
            "VALUES ('prices', 'attributes', 'prices')"
        )
    assert command("evaluate", path, good).status == 0
    done = command("evaluate", path, good, "--reference-layer", "prices")
    assert done.status == 2
    assert "layer 'prices'" in done.err
    assert "table without geometry" in done.err


@pytest.mark.parametrize("name", ["a.csv", "a.parquet"])
def test_a_layer_asked_of_a_file_without_layers(command, good, tmp_path, name):
    path = tmp_path / name
    if name.endswith("csv"):
        path.write_text(f'wkt\n"{WKT}"\n')
    else:
        parquet(path)
    done = command("evaluate", path, good, "--reference-layer", "roofs")
    assert done.status == 2
    assert f"{path} has no layer 'roofs'" in done.err


NO_MAP = {
    "height": "EPSG:5773",
    "geocentric": "EPSG:4978",
}


@pytest.mark.parametrize("kind", NO_MAP)
def test_a_crs_that_is_none_of_a_map(command, good, kind):
    done = command("evaluate", good, good, "--reference-crs", NO_MAP[kind])
    assert done.status == 2
    assert "not a CRS of a map" in done.err


@pytest.mark.parametrize("system", [LOCAL, LOCAL.replace('"metre",1', '"foot",0.3048')])
def test_a_site_grid_is_measured_in_its_own_units(command, tmp_path, system):
    path = tmp_path / "a.gpkg"
    gpd.GeoDataFrame(geometry=SQUARES, crs=system).to_file(path)
    done = command("evaluate", path, path, "-v")
    assert done.status == 0, done.err
    assert "the coordinates' own units" in done.err


def test_two_planets(command, good, tmp_path):
    path = tmp_path / "moon.gpkg"
    gpd.GeoDataFrame(geometry=[box(9, 47, 9.001, 47.001)], crs=MOON).to_file(path)
    for arguments in ((path, good), (good, path), (good, good, "--aoi", path)):
        done = command("evaluate", *arguments)
        assert done.status == 2
        assert "there is no way from" in done.err


def test_coordinates_that_a_projection_has_no_place_for(command, good, tmp_path):
    path = tmp_path / "a.gpkg"
    gpd.GeoDataFrame(geometry=[box(5e7, 5e7, 5.1e7, 5.1e7)], crs="EPSG:32632").to_file(path)
    done = command("evaluate", path, path)
    assert done.status == 2
    assert str(path) in done.err


@pytest.mark.parametrize("size", [1e20, 1e300])
@pytest.mark.parametrize("option", ["--aoi", "--ignore"])
def test_a_region_beyond_all_numbers(command, good, tmp_path, option, size):
    region = tmp_path / "region.gpkg"
    gpd.GeoDataFrame(geometry=[box(-size, -size, size, size)], crs="EPSG:32632").to_file(region)
    done = command("evaluate", good, good, option, region)
    assert done.status == 2
    assert "coordinates beyond 1e+15" in done.err


def test_what_collapses_in_reprojection_is_skipped_and_said(command, good, tmp_path):
    world = tmp_path / "world.gpkg"
    shapes = [box(-180, -90, 180, 90), box(9, 47.8, 9.001, 47.801)]
    gpd.GeoDataFrame(geometry=shapes, crs="EPSG:4326").to_file(world)
    done = command("evaluate", good, world, "--crs", "EPSG:32632", "--json")
    assert done.status == 0, done.err
    counts = json.loads(done.out)["counts"]["prediction"]
    assert counts["used"] + sum(counts["skipped"].values()) == 2
    assert "after reprojection; skipped" in done.err


def test_degrees_with_the_label_of_metres(command, tmp_path):
    path = tmp_path / "a.gpkg"
    gpd.GeoDataFrame(geometry=[box(9, 47, 9.001, 47.001)], crs="EPSG:3857").to_file(path)
    done = command("evaluate", path, path)
    assert "look like degrees" in done.err
    assert "--reference-crs EPSG:4326" in done.err


def test_one_feature_at_the_end_of_the_world_is_named(command, tmp_path):
    path = tmp_path / "a.gpkg"
    shapes = [box(9 + k / 1000, 47, 9.0005 + k / 1000, 47.001) for k in range(5)]
    gpd.GeoDataFrame(
        {"key": list("abcdz")}, geometry=[*shapes[:4], box(20, 47, 20.001, 47.001)], crs=4326
    ).to_file(path)
    done = command("evaluate", path, path, "--id", "key")
    assert done.status == 2
    assert f"the farthest out is feature z of {path}" in done.err


@pytest.mark.parametrize("value", [None, np.inf])
def test_scores_that_are_none(command, tmp_path, value):
    path = tmp_path / "a.gpkg"
    gpd.GeoDataFrame({"s": [0.5, value, 0.25]}, geometry=SQUARES, crs=32632).to_file(path)
    done = command("evaluate", path, path, "--score", "s")
    assert "1 of 3 predictions ha" in done.err


def test_a_hole_as_large_as_its_polygon_leaves_nothing(command, good, tmp_path):
    ring = list(SQUARES[0].exterior.coords)
    path = tmp_path / "a.gpkg"
    gpd.GeoDataFrame(geometry=[Polygon(ring, [ring]), *SQUARES[1:]], crs=32632).to_file(path)
    done = command("evaluate", good, path, "--json")
    counts = json.loads(done.out)["counts"]["prediction"]
    assert counts["skipped"] == {"degenerate: no area": 1}
    assert counts["repaired"] == {}
    assert "1 skipped (1 degenerate: no area)" in done.err


@pytest.mark.parametrize("name", ["x" * 300, "y/" * 2500])
def test_paths_that_are_none(command, good, name):
    done = command("evaluate", name, good)
    assert done.status == 2
    assert done.err.startswith("error: ")


def test_native_polygons_whose_rings_are_none(command, good, tmp_path):
    rows = [[[{"x": 0.0, "y": 0.0}, {"x": 1.0, "y": 0.0}]]]
    rows += [[[{"x": x, "y": y} for x, y in s.exterior.coords]] for s in SQUARES[1:]]
    document = {
        "version": "1.1.0",
        "primary_column": "geometry",
        "columns": {"geometry": {"encoding": "polygon", "geometry_types": [], "crs": None}},
    }
    table = pa.table({"geometry": rows}).replace_schema_metadata({"geo": json.dumps(document)})
    path = tmp_path / "a.parquet"
    pq.write_table(table, path)
    done = command("evaluate", path, good, "--json")
    assert done.status == 0, done.err
    assert json.loads(done.out)["counts"]["reference"]["skipped"] == {"unreadable geometry": 1}


def test_info_says_why_a_crs_is_none(command, tmp_path):
    path = parquet(tmp_path / "a.parquet", geo={"crs": "EPSG:999999"})
    done = command("info", path)
    assert done.status == 0
    assert "crs error: " in done.out
    assert "there is no CRS 'EPSG:999999'" in done.out
