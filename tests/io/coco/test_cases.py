"""The shared cases and edge cases, as far as reading goes."""

from __future__ import annotations

import json

import numpy as np
import pytest
import shapely

from polygauge.errors import LayerError
from polygauge.io.coco import CocoOptions, read_coco
from tests.io.coco.conftest import codes, texts
from tests.shared import case, shared


def read_case(number: int, prediction: str | None = "pred.json", gt: str = "gt.json", **options):
    folder = case(number)
    paths = [folder / gt] + ([folder / prediction] if prediction else [])
    return read_coco(*paths, options=CocoOptions(**options))


def test_01_ids_from_zero():
    coco = read_case(1)
    assert coco.reference.ids.tolist() == [0, 1, 2]
    assert coco.reference.image.tolist() == coco.prediction.image.tolist() == [0, 0, 0]
    assert coco.reference.category.tolist() == [0, 0, 0]
    np.testing.assert_allclose(coco.prediction.scores, [0.9, 0.8, 0.7])
    assert codes(coco) == {"id-zero": 1}
    assert not coco.findings.wrong
    assert "have the id 0: pycocotools would count it as unmatched: id 0" in texts(coco)


def test_02_flat_lists_are_rings():
    coco = read_case(2)
    for side in coco.sides:
        np.testing.assert_allclose(side.polygons.areas, [600, 600])
    assert codes(coco, "reference") == codes(coco, "prediction") == {"flat-list": 2}
    assert "2 of 2 reference annotations have a segmentation that is one flat list" in texts(coco)
    assert "2 of 2 prediction annotations have a segmentation that is one flat list" in texts(coco)


def test_03_no_usable_polygon():
    coco = read_case(3)
    np.testing.assert_allclose(coco.reference.polygons.areas, [600, 0, 0, 0])
    assert coco.reference.has_polygon.tolist() == [True, False, False, False]
    assert (
        "3 of 4 reference annotations have no usable polygon (1 with an empty segmentation; 1 "
        "without a segmentation; 1 with 4 numbers, a box): ids 2, 3, 4;" in texts(coco)
    )


def test_03_boxes_as_polygons():
    coco = read_case(3, boxes="polygon")
    first, second = (side.polygons.to_shapely() for side in coco.sides)
    iou = shapely.area(shapely.intersection(first, second)) / shapely.area(
        shapely.union(first, second)
    )
    np.testing.assert_allclose(iou, [1, 1, 600 / 900, 1])
    assert codes(coco) == {"box-as-polygon": 3}


@pytest.mark.parametrize(("nested", "area"), [("union", 90_000), ("holes", 80_000)])
def test_04_courtyard_as_second_ring(nested, area):
    coco = read_case(4, "pred_donut_rle.json", nested=nested)
    assert coco.reference.polygons.areas.tolist() == [area]
    assert coco.prediction.masks.areas.tolist() == [80_000]
    assert coco.reference.rings.point_counts.tolist() == [8]
    if nested == "union":
        assert "have a ring inside another (with a stored area that leaves the hole out)" in texts(
            coco
        )
        assert "united, so that no hole is left (COCO)" in texts(coco)
    else:
        assert "nested-ring" not in codes(coco)


def test_05_a_bridge_is_read_as_a_hole(tmp_path):
    folder = case(5)
    gt = {
        "images": [{"id": 1, "width": 20, "height": 20}],
        "categories": [{"id": 1}],
        "annotations": [],
    }
    (tmp_path / "gt.json").write_text(json.dumps(gt))
    coco = read_coco(tmp_path / "gt.json", folder / "pred_coco.json")
    polygons = coco.prediction.polygons
    assert polygons.areas.tolist() == [84]
    assert polygons.lengths.tolist() == [56]
    assert polygons.vertex_counts.tolist() == [8]
    assert coco.prediction.rings.point_counts.tolist() == [10]
    assert "1 of 1 prediction annotations use a bridge to a hole" in texts(coco)


def test_20_150_buildings_are_all_kept():
    coco = read_case(20)
    assert len(coco.reference) == len(coco.prediction) == 150
    assert codes(coco) == {"beyond-100": 1}
    assert "leaving 50 out" in texts(coco)


def test_21_crowd_region():
    coco = read_case(21)
    assert coco.reference.is_crowd.tolist() == [False, False, True]
    assert coco.reference.masks.rows.tolist() == [2]
    assert coco.reference.masks.areas.tolist() == [2500]
    assert codes(coco) == {"crowd": 1}


def test_22_polygons_against_masks():
    folder = case(22)
    coco = read_coco(folder / "gt_polygon.json", folder / "pred_rle.json")
    assert coco.reference.polygons.areas.tolist() == [81]
    assert coco.prediction.masks.areas.tolist() == [100]
    assert "pixel centres" in texts(coco)
    edges = read_coco(folder / "gt_polygon.json", folder / "pred_polygon_edges.json")
    assert edges.prediction.polygons.areas.tolist() == [100]
    assert codes(edges) == {}


def test_23_empty_images_and_no_predictions():
    coco = read_case(23)
    assert coco.images.ids.tolist() == [1, 2, 3, 4]
    assert coco.findings.rows("image-without-annotations").tolist() == [1, 3]
    assert coco.findings.rows("image-without-predictions").tolist() == [2]
    assert not coco.findings.wrong
    none = read_case(23, "pred_none.json")
    assert len(none.prediction) == 0
    assert len(none.prediction.polygons) == 0
    assert "the prediction file holds no predictions" in texts(none)


# What is found beside equal scores and images without partners, by edge case.
EXPECTED = {
    "E01": {"no-predictions"},
    "E10": {"other-area", "other-bbox"},
    "E12": {"no-bbox"},
    "E13": {"no-polygon"},
    "E14": {"no-polygon"},
    "E15": {"invalid-ring"},
    "E17": {"no-polygon"},
    "E21": {"bridge"},
    "E27": {"id-zero", "bridge"},
    "E28": {"bridge", "masks-and-polygons"},
    "E29": {"bridge"},
}
_USUAL = {"equal-scores", "image-without-annotations", "image-without-predictions"}


def _edge_inputs() -> dict[str, tuple[dict, list]]:
    """Ground truth and results of every edge case that has some."""
    from pycocotools import mask

    cases = json.loads(shared("vectors/edge_cases_public.json").read_text())["cases"]
    truth = json.loads(shared("vectors/tiles_public_gt.json").read_text())
    results = json.loads(shared("vectors/tiles_public_dt.json").read_text())
    shifted = {**truth, "annotations": [{**a, "id": a["id"] - 1} for a in truth["annotations"]]}
    encoded = []
    for item in results:
        rle = mask.merge(mask.frPyObjects(item["segmentation"], 224, 224))
        encoded.append({**item, "segmentation": {**rle, "counts": rle["counts"].decode()}})
    found = {"E27": (shifted, results), "E28": (truth, encoded), "E29": (truth, results)}
    for item in cases:
        if isinstance(item["input"], dict) and isinstance(item["input"]["gt"], dict):
            found[item["id"]] = item["input"]["gt"], item["input"]["results"]
    rings = next(item["input"] for item in cases if item["id"] == "E47")
    found["E47"] = _of_rings(rings["gt"], rings["pred"])
    square = [10, 10, 30, 10, 30, 30, 10, 30]
    stitched = [0, 0, 9, 0, 9, 9, 0, 9, 0, 0, 3, 3, 3, 6, 6, 6, 6, 3, 3, 3, 0, 0]
    # The others are described in words.
    found["E37"] = _of_rings([[]], [square])
    found["E38"] = _of_rings([square], [[*square[:4], float("nan"), *square[5:]]])
    found["E39"] = _of_rings([square], [[10, 10, 30, 30, 30, 10, 10, 30]])
    found["E40"] = _of_rings([[100, 100, 120, 100, 120, 120, 100, 120]], [square])
    found["E41"] = _of_rings([], [])
    found["E44"] = _of_rings([stitched], [stitched])
    found["E46"] = _of_rings([square], [[10, 10, 30, 10, 30, 20, 10, 20]])
    return found


def _of_rings(truth: list, results: list) -> tuple[dict, list]:
    common = {"image_id": 0, "category_id": 1}
    return (
        {
            "images": [{"id": 0, "width": 224, "height": 224}],
            "categories": [{"id": 1}],
            "annotations": [
                {"id": k, **common, "segmentation": [ring]} for k, ring in enumerate(truth)
            ],
        },
        [{**common, "score": 1 - k / 10, "segmentation": [r]} for k, r in enumerate(results)],
    )


def test_every_edge_case_is_read(tmp_path):
    inputs = _edge_inputs()
    # The other five (E30, E31, E33 to E35) are about single masks and library versions.
    assert len(inputs) == 28
    for name, (truth, results) in inputs.items():
        for file, document in (("gt.json", truth), ("dt.json", results)):
            (tmp_path / file).write_text(json.dumps(document))
        coco = read_coco(tmp_path / "gt.json", tmp_path / "dt.json")
        assert len(coco.reference) == len(truth["annotations"])
        assert len(coco.prediction) == len(results)
        assert len(coco.reference.polygons) == len(coco.reference)
        if isinstance(truth.get("info"), dict):
            assert set(codes(coco)) - _USUAL == EXPECTED.get(name, set()), name


def test_edge_cases_words(tmp_path):
    inputs = _edge_inputs()
    words = {
        "E14": "have no usable polygon (with 4 numbers, a box): id 1",
        "E17": "have no usable polygon (with no area): id 1",
        "E37": "have no usable polygon (with fewer than 3 points): id 0",
        "E38": "have no usable polygon (with a coordinate that is not finite): id 1",
        "E39": "have an invalid ring (self-intersection): id 1; repaired",
        "E41": "the reference file has no annotations",
    }
    for name, sentence in words.items():
        for file, document in zip(("gt.json", "dt.json"), inputs[name], strict=True):
            (tmp_path / file).write_text(json.dumps(document))
        assert sentence in texts(read_coco(tmp_path / "gt.json", tmp_path / "dt.json")), name


REAL = (
    "coco-val2014-100/instances_val2014_100.json",
    "coco-val2014-100/gt_ignore_test.json",
    "solaris-spacenet/coco_sample_1.json",
    "solaris-spacenet/coco_sample_2.json",
    "solaris-spacenet/coco_sample_3.json",
    "refcoco-sample/instances.json",
)


@pytest.mark.parametrize("name", REAL)
def test_real_files_equal_a_plain_reading(name):
    from pycocotools import mask

    path = shared(f"data/{name}")
    plain = json.loads(path.read_text())["annotations"]
    side = read_coco(path).reference
    assert side.ids.tolist() == [annotation["id"] for annotation in plain]
    np.testing.assert_array_equal(side.areas, [annotation["area"] for annotation in plain])
    np.testing.assert_array_equal(side.boxes, [annotation["bbox"] for annotation in plain])
    polygons = side.polygons.to_shapely()
    assert shapely.is_valid(polygons).all()
    masks = dict(zip(side.masks.rows.tolist(), side.masks.areas.tolist(), strict=True))
    for row, annotation in enumerate(plain):
        segmentation = annotation.get("segmentation")
        if isinstance(segmentation, dict):
            packed = mask.frPyObjects(segmentation, *segmentation["size"])
            assert masks[row] == mask.area(packed)
        elif segmentation:
            rings = segmentation if isinstance(segmentation[0], list) else [segmentation]
            first, last = side.rings.annotation_offsets[row : row + 2]
            stored = side.rings.coordinates[
                side.rings.ring_offsets[first] : side.rings.ring_offsets[last]
            ]
            assert stored.ravel().tolist() == [value for ring in rings for value in ring]
            shapes = [shapely.make_valid(shapely.Polygon(np.reshape(r, (-1, 2)))) for r in rings]
            assert polygons[row].area == pytest.approx(shapely.union_all(shapes).area)


def test_real_results():
    folder = shared("data/coco-val2014-100")
    truth = folder / "instances_val2014_100.json"
    masks = read_coco(truth, folder / "instances_val2014_fakesegm100_results.json")
    assert len(masks.prediction.masks) == len(masks.prediction) == 734
    boxes = read_coco(truth, folder / "instances_val2014_fakebbox100_results.json")
    assert "734 of 734 prediction annotations have no usable polygon" in texts(boxes)
    odd = read_coco(folder / "gt_ignore_test.json", folder / "dt_ignore_test.json")
    assert (odd.prediction.image == 0).all()
    assert "7 and '7' are the same" in texts(odd)


def test_p3_tiles_have_their_courtyards():
    truth = json.loads(shared("vectors/tiles_public_gt.json").read_text())["annotations"]
    coco = read_coco(shared("vectors/tiles_public_gt.json"), shared("vectors/tiles_public_dt.json"))
    stitched = [row for row, annotation in enumerate(truth) if annotation["hashole"]]
    assert coco.findings.rows("bridge").tolist() == stitched
    np.testing.assert_allclose(
        coco.reference.polygons.areas, [annotation["area"] for annotation in truth], atol=1e-3
    )
    holes = np.diff(coco.reference.polygons.feature_rings) - 1
    assert np.flatnonzero(holes).tolist() == stitched
    assert (coco.images.res_x == 0.25).all()
    assert not coco.findings.wrong


def test_results_as_ground_truth_are_refused():
    with pytest.raises(LayerError, match="is a list of results, not a COCO ground truth") as error:
        read_coco(case(1) / "pred.json")
    assert error.value.hint == "give the ground truth first, then the predictions"
