"""Two layers in one frame: coordinates in metres, and what is judged."""

from __future__ import annotations

import geopandas as gpd
import numpy as np
import pytest
from shapely import box

from polygauge.errors import CrsError, LayerError, OptionError
from polygauge.io import FrameOptions, ReadOptions, common_frame, layer_from_frame
from polygauge.tables import Judged
from tests.shared import shared

SQUARES = [box(x, 0, x + 10, 10) for x in (0, 20, 40)]
METRES = gpd.GeoSeries(SQUARES, crs="EPSG:32632").translate(500_000, 5_300_000)


def layer(series, side="reference", **options):
    return layer_from_frame(series, side, ReadOptions(**options))


def frame(a, b, **options):
    a = a if not isinstance(a, gpd.GeoSeries | gpd.GeoDataFrame) else layer(a)
    b = b if not isinstance(b, gpd.GeoSeries | gpd.GeoDataFrame) else layer(b, "prediction")
    return common_frame(a, b, FrameOptions(**options))


def in_feet(series):
    # 2263: New York Long Island, US survey feet.
    return gpd.GeoSeries(SQUARES, crs="EPSG:32618").translate(583_000, 4_507_000).to_crs(2263)


def test_the_reference_system_is_kept_where_it_is_metric():
    got = frame(METRES, METRES.to_crs(4326))
    assert "EPSG:32632" in got.policies["coordinates"]
    np.testing.assert_allclose(got.prediction.polygons.areas, 100, rtol=1e-6)
    assert any("prediction: EPSG:4326 -> EPSG:32632" in note for note in got.notes)
    assert got.reference.unit == "metre"


def test_the_prediction_system_where_only_that_is_metric():
    got = frame(METRES.to_crs(4326), METRES)
    assert "EPSG:32632, as the prediction" in got.policies["coordinates"]


@pytest.mark.parametrize("crs", ["EPSG:4326", "EPSG:3857", "EPSG:6933", "EPSG:4979"])
def test_degrees_mercator_and_the_like_become_local_metres(crs):
    given = METRES.to_crs("EPSG:4326" if crs == "EPSG:4979" else crs)
    if crs == "EPSG:4979":
        given = given.set_crs(crs, allow_override=True)
    got = frame(given, given)
    assert "local transverse Mercator at 9" in got.policies["coordinates"]
    # UTM is 0.9996 true to scale here, the local frame is true.
    np.testing.assert_allclose(got.reference.polygons.areas, 100 / 0.9996**2, rtol=1e-4)


def test_feet_become_metres():
    given = in_feet(METRES)
    got = frame(given, given)
    assert any("foot" in text for text in (*got.notes, *got.warnings))
    np.testing.assert_allclose(got.reference.polygons.areas, 100, rtol=2e-3)


def test_a_crs_of_choice():
    got = frame(METRES.to_crs(4326), METRES.to_crs(4326), crs="EPSG:25832")
    assert "EPSG:25832, as given" in got.policies["coordinates"]
    for crs in ("EPSG:4326", "EPSG:2263"):
        with pytest.raises(CrsError, match=f"cannot measure in {crs}"):
            frame(METRES, METRES, crs=crs)
    with pytest.raises(CrsError, match="there is no CRS 'EPSG:99999999'"):
        frame(METRES, METRES, crs="EPSG:99999999")
    warned = frame(METRES, METRES, crs="EPSG:3857")
    assert any("because --crs says so" in w for w in warned.warnings)


def test_one_side_without_a_system_is_taken_for_the_other_with_a_warning():
    bare = gpd.GeoSeries(METRES.to_numpy())
    got = frame(METRES, bare)
    assert any("has no CRS; taken to be in EPSG:32632" in w for w in got.warnings)
    assert len(got.warnings) == 1


def test_no_system_at_all_is_planar_units():
    bare = gpd.GeoSeries(SQUARES)
    got = frame(bare, bare)
    assert got.reference.unit == "unit"
    assert got.reference.crs is None
    with pytest.raises(CrsError, match="no CRS to bring to EPSG:25832"):
        frame(bare, bare, crs="EPSG:25832")


def test_planar_on_one_side_only_is_refused():
    with pytest.raises(CrsError, match="prediction is planar but the other side"):
        frame(layer(METRES), layer(METRES, "prediction", crs="planar"))


def test_too_wide_is_refused_with_advice_and_an_aoi_helps():
    far = gpd.GeoSeries([box(5, 50, 5.001, 50.001), box(12, 50, 12.001, 50.001)], crs=4326)
    with pytest.raises(CrsError, match="km east and west of their middle") as caught:
        frame(far, far)
    assert "--aoi" in caught.value.hint
    got = frame(far, far, aoi=box(4.9, 49.9, 5.1, 50.1))
    assert len(got.reference) == 1


def test_layers_across_the_antimeridian_are_refused_by_name():
    split = gpd.GeoSeries([box(-179.999, 1, -179.998, 1.001), box(179.998, 1, 179.999, 1.001)])
    with pytest.raises(CrsError, match="across the antimeridian"):
        frame(split.set_crs(4326), split.set_crs(4326))
    whole = gpd.GeoSeries([box(179.999, 10, 180.001, 10.001)], crs=4326)
    assert frame(whole, whole).reference.polygons.areas[0] == pytest.approx(24_270, rel=1e-2)


def test_a_missing_tile_is_warned_of():
    frames = gpd.GeoDataFrame({"image": ["x", None]}, geometry=SQUARES[:2])
    got = common_frame(layer(frames, tile="image"), layer(frames, "prediction", tile="image"))
    assert got.reference.tile_names == ("(none)", "x")
    assert any("1 references have no 'image'" in w for w in got.warnings)


def test_a_tall_layer_is_not_too_wide():
    tall = gpd.GeoSeries([box(9, 45, 9.001, 45.001), box(9, 55, 9.001, 55.001)], crs=4326)
    assert len(frame(tall, tall).reference) == 2


def test_degrees_out_of_range_are_refused():
    wrong = METRES.set_crs(4326, allow_override=True)
    with pytest.raises(CrsError, match="looks projected") as caught:
        layer(wrong)
    assert "--reference-crs" in caught.value.hint


def test_disjoint_layers_print_both_boxes_and_are_no_error():
    got = frame(METRES, METRES.translate(1000, 0))
    (warning,) = got.warnings
    assert "500000..500050" in warning
    assert "501000..501050" in warning


def test_swapped_axes_of_projected_layers():
    swapped = METRES.apply(lambda g: type(g)([(y, x) for x, y in g.exterior.coords]))
    got = frame(METRES, gpd.GeoSeries(swapped, crs="EPSG:32632"))
    assert any("swapping x and y of the prediction" in w for w in got.warnings)


def test_a_feature_that_cannot_be_reprojected_goes_to_the_ledger():
    # The second square lies where transverse Mercator has no inverse.
    wild = gpd.GeoSeries([METRES[0], box(1e13, 0, 1.1e13, 1e12)], crs="EPSG:32632")
    got = frame(METRES.to_crs(4326), layer(wild, "prediction"), crs="EPSG:25832")
    assert len(got.prediction) == 1
    assert "not finite after reprojection" in got.ledger.what.tolist()


def test_the_area_of_interest_by_half_and_whole():
    # 60 % of the second square is inside, 0 % of the third.
    aoi = box(500_000 - 1, 5_300_000 - 1, 500_026, 5_300_011)
    got = frame(METRES, METRES, aoi=aoi)
    assert got.reference.judged.tolist() == [Judged.YES, Judged.YES]
    assert got.counts["reference"]["outside_aoi"] == 1
    got = frame(METRES, METRES, aoi=aoi, edge_objects="ignore")
    assert got.reference.judged.tolist() == [Judged.YES, Judged.CUT_BY_AOI]
    assert "set aside" in got.ledger.action.tolist()


def test_regions_come_from_files_in_any_system(tmp_path):
    region = gpd.GeoSeries([box(500_000, 5_300_000, 500_012, 5_300_012)], crs="EPSG:32632")
    region.to_crs(4326).to_file(tmp_path / "region.geojson")
    got = frame(METRES, METRES, ignore=tmp_path / "region.geojson")
    assert got.reference.judged.tolist() == [Judged.IN_IGNORE_REGION, Judged.YES, Judged.YES]
    assert got.counts["reference"]["set_aside"] == {"at least half inside an ignore region": 1}


def test_a_region_that_is_none_is_refused():
    points = gpd.GeoSeries(gpd.points_from_xy([0], [0]), crs="EPSG:32632")
    with pytest.raises(LayerError, match=r"the area of interest, .*row 0 is not a polygon"):
        frame(METRES, METRES, aoi=points)
    with pytest.raises(OptionError, match="the ignore region is a int"):
        frame(METRES, METRES, ignore=3)


def test_minimum_area_sets_aside():
    shapes = gpd.GeoSeries([box(0, 0, 3, 3), box(20, 0, 30, 10)])
    got = frame(shapes, shapes, min_area=9.5)
    assert got.reference.judged.tolist() == [Judged.BELOW_MIN_AREA, Judged.YES]
    assert frame(shapes, shapes, min_area=9.0).reference.counts.all()


def test_tiles_share_their_names():
    a = gpd.GeoDataFrame({"image": ["x", "y"]}, geometry=SQUARES[:2])
    b = gpd.GeoDataFrame({"image": ["y", "z"]}, geometry=SQUARES[:2])
    got = common_frame(layer(a, tile="image"), layer(b, "prediction", tile="image"))
    assert got.reference.tile_names == ("x", "y", "z")
    assert got.reference.tiles.tolist() == [0, 1]
    assert got.prediction.tiles.tolist() == [1, 2]


def test_scores_must_be_numbers():
    b = gpd.GeoDataFrame({"conf": ["high", "low"]}, geometry=SQUARES[:2])
    with pytest.raises(LayerError, match=r"'conf'.*holds no numbers"):
        common_frame(layer(gpd.GeoSeries(SQUARES)), layer(b, "prediction", score="conf"))


def test_a_mis_declared_real_file_is_refused():
    path = shared("data/solaris-spacenet/geotiff_custom_proj_labels.geojson")
    from polygauge.io import read_layer

    with pytest.raises(CrsError, match="looks projected"):
        read_layer(path, "reference")


def test_bubenec_in_web_mercator_has_ground_areas():
    path = shared("data/momepy-bubenec/bubenec.gpkg")
    raw = gpd.read_file(path, layer="buildings")
    got = frame(raw, raw)
    ratio = raw.area.sum() / got.reference.polygons.areas.sum()
    assert ratio == pytest.approx(1 / np.cos(np.radians(50.1)) ** 2, rel=0.01)
