"""The same figures by class: a column of the reference, or classes of area."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polygauge.errors import OptionError
from polygauge.geometry import FloatArray
from polygauge.tables import Detection, Features, Matches, Measurements


def area_classes(
    areas: FloatArray, classes: str, unit: str, *, quantiles_of: int
) -> tuple[NDArray[Any], list[str]]:
    """Area class of each feature, and all classes in rising order.

    Parameters
    ----------
    areas : ndarray of float64, shape (n,)
        Squared CRS units.
    classes : str
        Rising limits such as "50,200,1000", or "quantile:4" for four classes of equal number.
    unit : str
        Printed behind the limits.
    quantiles_of : int
        Quantiles are those of so many first areas (the reference's).

    Returns
    -------
    labels : ndarray of str, shape (n,)
    names : list of str
    """
    if classes.startswith("quantile:"):
        text = classes.removeprefix("quantile:")
        if not text.isdigit() or int(text) < 2:
            raise OptionError(
                f"area classes {classes!r}",
                hint="give a number of classes of 2 or more, as quantile:4",
            )
        ranks = np.linspace(0, 1, int(text) + 1)[1:-1]
        limits = np.unique(np.quantile(areas[:quantiles_of], ranks)) if quantiles_of else ranks[:0]
    else:
        limits = _limits(classes)
    edges = [f"{x:.6g}" for x in limits]
    names = ["all"]
    if edges:
        between = [f"{low} to {high} {unit}" for low, high in pairwise(edges)]
        names = [f"below {edges[0]} {unit}", *between, f"{edges[-1]} {unit} and more"]
    labels = np.array(names, dtype=object)[np.searchsorted(limits, areas, side="right")]
    return labels, names


def _limits(classes: str) -> FloatArray:
    try:
        limits = np.array([float(x) for x in classes.split(",")])
    except ValueError:
        limits = np.empty(0)
    if len(limits) == 0 or not np.isfinite(limits).all() or (np.diff(limits) <= 0).any():
        raise OptionError(
            f"area classes {classes!r}",
            hint="give rising numbers, as 50,200,1000, or a number of classes, as quantile:4",
        )
    return limits


def summarise_strata(
    labels: NDArray[Any],
    prediction_labels: NDArray[Any] | None,
    reference: Features,
    detection: Detection,
    matches: Matches,
    measurements: Measurements,
    order: Sequence[str] | None = None,
) -> list[dict[str, Any]]:
    """A row a class of the judged references.

    Parameters
    ----------
    labels : ndarray, shape (references,)
        Class of each reference.
    prediction_labels : ndarray, shape (predictions,), or None
        Class of each prediction, where it has one of its own; extras are counted by it.
    order : sequence of str, optional
        Order of the classes; by name without it.
    """
    found = np.zeros(len(reference), dtype=bool)
    found[detection.reference] = True
    kept = matches.one_to_one
    pair_labels = labels[matches.reference[kept]]
    present = set(labels[reference.counts].tolist())
    if prediction_labels is not None:
        present |= set(prediction_labels[detection.extra].tolist())
    rows = []
    for label in sorted(present, key=order.index if order else None):
        inside = labels == label
        tp = int((found & inside).sum())
        fn = int((detection.missed & inside).sum())
        row: dict[str, Any] = {
            "class": label,
            "references": tp + fn,
            "tp": tp,
            "fn": fn,
            "recall": tp / (tp + fn) if tp + fn else float("nan"),
        }
        if prediction_labels is not None:
            row["fp"] = int((detection.extra & (prediction_labels == label)).sum())
        row["metrics"] = {
            name: _mean(column[kept][pair_labels == label])
            for name, column in measurements.values.items()
        }
        rows.append(row)
    return rows


def _mean(values: FloatArray) -> dict[str, float]:
    defined = values[~np.isnan(values)]
    return {
        "n": len(defined),
        "undefined": len(values) - len(defined),
        "mean": float(defined.mean()) if len(defined) else float("nan"),
    }
