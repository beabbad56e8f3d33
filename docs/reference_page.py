"""The metric reference, written from the records, so that it cannot disagree with them."""

from __future__ import annotations

from pathlib import Path

from traps import TRAPS

from polygauge.metrics import METRICS, Metric

UNITS = {
    "ratio": "none",
    "length": "CRS units",
    "area": "squared CRS units",
    "degree": "degree",
    "count": "none (a count)",
}
CHANGES = {
    "start_vertex": "the start vertex",
    "ring_direction": "the direction of rings",
    "translation": "moving both sides",
    "rotation": "turning both sides",
    "collinear_vertices": "vertices on a straight side",
}
HEAD = """# Metrics

Every metric of the package, from its record. The names are those of the Python functions, of the
columns in `pairs.parquet`, of the keys in `summary.json` and of `--metrics`.
"""


def section(metric: Metric) -> str:
    """The part of the page about one metric."""
    low, high = metric.bounds
    kept = [text for key, text in CHANGES.items() if key in metric.invariant_to]
    moved = [text for key, text in CHANGES.items() if key not in metric.invariant_to]
    if metric.kind == "pair":
        (kept if metric.symmetric else moved).append("swapping the sides")
    rows = [
        ("equation", f"`{metric.equation}`"),
        ("source", metric.source),
        ("unit", UNITS[metric.unit]),
        ("range", f"{low:g} to {high:g}"),
        ("best", "no value is best" if metric.best is None else f"{metric.best:g}"),
        ("unchanged by", ", ".join(kept) or "nothing"),
        ("changed by", ", ".join(moved) or "none of these"),
        ("parameters of a run", ", ".join(metric.parameters) or "none"),
    ]
    if metric.set_aside is not None:
        rows.append(("set aside in a run", metric.set_aside_reason))
    table = "\n".join(f"| {key} | {value.replace('|', chr(92) + '|')} |" for key, value in rows)
    picture = f"![{metric.title}](pictures/{metric.name}.svg)"
    traps = known_traps(metric.name)
    return (
        f"\n## {metric.name}\n\n{metric.title}.\n\n{picture}\n\n| | |\n|---|---|\n{table}\n\n"
        f"```{{eval-rst}}\n.. autofunction:: polygauge.{metric.name}\n```\n{traps}"
    )


def known_traps(name: str) -> str:
    """The list of traps of a metric, or nothing."""
    if name not in TRAPS:
        return ""
    return "\n**Known traps**\n\n" + "".join(f"* {trap}\n" for trap in TRAPS[name])


def write(path: Path) -> None:
    """Write the page, unless it stands there already."""
    text = HEAD + "".join(section(metric) for metric in METRICS)
    if not path.exists() or path.read_text("utf-8") != text:
        path.write_text(text, encoding="utf-8")
