"""Bootstrap intervals that resample blocks, because neighbouring buildings err together."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from polygauge.geometry import FloatArray, IntArray

RESAMPLES = 1_000
# With fewer blocks the spread of the resampled means says nothing.
FEWEST_BLOCKS = 5


def block_sums(amounts: ArrayLike, blocks: IntArray, number: int) -> FloatArray:
    """Sum of `amounts` in each of `number` blocks."""
    sums: FloatArray = np.bincount(
        blocks, np.asarray(amounts, dtype=np.float64), minlength=number
    ).astype(np.float64)
    return sums


def resampled_sums(sums: FloatArray, *, seed: int) -> FloatArray:
    """Totals of `RESAMPLES` draws of as many blocks as there are, with replacement.

    Parameters
    ----------
    sums : ndarray, shape (b, k)
        k sums a block.

    Returns
    -------
    ndarray, shape (RESAMPLES, k)
    """
    rng = np.random.default_rng(seed)
    number = len(sums)
    draws = rng.multinomial(number, np.full(number, 1 / number), size=RESAMPLES)
    totals: FloatArray = draws @ sums
    return totals


def interval(ratios: FloatArray) -> tuple[float, float] | None:
    """The 2.5 % and 97.5 % points of the resampled ratios that are defined."""
    defined = ratios[np.isfinite(ratios)]
    if len(defined) < RESAMPLES / 2:
        return None
    low, high = np.quantile(defined, (0.025, 0.975))
    return float(low), float(high)


def interval_of_ratio(
    above: ArrayLike, below: ArrayLike, blocks: IntArray, *, seed: int
) -> tuple[float, float] | None:
    """95 % interval of sum(above) / sum(below); None with fewer than 5 blocks."""
    numbered = np.unique(blocks, return_inverse=True)[1]
    number = int(numbered.max(initial=-1)) + 1
    if number < FEWEST_BLOCKS:
        return None
    sums = np.stack(
        [block_sums(above, numbered, number), block_sums(below, numbered, number)], axis=1
    )
    totals = resampled_sums(sums, seed=seed)
    with np.errstate(invalid="ignore", divide="ignore"):
        return interval(totals[:, 0] / totals[:, 1])
