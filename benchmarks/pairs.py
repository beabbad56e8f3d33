"""Seeded pairs that the kernels are timed on."""

from __future__ import annotations

import numpy as np
import shapely
from numpy.typing import NDArray


def star_pairs(count: int, vertices: int, seed: int = 1) -> tuple[NDArray, NDArray]:
    """Overlapping irregular polygons of so many vertices, about 20 m across."""
    rng = np.random.default_rng(seed)

    def side(shift: NDArray) -> NDArray:
        turn = rng.uniform(0, 2 * np.pi, (count, 1))
        angle = turn + np.linspace(0, 2 * np.pi, vertices, endpoint=False)
        radius = rng.uniform(6, 12, (count, vertices))
        points = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=-1)
        return shapely.polygons(points + shift[:, None])

    return side(np.zeros((count, 2))), side(rng.normal(0, 2, (count, 2)))


def building_pairs(count: int, seed: int = 2) -> tuple[NDArray, NDArray]:
    """L-shaped buildings about 20 m long, turned, each with a moved and shaken prediction."""
    rng = np.random.default_rng(seed)
    unit = np.array([(0, 0), (1, 0), (1, 0.55), (0.45, 0.55), (0.45, 1), (0, 1)])
    size = rng.uniform((14, 10), (24, 16), (count, 2))
    turn = rng.uniform(0, 2 * np.pi, count)
    cos, sin = np.cos(turn)[:, None], np.sin(turn)[:, None]
    local = unit * size[:, None]
    x = cos * local[..., 0] - sin * local[..., 1]
    y = sin * local[..., 0] + cos * local[..., 1]
    points = np.stack([x, y], axis=-1)
    shaken = points + rng.normal(0, 0.6, (count, 1, 2)) + rng.normal(0, 0.2, points.shape)
    return shapely.polygons(points), shapely.polygons(shaken)
