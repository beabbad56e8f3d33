"""Statistics, strata and intervals on columns small enough to work out on paper."""

from __future__ import annotations

import numpy as np
import pytest

from polygauge.errors import OptionError
from polygauge.summary import area_classes, summarise_metric
from polygauge.summary._intervals import interval_of_ratio
from polygauge.tables import Reason

TEXTS = {Reason.FORMULA: "undefined", Reason.SET_ASIDE: "too small"}


def summarise(values, **settings):
    values = np.array(values, dtype=float)
    reasons = np.where(np.isnan(values), Reason.SET_ASIDE, Reason.DEFINED).astype(np.uint8)
    chosen = {"missed": 0, "worst": None, "seed": 0, **settings}
    return summarise_metric(values, reasons, TEXTS, np.arange(len(values)), **chosen)


def test_statistics_by_hand():
    # mean (3 + 4 + 5) / 3, rmse sqrt((9 + 16 + 25) / 3), median 4; 5 % point 3 + 0.1.
    summary = summarise([3, np.nan, 4, 5])
    assert (summary.n, summary.undefined) == (3, {"too small": 1})
    assert (summary.mean, summary.median, summary.min, summary.max) == (4, 4, 3, 5)
    assert summary.rmse == pytest.approx(np.sqrt(50 / 3))
    assert summary.quantiles["0.05"] == pytest.approx(3.1)
    assert summary.mean_with_misses is None


def test_misses_count_as_the_worst_value_over_all_references():
    assert summarise([0.8, 0.6], missed=2, worst=0.0).mean_with_misses == pytest.approx(0.35)


def test_nothing_defined_is_nan_and_no_interval():
    summary = summarise([np.nan])
    assert summary.n == 0
    assert np.isnan(summary.mean)
    assert summary.ci95 is None


def test_interval_needs_five_blocks():
    blocks = np.repeat(np.arange(4), 10)
    assert interval_of_ratio(np.ones(40), np.ones(40), blocks, seed=0) is None


def test_interval_covers_the_mean_at_about_the_stated_rate():
    # 40 blocks of 5 equal values: the interval must be that of 40 independent values, not of 200.
    rng = np.random.default_rng(5)
    blocks = np.repeat(np.arange(40), 5)
    covered = 0
    for _ in range(200):
        values = np.repeat(rng.normal(0, 1, 40), 5)
        low, high = interval_of_ratio(values, np.ones(200), blocks, seed=1)
        covered += low <= 0 <= high
    assert 180 <= covered <= 198


def test_interval_is_reproducible_and_moves_with_the_seed():
    values = np.random.default_rng(2).normal(0, 1, 30)
    first = interval_of_ratio(values, np.ones(30), np.arange(30), seed=7)
    assert first == interval_of_ratio(values, np.ones(30), np.arange(30), seed=7)
    assert first != interval_of_ratio(values, np.ones(30), np.arange(30), seed=8)


def test_area_classes_by_limits():
    labels, names = area_classes(np.array([10.0, 50.0, 300.0]), "50,200", "m2", quantiles_of=3)
    assert names == ["below 50 m2", "50 to 200 m2", "200 m2 and more"]
    assert labels.tolist() == ["below 50 m2", "50 to 200 m2", "200 m2 and more"]


def test_area_classes_by_quantile_of_the_reference():
    labels, names = area_classes(np.array([1.0, 2, 3, 4, 100]), "quantile:2", "m2", quantiles_of=4)
    assert names == ["below 2.5 m2", "2.5 m2 and more"]
    assert (labels == names[0]).tolist() == [True, True, False, False, False]


@pytest.mark.parametrize("classes", ["", "a,b", "5,5", "9,3", "nan", "quantile:1", "quantile:x"])
def test_area_classes_that_mean_nothing_are_refused(classes):
    with pytest.raises(OptionError, match="area classes"):
        area_classes(np.array([1.0]), classes, "m2", quantiles_of=1)
