"""Where the values of a JSON text begin and end, without reading them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polygauge.geometry._jit import inner, jit

Bytes = NDArray[np.uint8]
Spans = NDArray[np.int64]

_QUOTE, _BACKSLASH, _COMMA, _COLON = ord('"'), ord("\\"), ord(","), ord(":")
_OPEN_LIST, _CLOSE_LIST, _OPEN_OBJECT, _CLOSE_OBJECT = ord("["), ord("]"), ord("{"), ord("}")
_BLANK = 32  # blanks, tabs and line ends are this or below


def mapped(place: Path) -> Bytes:
    """A file as bytes that the system pages in and out; a mark of byte order is left out."""
    data = np.memmap(place, dtype=np.uint8, mode="r").view(np.ndarray)
    return data[3:] if data[:3].tobytes() == b"\xef\xbb\xbf" else data


def members(text: Bytes, start: int = 0) -> dict[str, tuple[int, int]]:
    """First and end byte of each member's value of the object that begins at `start`.

    Raises
    ------
    ValueError
        There is no object, or it is cut off.
    """
    found: dict[str, tuple[int, int]] = {}
    place = _skip_blank(text, start)
    if place == len(text) or text[place] != _OPEN_OBJECT:
        raise ValueError("not a JSON object")
    place = _skip_blank(text, place + 1)
    while place < len(text) and text[place] == _QUOTE:
        end = _value_end(text, place)
        key = json.loads(text[place:end].tobytes())
        place = _skip_blank(text, end)
        if place == len(text) or text[place] != _COLON:
            break
        first = _skip_blank(text, place + 1)
        end = _value_end(text, first)
        found[key] = (first, end)
        place = _skip_blank(text, end)
        if place < len(text) and text[place] == _COMMA:
            place = _skip_blank(text, place + 1)
    if place == len(text) or text[place] != _CLOSE_OBJECT:
        raise ValueError(f"not a JSON object: cut off or broken at byte {place}")
    return found


def elements(text: Bytes, span: tuple[int, int]) -> Spans:
    """First and end byte of each element of the list in a span, shape (n, 2)."""
    return _elements(text, span[0], span[1])


def rest(text: Bytes, start: int = 0) -> int:
    """Where anything but blanks follows the value that begins at `start`; the end where nothing."""
    return int(_skip_blank(text, _value_end(text, _skip_blank(text, start))))


def load(text: Bytes, first: int, end: int) -> Any:
    """The value in a span."""
    return json.loads(text[first:end].tobytes())


@jit
def _skip_blank(text: Bytes, place: int) -> int:
    while place < len(text) and text[place] <= _BLANK:
        place += 1
    return place


@jit
def _value_end(text: Bytes, place: int) -> int:
    return _end(text, place)


@inner
def _end(text: Bytes, place: int) -> int:
    """The byte after the value that begins here; the end of the text where it is cut off."""
    depth = 0
    while place < len(text):
        c = text[place]
        if c == _QUOTE:
            place += 1
            while place < len(text) and text[place] != _QUOTE:
                place += 2 if text[place] == _BACKSLASH else 1
            place += 1
            if depth == 0:
                break
            continue
        if c in (_OPEN_LIST, _OPEN_OBJECT):
            depth += 1
        elif c in (_CLOSE_LIST, _CLOSE_OBJECT):
            depth -= 1
            if depth <= 0:
                # Below zero the value was a bare word that its container ends.
                place += depth + 1
                break
        elif depth == 0 and (c in (_COMMA, _COLON) or c <= _BLANK):
            break
        place += 1
    return min(place, len(text))


@jit
def _elements(text: Bytes, start: int, stop: int) -> Spans:
    room = 1024
    spans = np.empty((room, 2), dtype=np.int64)
    count = 0
    place = start + 1
    while place < stop:
        c = text[place]
        if c <= _BLANK or c == _COMMA:
            place += 1
            continue
        if c == _CLOSE_LIST:
            break
        if count == room:
            room *= 2
            wider = np.empty((room, 2), dtype=np.int64)
            wider[:count] = spans
            spans = wider
        end = _end(text, place)
        spans[count, 0] = place
        spans[count, 1] = end
        count += 1
        place = end
    return spans[:count].copy()
