"""Outlines as a raster model draws them: along the sides of pixels."""

from __future__ import annotations

import numpy as np
import shapely
from numpy.typing import NDArray

from polygauge.dataset._plan import FloatArray, IntArray


def staircases(shapes: NDArray[np.object_], pixel: float) -> NDArray[np.object_]:
    """Outlines of the pixels whose middle lies in each shape, holes and all parts included.

    Parameters
    ----------
    shapes : ndarray of Polygon or MultiPolygon, shape (n,)
        Valid.
    pixel : float
        Side of a pixel; the grid begins at 0, 0.

    Returns
    -------
    ndarray of Polygon or MultiPolygon, shape (n,)
        Valid; a shape that holds no pixel's middle stays as it is.

    Examples
    --------
    The middle of the third pixel of each row, at 2.5, lies outside a box that ends at 2.4.

    >>> import numpy as np, shapely
    >>> staircases(np.array([shapely.box(0.2, 0.0, 2.4, 2.0)]), 1.0)[0].bounds
    (0.0, 0.0, 2.0, 2.0)
    """
    owner, row, left, right = _runs(shapes, pixel)
    runs = shapely.box(left * pixel, row * pixel, right * pixel, (row + 1) * pixel)
    out = shapes.copy()
    firsts = np.flatnonzero(np.diff(owner, prepend=-1))
    for first, members in zip(owner[firsts], np.split(runs, firsts)[1:], strict=True):
        # Simplifying by nothing drops the vertices where one run ends on the side of another.
        out[first] = shapely.simplify(shapely.union_all(members), 0)
    return out


def _runs(
    shapes: NDArray[np.object_], pixel: float
) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """Runs of pixels: shape, row, first column and the column after the last; sorted by shape."""
    parts, part_shape = shapely.get_parts(shapes, return_index=True)
    rings, ring_part = shapely.get_rings(parts, return_index=True)
    xy, ring = shapely.get_coordinates(rings, return_index=True)
    edge = np.flatnonzero(ring[:-1] == ring[1:])
    owner, start, stop = part_shape[ring_part[ring[edge]]], xy[edge], xy[edge + 1]

    # Rows whose middle line an edge crosses: half-open, so that a vertex on it counts once.
    low, high = np.minimum(start[:, 1], stop[:, 1]), np.maximum(start[:, 1], stop[:, 1])
    first = np.ceil(low / pixel - 0.5).astype(np.int64)
    count = np.ceil(high / pixel - 0.5).astype(np.int64) - first
    crossed = np.repeat(np.arange(len(edge)), count)
    row = np.arange(len(crossed)) + np.repeat(first - np.cumsum(count) + count, count)
    x = _crossing((row + 0.5) * pixel, start[crossed], stop[crossed])

    # Between the first and the second crossing of a line is inside, and so on.
    order = np.lexsort((x, row, owner[crossed]))
    left, right = (np.ceil(x[order][k::2] / pixel - 0.5).astype(np.int64) for k in (0, 1))
    full = right > left
    return owner[crossed][order][::2][full], row[order][::2][full], left[full], right[full]


def _crossing(y: FloatArray, start: FloatArray, stop: FloatArray) -> FloatArray:
    """Where edges meet horizontal lines."""
    share = (y - start[:, 1]) / (stop[:, 1] - start[:, 1])
    x: FloatArray = start[:, 0] + share * (stop[:, 0] - start[:, 0])
    return x
