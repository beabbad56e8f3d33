"""Where the shared reference values, cases and real files lie; tests skip where they do not."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SHARED = (ROOT / os.environ.get("POLYGAUGE_SHARED", "../shared")).resolve()


def shared(path: str) -> Path:
    """A shared file or folder; skips the test where it is absent."""
    place = SHARED / path
    if not place.exists():
        pytest.skip(f"no {path} below POLYGAUGE_SHARED")
    return place


def case(number: int) -> Path:
    """The folder of a numbered case."""
    found = sorted((SHARED / "cases").glob(f"{number:02d}-*"))
    if not found:
        pytest.skip(f"no case {number} below POLYGAUGE_SHARED")
    return found[0]
