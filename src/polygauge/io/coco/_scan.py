"""Kernels that find where values of a JSON text end, without reading what is in them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from polygauge.geometry import IntArray, jit

Bytes = NDArray[np.uint8]

_QUOTE, _BACKSLASH, _COMMA = 0x22, 0x5C, 0x2C
_OPEN_ARRAY, _CLOSE_ARRAY, _OPEN_OBJECT, _CLOSE_OBJECT = 0x5B, 0x5D, 0x7B, 0x7D


@jit
def find_cut(text: Bytes, start: int) -> tuple[int, int]:
    """Where the elements of an array may be cut, `start` being just inside its bracket.

    Returns the place of the last comma between two of its elements and that of its closing
    bracket, each -1 where the text has none.
    """
    depth, comma, inside = 0, -1, False
    k = start
    while k < len(text):
        byte = text[k]
        if inside:
            if byte == _BACKSLASH:
                k += 1
            elif byte == _QUOTE:
                inside = False
        elif byte == _QUOTE:
            inside = True
        elif byte in (_OPEN_ARRAY, _OPEN_OBJECT):
            depth += 1
        elif byte in (_CLOSE_ARRAY, _CLOSE_OBJECT):
            if depth == 0:
                return comma, k
            depth -= 1
        elif byte == _COMMA and depth == 0:
            comma = k
        k += 1
    return comma, -1


@jit
def count_commas(text: Bytes, start: int, stop: int) -> int:
    """Commas between elements of the array that `start` is just inside of, up to `stop`."""
    depth, commas, inside = 0, 0, False
    k = start
    while k < stop:
        byte = text[k]
        if inside:
            if byte == _BACKSLASH:
                k += 1
            elif byte == _QUOTE:
                inside = False
        elif byte == _QUOTE:
            inside = True
        elif byte in (_OPEN_ARRAY, _OPEN_OBJECT):
            depth += 1
        elif byte in (_CLOSE_ARRAY, _CLOSE_OBJECT):
            depth -= 1
        elif byte == _COMMA and depth == 0:
            commas += 1
        k += 1
    return commas


@jit
def skip_value(text: Bytes, start: int, state: IntArray) -> int:
    """Where a value ends: the comma or bracket after it; -1 where the text ends first.

    `state` (depth, inside a string, after a backslash) carries on from text to text; all zero
    before the first.
    """
    depth, inside, escaped = state
    for k in range(start, len(text)):
        byte = text[k]
        if inside:
            if escaped:
                escaped = 0
            elif byte == _BACKSLASH:
                escaped = 1
            elif byte == _QUOTE:
                inside = 0
        elif byte == _QUOTE:
            inside = 1
        elif byte in (_OPEN_ARRAY, _OPEN_OBJECT):
            depth += 1
        elif byte in (_CLOSE_ARRAY, _CLOSE_OBJECT):
            if depth == 0:
                return k
            depth -= 1
        elif byte == _COMMA and depth == 0:
            return k
    state[0], state[1], state[2] = depth, inside, escaped
    return -1
