"""Drawings as SVG: histograms from values, pairs of outlines from geometry."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import shapely
from markupsafe import Markup, escape

from polygauge.geometry import FloatArray

_BINS = 24
_WIDTH, _HEIGHT = 320, 150
_LEFT, _BOTTOM, _TOP, _RIGHT = 44, 30, 8, 10
_PAIR = 220
_MARGIN = 14


def histogram(values: FloatArray, *, label: str, unit: str) -> Markup:
    """Bars of equal width over the range of the values, with both axes labelled.

    Parameters
    ----------
    values : ndarray of float64, shape (n,)
        Defined values, at least one.
    label : str
        What is shown, for the description.
    unit : str
        Printed behind the values; "" for none.
    """
    low, high = float(values.min()), float(values.max())
    if high - low <= 1e-12 * max(abs(low), abs(high), 1e-300):
        low, high = low - 0.5, high + 0.5
    counts, edges = np.histogram(values, bins=_BINS, range=(low, high))
    inner_w, inner_h = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _BOTTOM - _TOP
    top = int(counts.max())
    bars = []
    for k, count in enumerate(counts):
        if count:
            height = inner_h * count / top
            x = _LEFT + inner_w * k / _BINS
            title = f"{_tick(edges[k])} to {_tick(edges[k + 1])}: {count}"
            bars.append(
                f'<rect class="bar" x="{x + 0.5:.1f}" y="{_TOP + inner_h - height:.1f}" '
                f'width="{inner_w / _BINS - 1:.1f}" height="{height:.1f}">'
                f"<title>{title}</title></rect>"
            )
    axis = _TOP + inner_h
    ticks = []
    for share, anchor in ((0.0, "start"), (0.5, "middle"), (1.0, "end")):
        text = _tick(low + share * (high - low)) + (f" {unit}" if unit and share == 1 else "")
        x = _LEFT + share * inner_w
        ticks.append(
            f'<text x="{x:.1f}" y="{axis + 16}" text-anchor="{anchor}">{escape(text)}</text>'
        )
    title = f"Histogram of {label}: {len(values)} values from {_tick(low)} to {_tick(high)} {unit}"
    return Markup(
        f'<svg class="histogram" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" '
        f'aria-label="{escape(title.strip())}">'
        f'<line class="axis" x1="{_LEFT}" y1="{axis}" x2="{_WIDTH - _RIGHT}" y2="{axis}"/>'
        f'<text x="{_LEFT - 6}" y="{_TOP + 9}" text-anchor="end">{top}</text>'
        f'<text x="{_LEFT - 6}" y="{axis}" text-anchor="end">0</text>'
        f"{''.join(bars)}{''.join(ticks)}</svg>"
    )


def pair_drawing(
    reference: shapely.Geometry, prediction: shapely.Geometry, *, label: str, unit: str
) -> Markup:
    """Both outlines of a pair at one scale, with a scale bar.

    Parameters
    ----------
    reference, prediction : Polygon or MultiPolygon
    label : str
        Description for those who do not see it.
    unit : str
        Of the scale bar.
    """
    boxes = [shape.bounds for shape in (reference, prediction)]
    west, south = (min(box[k] for box in boxes) for k in (0, 1))
    east, north = (max(box[k] for box in boxes) for k in (2, 3))
    size = max(east - west, north - south)
    scale = (_PAIR - 2 * _MARGIN) / size
    dx = (_PAIR - scale * (east - west)) / 2
    dy = (_PAIR - scale * (north - south)) / 2

    def path(shape: shapely.Geometry) -> str:
        pieces = []
        for part in shapely.get_parts(shape):
            for ring in shapely.get_rings(part):
                points = shapely.get_coordinates(ring)[:-1]
                x = dx + scale * (points[:, 0] - west)
                y = dy + scale * (north - points[:, 1])
                pieces.append(
                    "M" + "L".join(f"{a:.1f} {b:.1f}" for a, b in zip(x, y, strict=True)) + "Z"
                )
        return "".join(pieces)

    bar = _nice(size / 3)
    length = scale * bar
    y = _PAIR + 8
    return Markup(
        f'<svg class="pair" viewBox="0 0 {_PAIR} {_PAIR + 24}" role="img" '
        f'aria-label="{escape(label)}">'
        f'<path class="prediction" fill-rule="evenodd" d="{path(prediction)}"/>'
        f'<path class="reference" fill-rule="evenodd" d="{path(reference)}"/>'
        f'<line class="axis" x1="{_MARGIN}" y1="{y}" x2="{_MARGIN + length:.1f}" y2="{y}"/>'
        f'<text x="{_MARGIN + length + 6:.1f}" y="{y + 4}">{bar:g} {escape(unit)}</text></svg>'
    )


def _nice(length: float) -> float:
    """The largest of 1, 2, 5 times a power of ten that is not above `length`."""
    power = 10.0 ** math.floor(math.log10(length))
    steps: Sequence[int] = (5, 2, 1)
    return next(s * power for s in steps if s * power <= length * (1 + 1e-12))


def _tick(value: float) -> str:
    return f"{value:.3g}"
