"""The whole footprints suite: pairs a second on a town, and the seconds that a first use takes."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from benchmarks.paired import Row
from polygauge.dataset import make_town
from polygauge.io import common_frame, layer_from_frame
from polygauge.matching import detect, find_overlaps, match
from polygauge.measuring import chosen_metrics, measure
from polygauge.metrics import METRICS
from polygauge.suites import get_suite, run_parameters

PAIRS_A_SECOND = 20_000
FIRST_USE_SECONDS = 20.0
CORES = 2


def rows() -> Iterator[Row]:
    """Both figures against their bars."""
    yield throughput()
    yield first_use()


def throughput(buildings: int = 40_000) -> Row:
    """Every pair metric on the related pairs of a generated town."""
    town = make_town(buildings, seed=11)
    recipe = get_suite("footprints")
    frame = common_frame(
        layer_from_frame(town.reference, "reference"),
        layer_from_frame(town.prediction, "prediction"),
    )
    a, b = frame.reference, frame.prediction
    overlaps = find_overlaps(a, b, jobs=CORES)
    detection = detect(overlaps, a, b, threshold=recipe.threshold, rule=recipe.match)
    matches = match(overlaps, detection, a, b, rule=recipe.match, group_share=recipe.group_share)
    metrics, _ = chosen_metrics([metric.name for metric in METRICS])
    parameters = run_parameters(gsd=0.3, width=None, spacing=0.1, tolerance=None)
    rates = []
    for _ in range(4):
        start = time.perf_counter()
        measure(a, b, matches, metrics, parameters, jobs=CORES)
        rates.append(len(matches) / (time.perf_counter() - start))
    rate = median(rates[1:])  # the first may compile
    name = f"all {len(metrics)} pair metrics, town, over 20,000 pairs a second"
    return Row(name, rate / PAIRS_A_SECOND, 1.0, f"{rate:,.0f} on {CORES} cores")


def first_use() -> Row:
    """`evaluate` with an empty cache of compiled kernels, less the same again."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        environment = {**os.environ, "NUMBA_CACHE_DIR": str(place / "cache")}
        command = [sys.executable, "-m", "polygauge"]
        subprocess.run(
            [*command, "example", "-o", place / "town", "-q"], check=True, stdout=subprocess.DEVNULL
        )
        layers = [place / "town" / f"{side}.gpkg" for side in ("reference", "prediction")]
        seconds = []
        for _ in range(2):
            start = time.perf_counter()
            subprocess.run(
                [*command, "evaluate", *layers, "-q", "--json"],
                check=True,
                env=environment,
                stdout=subprocess.DEVNULL,
            )
            seconds.append(time.perf_counter() - start)
    first, second = seconds
    detail = f"{first:.1f} s, and {second:.1f} s the second time"
    return Row("first use of the suite, in under 20 s", FIRST_USE_SECONDS / first, 1.0, detail)
