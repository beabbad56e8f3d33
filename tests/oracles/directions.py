"""Directions, corners and extents by the book."""

from __future__ import annotations

import numpy as np
import shapely
from scipy.optimize import linear_sum_assignment


def rings(shape: shapely.Geometry) -> list[np.ndarray]:
    """Distinct points of every ring, exteriors counter-clockwise, interiors clockwise."""
    oriented = shapely.orient_polygons(shape)
    return [
        np.asarray(line.coords)[:-1]
        for part in shapely.get_parts(oriented)
        for line in (part.exterior, *part.interiors)
    ]


def edges(shape: shapely.Geometry) -> np.ndarray:
    """Edges of all rings as rows (x0, y0, x1, y1)."""
    return np.vstack([np.hstack([p, np.roll(p, -1, axis=0)]) for p in rings(shape)])


def turns(shape: shapely.Geometry) -> tuple[np.ndarray, np.ndarray]:
    """All vertices, and the change of direction at each, degree in (-180, 180]."""
    points, angles = [], []
    for ring in rings(shape):
        step = np.roll(ring, -1, axis=0) - ring
        heading = np.degrees(np.arctan2(step[:, 1], step[:, 0]))
        turn = heading - np.roll(heading, 1)
        points.append(ring)
        angles.append(180 - (180 - turn) % 360)
    return np.vstack(points), np.concatenate(angles)


def corners(shape: shapely.Geometry, angle: float = 10.0) -> np.ndarray:
    """Vertices that turn more than `angle` degrees."""
    points, angles = turns(shape)
    return points[np.abs(angles) > angle]


def most_matches(a: np.ndarray, b: np.ndarray, tolerance: float) -> int:
    """Largest number of one-to-one matches within the tolerance, as an assignment problem."""
    near = np.hypot(*(a[:, None] - b[None]).transpose(2, 0, 1)) <= tolerance
    rows, columns = linear_sum_assignment(near, maximize=True)
    return int(near[rows, columns].sum())


def main_direction(shape: shapely.Geometry) -> tuple[float, float]:
    """Direction modulo 90 degrees and length of the mean of exp(4 i t), edges by length."""
    x0, y0, x1, y1 = edges(shape).T
    step = (x1 - x0) + 1j * (y1 - y0)
    mean = np.sum(np.abs(step) * np.exp(4j * np.angle(step))) / np.sum(np.abs(step))
    return float(np.degrees(np.angle(mean) / 4) % 90), float(np.abs(mean))


def classes(distance: np.ndarray, tolerance: float) -> np.ndarray:
    """Class number of each item: items within the tolerance, directly or through others."""
    label = np.arange(len(distance))
    for i, j in zip(*np.nonzero(distance <= tolerance), strict=True):
        label[label == label[i]] = label[j]
    return np.unique(label, return_inverse=True)[1]


def line_dof(lines: np.ndarray, angle: float = 0.5, offset: float = 0.5) -> float:
    """(orthogonality classes + collinear classes) / (2 edges), from a matrix of all distances."""
    step = lines[:, 2:] - lines[:, :2]
    length = np.hypot(*step.T)
    lines, step, length = (x[length > 1e-9] for x in (lines, step, length))
    if len(lines) == 0:
        return float("nan")
    heading = np.degrees(np.arctan2(step[:, 1], step[:, 0]))

    def apart(period: float) -> np.ndarray:
        d = np.abs(heading[:, None] - heading[None]) % period
        return np.minimum(d, period - d)

    count = classes(apart(90), angle).max() + 1
    parallel = classes(apart(180), angle)
    middle = (lines[:, :2] + lines[:, 2:]) / 2 - lines[0, :2]
    for k in range(parallel.max() + 1):
        chosen = parallel == k
        mean = np.sum(length[chosen] * np.exp(2j * np.radians(heading[chosen])))
        normal = np.angle(mean) / 2 + np.pi / 2
        place = middle[chosen] @ [np.cos(normal), np.sin(normal)]
        count += classes(np.abs(place[:, None] - place[None]), offset).max() + 1
    return count / (2 * len(lines))


def smallest_rectangle(shape: shapely.Geometry) -> tuple[float, float]:
    """Shorter and longer side of the least rectangle along any edge of the convex hull."""
    hull = np.asarray(shape.convex_hull.exterior.coords)
    found = []
    for step in np.diff(hull, axis=0):
        along = step / np.hypot(*step)
        across = np.array([-along[1], along[0]])
        found.append(tuple(sorted((np.ptp(hull @ along), np.ptp(hull @ across)))))
    least = min(w * h for w, h in found)
    return min((s for s in found if s[0] * s[1] <= least * (1 + 1e-9)), key=sum)
