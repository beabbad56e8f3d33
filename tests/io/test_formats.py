"""Every format in, the same polygons out."""

from __future__ import annotations

import json

import geopandas as gpd
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import shapely
from shapely import MultiPolygon, Polygon, box

from polygauge.errors import CrsError, LayerError, ReadError
from polygauge.io import ReadOptions, describe, read_layer
from tests.polygons import COURTYARD, TWO_PARTS
from tests.shared import shared

SHAPES = [box(0, 0, 10, 10), COURTYARD, TWO_PARTS, Polygon([(0, 0, 5), (4, 0, 6), (0, 3, 7)])]


@pytest.fixture
def frame():
    return gpd.GeoDataFrame(
        {"key": ["a", "b", "c", "d"], "score": [0.5, 0.25, 1.0, 0.75]},
        geometry=SHAPES,
        crs="EPSG:32632",
    )


def write(frame, place, kind):
    path = place / f"layer.{kind.split('-')[0]}"
    if kind == "parquet":
        frame.to_parquet(path)
    elif kind == "parquet-geoarrow":
        frame.to_parquet(path, geometry_encoding="geoarrow")
    elif kind == "csv":
        frame.assign(wkt=frame.geometry.to_wkt()).drop(columns="geometry").to_csv(path, index=False)
    elif kind == "geojsonl":
        # One feature a line has no place for a CRS; GDAL would write degrees.
        frame.set_crs(None, allow_override=True).to_file(path, driver="GeoJSONSeq")
    elif kind in FLAT:
        frame.set_geometry(frame.force_2d()).to_file(path)
    else:
        frame.to_file(path)
    return path


# Formats that cannot mix heights with none.
FLAT = ("fgb", "shp")
KINDS = ["gpkg", "geojson", "geojsonl", "fgb", "shp", "parquet", "csv"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::UserWarning")
def test_every_format_gives_the_same_polygons(frame, tmp_path, kind):
    path = write(frame, tmp_path, kind)
    layer = read_layer(path, "prediction", ReadOptions(id="key", score="score"))
    order = np.argsort(layer.ids.astype(str))
    assert layer.ids[order].tolist() == ["a", "b", "c", "d"]
    assert layer.polygons.areas[order] == pytest.approx([100, 500, 181, 6])
    assert layer.scores[order].tolist() == [0.5, 0.25, 1.0, 0.75]
    assert layer.polygons.take(order).vertex_counts.tolist() == [4, 8, 8, 3]
    assert layer.counts["z_dropped"] == (0 if kind in FLAT else 1)


@pytest.mark.parametrize("shapes", [[COURTYARD, None, box(0, 0, 1, 1)], [TWO_PARTS, None]])
def test_native_geoarrow_with_nulls(tmp_path, shapes):
    frame = gpd.GeoDataFrame({"n": range(len(shapes))}, geometry=shapes, crs="EPSG:32632")
    frame.to_parquet(tmp_path / "native.parquet", geometry_encoding="geoarrow")
    layer = read_layer(tmp_path / "native.parquet", "reference", ReadOptions(id="n"))
    assert layer.counts["skipped"] == {"null geometry": 1}
    kept = [s for s in shapes if s is not None]
    assert all(a.equals(b) for a, b in zip(layer.polygons.to_shapely(), kept, strict=True))


def test_many_row_groups_and_batches(tmp_path, monkeypatch):
    monkeypatch.setattr("polygauge.io.formats._source.BATCH", 7)
    shapes = [box(k, 0, k + 0.5, 1 + k) for k in range(50)]
    frame = gpd.GeoDataFrame({"n": range(50)}, geometry=shapes, crs="EPSG:32632")
    frame.to_parquet(tmp_path / "a.parquet", row_group_size=11)
    frame.to_file(tmp_path / "a.gpkg")
    for name in ("a.parquet", "a.gpkg"):
        layer = read_layer(tmp_path / name, "reference", ReadOptions(id="n"))
        assert layer.ids.tolist() == list(range(50))
        assert layer.rows.tolist() == list(range(50))
        assert layer.polygons.areas == pytest.approx(0.5 * (1 + np.arange(50)))


def test_without_an_id_the_row_number_counts_skipped_rows_too(tmp_path):
    frame = gpd.GeoDataFrame(geometry=[None, box(0, 0, 1, 1)], crs="EPSG:32632")
    frame.to_parquet(tmp_path / "a.parquet")
    assert read_layer(tmp_path / "a.parquet", "reference").ids.tolist() == [1]


def test_a_layer_is_chosen_by_name_or_by_being_the_only_one_of_polygons(frame, tmp_path):
    path = tmp_path / "many.gpkg"
    frame.to_file(path, layer="buildings")
    frame.set_geometry(frame.geometry.centroid).to_file(path, layer="points")
    layer = read_layer(path, "reference")
    assert len(layer) == 4
    assert any("the only layer of polygons" in note for note in layer.notes)
    frame.to_file(path, layer="plots")
    with pytest.raises(LayerError, match=r"has 3 layers: buildings, points, plots") as caught:
        read_layer(path, "reference")
    assert "--reference-layer" in caught.value.hint
    assert len(read_layer(path, "reference", ReadOptions(layer="plots"))) == 4
    with pytest.raises(LayerError, match="has no layer 'roofs'") as caught:
        read_layer(path, "reference", ReadOptions(layer="roofs"))
    assert "buildings" in caught.value.hint


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_csv_delimiters_and_column_names(tmp_path, delimiter):
    rows = [["name", "The_Geom"], ["a", '"POLYGON ((0 0, 2 0, 2 1, 0 1, 0 0))"'], ["b", ""],
            ["c", '"POLYGON EMPTY"'], ["d", '"POLYGON ((0 0, 1"']]  # fmt: skip
    path = tmp_path / "a.csv"
    path.write_text("\n".join(delimiter.join(row) for row in rows) + "\n")
    layer = read_layer(path, "reference", ReadOptions(id="name"))
    assert layer.ids.tolist() == ["a"]
    assert layer.counts["skipped"] == {
        "empty geometry": 1, "null geometry": 1, "unreadable geometry": 1,
    }  # fmt: skip


def test_csv_column_is_found_by_content_or_named(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text('id,outline\n7,"POLYGON ((0 0, 2 0, 2 1, 0 0))"\n')
    assert len(read_layer(path, "reference")) == 1
    assert len(read_layer(path, "reference", ReadOptions(geometry="outline"))) == 1
    with pytest.raises(LayerError, match="has no column 'shape'"):
        read_layer(path, "reference", ReadOptions(geometry="shape"))
    (tmp_path / "b.csv").write_text("id,name\n1,x\n")
    with pytest.raises(LayerError, match="no column with WKT polygons; its columns: id, name"):
        read_layer(tmp_path / "b.csv", "reference")


def test_a_missing_column_names_those_there_are(frame, tmp_path):
    frame.to_parquet(tmp_path / "a.parquet")
    with pytest.raises(LayerError, match="has no column 'kye'") as caught:
        read_layer(tmp_path / "a.parquet", "reference", ReadOptions(id="kye"))
    assert "key, score" in caught.value.hint


def test_geo_metadata_of_the_file_itself_counts(frame, tmp_path):
    frame.to_parquet(tmp_path / "a.parquet")
    table = pq.read_table(tmp_path / "a.parquet")
    geo = table.schema.metadata[b"geo"].decode()
    with pq.ParquetWriter(tmp_path / "b.parquet", table.schema.remove_metadata()) as writer:
        writer.write_table(table.replace_schema_metadata(None))
        writer.add_key_value_metadata({"geo": geo})
    layer = read_layer(tmp_path / "b.parquet", "reference")
    assert (len(layer), layer.crs.to_epsg()) == (4, 32632)


def test_parquet_without_geo_metadata_reads_a_wkb_column(tmp_path):
    table = pa.table({"shape": [shapely.to_wkb(box(0, 0, 2, 1))]})
    pq.write_table(table, tmp_path / "a.parquet")
    layer = read_layer(tmp_path / "a.parquet", "reference", ReadOptions(geometry="shape"))
    assert layer.crs is None
    assert layer.polygons.areas.tolist() == [2]
    with pytest.raises(LayerError, match="has no geometry column"):
        read_layer(tmp_path / "a.parquet", "reference")


def broken_files(place):
    good = place / "good.gpkg"
    gpd.GeoDataFrame(geometry=[box(0, 0, 1, 1)] * 50, crs="EPSG:32632").to_file(good)
    data = good.read_bytes()
    (place / "truncated.gpkg").write_bytes(data[: len(data) // 3])
    frame = gpd.GeoDataFrame(geometry=[box(0, 0, 1, 1)] * 50, crs="EPSG:32632")
    frame.to_parquet(place / "good.parquet")
    data = (place / "good.parquet").read_bytes()
    (place / "truncated.parquet").write_bytes(data[:-20])
    (place / "noise.parquet").write_bytes(bytes(range(256)) * 8)
    (place / "noise.gpkg").write_bytes(bytes(range(256)) * 8)
    (place / "empty.geojson").write_bytes(b"")
    (place / "half.geojson").write_text('{"type": "FeatureCollection", "features": [{"type"')
    (place / "list.geojson").write_text("[1, 2, 3]")
    (place / "text.shp").write_text("not a shapefile")
    (place / "binary.csv").write_bytes(b"\xff\xfe\x00wkt\x00\n\x00\x81")
    (place / "folder.gpkg").mkdir()
    names = ["truncated.gpkg", "truncated.parquet", "noise.parquet", "noise.gpkg", "empty.geojson",
             "half.geojson", "list.geojson", "text.shp", "binary.csv", "folder.gpkg",
             "absent.gpkg"]  # fmt: skip
    return [place / name for name in names]


def test_files_that_are_no_layers_are_refused_by_name(tmp_path):
    for path in broken_files(tmp_path):
        with pytest.raises((ReadError, LayerError)) as caught:
            read_layer(path, "reference")
        assert path.name in caught.value.message, path
        assert caught.value.hint, path


def test_a_geojson_that_names_an_unknown_crs_is_refused(frame, tmp_path):
    path = write(frame, tmp_path, "geojson")
    text = path.read_text()
    assert "EPSG::32632" in text
    path.write_text(text.replace("EPSG::32632", "EPSG::999999"))
    with pytest.raises(CrsError, match=r"names a CRS that is not known: .*999999"):
        read_layer(path, "reference")


def test_a_parquet_file_by_another_name_is_read(frame, tmp_path):
    frame.to_parquet(tmp_path / "layer.gpkg")
    assert len(read_layer(tmp_path / "layer.gpkg", "reference")) == 4


def test_a_csv_that_is_not_utf_8_says_so(tmp_path):
    (tmp_path / "a.csv").write_bytes(
        'id,name,wkt\n1,é,"POLYGON((0 0,1 0,1 1,0 0))"\n'.encode("latin1")
    )
    with pytest.raises(ReadError, match="is not UTF-8") as caught:
        read_layer(tmp_path / "a.csv", "reference")
    assert caught.value.hint == "save it as UTF-8"


def test_no_polygon_in_the_layer_names_what_there_is(tmp_path):
    points = gpd.GeoDataFrame(geometry=gpd.points_from_xy([0, 1], [0, 1]), crs="EPSG:32632")
    points.to_file(tmp_path / "points.gpkg")
    with pytest.raises(LayerError, match=r"no polygon in .*points.gpkg: 2 not a polygon \(Point\)"):
        read_layer(tmp_path / "points.gpkg", "reference")


def test_not_finite_coordinates_go_to_the_ledger(tmp_path):
    good = box(0, 0, 1, 1)
    bad = [
        shapely.set_coordinates(box(0, 0, 1, 1), c)
        for c in (
            [[0, 0], [1, 0], [1, float("nan")], [0, 1], [0, 0]],
            [[0, 0], [float("inf"), 0], [1, 1], [0, 1], [0, 0]],
        )
    ]
    frame = gpd.GeoDataFrame({"n": [1, 2, 3]}, geometry=[good, *bad], crs="EPSG:32632")
    frame.to_parquet(tmp_path / "a.parquet")
    layer = read_layer(tmp_path / "a.parquet", "reference", ReadOptions(id="n"))
    assert layer.ids.tolist() == [1]
    assert [(e.id, e.what, e.action) for e in layer.events] == [
        (2, "not finite", "skipped"),
        (3, "not finite", "skipped"),
    ]


def test_a_polygon_of_300_000_vertices(tmp_path):
    angle = np.linspace(0, 2 * np.pi, 300_000, endpoint=False)
    radius = 1000 + np.sin(50 * angle)
    shape = Polygon(np.c_[radius * np.cos(angle), radius * np.sin(angle)])
    gpd.GeoDataFrame(geometry=[shape], crs="EPSG:32632").to_file(tmp_path / "a.gpkg")
    (tmp_path / "a.csv").write_text(f'id,wkt\n1,"{shape.wkt}"\n')
    for name in ("a.gpkg", "a.csv"):
        layer = read_layer(tmp_path / name, "reference")
        assert layer.polygons.vertex_counts.tolist() == [300_000]


def test_describe_says_what_is_in_a_file(frame, tmp_path):
    frame.loc[4] = {"key": "e", "score": 0.1, "geometry": None}
    frame.to_file(tmp_path / "a.gpkg", layer="buildings")
    (info,) = describe(tmp_path / "a.gpkg")
    assert (info.name, info.features, info.crs, info.unit) == (
        "buildings", 5, "EPSG:32632", "metre",
    )  # fmt: skip
    assert info.geometry_types["none"] == 1
    assert info.bounds == (0, 0, 30, 20)
    assert info.score_columns == ["score"]
    assert set(info.columns) == {"key", "score"}


@pytest.mark.parametrize(
    ("path", "read", "used", "invalid"),
    [
        ("data/eubucco-three-sources/region-ES630/gov.parquet", 276, 276, 0),
        ("data/momepy-bubenec/bubenec.gpkg", 144, 144, 0),
        ("data/building-regulariser-raster-footprints/test_data.gpkg", 1296, 1296, 0),
        ("data/fair-kampala-osm-labels/labels.geojson", 206, 206, 1),
        ("data/geoparquet-io-buildings/buildings_test.parquet", 42, 42, 0),
    ],
)
def test_real_files(path, read, used, invalid):
    layer = "buildings" if "bubenec" in path else None
    got = read_layer(shared(path), "reference", ReadOptions(layer=layer))
    assert (got.counts["read"], got.counts["used"], got.counts["invalid"]) == (read, used, invalid)


def test_one_giant_multipolygon_explodes():
    path = shared("data/building-regulariser-raster-footprints/test_data_multi_geom.gpkg")
    layer = read_layer(path, "reference", ReadOptions(explode=True))
    assert len(layer) == 1296
    assert layer.ids[:2].tolist() == ["0.0", "0.1"]


def test_geojson_in_a_nested_collection(tmp_path):
    nested = {
        "type": "GeometryCollection",
        "geometries": [
            {
                "type": "GeometryCollection",
                "geometries": [json.loads(shapely.to_geojson(TWO_PARTS))],
            },
            {"type": "Point", "coordinates": [0, 0]},
        ],
    }
    feature = {"type": "Feature", "properties": {}, "geometry": nested}
    (tmp_path / "a.geojson").write_text(
        json.dumps({"type": "FeatureCollection", "features": [feature]})
    )
    layer = read_layer(tmp_path / "a.geojson", "reference", ReadOptions(crs="planar"))
    assert layer.polygons.areas.tolist() == [181]
    assert layer.counts["repaired"] == {"collection: polygonal part kept": 1}
    assert isinstance(layer.polygons.to_shapely()[0], MultiPolygon)
