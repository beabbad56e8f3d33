"""The page of a run: one HTML file that needs nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jinja2
import numpy as np

from polygauge.metrics import BY_NAME
from polygauge.reports._svg import histogram, pair_drawing
from polygauge.tables import Features, Matches, Measurements

WORST = 10
_LONGEST = 60  # characters of a value that are shown

_SENTENCES = {
    "precision": "of the predictions match a reference",
    "recall": "of the references are matched",
    "f1": "balance of precision and recall",
    "layer_iou": "shared ground over all ground covered, layers as wholes",
}
_TITLES = {
    "precision": "Precision",
    "recall": "Recall",
    "f1": "F1",
    "layer_iou": "IoU of the whole layers",
}
_UNITS = {"metre": "m", "pixel": "px", "unit": "units"}


def write_page(
    path: Path,
    *,
    summary: dict[str, Any],
    reference: Features,
    prediction: Features,
    matches: Matches,
    measurements: Measurements,
) -> None:
    """Write report.html; see `render_page`."""
    text = render_page(
        summary=summary,
        reference=reference,
        prediction=prediction,
        matches=matches,
        measurements=measurements,
    )
    path.write_text(text, encoding="utf-8")


def render_page(
    *,
    summary: dict[str, Any],
    reference: Features,
    prediction: Features,
    matches: Matches,
    measurements: Measurements,
) -> str:
    """The page as text: headline, warnings, counts, metrics, histograms, the worst pairs.

    Parameters
    ----------
    summary : dict
        Content of summary.json.
    reference, prediction : Features
    matches : Matches
    measurements : Measurements

    Returns
    -------
    str
        HTML without scripts and without anything to fetch; all values are escaped.
    """
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("polygauge.reports"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters["number"] = _number
    environment.filters["short"] = _short
    unit = _UNITS[reference.unit]
    return environment.get_template("page.html").render(
        summary=summary,
        cards=_cards(summary, unit),
        rows=_metric_rows(summary, matches, measurements, unit),
        worst=_worst(reference, prediction, matches, measurements, unit),
        most=WORST,
        unit=unit,
    )


def _number(value: float | None, digits: int = 4) -> str:
    if value is None or not np.isfinite(value):
        return "n/a"
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:.{digits}g}" if abs(value) < 10**digits else f"{value:,.0f}"


def _short(value: object) -> str:
    """A value cut to what fits a table, with its length where it was cut."""
    text = str(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}… ({len(text):,} characters)"


def _metric_unit(name: str, unit: str) -> str:
    return {"length": unit, "area": f"{unit}²", "degree": "°"}.get(BY_NAME[name].unit, "")


def _cards(summary: dict[str, Any], unit: str) -> list[dict[str, Any]]:
    """One card a headline figure: value, interval and a sentence."""
    first = summary["detection"][0]
    cards = []
    for name, value in summary["headline"].items():
        metric = summary["metrics"].get(name)
        interval = first["ci95"].get(name) if metric is None else metric["ci95"]
        cards.append(
            {
                "name": _TITLES[name] if metric is None else BY_NAME[name].title,
                "value": value,
                "interval": interval,
                "unit": "" if metric is None else _metric_unit(name, unit),
                "sentence": _SENTENCES.get(name)
                or f"mean over {metric['n']:,} matched pairs, "
                + ("higher" if BY_NAME[name].higher_is_better else "lower")
                + " is better",
            }
        )
    return cards


def _metric_rows(
    summary: dict[str, Any], matches: Matches, measurements: Measurements, unit: str
) -> list[dict[str, Any]]:
    """One row a metric, with its histogram where it has values."""
    rows = []
    for name, metric in summary["metrics"].items():
        values = measurements.values[name][matches.one_to_one]
        values = values[~np.isnan(values)]
        title, own_unit = BY_NAME[name].title, _metric_unit(name, unit)
        drawing = histogram(values, label=title, unit=own_unit) if len(values) else None
        rows.append(
            {"name": name, "title": title, "unit": own_unit, "histogram": drawing, **metric}
        )
    return rows


def _worst(
    reference: Features,
    prediction: Features,
    matches: Matches,
    measurements: Measurements,
    unit: str,
) -> list[dict[str, Any]]:
    """The matched pairs with the lowest IoU, drawn."""
    kept = np.flatnonzero(matches.one_to_one)
    chosen = kept[np.argsort(matches.iou[kept], kind="stable")][:WORST]
    a = reference.polygons.take(matches.reference[chosen]).to_shapely()
    b = prediction.polygons.take(matches.prediction[chosen]).to_shapely()
    pairs = []
    for k, pair in enumerate(chosen):
        ids = (
            _short(reference.ids[matches.reference[pair]]),
            _short(prediction.ids[matches.prediction[pair]]),
        )
        values = [
            (BY_NAME[name].title, _number(float(column[pair])), _metric_unit(name, unit))
            for name, column in measurements.values.items()
        ]
        label = f"Reference {ids[0]} and prediction {ids[1]}, IoU {matches.iou[pair]:.3f}"
        pairs.append(
            {
                "ids": ids,
                "values": values,
                "drawing": pair_drawing(a[k], b[k], label=label, unit=unit),
            }
        )
    return pairs
