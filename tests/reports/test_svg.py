"""Drawings: every value is in a bar, bars have round edges, outlines are drawn whole."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely import MultiPolygon, Polygon, box

from polygauge.reports._svg import bin_values, count_bar, histogram, pair_drawing
from tests.polygons import COURTYARD, TWO_PARTS

INF = float("inf")
FINITE = st.floats(-1e9, 1e9, allow_subnormal=False).filter(lambda x: x == 0 or abs(x) > 1e-9)


def drawn(svg: object) -> list[int]:
    return [int(n.replace(",", "")) for n in re.findall(r": ([\d,]+) pairs?</title>", str(svg))]


@given(st.lists(FINITE, min_size=1, max_size=60), st.sampled_from([(-INF, INF), (0.0, INF)]))
def test_every_value_is_counted_once(values, bounds):
    array = np.array(values) if bounds[0] else np.abs(values)
    bins = bin_values(array, bounds)
    assert bins.counts.sum() + bins.below + bins.above == len(values)
    assert 1 <= len(bins.counts) <= 26
    assert sum(drawn(histogram(array, title="x", unit="m", bounds=bounds))) == len(values)


def test_values_fall_into_their_bars():
    # Range 0 to 9.6 in at most 24 bars: steps of 0.4 are rounded up to 0.5.
    values = np.array([0.0, 0.49, 0.5, 5.25, 9.6])
    bins = bin_values(values)
    assert (bins.start, bins.width, len(bins.counts)) == (0.0, 0.5, 20)
    assert np.flatnonzero(bins.counts).tolist() == [0, 1, 10, 19]
    assert bins.counts[0] == 2


def test_a_value_on_an_edge_counts_in_the_bar_above_whatever_its_rounding():
    # 0.3 / 0.1 is 2.9999999999999996.
    bins = bin_values(np.array([0.0, 0.3, 2.4]))
    assert bins.width == 0.1
    assert np.flatnonzero(bins.counts).tolist() == [0, 3, 23]


def test_one_outlier_does_not_squeeze_the_rest():
    values = np.r_[np.linspace(0, 1, 500), 400.0]
    bins = bin_values(values, (0.0, INF))
    # The outermost 2 % begin at 0.98, which is the last bar, up to 1.
    assert (bins.below, bins.stop) == (0, 1.0)
    assert bins.above == 1
    assert "1 larger" in str(histogram(values, title="x", unit="m", bounds=(0.0, INF)))
    signed = bin_values(-values)
    assert (signed.below, signed.above) == (1, 0)


def test_a_bounded_metric_is_drawn_whole():
    values = np.r_[np.linspace(0.9, 1, 500), 0.0]
    bins = bin_values(values, (0.0, 1.0))
    assert (bins.below, bins.above) == (0, 0)
    assert (bins.start, bins.stop) == (0.0, pytest.approx(1.0))


@pytest.mark.parametrize("value", [0.0, 1.0, -3.5, 1e8, 1e-7])
def test_equal_values_stand_in_one_bar(value):
    assert drawn(histogram(np.full(3, value), title="x", unit="")) == [3]


def test_axes_are_labelled_with_the_unit():
    drawing = str(histogram(np.array([0.1, 0.2, 0.4]), title="PoLiS", unit="m"))
    assert ">PoLiS, m</text>" in drawing
    assert ">pairs</text>" in drawing
    assert (
        'aria-label="Histogram of PoLiS: 3 pairs from 0.100 to 0.400 m, median 0.200 m"' in drawing
    )


@pytest.mark.parametrize(("shape", "rings"), [(COURTYARD, 2), (TWO_PARTS, 2), (box(0, 0, 1, 1), 1)])
def test_every_ring_is_drawn(shape, rings):
    paths = re.findall(r'fill-rule="evenodd" d="([^"]+)"', str(_pair(shape, shape)))
    assert [path.count("M") for path in paths] == [rings, rings]
    assert paths[0] == paths[1]


def test_both_outlines_have_one_scale_and_north_is_up():
    # 10 wide and 20 high: 208 px for 20 units, so 104 px for 10; the upper box comes first in y.
    drawing = str(_pair(box(0, 0, 10, 10), box(0, 10, 10, 20)))
    lower, upper = re.findall(r'evenodd" d="([^"]+)"', drawing)
    ys = [{float(y) for _, y in re.findall(r"([\d.]+) ([\d.]+)", path)} for path in (lower, upper)]
    assert ys == [{120.0, 224.0}, {16.0, 120.0}]


def test_the_scale_bar_is_round_and_true():
    # A third of 20 is 6.67: the bar is 5 long, and 208 px are 20 units.
    drawing = str(_pair(box(0, 0, 20, 20), box(0, 0, 20, 20)))
    ((left, right),) = re.findall(r'class="axis" d="M([\d.]+) \d+V\d+H([\d.]+)', drawing)
    assert float(right) - float(left) == pytest.approx(5 * 208 / 20, abs=0.1)
    assert ">5 m</text>" in drawing


def test_a_million_vertices_do_not_make_a_large_page():
    turn = np.linspace(0, 2 * np.pi, 1_000_000, endpoint=False)
    circle = np.column_stack([np.cos(turn), np.sin(turn)])
    ring = Polygon(50 * circle + 5e5, [20 * circle[::100] + 5e5])
    drawing = str(_pair(ring, ring))
    assert len(drawing) < 20_000
    assert [path.count("M") for path in re.findall(r'evenodd" d="([^"]+)"', drawing)] == [2, 2]


def test_a_part_smaller_than_a_pixel_is_still_there():
    shape = MultiPolygon([box(0, 0, 1000, 1000), box(1500, 1500, 1500.01, 1500.01)])
    path = re.findall(r'evenodd" d="([^"]+)"', str(_pair(shape, shape)))[0]
    assert path.count("M") == 2


def test_parts_of_a_bar_are_as_long_as_their_counts():
    bar = str(count_bar([("a", "found", 30), ("b", "none", 0), ("c", "lost", 10)], label="all"))
    assert re.findall(r'class="(\w)" x="([\d.]+)" width="([\d.]+)"', bar) == [
        ("a", "0.00", "449.00"), ("c", "450.00", "149.00"),
    ]  # fmt: skip
    assert 'aria-label="all: 30 found, 0 none, 10 lost"' in bar


def _pair(a, b):
    return pair_drawing(a, b, label="two", unit="m")
