"""The many ways in which people write the same thing, and what is none."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from polygauge.io.coco import read_coco
from polygauge.io.coco._columns import IdColumn, find_ids, plain_id
from tests.io.coco.conftest import SQUARE, codes, ground_truth, result, texts

PAIRS = [[10, 10], [30, 10], [30, 30], [10, 30]]


@pytest.mark.parametrize(
    ("segmentation", "code"),
    [
        ([SQUARE], None),
        ([[float(x) for x in SQUARE]], None),
        (SQUARE, "flat-list"),
        (PAIRS, "pair-list"),
        ([PAIRS], "pair-list"),
        ([[PAIRS]], "pair-list"),
        ([[SQUARE]], "deep-list"),
        ([[str(x) for x in SQUARE]], "text-coordinates"),
        ([*SQUARE[:-1], "30"], "flat-list"),
        ([[*SQUARE, 7]], "odd-coordinates"),
        ([SQUARE, []], "ring-left-out"),
    ],
)
def test_ways_to_write_a_square(read, segmentation, code):
    coco = read(ground_truth({"segmentation": segmentation}))
    assert coco.reference.polygons.areas.tolist() == [400]
    found = set(codes(coco)) - {"no-area", "no-bbox", "text-coordinates"}
    assert found == ({code} if code not in (None, "text-coordinates") else set())
    assert (code == "text-coordinates" or "30" in segmentation) == (
        "text-coordinates" in codes(coco)
    )


@pytest.mark.parametrize(
    ("segmentation", "why"),
    [
        (None, "without a segmentation"),
        ([], "with an empty segmentation"),
        ([[]], "with fewer than 3 points"),
        ("[[1, 2, 3, 4, 5, 6]]", "with a segmentation that is no list or object"),
        (7, "with a segmentation that is no list or object"),
        (True, "with a segmentation that is no list or object"),
        ([[1, 2, 3, 4]], "with 4 numbers, a box"),
        ([[1, 2, 3, 4, 1, 2]], "with fewer than 3 points"),
        ([[1, 1, 2, 2, 3, 3]], "with no area"),
        ([[1, 2, None, 4, 5, 6]], "with the coordinate null"),
        ([[1, 2, "x", 4, 5, 6]], "with the coordinate 'x'"),
        ([1, 2, 10**400, 4, 5, 6], "with a coordinate that is too large"),
        ([1, [2, 3]], "with numbers and lists side by side"),
        ([[1, 2, 3, 4, 5, {}]], "with the coordinate {}"),
        ([[[[[[[[[[[1, 2, 3]]]]]]]]]]], "with lists nested too deeply"),
    ],
)
def test_what_is_no_polygon_says_why(read, segmentation, why):
    coco = read(ground_truth({"segmentation": segmentation}, {"segmentation": [SQUARE]}))
    assert coco.reference.polygons.areas.tolist() == [0, 400]
    assert f"1 of 2 reference annotations have no usable polygon ({why}): id 1" in texts(coco)


@pytest.mark.parametrize(
    ("mask", "why"),
    [
        ({}, "no size"),
        ({"size": [2, 2]}, "no counts"),
        ({"size": [2], "counts": [4]}, "no size"),
        ({"size": [2, 2], "counts": [1, 2]}, "counts that do not add up to the size"),
        ({"size": [2, 2], "counts": [5, -1]}, "counts that cannot be decoded"),
        ({"size": [2, 2], "counts": [1.5, 2.5]}, "counts that cannot be decoded"),
        ({"size": [2, 2], "counts": "\u00e4"}, "counts that cannot be decoded"),
        ({"size": [2, 2], "counts": "P"}, "counts that cannot be decoded"),
        ({"size": [2, 2], "counts": "1"}, "counts that do not add up to the size"),
        ({"size": [2, 2], "counts": 3}, "counts that cannot be decoded"),
    ],
)
def test_what_is_no_mask_says_why(read, mask, why):
    coco = read(ground_truth({"segmentation": mask}))
    assert f"have a mask (RLE) that cannot be decoded (with {why}): id 1" in texts(coco)
    assert len(coco.reference.masks) == 0


@given(st.integers(1, 12), st.integers(1, 12), st.integers(0, 2**31))
@settings(deadline=None)
def test_masks_equal_pycocotools(height, width, seed):
    import json
    from tempfile import TemporaryDirectory

    from pycocotools import mask

    rng = np.random.default_rng(seed)
    pixels = np.asfortranarray(rng.random((height, width)) < rng.random(), dtype=np.uint8)
    packed = mask.encode(pixels)
    runs = np.diff(np.flatnonzero(np.diff(pixels.ravel("F"), prepend=0, append=2)), prepend=0)
    forms = [packed["counts"].decode(), runs.tolist(), [str(n) for n in runs.tolist()]]
    with TemporaryDirectory() as folder:
        with open(f"{folder}/gt.json", "w", encoding="utf-8") as file:
            json.dump(
                ground_truth(
                    *({"segmentation": {"size": [height, width], "counts": c}} for c in forms)
                ),
                file,
            )
        masks = read_coco(f"{folder}/gt.json").reference.masks
    assert len(masks) == 3
    for k in range(3):
        counts = masks.counts[masks.offsets[k] : masks.offsets[k + 1]]
        values = np.repeat(np.arange(len(counts)) % 2, counts)
        np.testing.assert_array_equal(values.reshape((height, width), order="F"), pixels)
        assert masks.areas[k] == pixels.sum()


def test_a_mask_of_another_size_is_named(read):
    coco = read(ground_truth({"segmentation": {"size": [2, 2], "counts": [4]}}))
    assert "have a mask (RLE) of another size than their image: id 1; kept as stored" in texts(coco)


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (7, 7), (7.0, 7), ("7", 7), ("-7", -7), ("007", "007"), ("7.0", "7.0"), (7.5, "7.5"),
        ("tile", "tile"), (2**70, str(2**70)), (None, None), (True, None), ([1], None),
        (float("nan"), None), ("", ""), ("٣", "٣"),
    ],
)  # fmt: skip
def test_identifiers_have_one_form(value, plain):
    assert plain_id(value) == plain
    assert type(plain_id(value)) is type(plain)


def test_identifiers_of_every_kind_meet(read):
    for images, used in (
        ([0, 1], [0.0, "1"]),
        (["a", "b"], ["a", "b"]),
        (["1", "x"], [1, "x"]),
        ([2**70, 5], [str(2**70), 5]),
        ([1.5, -3], [1.5, -3]),
    ):
        document = ground_truth(images=2)
        for image, value in zip(document["images"], images, strict=True):
            image["id"] = value
        document["annotations"] = [
            {"id": k, "image_id": value, "category_id": 1, "segmentation": [SQUARE]}
            for k, value in enumerate(used)
        ]
        assert read(document).reference.image.tolist() == [0, 1]


@given(st.lists(st.sampled_from([0, 1, "1", 2.0, "x", None, "#1"]), max_size=6),
       st.lists(st.sampled_from([0, 1, "1", 2, "x", "y"]), max_size=6))  # fmt: skip
def test_finding_ids_equals_a_plain_search(ids, wanted):
    columns = IdColumn(), IdColumn()
    for column, values in zip(columns, (ids, wanted), strict=True):
        column.extend(values)
    (known, missing), (asked, _) = columns[0].finish(), columns[1].finish()
    plain = [plain_id(value) for value in ids]
    for row, value in zip(find_ids(known, asked).tolist(), wanted, strict=True):
        first = next((k for k, p in enumerate(plain) if p == plain_id(value)), -1)
        assert row == first or (row >= 0 and missing[row])


def test_fields_that_are_missing_or_written_as_text(read):
    coco = read(
        ground_truth(
            {"segmentation": [SQUARE], "area": "400", "bbox": ["10", "10", "20", "20"]},
            {"segmentation": [SQUARE], "area": [], "bbox": [1, 2], "iscrowd": "yes"},
            {"segmentation": [SQUARE], "iscrowd": True, "ignore": 0},
            {"segmentation": [SQUARE], "ignore": 1},
        ),
        [result([SQUARE], score="0.25"), result([SQUARE], score=None), result([SQUARE], score=[])],
    )
    reference, prediction = coco.sides
    np.testing.assert_array_equal(reference.areas, [400, np.nan, np.nan, np.nan])
    assert reference.boxes[0].tolist() == [10, 10, 20, 20]
    assert np.isnan(reference.boxes[1:]).all()
    assert reference.is_crowd.tolist() == [False, False, True, False]
    assert reference.is_ignored.tolist() == [False, False, False, True]
    np.testing.assert_array_equal(prediction.scores, [0.25, np.nan, np.nan])
    found = codes(coco, "reference")
    assert (found["text-number"], found["bad-bbox"], found["bad-number"]) == (2, 1, 2)
    found = codes(coco, "prediction")
    assert (found["text-number"], found["no-score"], found["bad-score"]) == (1, 2, 1)


values = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 2**70) | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(
        st.sampled_from(["size", "counts", "id"]), inner, max_size=3),
    max_leaves=12,
)  # fmt: skip
KEYS = ["id", "image_id", "category_id", "segmentation", "bbox", "area", "iscrowd", "score", "name",
        "file_name", "width", "height", "res_x", "ignore"]  # fmt: skip
elements = st.dictionaries(st.sampled_from(KEYS), values, max_size=6) | values


@given(
    st.dictionaries(
        st.sampled_from(["images", "categories", "annotations"]),
        st.lists(elements, max_size=4) | values,
        min_size=1,
    ),
    st.lists(elements, max_size=4),
)
@settings(max_examples=300, deadline=None)
def test_any_json_is_read_or_refused_in_words(truth, results):
    import json
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        for name, document in (("gt.json", truth), ("dt.json", results)):
            with open(f"{folder}/{name}", "w", encoding="utf-8") as file:
                json.dump(document, file)
        coco = read_coco(f"{folder}/gt.json", f"{folder}/dt.json")
    assert len(coco.prediction) == len(results)
    assert len(coco.prediction.polygons) == len(results)
    for group in coco.findings.groups():
        assert group.text
