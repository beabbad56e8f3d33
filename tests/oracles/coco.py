"""Plain readings of COCO forms: slow, obviously what the words say."""

from __future__ import annotations

import json

import numpy as np
from shapely import Polygon


def cuts(text: str, start: int) -> tuple[int, int]:
    """Last comma between elements and closing bracket of the array that `start` is inside of."""
    comma = -1
    for stop in range(start, len(text)):
        if text[stop] not in ",]":
            continue
        try:
            json.loads(f"[{text[start:stop]}]")
        except ValueError:
            continue
        if text[stop] == "]":
            return comma, stop
        comma = stop
    return comma, -1


def stitch(shell: list[tuple], hole: list[tuple]) -> list[tuple]:
    """One open ring of two: joined through their closest vertices, the bridge walked twice."""
    gaps = np.linalg.norm(np.array(shell)[:, None] - np.array(hole)[None], axis=2)
    i, j = np.unravel_index(np.argmin(gaps), gaps.shape)
    return [*shell[: i + 1], *hole[j:], *hole[: j + 1], *shell[i:]]


def is_ring(points: np.ndarray) -> bool:
    """Points are a valid polygon with area, by GEOS."""
    return bool(np.isfinite(points).all()) and Polygon(points).is_valid and Polygon(points).area > 0
