"""The best translation by trying many and improving the best of them."""

from __future__ import annotations

import numpy as np
import shapely
from scipy.optimize import minimize
from shapely.affinity import translate


def shared_area(a: shapely.Geometry, b: shapely.Geometry, t: np.ndarray) -> float:
    """Area of A and B + t by overlay."""
    return shapely.intersection(a, translate(b, *t)).area


def best_translation(
    a: shapely.Geometry, b: shapely.Geometry, cells: int = 15, tries: int = 3
) -> tuple[np.ndarray, float]:
    """Translation of B that makes the shared area largest, and that area.

    A grid over all translations that let the boxes meet; Nelder and Mead's simplex from the best
    points of it.
    """
    low = np.array(a.bounds[:2]) - np.array(b.bounds[2:])
    cell = (np.array(a.bounds[2:]) - np.array(b.bounds[:2]) - low) / cells
    grid = [low + cell * (i + 0.5, j + 0.5) for i in range(cells) for j in range(cells)]
    areas = [shared_area(a, b, t) for t in grid]
    best = np.zeros(2), shared_area(a, b, np.zeros(2))
    for k in np.argsort(areas)[::-1][:tries]:
        found = minimize(
            lambda t: -shared_area(a, b, t),
            grid[k],
            method="Nelder-Mead",
            options={
                "xatol": 1e-9,
                "fatol": 1e-12,
                "maxiter": 400,
                "initial_simplex": grid[k] + np.array([(0, 0), (cell[0], 0), (0, cell[1])]) / 2,
            },
        )
        if -found.fun > best[1]:
            best = found.x, -found.fun
    return best
