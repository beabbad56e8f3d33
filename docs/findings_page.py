"""The list of what `check` finds, written from the code's own table."""

from __future__ import annotations

from pathlib import Path

from polygauge.io.coco import KINDS

HEAD = """# What check finds

Every finding in COCO files by its code, as `polygauge check` and an evaluation name it.
"""


def write(path: Path) -> None:
    """Write the page, unless it stands there already."""
    parts = [HEAD]
    for severity in ("error", "warning", "note"):
        parts.append(f"\n## {severity.capitalize()}s\n\n| code | of | what | what is assumed |")
        parts.append("|---|---|---|---|")
        parts += [
            f"| `{kind.code}` | {kind.subject} | {kind.what} | {kind.assumed} |"
            for kind in KINDS
            if kind.severity == severity
        ]
    text = "\n".join(parts) + "\n"
    if not path.exists() or path.read_text("utf-8") != text:
        path.write_text(text, encoding="utf-8")
