"""Everything the command prints for people."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from polygauge.tables import Summary


@contextmanager
def progress(*, wanted: bool) -> Iterator[Callable[[str, int, int], None]]:
    """A function to report progress to: a bar on standard error, only on a terminal."""
    if not (wanted and sys.stderr.isatty()):
        yield lambda stage, done, total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("starting", total=None)

        def report(stage: str, done: int, total: int) -> None:
            bar.update(task, description=stage, completed=done, total=total if done else None)

        yield report


def number(value: float | None, digits: int = 4) -> str:
    """A figure as text; n/a where undefined."""
    if value is None or math.isnan(value):
        return "n/a"
    return f"{value:.{digits}g}" if abs(value) < 10**digits else f"{value:.0f}"


def table(rows: Sequence[Sequence[str]], *, left: int = 1) -> str:
    """Rows as aligned columns: the first `left` of them to the left, the others to the right."""
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if k < left else cell.rjust(width)
            for k, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def summary_text(document: dict[str, Any]) -> str:
    """The summary of a run, as printed."""
    blocks = [_features(document["counts"]), _detection(document), _metrics(document)]
    if document["tiles"]:
        blocks += [_tiles(document), _average_precision(document), _headline(document)]
    if document["shapes"]:
        blocks.append(_shapes(document["shapes"]))
    blocks += [_stratum(name, rows) for name, rows in document["strata"].items()]
    return "\n\n".join(blocks)


def _features(counts: dict[str, Any]) -> str:
    rows = [["", "read", "used", "judged", "repaired", "skipped", "set aside"]]
    for side in ("reference", "prediction"):
        c = counts[side]
        sums = [sum(c[k].values()) for k in ("repaired", "skipped", "set_aside")]
        rows.append([side, *(str(x) for x in (c["read"], c["used"], c["judged"], *sums))])
    areas = counts["areas"]
    groups = ", ".join(f"{n} {name}" for name, n in counts["groups"].items() if n)
    return (
        f"{table(rows)}\n\nlayer IoU {number(areas['iou'])} "
        f"(reference {number(areas['reference'])}, prediction {number(areas['prediction'])}, "
        f"both {number(areas['intersection'])})"
        f"\ngroups: {groups or 'none'}"
    )


def _detection(document: dict[str, Any]) -> str:
    rows = [["IoU >=", "TP", "FP", "FN", "excused", "precision", "recall", "F1", "mean IoU"]]
    for d in document["detection"]:
        ratios = [number(d[k]) for k in ("precision", "recall", "f1", "mean_iou")]
        counts = [str(d[k]) for k in ("tp", "fp", "fn", "excused")]
        rows.append([f"{d['threshold']:g}", *counts, *ratios])
    return f"one-to-one, {document['policies']['matching'].split(':')[0]}\n{table(rows)}"


def _metrics(document: dict[str, Any]) -> str:
    rows = [
        ["metric", "n", "undefined", "mean", "95 %", "with misses", "median", "RMSE", "q95", "max"]
    ]
    whys = []
    for name, m in document["metrics"].items():
        interval = "-" if m["ci95"] is None else " to ".join(number(x, 3) for x in m["ci95"])
        figures = [m["median"], m["rmse"], m["quantiles"]["0.95"], m["max"]]
        undefined = sum(m["undefined"].values())
        misses = "-" if m["mean_with_misses"] is None else number(m["mean_with_misses"])
        rows.append(
            [name, str(m["n"]), str(undefined), number(m["mean"]), interval, misses]
            + [number(x) for x in figures]
        )
        whys += [f"  {name}: {count} undefined, {why}" for why, count in m["undefined"].items()]
    return "\n".join([f"over {document['counts']['pairs']['one_to_one']} one-to-one pairs",
                      table(rows), *whys])  # fmt: skip


def _tiles(document: dict[str, Any]) -> str:
    """Statistics over the tiles; `pooled` where a measure also exists over all of them at once."""
    pooled = document["pooled"]
    names = [name for name in document["tiles"] if name not in _COUNTED]
    rows = [["measure", "n", "undefined", "mean", "95 %", "median", "min", "max", "pooled"]]
    for name in names:
        m = document["tiles"][name]
        interval = "-" if m["ci95"] is None else " to ".join(number(x, 3) for x in m["ci95"])
        cells = [str(m["n"]), str(sum(m["undefined"].values())), number(m["mean"]), interval]
        cells += [number(m[key]) for key in ("median", "min", "max")]
        rows.append([name, *cells, number(pooled[name]) if name in pooled else "-"])
    images = max(m["n"] + sum(m["undefined"].values()) for m in document["tiles"].values())
    return f"over {images} images; matched_... is the mean over an image's pairs\n{table(rows)}"


# Columns of tiles.parquet that say how much there is, not how good it is.
_COUNTED = (
    "references", "predictions", "reference_vertices", "prediction_vertices", "tp", "fp", "fn",
)  # fmt: skip


def _average_precision(document: dict[str, Any]) -> str:
    what = document["policies"]["average precision"]
    figures = "  ".join(f"{k} {number(v)}" for k, v in document["average_precision"].items())
    return f"average precision: {what}\n{figures}"


def _headline(document: dict[str, Any]) -> str:
    rows = [[name, number(value)] for name, value in document["headline"].items()]
    return f"{document['config']['suite']}\n{table(rows)}"


def _shapes(shapes: dict[str, Any]) -> str:
    rows = [["shapes", "reference: n", "mean", "median", "prediction: n", "mean", "median"]]
    for name, sides in shapes.items():
        cells = [[str(m["n"]), number(m["mean"]), number(m["median"])] for m in sides.values()]
        rows.append([name, *cells[0], *cells[1]])
    return table(rows)


def _stratum(name: str, rows: list[dict[str, Any]]) -> str:
    if not rows:
        return f"by {name}: no reference is judged"
    shown = list(rows[0]["metrics"])[:4]
    lines = [[f"by {name}", "references", "recall", *shown]]
    for row in rows:
        means = [number(row["metrics"][metric]["mean"]) for metric in shown]
        lines.append([row["class"], str(row["references"]), number(row["recall"]), *means])
    return table(lines)


def layers_text(path: str, layers: list[dict[str, Any]]) -> str:
    """What is in a file, as printed."""
    blocks = []
    for layer in layers:
        lines = [f"{path}: layer {layer['name']}"]
        for key, value in layer.items():
            if key != "name" and value not in (None, "", [], {}, ()):
                lines.append(f"  {key.replace('_', ' ')}: {_plain(value)}")
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks)


def _plain(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} ({item})" for key, item in value.items())
    if isinstance(value, (list, tuple)):
        return ", ".join(_plain(item) for item in value)
    return f"{value:.10g}" if isinstance(value, float) else str(value)


def check_text(document: dict[str, Any], *, notes: bool) -> str:
    """What was found in COCO files, as printed: a line a file, then a line a kind of finding."""
    blocks = []
    for side, counts in document["counts"].items():
        shapes = ", ".join(f"{n} {name}" for name, n in counts["segmentations"].items() if n)
        lists = f"images {counts['images']}, categories {counts['categories']}, "
        blocks.append(
            f"{side} {document['files'][side]}: {lists if side == 'reference' else ''}"
            f"annotations {counts['annotations']} ({shapes or 'none'})"
        )
    shown = [f for f in document["findings"] if notes or f["severity"] != "note"]
    if shown:
        rows = [["code", "severity", "side", "count", "of"]]
        rows += [
            [f["code"], f["severity"], f["side"], str(f["count"]), str(f["of"])] for f in shown
        ]
        blocks += ["", table(rows, left=3), "", *(f"{f['severity']}: {f['text']}" for f in shown)]
    totals = ", ".join(
        f"{n} {name if n == 1 else name + 's'}" for name, n in document["totals"].items()
    )
    verdict = "something is wrong" if document["wrong"] else "nothing is wrong"
    return "\n".join([*blocks, "", f"{verdict}: {totals}"])


def print_messages(summary: Summary, *, notes: bool) -> None:
    """Warnings, and where wanted notes, on standard error."""
    for line in summary.warnings:
        click.echo(f"warning: {line}", err=True)
    for line in summary.notes if notes else ():
        click.echo(f"note: {line}", err=True)


def print_policies(summary: Summary, *, on_error_stream: bool) -> None:
    """Every choice that changes a number, a line each."""
    for topic, words in summary.policies.items():
        click.echo(f"{topic}: {words}", err=on_error_stream)
    click.echo("", err=on_error_stream)
