"""Statistics of one column of values."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from polygauge.geometry import FloatArray, IntArray
from polygauge.summary._intervals import interval_of_ratio
from polygauge.tables import MetricSummary, Reason

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


def summarise_metric(
    values: FloatArray,
    reasons: NDArray[np.uint8],
    texts: dict[Reason, str],
    blocks: IntArray,
    *,
    missed: int,
    worst: float | None,
    seed: int,
) -> MetricSummary:
    """Statistics of the defined values, and a count of the others by reason.

    Parameters
    ----------
    values, reasons : ndarray, shape (k,)
        One row a one-to-one pair.
    texts : dict of Reason to str
        The reasons in words.
    blocks : ndarray of int64, shape (k,)
        Block or tile of each pair, the unit of resampling.
    missed : int
        Judged references without a match.
    worst : float or None
        What a miss counts as in `mean_with_misses`.
    seed : int
        Seed of the resampling.
    """
    defined = values[~np.isnan(values)]
    codes, counts = np.unique(reasons[np.isnan(values)], return_counts=True)
    undefined = {texts[Reason(c)]: int(n) for c, n in zip(codes, counts, strict=True)}
    if len(defined) == 0:
        nan = float("nan")
        with_misses = worst if worst is not None and missed else None
        quantiles = {f"{q:g}": nan for q in QUANTILES}
        return MetricSummary(0, undefined, nan, nan, nan, nan, nan, quantiles, None, with_misses)
    levels = np.quantile(defined, QUANTILES)
    return MetricSummary(
        n=len(defined),
        undefined=undefined,
        mean=float(defined.mean()),
        median=float(np.median(defined)),
        rmse=float(np.sqrt(np.mean(defined**2))),
        min=float(defined.min()),
        max=float(defined.max()),
        quantiles={f"{q:g}": float(x) for q, x in zip(QUANTILES, levels, strict=True)},
        ci95=interval_of_ratio(
            np.where(np.isnan(values), 0.0, values), ~np.isnan(values), blocks, seed=seed
        ),
        mean_with_misses=(
            None
            if worst is None
            else float((defined.sum() + worst * missed) / (len(defined) + missed))
        ),
    )
