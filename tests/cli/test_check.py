"""The verb `check`."""

from __future__ import annotations

import json

import pytest

from tests.shared import case

SQUARE = [[10, 10, 30, 10, 30, 30, 10, 30]]


@pytest.fixture
def files(tmp_path):
    """A ground truth and results of one square each; the results lack an id of their own."""
    truth = {
        "images": [{"id": 1, "file_name": "a.tif", "width": 50, "height": 50}],
        "categories": [{"id": 1, "name": "building"}],
        "annotations": [
            {"id": 1, "image_id": 1, "category_id": 1, "iscrowd": 0, "area": 400,
             "bbox": [10, 10, 20, 20], "segmentation": SQUARE}
        ],
    }  # fmt: skip
    results = [
        {"image_id": 1, "category_id": 1, "score": 0.5, "bbox": [10, 10, 20, 20],
         "segmentation": SQUARE}
    ]  # fmt: skip
    paths = tmp_path / "gt.json", tmp_path / "dt.json"
    for path, document in zip(paths, (truth, results), strict=True):
        path.write_text(json.dumps(document))
    return paths


def test_nothing_wrong_is_0(command, files):
    done = command("check", *files)
    assert done.status == 0, done.err
    assert "images 1, categories 1, annotations 1 (1 polygon)" in done.out
    assert "nothing is wrong: 0 errors, 0 warnings, 0 notes" in done.out
    assert command("check", files[0]).status == 0


def test_something_wrong_is_1(command, files):
    done = command("check", files[0], case(2) / "pred.json", "-q")
    assert done.status == 1
    assert ["flat-list", "warning", "prediction", "2", "2"] in map(str.split, done.out.splitlines())
    assert (
        "warning: 2 of 2 prediction annotations have a segmentation that is one flat list, not a "
        "list of rings: ids 1, 2; read as one ring" in done.out
    )
    assert "note:" not in done.out
    assert "something is wrong: 0 errors, 3 warnings, " in done.out


def test_could_not_read_is_2(command, files, tmp_path):
    (tmp_path / "cut.json").write_bytes(files[0].read_bytes()[:-30])
    done = command("check", tmp_path / "cut.json")
    assert done.status == 2
    assert "cut.json is cut short" in done.err
    assert "\n\nhint: " in done.err
    assert command("check", tmp_path / "none.json").status == 2
    swapped = command("check", files[1], files[0])
    assert swapped.status == 2
    assert "is a list of results, not a COCO ground truth" in swapped.err


def test_json_is_one_document(command):
    folder = case(3)
    done = command("check", folder / "gt.json", folder / "pred.json", "--json")
    assert done.status == 1
    document = json.loads(done.out)
    assert document["schema"] == "polygauge.check/1"
    assert document["counts"]["reference"]["segmentations"] == {
        "none": 0, "box": 3, "mask": 0, "polygon": 1,
    }  # fmt: skip
    (finding,) = document["findings"]
    assert (finding["code"], finding["count"], finding["of"]) == ("no-polygon", 3, 4)
    assert finding["ids"] == ["2", "3", "4"]
    assert finding["names"] == ["tile_1.png"] * 3


def test_options_reach_the_reading(command):
    holes = command("check", case(4) / "gt.json", "--nested-rings", "holes")
    assert holes.status == 0
    assert "read as a hole (--nested-rings holes)" in holes.out
    boxes = command("check", case(3) / "gt.json", "--boxes", "polygon")
    assert "their bbox is taken as one" in boxes.out


def test_nothing_is_printed_as_a_traceback(process, files, tmp_path):
    (tmp_path / "list.json").write_text("[1, 2")
    done = process("check", files[0], tmp_path / "list.json")
    assert done.status == 2
    assert "Traceback" not in done.err
