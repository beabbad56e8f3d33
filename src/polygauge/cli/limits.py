"""Limits on headline figures: `--fail-under NAME=LIMIT`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from polygauge.cli.text import number
from polygauge.errors import OptionError

if TYPE_CHECKING:
    from polygauge.tables import Summary

Limits = list[tuple[str, float]]


def parse(items: Sequence[str], metrics: Sequence[str]) -> Limits:
    """Names and limits of a run that measures `metrics`.

    Raises
    ------
    OptionError
        A limit is no number, or is on a figure that the run will not have.
    """
    known = ("precision", "recall", "f1", "layer_iou", *metrics)
    limits = []
    for item in items:
        name, _, number_text = item.partition("=")
        try:
            limits.append((name, float(number_text)))
        except ValueError:
            raise OptionError(
                f"--fail-under {item}: no number", hint="write NAME=LIMIT, as iou=0.7"
            ) from None
        if name not in known:
            raise OptionError(
                f"--fail-under {name}: there is no such figure", hint=f"known: {', '.join(known)}"
            )
    return limits


def report(limits: Limits, summary: Summary) -> int:
    """Say which figures are below their limits, or undefined; 1 if any is, else 0."""
    status = 0
    for name, limit in limits:
        value = summary.headline[name]
        if not value >= limit:
            click.echo(f"failed: {name} is {number(value)}, below {limit:g}", err=True)
            status = 1
    return status
