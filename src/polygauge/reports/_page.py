"""The page of a run: one HTML file that needs nothing else."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import jinja2
import numpy as np
import shapely
from markupsafe import Markup

from polygauge.geometry import FloatArray
from polygauge.metrics import BY_NAME
from polygauge.reports._svg import count_bar, gauge, histogram, pair_drawing
from polygauge.reports._words import (
    count,
    decimals_for,
    fixed,
    harmless,
    is_number,
    percent,
    plain,
    plural,
    ratio,
    short,
)
from polygauge.tables import Features, Matches, Measurements

WORST = 10
# Metrics that have a card, and stand beside each drawing; the table and the histograms show all.
LEADING = 8

_UNITS = {"metre": "m", "pixel": "px", "unit": "units"}
_FOUND = {
    "precision": ("Precision", "Share of the predictions that match a reference."),
    "recall": ("Recall", "Share of the references that a prediction matches."),
    "f1": ("F1", "Harmonic mean of precision and recall."),
    "layer_iou": (
        "IoU of the layers",
        "Ground that both layers cover, over ground that either covers.",
    ),
}
# Measures of whole images that share a metric's name.
_WHOLE = ("iou", "vertex_ratio", "ciou", "line_dof", "precision_mean", "recall_mean")
_COUNTED = (
    "references", "predictions", "reference_vertices", "prediction_vertices", "tp", "fp", "fn",
)  # fmt: skip
_TILE_FIGURES = {
    "iou": ("IoU", "Ground of an image that both sides cover, over ground that either covers."),
    "ciou": ("C-IoU", "IoU of an image times its vertex ratio."),
    "vertex_ratio": ("vertex ratio", "How well the numbers of vertices in an image agree."),
    "line_dof": ("line DoF", "Share of free lines in the predictions of an image."),
    "ap": ("AP", "Average precision at IoU 0.5 to 0.95."),
    "ar": ("AR", "Average recall at IoU 0.5 to 0.95."),
    "precision_mean": ("Precision", "Mean over IoU 0.5 to 0.95 and over the images."),
    "recall_mean": ("Recall", "Mean over IoU 0.5 to 0.95 and over the images."),
    "precision": ("Precision", "Share of the predictions that match a reference."),
    "recall": ("Recall", "Share of the references that a prediction matches."),
    "f1": ("F1", "Harmonic mean of precision and recall."),
    "tp": ("Found", "Predictions that match a reference."),
    "fp": ("Extra", "Predictions that match none."),
    "fn": ("Missed", "References that no prediction matches."),
}
_STATISTICS = {
    ("AP", ""): " at IoU 0.5 to 0.95",
    ("AP", "50"): " at IoU 0.5",
    ("AP", "75"): " at IoU 0.75",
    **{
        (sort, size): f" of {size} objects"
        for sort in ("AP", "AR")
        for size in ("small", "medium", "large")
    },
    ("AR", ""): " at IoU 0.5 to 0.95",
}
_TILE_ROWS = {
    "line_dof": "line DoF of predictions",
    "line_dof_reference": "line DoF of references",
    "precision_mean": "precision over IoU 0.5 to 0.95",
    "recall_mean": "recall over IoU 0.5 to 0.95",
}
_RELATIONS = {
    "1:1": ("one to one", "one reference and one prediction"),
    "1:n": ("split", "one reference in several predictions"),
    "n:1": ("merged", "several references in one prediction"),
    "n:m": ("tangled", "several references and several predictions"),
    "missed": ("missed", "a reference that no prediction is related to"),
    "extra": ("extra", "a prediction that no reference is related to"),
}


def write_page(
    path: str | os.PathLike[str],
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
    Path(path).write_text(text, encoding="utf-8")


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
        Content of summary.json; undefined numbers may be None or NaN.
    reference, prediction : Features
    matches : Matches
    measurements : Measurements

    Returns
    -------
    str
        HTML without scripts and without anything to fetch; all values are escaped, control
        characters are made visible, long texts are cut and their length stated.
    """
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("polygauge.reports"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
        finalize=harmless,
    )
    for function in (count, percent, ratio, short):
        environment.filters[function.__name__] = function
    unit = _UNITS[reference.unit]
    metrics = [
        _Metric(name, values, measurements, unit) for name, values in summary["metrics"].items()
    ]
    tiled = bool(summary.get("tiles"))
    return environment.get_template("page.html").render(
        summary=summary,
        sides=[_side(features, summary) for features in (reference, prediction)],
        names=[_base(summary["config"][side]) for side in ("prediction", "reference")],
        verdict=_verdict(summary),
        found=_tile_cards(summary, unit) if tiled else _found_cards(summary),
        metrics=metrics,
        leading=[] if tiled else metrics[:LEADING],
        tiles=_tile_rows(summary),
        relations=[
            (*_RELATIONS.get(name, (name, "")), number)
            for name, number in summary["counts"].get("groups", {}).items()
        ],
        undefined=[
            (metric.title, why, number)
            for metric in metrics
            for why, number in metric.values["undefined"].items()
        ],
        histograms=_histograms(metrics, matches, measurements),
        worst=_worst(reference, prediction, matches, measurements, metrics[:LEADING], unit),
        unit=unit,
    )


class _Metric:
    """One metric as the page shows it: its words and the decimals of all its numbers."""

    def __init__(
        self, name: str, values: dict[str, Any], measurements: Measurements, unit: str
    ) -> None:
        record = BY_NAME.get(name)
        self.name = name
        self.values = values
        self.title = name if record is None else record.title
        self.is_ratio = record is not None and record.unit == "ratio"
        self.bounds = (-np.inf, np.inf) if record is None else record.bounds
        units = {"length": unit, "area": f"{unit}²", "degree": "°"}
        self.unit = "" if record is None else units.get(record.unit, "")
        self.heading = f"{self.title}, {self.unit}" if self.unit else self.title
        self.better = ""
        if record is not None and record.best is not None:
            self.better = "higher is better" if record.higher_is_better else "lower is better"
            if record.best not in record.bounds:
                self.better = f"best at {record.best:g}"
        self.source = "" if record is None else record.source
        self.equation, self.sentence = (
            _fill_in(text, measurements.parameters, unit)
            for text in (
                "" if record is None else record.equation,
                "" if record is None else _first_sentence(record.function.__doc__),
            )
        )
        typical = values["mean"] if is_number(values["mean"]) else values["max"]
        self._decimals = decimals_for(typical)

    def show(self, value: float | None) -> str:
        """A value of this metric, without its unit."""
        return ratio(value) if self.is_ratio else fixed(value, self._decimals)

    @property
    def interval(self) -> str:
        """The 95 % interval of the mean in words; "" where there is none."""
        ends = self.values["ci95"]
        return "" if not ends else f"{self.show(ends[0])} to {self.show(ends[1])}"

    @property
    def gauge(self) -> Markup | str:
        """The mean as a bar, where it is a share of a whole."""
        mean = self.values["mean"]
        share = self.is_ratio and self.bounds == (0.0, 1.0) and is_number(mean)
        return gauge(mean, self.values["ci95"]) if share else ""


def _first_sentence(docstring: str | None) -> str:
    """What a metric is, from its own documentation."""
    return (docstring or "").strip().partition("\n\n")[0].replace("\n", " ")


def _fill_in(text: str, parameters: dict[str, float], unit: str) -> str:
    """Text with the names of parameters, in backticks, replaced by what the run gave them."""
    for name, value in parameters.items():
        text = text.replace(f"`{name}`", f"{value:g}{'°' if 'angle' in name else f' {unit}'}")
    return text.replace("`", "")


def _base(path: object) -> str:
    """Last part of a path, or the whole of what is none."""
    text = plain(path)
    return re.split(r"[\\/]", text.rstrip("\\/"))[-1] or text


def _side(features: Features, summary: dict[str, Any]) -> dict[str, Any]:
    """One layer: its counts, and a bar of what became of its features."""
    counts = summary["counts"][features.side]
    found = summary["detection"][0]
    is_reference = features.side == "reference"
    lost = found["fn"] if is_reference else found["fp"]
    alone = summary["counts"].get("groups", {}).get("missed" if is_reference else "extra", 0)
    other = "prediction" if is_reference else "reference"
    parts = [
        ("matched", "matched", found["tp"]),
        ("related", f"related to a {other}, but not matched", lost - alone),
        ("alone", f"{'missed' if is_reference else 'extra'}: no {other} is related", alone),
    ]
    aside = counts["used"] - found["tp"] - lost
    if aside:
        parts.append(("aside", "counted neither way", aside))
    return {
        "side": features.side,
        "source": summary["config"][features.side],
        "counts": counts,
        "area": fixed(summary["counts"]["areas"][features.side], 0),
        "parts": parts,
        "bar": count_bar(parts, label=f"{features.side}s"),
        "events": [
            (action.replace("_", " "), kind, number)
            for action in ("repaired", "skipped", "set_aside")
            for kind, number in counts[action].items()
        ],
    }


def _verdict(summary: dict[str, Any]) -> str:
    """What was found, in one or two sentences."""
    found = summary["detection"][0]
    references, predictions = found["tp"] + found["fn"], found["tp"] + found["fp"]
    if not references and not predictions:
        return "There is nothing to compare: no reference and no prediction is judged."
    if not references:
        return f"There is no reference to judge {plural(predictions, 'prediction')} by."
    at = f"at IoU of {found['threshold']:g} or more"
    if not predictions:
        return f"There are no predictions: {plural(references, 'reference')} cannot be matched."
    first = (
        f"Every one of {plural(references, 'reference')} has a matching prediction {at}."
        if not found["fn"]
        else f"{found['tp']:,} of {plural(references, 'reference')} "
        f"({percent(found['tp'], references)}) have a matching prediction {at}; "
        f"{found['fn']:,} {'has' if found['fn'] == 1 else 'have'} none."
    )
    second = (
        "Every prediction matches a reference."
        if not found["fp"]
        else f"{found['fp']:,} of {plural(predictions, 'prediction')} "
        f"{'matches' if found['fp'] == 1 else 'match'} no reference."
    )
    return f"{first} {second}"


def _found_cards(summary: dict[str, Any]) -> list[dict[str, Any]]:
    """Headline figures that are not means of a metric."""
    intervals = summary["detection"][0]["ci95"]
    cards = []
    for name, value in summary["headline"].items():
        if name in summary["metrics"]:
            continue
        title, sentence = _FOUND.get(name, (name, ""))
        ends = intervals.get(name)
        known = name in _FOUND and is_number(value)
        cards.append(
            {
                "title": title,
                "value": ratio(value) if name in _FOUND else fixed(value, decimals_for(value)),
                "sentence": sentence,
                "interval": f"{ratio(ends[0])} to {ratio(ends[1])}" if ends else "",
                "unit": "",
                "gauge": gauge(value, ends) if known else "",
            }
        )
    return cards


def _tile_cards(summary: dict[str, Any], unit: str) -> list[dict[str, Any]]:
    """Every headline figure of a suite of images."""
    cards = []
    for name, value in summary["headline"].items():
        title, sentence = _tile_words(name)
        measure = name if name in _WHOLE else f"matched_{name}"
        ends = summary["tiles"].get(measure, {}).get("ci95")
        decimals = decimals_for(value)
        cards.append(
            {
                "title": title,
                "value": fixed(value, decimals),
                "unit": _unit_of(name, unit),
                "sentence": sentence,
                "interval": " to ".join(fixed(end, decimals) for end in ends) if ends else "",
                "gauge": "",
            }
        )
    return cards


def _tile_words(name: str) -> tuple[str, str]:
    """Title and sentence of a headline figure."""
    if name in _TILE_FIGURES:
        return _TILE_FIGURES[name]
    record = BY_NAME.get(name)
    if record is not None:
        return record.title, "Mean over the matched pairs of an image, then over the images."
    for start, words in (("AP", "Average precision"), ("AR", "Average recall")):
        if name.startswith(start):
            rest = name.removeprefix(start).lstrip("_")
            what = _STATISTICS.get((start, rest), f" with the best {rest} of each image")
            return name, f"{words}{what}."
    return name, ""


def _unit_of(name: str, unit: str) -> str:
    record = BY_NAME.get(name)
    return {"length": unit, "degree": "°"}.get(record.unit, "") if record is not None else ""


def _tile_rows(summary: dict[str, Any]) -> list[dict[str, Any]]:
    """A row a measure of whole images, as texts."""
    rows = []
    for name, values in summary.get("tiles", {}).items():
        if name in _COUNTED:
            continue
        base = name.removeprefix("matched_")
        record = BY_NAME.get(base)
        title = _TILE_ROWS.get(name) or (record.title if record is not None else name)
        decimals = decimals_for(values["mean"])
        ends, pooled = values["ci95"], summary["pooled"].get(name)
        rows.append(
            {
                "title": f"{title}, matched pairs" if base != name else title,
                "n": values["n"],
                "undefined": sum(values["undefined"].values()),
                "interval": " to ".join(fixed(end, decimals) for end in ends) if ends else "–",
                "pooled": "–" if pooled is None else fixed(pooled, decimals),
                **{key: fixed(values[key], decimals) for key in ("mean", "median", "min", "max")},
            }
        )
    return rows


def _histograms(
    metrics: Iterable[_Metric], matches: Matches, measurements: Measurements
) -> list[tuple[_Metric, Markup]]:
    """A drawing for every metric that has values on the matched pairs."""
    drawings = []
    for metric in metrics:
        values: FloatArray = measurements.values[metric.name][matches.one_to_one]
        values = values[np.isfinite(values)]
        if len(values):
            drawing = histogram(values, title=metric.title, unit=metric.unit, bounds=metric.bounds)
            drawings.append((metric, drawing))
    return drawings


def _worst(
    reference: Features,
    prediction: Features,
    matches: Matches,
    measurements: Measurements,
    metrics: Iterable[_Metric],
    unit: str,
) -> list[dict[str, Any]]:
    """The matched pairs with the lowest IoU, drawn."""
    kept = np.flatnonzero(matches.one_to_one)
    chosen = kept[np.argsort(matches.iou[kept], kind="stable")][:WORST]
    a = reference.polygons.take(matches.reference[chosen]).to_shapely()
    b = prediction.polygons.take(matches.prediction[chosen]).to_shapely()
    pairs = []
    for k, pair in enumerate(chosen):
        i, j = matches.reference[pair], matches.prediction[pair]
        ids = short(reference.ids[i]), short(prediction.ids[j])
        iou = ratio(float(matches.iou[pair]))
        values = [
            (metric.title, metric.show(float(measurements.values[metric.name][pair])), metric.unit)
            for metric in metrics
            if metric.name != "iou"
        ]
        score = None if prediction.scores is None else float(prediction.scores[j])
        pairs.append(
            {
                "ids": ids,
                "iou": iou,
                "values": values,
                "areas": [fixed(shapely.area(shape), decimals_for(shapely.area(shape)))
                          for shape in (a[k], b[k])],
                "score": "" if score is None else fixed(score, 3),
                "drawing": pair_drawing(
                    a[k],
                    b[k],
                    label=f"Reference {ids[0]} and prediction {ids[1]}, IoU {iou}",
                    unit=unit,
                ),
            }
        )  # fmt: skip
    return pairs
