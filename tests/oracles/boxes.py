"""Which boxes meet, by comparing every pair."""

from __future__ import annotations

import numpy as np


def meeting_boxes(a, b, a_tiles, b_tiles) -> tuple[np.ndarray, np.ndarray]:
    """Row numbers of all pairs of closed boxes of one tile that share a point."""
    meet = (a[:, None, 0] <= b[None, :, 2]) & (a[:, None, 2] >= b[None, :, 0])
    meet &= (a[:, None, 1] <= b[None, :, 3]) & (a[:, None, 3] >= b[None, :, 1])
    meet &= a_tiles[:, None] == b_tiles[None, :]
    i, j = np.nonzero(meet)
    return i, j
