"""Two small layers as files, and the command as a person runs it."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import geopandas as gpd
import pytest
from shapely import box


@dataclass(frozen=True)
class Done:
    """What a command left behind."""

    status: int
    out: str
    err: str


@pytest.fixture
def layers(tmp_path: Path) -> tuple[Path, Path]:
    """Three reference squares; the prediction finds two of them, moved, and an extra one."""
    reference = gpd.GeoDataFrame(
        {"key": ["a", "b", "c"], "kind": ["house", "house", "shed"]},
        geometry=[box(0, 0, 10, 10), box(20, 0, 30, 10), box(40, 0, 44, 4)],
        crs="EPSG:32632",
    )
    prediction = gpd.GeoDataFrame(
        {"key": ["p", "q", "r"], "conf": [0.9, 0.8, 0.3]},
        geometry=[box(1, 0, 11, 10), box(20, 1, 30, 11), box(80, 0, 90, 10)],
        crs="EPSG:32632",
    )
    a, b = tmp_path / "reference.gpkg", tmp_path / "prediction.parquet"
    reference.to_file(a)
    prediction.to_parquet(b)
    return a, b


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]):
    """Run the command in this process and catch its exit status and output."""
    from polygauge.cli import main

    def run(*arguments: object) -> Done:
        with pytest.raises(SystemExit) as leaving:
            main([str(a) for a in arguments])
        captured = capsys.readouterr()
        return Done(int(leaving.value.code or 0), captured.out, captured.err)

    return run


@pytest.fixture
def process():
    """Run the command as a process of its own."""

    def run(*arguments: object) -> Done:
        done = subprocess.run(
            [sys.executable, "-m", "polygauge", *map(str, arguments)],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        return Done(done.returncode, done.stdout, done.stderr)

    return run
