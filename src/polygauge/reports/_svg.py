"""Drawings as SVG: histograms from values, pairs of outlines from geometry, bars of counts."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import shapely
from markupsafe import Markup, escape

from polygauge.geometry import FloatArray, IntArray
from polygauge.reports._words import decimals_for, fixed, plain, plural

_BINS = 24
_WIDTH, _HEIGHT = 340, 200
_LEFT, _RIGHT, _TOP, _BOTTOM = 42, 14, 26, 42
_PAIR, _FOOT = 240, 26
_MARGIN = 16


@dataclass(frozen=True, slots=True)
class Bins:
    """Bars of a histogram: edges are round numbers, far tails are counted, not drawn to scale.

    Attributes
    ----------
    start, width : float
        Left edge of the first bar, width of each.
    counts : ndarray of int64, shape (bars,)
    below, above : int
        Values left and right of all bars.
    """

    start: float
    width: float
    counts: IntArray
    below: int
    above: int

    @property
    def stop(self) -> float:
        """Right edge of the last bar."""
        return self.start + self.width * len(self.counts)


def bin_values(values: FloatArray, bounds: tuple[float, float] = (-math.inf, math.inf)) -> Bins:
    """Count finite values, at least one, in bars whose edges are round numbers.

    On a side without a bound, values farther from the median than 3 times the distance of the
    outermost 2 % are counted as a tail, so that one outlier does not squeeze all bars into one.

    Parameters
    ----------
    values : ndarray of float64, shape (n,)
    bounds : tuple of float
        Smallest and largest possible value.

    Examples
    --------
    >>> import numpy as np
    >>> bins = bin_values(np.array([0.1, 0.2, 0.25, 0.6]), (0.0, 1.0))
    >>> bins.start, round(bins.stop, 9), int(bins.counts.sum())
    (0.1, 0.6, 4)
    """
    low, high = float(values.min()), float(values.max())
    near_low, middle, near_high = np.quantile(values, [0.02, 0.5, 0.98]).tolist()
    if math.isinf(bounds[1]) and high - middle > 3 * (near_high - middle) > 0:
        high = near_high
    if math.isinf(bounds[0]) and middle - low > 3 * (middle - near_low) > 0:
        low = near_low
    if high - low <= 1e-9 * max(abs(low), abs(high)):
        room = 0.05 * abs(middle) if middle else 0.5
        low, high = max(low - room, bounds[0]), min(high + room, bounds[1])
    width = _round_up((high - low) / _BINS)
    # Rounding keeps a value that sits on an edge, such as 0.3 / 0.1, in the bar above it.
    first = math.floor(round(low / width, 6))
    bars = max(math.ceil(round(high / width, 6)) - first, 1)
    place = np.floor(np.round(values / width, 6) - first)
    place[np.round(values / width, 6) == first + bars] = bars - 1
    inside = (place >= 0) & (place < bars)
    counts = np.bincount(place[inside].astype(np.int64), minlength=bars).astype(np.int64)
    return Bins(first * width, width, counts, int((place < 0).sum()), int((place >= bars).sum()))


def histogram(
    values: FloatArray,
    *,
    title: str,
    unit: str,
    bounds: tuple[float, float] = (-math.inf, math.inf),
) -> Markup:
    """Bars over the range of the values, both axes labelled, the median marked.

    Parameters
    ----------
    values : ndarray of float64, shape (n,)
        Finite values, at least one.
    title : str
        What is counted; also the label of the horizontal axis.
    unit : str
        Printed behind the title; "" for none.
    bounds : tuple of float
        Smallest and largest possible value.
    """
    bins = bin_values(values, bounds)
    plot_w, plot_h = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM
    floor = _TOP + plot_h
    ends = (bins.below > 0, bins.above > 0)
    bars = len(bins.counts) + sum(ends)  # a tail takes the place of one bar
    slot = plot_w / bars
    origin = _LEFT + slot * ends[0]
    heights = [bins.below, *bins.counts.tolist(), bins.above]
    step = max(int(_round_up(max(heights) / 3)), 1)
    top = step * math.ceil(max(heights) / step)
    decimals = _decimals(bins.width)
    with_unit = f" {unit}" if unit else ""

    def x_of(value: float) -> float:
        return origin + slot * (value - bins.start) / bins.width

    pieces = [_grid(floor, plot_h, step, top)]
    edges = [bins.start + k * bins.width for k in range(len(bins.counts) + 1)]
    words = [f"below {fixed(edges[0], decimals)}{with_unit}"]
    words += [
        f"{fixed(a, decimals)} to {fixed(b, decimals)}{with_unit}" for a, b in pairwise(edges)
    ]
    words += [f"above {fixed(edges[-1], decimals)}{with_unit}"]
    for k, (number, text) in enumerate(zip(heights, words, strict=True)):
        if number:
            height = max(plot_h * number / top, 1.0)
            kind = "bar tail" if k in (0, len(heights) - 1) else "bar"
            pieces.append(
                f'<rect class="{kind}" x="{origin + slot * (k - 1) + 0.5:.1f}" '
                f'y="{floor - height:.1f}" width="{max(slot - 1, 0.5):.1f}" '
                f'height="{height:.1f}"><title>{text}: {plural(number, "pair")}</title></rect>'
            )
    pieces.append(_ticks(bins, x_of, floor))
    for number, x, anchor, word in (
        (bins.below, _LEFT, "start", "smaller"),
        (bins.above, _WIDTH - _RIGHT, "end", "larger"),
    ):
        if number:
            y = floor - plot_h * number / top - 5
            pieces.append(_text(x, y, f"{number:,} {word}", anchor))
    median = float(np.median(values))
    places = decimals_for(median)
    mark = x_of(median)
    pieces.append(
        f'<line class="median" x1="{mark:.1f}" y1="{_TOP - 4}" x2="{mark:.1f}" y2="{floor}"/>'
    )
    label = f"median {fixed(median, places)}"
    anchor = "end" if mark > _LEFT + plot_w / 2 else "start"
    pieces.append(_text(mark + (4 if anchor == "start" else -4), _TOP - 8, label, anchor))
    pieces.append(f'<line class="axis" x1="{_LEFT}" y1="{floor}" x2="{_WIDTH - _RIGHT}" '
                  f'y2="{floor}"/>')  # fmt: skip
    pieces.append(_text(_LEFT + plot_w / 2, _HEIGHT - 8, title + (f", {unit}" if unit else "")))
    pieces.append(_text(4, _TOP - 8, "pairs", "start"))
    description = (
        f"Histogram of {title}: {plural(len(values), 'pair')} from "
        f"{fixed(float(values.min()), places)} to {fixed(float(values.max()), places)}{with_unit}, "
        f"median {fixed(median, places)}{with_unit}"
    )
    return _svg("histogram", _WIDTH, _HEIGHT, description, pieces)


def pair_drawing(
    reference: shapely.Geometry, prediction: shapely.Geometry, *, label: str, unit: str
) -> Markup:
    """Both outlines of a pair at one scale, north up, with a scale bar.

    Parameters
    ----------
    reference, prediction : Polygon or MultiPolygon
    label : str
        Description for those who do not see it.
    unit : str
        Of the scale bar.
    """
    boxes = np.array([shape.bounds for shape in (reference, prediction)])
    west, south = boxes[:, :2].min(axis=0).tolist()
    east, north = boxes[:, 2:].max(axis=0).tolist()
    size = max(east - west, north - south)
    scale = (_PAIR - 2 * _MARGIN) / size
    dx = (_PAIR - scale * (east - west)) / 2
    dy = (_PAIR - scale * (north - south)) / 2

    def path(shape: shapely.Geometry) -> str:
        rings = []
        for ring in shapely.get_rings(shapely.get_parts(shape)):
            points = (shapely.get_coordinates(ring) - (west, north)) * (scale, -scale) + (dx, dy)
            points = _visible(np.round(points, 1))
            steps = (f"{x:.10g} {y:.10g}" for x, y in points[:-1])
            rings.append("M" + "L".join(steps) + "Z")
        return "".join(rings)

    bar = _round_down(size / 3)
    length = scale * bar
    y = _PAIR + 8
    left, right = _MARGIN, _MARGIN + length
    pieces = [
        f'<path class="reference" fill-rule="evenodd" d="{path(reference)}"/>',
        f'<path class="prediction" fill-rule="evenodd" d="{path(prediction)}"/>',
        f'<path class="axis" d="M{left} {y - 4}V{y}H{right:.1f}V{y - 4}"/>',
        _text(right + 7, y + 2, f"{bar:,g} {unit}", "start"),
    ]
    return _svg("pair", _PAIR, _PAIR + _FOOT, label, pieces)


def count_bar(parts: Sequence[tuple[str, str, int]], *, label: str) -> Markup:
    """One bar cut into parts that are as long as their counts.

    Parameters
    ----------
    parts : sequence of (class, words, count)
        The class gives the colour.
    label : str
        What the whole bar stands for.
    """
    total = sum(number for _, _, number in parts)
    pieces = ['<rect class="empty" width="600" height="18"/>']
    done = 0
    for kind, words, number in parts:
        if number:
            x, width = 600 * done / total, 600 * number / total
            pieces.append(
                f'<rect class="{kind}" x="{x:.2f}" width="{max(width - 1, 0.5):.2f}" height="18">'
                f"<title>{escape(words)}: {number:,}</title></rect>"
            )
            done += number
    text = ", ".join(f"{number:,} {words}" for _, words, number in parts)
    return _svg("counts", 600, 18, f"{label}: {text}", pieces, stretch=True)


def gauge(value: float, interval: tuple[float, float] | None) -> Markup:
    """A share of 1 as a thin bar, its interval as a whisker; says nothing the text does not."""
    pieces = [
        '<rect class="track" width="200" height="6" rx="3"/>',
        f'<rect class="bar" width="{200 * min(max(value, 0), 1):.1f}" height="6" rx="3"/>',
    ]
    if interval is not None:
        low, high = (200 * min(max(x, 0), 1) for x in interval)
        pieces.append(f'<path class="whisker" d="M{low:.1f} 0V6M{low:.1f} 3H{high:.1f}'
                      f'M{high:.1f} 0V6"/>')  # fmt: skip
    return Markup(
        f'<svg class="gauge" viewBox="0 0 200 6" preserveAspectRatio="none" aria-hidden="true">'
        f"{''.join(pieces)}</svg>"
    )


def _visible(points: FloatArray) -> FloatArray:
    """A closed ring in pixels without the vertices that nobody could see."""
    moved = np.any(np.diff(points, axis=0) != 0, axis=1)
    ring = np.concatenate([points[:1], points[1:][moved]])
    if len(ring) < 5:
        return ring if len(ring) > 1 else points[:2]
    kept: FloatArray = shapely.get_coordinates(shapely.simplify(shapely.LinearRing(ring), 0.15))
    return kept


def _svg(
    kind: str, width: int, height: int, label: str, pieces: Sequence[str], *, stretch: bool = False
) -> Markup:
    text = escape(plain(label))
    shape = ' preserveAspectRatio="none"' if stretch else ""
    return Markup(
        f'<svg class="{kind}" viewBox="0 0 {width} {height}" role="img" aria-label="{text}"{shape}>'
        f"{''.join(pieces)}</svg>"
    )


def _text(x: float, y: float, words: str, anchor: str = "middle") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>'


def _grid(floor: int, height: int, step: int, top: int) -> str:
    pieces = []
    for number in range(0, top + 1, step):
        y = floor - height * number / top
        if number:
            pieces.append(
                f'<line class="grid-line" x1="{_LEFT}" y1="{y:.1f}" x2="{_WIDTH - _RIGHT}" '
                f'y2="{y:.1f}"/>'
            )
        pieces.append(_text(_LEFT - 6, y + 4, f"{number:,}", "end"))
    return "".join(pieces)


def _ticks(bins: Bins, x_of: Callable[[float], float], floor: int) -> str:
    """Labels below the axis, at round numbers, four or five of them."""
    step = _round_up(bins.width * max(len(bins.counts), 2) / 5)
    decimals = _decimals(step)
    pieces = []
    k = math.ceil(round(bins.start / step, 6))
    while k * step <= bins.stop + 1e-6 * bins.width:
        x = x_of(k * step)
        pieces.append(f'<line class="axis" x1="{x:.1f}" y1="{floor}" x2="{x:.1f}" '
                      f'y2="{floor + 4}"/>')  # fmt: skip
        pieces.append(_text(x, floor + 16, fixed(k * step, decimals)))
        k += 1
    return "".join(pieces)


def _round_up(size: float) -> float:
    """The smallest of 1, 2, 2.5, 5 times a power of ten that is not below `size`."""
    power = 10.0 ** math.floor(math.log10(size))
    steps = (1, 2, 2.5, 5, 10)
    return next(s * power for s in steps if s * power >= size * (1 - 1e-12))


def _round_down(size: float) -> float:
    """The largest of 1, 2, 5 times a power of ten that is not above `size`."""
    power = 10.0 ** math.floor(math.log10(size))
    return next(s * power for s in (5, 2, 1) if s * power <= size * (1 + 1e-12))


def _decimals(step: float) -> int:
    """Decimals that tell multiples of a round step apart."""
    return next((d for d in range(13) if abs(step * 10**d - round(step * 10**d)) < 1e-6), 13)
