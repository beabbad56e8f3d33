"""Max tangent angle, written out plainly."""

from __future__ import annotations

import itertools

import numpy as np
import shapely


def rings(shape: shapely.Geometry) -> list[np.ndarray]:
    """Closed rings of all parts."""
    return [shapely.get_coordinates(r) for r in shapely.get_rings(shapely.get_parts(shape))]


def samples(ring: np.ndarray, spacing: float) -> np.ndarray:
    """Ends of round(length / spacing) pieces of every edge, at least one; closed."""
    points = []
    for start, end in itertools.pairwise(ring):
        # Rounded first, so that half a piece too many is half a piece in every place and turn.
        pieces = max(1, round(round(np.hypot(*(end - start)) / spacing, 8)))
        points += [start + (end - start) * k / pieces for k in range(pieces)]
    return np.array([*points, ring[-1]])


def nearest(point: np.ndarray, boundary: list[np.ndarray], spacing: float) -> np.ndarray:
    """All points of the boundary that are nearest to a point."""
    feet = []
    for ring in boundary:
        start, along = ring[:-1], np.diff(ring, axis=0)
        t = ((point - start) * along).sum(axis=1) / (along**2).sum(axis=1)
        feet.append(start + np.clip(t, 0, 1)[:, None] * along)
    foot = np.concatenate(feet)
    far = np.hypot(*(foot - point).T)
    return foot[far <= far.min() + 1e-8 * (far.min() + spacing)]


def mta(
    a: shapely.Geometry, b: shapely.Geometry, spacing: float = 2.0, stretch: float = 2.0
) -> float:
    """Largest over the pieces of b of the smallest angle to a projection on a (eq. 9-11)."""
    boundary = rings(a)
    largest = np.nan
    for ring in rings(b):
        points = samples(ring, spacing)
        feet = [nearest(point, boundary, spacing) for point in points]
        for k, piece in enumerate(np.diff(points, axis=0)):
            angles = []
            for p, q in itertools.product(feet[k], feet[k + 1]):
                lengths = np.hypot(*piece), np.hypot(*(q - p))
                if lengths[1] <= 1e-9 * lengths[0]:
                    continue
                if not 1 / stretch + 1e-9 < lengths[0] / lengths[1] < stretch - 1e-9:
                    continue
                cosine = piece @ (q - p) / lengths[0] / lengths[1]
                angles.append(np.degrees(np.arccos(min(max(cosine, -1.0), 1.0))))
            if angles:
                largest = np.fmax(largest, min(angles))
    return float(largest)
