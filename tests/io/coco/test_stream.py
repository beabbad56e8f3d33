"""Files of any size, order and state."""

from __future__ import annotations

import gzip
import json
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from polygauge.errors import LayerError, PolygaugeError, ReadError
from polygauge.io.coco import _stream, read_coco
from polygauge.io.coco._scan import find_cut
from tests.io.coco.conftest import SQUARE, codes, ground_truth, result, texts
from tests.oracles.coco import cuts

VALID = json.dumps(
    {
        "info": {"note": 'quotes " and \\ and ] } , in text'},
        **ground_truth({"segmentation": [SQUARE]}, {"segmentation": [SQUARE]}),
    }
).encode()

texts_of_elements = st.recursive(
    st.none() | st.integers(-5, 5) | st.text('ab"\\[]{},:', max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("a]", max_size=2), inner,
                                                                max_size=2),
    max_leaves=6,
)  # fmt: skip


@given(st.lists(texts_of_elements, max_size=4), st.integers(0, 60))
def test_cuts_lie_between_elements(elements, short):
    text = json.dumps(elements)
    piece = text[: max(1, len(text) - short)]
    comma, end = find_cut(np.frombuffer(piece.encode(), dtype=np.uint8), 1)
    assert (comma, end) == cuts(piece, 1) or not elements


@given(st.integers(1, 40), st.integers(0, 12))
@settings(deadline=None, max_examples=60)
def test_pieces_of_any_size_read_the_same(size, count):
    from tempfile import TemporaryDirectory

    rows = [{"segmentation": [[k, 0, k + 5, 0, k + 5, 5]], "note": '"]},{['} for k in range(count)]
    document = ground_truth(*rows, images=2)
    keys = list(document)
    random.Random(size).shuffle(keys)
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        path = f"{folder}/gt.json"
        with open(path, "w", encoding="utf-8") as file:
            json.dump({key: document[key] for key in keys}, file, indent=size % 3 or None)
        whole = read_coco(path)
        patch.setattr(_stream, "PIECE", size)
        pieces = read_coco(path)
    assert len(pieces.reference) == count
    assert pieces.reference.image.tolist() == [0] * count
    np.testing.assert_array_equal(
        pieces.reference.rings.coordinates, whole.reference.rings.coordinates
    )
    assert texts(pieces) == texts(whole)


def test_order_of_keys_bom_and_gzip(read):
    document = ground_truth({"segmentation": [SQUARE]})
    backwards = dict(reversed(document.items()))
    for raw in (
        json.dumps(backwards).encode(),
        b"\xef\xbb\xbf \r\n\t" + json.dumps(document, indent=1).encode(),
        gzip.compress(json.dumps(document).encode()),
    ):
        coco = read(raw)
        assert coco.reference.polygons.areas.tolist() == [400]
        assert coco.reference.image.tolist() == [0]


def test_nan_and_infinity_are_read_and_named(read):
    coco = read(
        ground_truth({"segmentation": [SQUARE], "area": float("nan")}),
        [result([SQUARE]), result([[0, 0, float("inf"), 0, 5, 5]], score=float("nan"))],
    )
    assert coco.reference.polygons.areas.tolist() == [400]
    assert "holds what JSON does not allow, such as NaN" in texts(coco)
    assert "with a coordinate that is not finite" in texts(coco)
    assert codes(coco, "prediction")["bad-score"] == 1


def test_the_last_of_two_equal_keys_counts(read):
    one = json.dumps(ground_truth({"segmentation": []}, {"segmentation": [SQUARE]}))
    again = one[:-1] + ', "annotations": []}'
    coco = read(again.encode())
    assert len(coco.reference) == 0
    assert codes(coco)["repeated-key"] == 1
    assert "no-polygon" not in codes(coco)
    assert "has a key twice (annotations); the last one counts" in texts(coco)


@pytest.mark.parametrize(
    ("raw", "words", "hint"),
    [
        (b"", "gt.json is empty", "empty list"),
        (b" \n", "gt.json is empty", "empty list"),
        (VALID[:-40], r"is cut short: it ends in annotations\[1\] after \d+ bytes", "write"),
        (VALID[:-1], "is cut short: it ends in annotations", "write"),
        (b'{"images": [], "info": {"a": 1', "is cut short: it ends in info", "write"),
        (b'{"images": [', r"is cut short: it ends in images\[0\]", "write"),
        (b'{"images"', "is cut short", "write"),
        (b"{'images': []}", "found \"'\" where a key in double quotes should be at byte 1", "JSON"),
        (b'{"images": [] "annotations": []}', "found '\"' after 'images' at byte 14", "JSON"),
        (b'{"images": [{"id": 1}, {"id": 2,}]}', r"is not JSON: .* at byte \d+, in images\[1\]",
         "JSON"),
        (b'{"images": [1, , 2]}', r"is not JSON: .* in images\[1\]", "JSON"),
        (b'{"images": [1, ]}', "is not JSON", "JSON"),
        (VALID + b"\n" + VALID, r"more text after the end at byte \d+", "one list"),
        (b"hello", r"is not COCO JSON: expected \{ or \[ at byte 0", "lists"),
        (VALID.decode().encode("utf-16"), "is UTF-16 text", "UTF-8"),
        (b'{"images": [{"id": 1, "file_name": "\xff"}]}', "is not UTF-8 text at byte", "UTF-8"),
        (b'{"annotations": [' + b"[" * 5000 + b"]" * 5000 + b"]}", "nested too deeply", "lists"),
        (gzip.compress(VALID)[:-60], "cannot be unpacked", "gunzip"),
    ],
)  # fmt: skip
def test_what_is_not_json_says_where(read, raw, words, hint):
    with pytest.raises(ReadError, match=words) as error:
        read(raw)
    assert hint in error.value.hint


def test_missing_file_and_other_json(tmp_path, read):
    with pytest.raises(ReadError, match=r"cannot read .*none.json: No such file"):
        read_coco(tmp_path / "none.json")
    with pytest.raises(ReadError, match=r"cannot read .*: Is a directory"):
        read_coco(tmp_path)
    with pytest.raises(LayerError, match=r"is no COCO file.*its keys: type, features") as error:
        read({"type": "FeatureCollection", "features": []})
    assert "GeoJSON" in error.value.hint
    with pytest.raises(LayerError, match="its keys: none"):
        read({})
    with pytest.raises(ReadError, match=r"pred\.json is empty"):
        read(ground_truth(), b"")


@given(st.integers(0, len(VALID)), st.binary(max_size=3), st.integers(0, 4))
@settings(max_examples=400, deadline=None)
def test_damaged_files_are_read_or_refused_in_words(place, stuff, gone):
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        path = f"{folder}/gt.json"
        with open(path, "wb") as file:
            file.write(VALID[:place] + stuff + VALID[place + gone :])
        try:
            coco = read_coco(path)
        except PolygaugeError as error:
            coco, refused = None, error
    if coco is None:
        assert "gt.json" in refused.message
        assert refused.hint
    else:
        assert len(coco.reference.polygons) == len(coco.reference)
