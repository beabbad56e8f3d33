"""The recorded pairs and values; a test that asks for them skips where they are absent."""

from __future__ import annotations

import json
from functools import cache

import numpy as np
from shapely import Polygon

from tests.shared import shared


@cache
def _records() -> list[dict]:
    return json.loads(shared("vectors/pairs_public.json").read_text())["pairs"]


def valid_records() -> list[dict]:
    """Records whose two sides are valid."""
    return [record for record in _records() if not record.get("invalid")]


def invalid_records() -> list[dict]:
    """Records of which a side is invalid."""
    return [record for record in _records() if record.get("invalid")]


def sides(records: list[dict]) -> tuple[list[Polygon], list[Polygon]]:
    """References and predictions."""
    first, second = (
        [Polygon(record[side]["shell"], record[side]["holes"]) for record in records]
        for side in ("gt", "pred")
    )
    return first, second


def valid_pairs() -> tuple[list[Polygon], list[Polygon]]:
    """References and predictions of the valid records."""
    return sides(valid_records())


def recorded(*path: str) -> np.ndarray:
    """The value under these keys in every valid record."""
    values = []
    for record in valid_records():
        value = record
        for key in path:
            value = value[key]
        values.append(value)
    return np.array(values, dtype=float)
