"""What is noticed when two files are held against each other, in words."""

from __future__ import annotations

import numpy as np
import pytest

from polygauge.errors import OptionError
from polygauge.io.coco import KINDS, CocoOptions, check_document
from tests.io.coco.conftest import SQUARE, codes, ground_truth, result, texts

ONE = {"segmentation": [SQUARE], "area": 400, "bbox": [10, 10, 20, 20]}


def test_nothing_to_say_of_good_files(read):
    coco = read(ground_truth(ONE), [result([SQUARE], bbox=[10, 10, 20, 20])])
    assert codes(coco) == {}
    assert not coco.findings.wrong
    assert len(coco.findings) == 0


def test_unknown_images_and_categories_take_no_part_but_stay(read):
    coco = read(ground_truth(ONE), [result([SQUARE], image_id=9), result([SQUARE], category_id=5)])
    assert coco.prediction.image.tolist() == [-1, 0]
    assert coco.prediction.category.tolist() == [0, -1]
    assert (
        "1 of 2 prediction annotations are of an image that the reference does not have (with "
        "image_id 9): id 1; take no part" in texts(coco)
    )
    assert "a category that the reference does not have (with category_id 5): id 2" in texts(coco)
    alone = texts(read(ground_truth(ONE), [result([SQUARE], category_id=100)]))
    assert "(with category_id 100 (each side has one category; the reference calls it 1))" in alone


def test_hints_at_counting_from_zero(read):
    truth = ground_truth(*[{**ONE, "category_id": k} for k in (1, 2)], images=2)
    truth["categories"] = [{"id": 1, "name": "house"}, {"id": 2, "name": "shed"}]
    coco = read(truth, [result([SQUARE], category_id=k, image_id=k) for k in (0, 1)])
    shift = "(all would fit +1: does the reference count from 1 and the prediction from 0?)"
    assert f"with category_id 0 {shift}" in texts(coco)
    assert f"with image_id 0 {shift}" in texts(coco)
    coco = read(truth, [result([SQUARE], category_id=k) for k in (2, 3)])
    assert "(all would fit -1: does the reference count from 0 and the prediction" in texts(coco)


def test_hints_at_names(read):
    truth = ground_truth(ONE)
    other = {
        "images": [{"id": 1, "file_name": "z.tif"}],
        "categories": [{"id": 100, "name": "building"}],
        "annotations": [result([SQUARE], category_id=100)],
    }
    coco = read(truth, other)
    assert "('building' is 100 here and 1 in the reference)" in texts(coco)
    assert "other-image-name" in codes(coco)
    assert "('z.tif' for '1.tif'): id 1; matched by id" in texts(coco)
    assert "results-with-annotations" in codes(coco)
    other["categories"] = [{"id": 1, "name": "road"}]
    assert "have another name under the same id than the reference ('road' for 'bui" in texts(
        read(truth, other)
    )
    named = read(truth, [result([SQUARE], image_id="1")])
    assert named.prediction.image.tolist() == [0]
    by_file = read(truth, [result([SQUARE], image_id="1.tif")])
    assert "(these are file names: put the images' ids in their place)" in texts(by_file)


def test_repeated_ids_keep_all(read):
    truth = ground_truth({**ONE, "id": 4}, {**ONE, "id": 4}, images=2)
    truth["images"][1]["id"] = 1
    truth["categories"].append({"id": 1, "name": "again"})
    coco = read(truth)
    assert len(coco.reference) == 2
    assert coco.reference.image.tolist() == [0, 0]
    found = codes(coco)
    assert found["repeated-id"] == found["repeated-image-id"] == found["repeated-category-id"] == 1
    assert "1 of 2 reference images have the id of an earlier one: id 1;" in texts(coco)
    assert "1 of 2 reference categories have the id of an earlier one: id 1;" in texts(coco)


def test_flags_and_ids_of_results(read):
    results = [
        result([SQUARE], id=3, iscrowd=1),
        result([SQUARE], id=3),
        result([SQUARE], ignore=1),
    ]
    coco = read(ground_truth({**ONE, "iscrowd": None}, {**ONE, "ignore": 1}), results)
    assert coco.prediction.ids.tolist() == ["3", "3", "#2"]
    found = codes(coco, "prediction")
    assert (found["repeated-result-id"], found["no-id"], found["flagged-result"]) == (1, 1, 2)
    assert "carry iscrowd or ignore, which mean nothing for predictions: ids 3, #2" in texts(coco)
    found = codes(coco, "reference")
    assert (found["no-iscrowd"], found["ignore-flag"]) == (1, 1)
    assert "have no iscrowd: pycocotools cannot score them: id 1; read as 0" in texts(coco)


def test_options_are_words():
    with pytest.raises(OptionError, match="nested cannot be 'hole'") as error:
        CocoOptions(nested="hole")
    assert error.value.hint == "choose one of: union, holes"


def test_a_reference_without_images_or_categories(read):
    coco = read({"annotations": [{**ONE, "id": 1, "image_id": 7, "category_id": "b"}]})
    assert coco.images.ids.tolist() == [7]
    assert coco.categories.ids.tolist() == ["b"]
    assert np.isnan(coco.images.widths).all()
    assert coco.reference.image.tolist() == coco.reference.category.tolist() == [0]
    assert {"no-images", "no-categories"} <= set(codes(coco))
    assert "every image_id is an image, of unknown size" in texts(coco)


def test_images_of_all_sorts(read):
    truth = ground_truth(ONE)
    truth["images"] += [{"id": 5, "gsd": 0.3, "width": "20", "height": 10.0}, {"width": -1}, 7]
    truth["images"][0] |= {"res_x": 0.25, "res_y": 0.2}
    coco = read(truth)
    assert coco.images.ids.tolist() == ["1", "5", "#2", "#3"]
    np.testing.assert_array_equal(coco.images.res_x, [0.25, 0.3, np.nan, np.nan])
    np.testing.assert_array_equal(coco.images.res_y, [0.2, 0.3, np.nan, np.nan])
    np.testing.assert_array_equal(coco.images.widths, [100, 20, np.nan, np.nan])
    assert codes(coco)["no-image-id"] == codes(coco)["no-image-size"] == 2
    assert codes(coco)["bad-image"] == 1
    assert coco.reference.image.tolist() == [0]


def test_areas_and_boxes_that_do_not_fit(read):
    coco = read(
        ground_truth(
            {**ONE, "area": 300},
            {**ONE, "bbox": [10, 10, 30, 30]},
            {**ONE, "bbox": [0, 0, 20, 20]},
            {**ONE, "segmentation": [[90, 90, 120, 90, 120, 110]], "area": 300,
             "bbox": [90, 90, 30, 20]},
        )
    )  # fmt: skip
    rows = coco.findings.rows
    assert rows("other-area").tolist() == [0]
    assert rows("corner-bbox").tolist() == [1]
    assert rows("other-bbox").tolist() == [2]
    assert rows("outside-image").tolist() == [3]


def test_coordinates_from_zero_to_one(read):
    coco = read(ground_truth({"segmentation": [[0.1, 0.1, 0.9, 0.1, 0.9, 0.9]]}))
    assert "has coordinates from 0 to 1 only" in texts(coco)


def test_what_is_no_annotation(read):
    coco = read(ground_truth(ONE), [None, 3, result([SQUARE])])
    assert len(coco.prediction) == 3
    assert codes(coco)["bad-annotation"] == 2
    assert coco.prediction.image.tolist() == [-1, -1, 0]
    listed = read({**ground_truth(ONE), "annotations": {"a": 1}})
    assert "has a key that should hold a list (annotations); read as empty" in texts(listed)


def test_findings_are_a_flat_table_with_names(read):
    coco = read(ground_truth(*[{**ONE, "segmentation": SQUARE}] * 7))
    findings = coco.findings
    assert len(findings) == 7
    assert findings.ids.tolist() == [str(k) for k in range(1, 8)]
    assert findings.names.tolist() == ["1.tif"] * 7
    (group,) = findings.groups()
    assert group.ids == ("1", "2", "3", "4", "5")
    assert "ids 1, 2, 3, 4, 5, ...; read as one ring" in group.text
    document = check_document(coco, "gt.json")
    assert document["findings"][0]["count"] == document["findings"][0]["of"] == 7
    assert document["totals"] == {"error": 0, "warning": 7, "note": 0}


def test_codes_are_unique_and_words_are_whole():
    assert len({kind.code for kind in KINDS}) == len(KINDS)
    for kind in KINDS:
        assert kind.what[0].islower()
        assert not kind.what.endswith((".", " "))
        assert kind.subject != "file" or kind.what.split()[0] in (
            "holds", "has", "is", "writes", "gives",
        )  # fmt: skip
