"""Ends of JSON values, against Python's own reader."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from polygauge.io import _json_text as json_text

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


def as_bytes(text):
    return np.frombuffer(text.encode(), dtype=np.uint8)


@given(st.dictionaries(st.text(), values), st.sampled_from([None, 2]))
def test_members_are_those_of_the_object(value, indent):
    text = as_bytes(f" {json.dumps(value, indent=indent, ensure_ascii=False)} \n")
    found = json_text.members(text)
    assert {key: json_text.load(text, *span) for key, span in found.items()} == value
    assert json_text.rest(text) == len(text)


@given(st.lists(values, max_size=8), st.sampled_from([None, 2]))
def test_elements_are_those_of_the_list(value, indent):
    text = as_bytes(json.dumps(value, indent=indent))
    spans = json_text.elements(text, (0, len(text)))
    assert [json_text.load(text, *span) for span in spans] == value


def test_more_elements_than_there_was_room_for():
    text = as_bytes(json.dumps(list(range(5000))))
    assert len(json_text.elements(text, (0, len(text)))) == 5000


@pytest.mark.parametrize(
    "text", ["", "[1]", "17", '{"a"', '{"a": 1', '{"a": [1, 2', '{"a": "b', "{"]
)
def test_what_is_no_whole_object(text):
    with pytest.raises(ValueError, match="not a JSON object"):
        json_text.members(as_bytes(text))


def test_what_follows_is_found(tmp_path):
    path = tmp_path / "a.json"
    path.write_bytes(b'\xef\xbb\xbf{"a": 1} 17')
    assert json_text.rest(json_text.mapped(path)) == 9
