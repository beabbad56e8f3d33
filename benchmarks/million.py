"""A million footprints a side: `python -m benchmarks.million [FEATURES]`.

Makes the layers once, evaluates them with `iou` and `polis` in a process of its own, and prints
seconds, pairs a second and the peak resident memory of that process.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from pathlib import Path

LIMIT_GIB = 4.0


def main() -> int:
    """Run it; 1 when the memory limit is missed."""
    features = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        command = [sys.executable, "-m", "polygauge"]
        os.spawnv(
            os.P_WAIT,
            sys.executable,
            [*command, "example", "-o", str(place), "--format", "parquet", "-q",
             "--features", str(features)],
        )  # fmt: skip
        start = time.perf_counter()
        process = os.spawnv(
            os.P_NOWAIT,
            sys.executable,
            [*command, "evaluate", str(place / "reference.parquet"),
             str(place / "prediction.parquet"), "--metrics", "iou,polis", "-q",
             "-o", str(place / "run")],
        )  # fmt: skip
        _, status, usage = os.wait4(process, 0)
        seconds = time.perf_counter() - start
        summary = json.loads((place / "run" / "summary.json").read_text("utf-8"))
    pairs = summary["counts"]["pairs"]["related"]
    memory = usage.ru_maxrss / 2**20
    print(
        f"{features} x {summary['counts']['prediction']['used']} footprints: {seconds:.0f} s, "
        f"{pairs} pairs, {pairs / seconds:.0f} pairs a second in all, peak {memory:.2f} GiB "
        f"(limit {LIMIT_GIB} GiB)"
    )
    return int(status != 0 or memory > LIMIT_GIB)


if __name__ == "__main__":
    sys.exit(main())
