"""Cyclic discrete Fréchet distance, written out plainly."""

from __future__ import annotations

import itertools

import numpy as np
import shapely

from tests.oracles.mpd import couples, distance_table, outlines


def leash(table: np.ndarray) -> float:
    """Discrete Fréchet distance of two open sequences from their table of distances."""
    reached = table.copy()
    for i, j in itertools.product(*(range(size) for size in table.shape)):
        before = [reached[p] for p in ((i - 1, j - 1), (i - 1, j), (i, j - 1)) if min(p) >= 0]
        if before:
            reached[i, j] = max(table[i, j], min(before))
    return float(reached[-1, -1])


def from_every_start(table: np.ndarray) -> float:
    """Smallest over all pairs of start vertices and both directions."""
    return min(
        leash(np.roll(turned, (-s, -t), axis=(0, 1)))
        for turned in (table, table[:, ::-1])
        for s, t in itertools.product(*(range(size) for size in table.shape))
    )


def from_one_row(table: np.ndarray) -> float:
    """The same with every start vertex of one side only, and row 0 walked to again at the end."""
    return min(
        leash(np.roll(np.vstack([turned, turned[:1]]), -t, axis=1)[:, [*range(turned.shape[1]), 0]])
        for turned in (table, table[:, ::-1])
        for t in range(table.shape[1])
    )


def frechet(a: shapely.Geometry, b: shapely.Geometry, cyclic=from_every_start) -> float:
    """Largest over the couples of parts."""
    sides = outlines(a), outlines(b)
    return max(cyclic(distance_table(sides[0][p], sides[1][q])) for p, q in couples(a, b))
