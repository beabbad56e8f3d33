"""Reading COCO: `python -m benchmarks.coco_reading [MEGABYTES]`.

Writes a ground truth of that size (1000 without) with footprints of 4 to 20 corners, some with
courtyards on bridges and some in two parts, reads it in a process of its own and prints seconds and
the peak resident memory of that process beside the size of the file; then the rate of a tenth of it
beside json.load. The files are deleted. 1 when the memory limit is missed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

LIMIT = 3.0  # peak memory over file size

_READ = """
import resource, sys, time
from polygauge.io.coco import read_coco
read_coco(sys.argv[2])
start = time.perf_counter()
coco = read_coco(sys.argv[1])
seconds = time.perf_counter() - start
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(seconds, peak, len(coco.reference), len(coco.reference.rings.coordinates))
"""
_LOAD = """
import json, resource, sys, time
start = time.perf_counter()
with open(sys.argv[1], encoding="utf-8") as file:
    json.load(file)
seconds = time.perf_counter() - start
print(seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def write_coco(path: Path, size: int, seed: int = 0) -> None:
    """A ground truth of about `size` bytes: 224 x 224 tiles of 20 of 10,000 footprints in turn."""
    rng = np.random.default_rng(seed)
    shapes = [json.dumps(_annotation(rng, k))[1:] for k in range(10_000)]
    with path.open("w", encoding="utf-8") as file:
        file.write('{"info": {"description": "generated"}, "annotations": [')
        written, number = 0, 0
        while written < size:
            lines = (
                f'{{"id": {k}, "image_id": {k // 20}, {shapes[k % len(shapes)]}'
                for k in range(number, number + 1000)
            )
            written += file.write(("" if number == 0 else ", ") + ", ".join(lines))
            number += 1000
        file.write('], "images": [')
        file.write(", ".join(
            f'{{"id": {k}, "file_name": "{k}.tif", "width": 224, "height": 224, "res_x": 0.25}}'
            for k in range(number // 20 + 1)
        ))  # fmt: skip
        file.write('], "categories": [{"id": 100, "name": "building"}]}')


def _annotation(rng: np.random.Generator, number: int) -> dict:
    corners = int(rng.integers(4, 21))
    angles = np.sort(rng.uniform(0, 2 * np.pi, corners)) + np.arange(corners) * 1e-3
    radii = rng.uniform(6, 12, corners)
    middle = rng.uniform(20, 204, 2)
    points = middle + np.stack([radii * np.cos(angles), radii * np.sin(angles)], axis=1)
    ring = [[round(float(x), 2), round(float(y), 2)] for x, y in points]
    if number % 50 == 0:
        ring = _with_courtyard(middle)
    rings = [ring]
    if number % 25 == 1:
        rings.append([[x + 30, y] for x, y in ring])
    flat = [[c for point in [*r, r[0]] for c in point] for r in rings]
    xy = np.array([point for r in rings for point in r])
    low, extent = xy.min(axis=0), np.ptp(xy, axis=0)
    return {
        "category_id": 100, "iscrowd": 0,
        "area": round(_area(rings), 4),
        "bbox": [round(float(v), 2) for v in (*low, *extent)],
        "segmentation": flat,
    }  # fmt: skip


def _with_courtyard(middle: np.ndarray) -> list[list[float]]:
    """A square with a square courtyard, joined by a bridge."""
    outer = [[-8, -8], [8, -8], [8, 8], [-8, 8]]
    inner = [[-3, -3], [-3, 3], [3, 3], [3, -3]]
    ring = [*outer, outer[0], *inner, inner[0]]
    return [[round(float(middle[0]), 2) + x, round(float(middle[1]), 2) + y] for x, y in ring]


def _area(rings: list[list[list[float]]]) -> float:
    total = 0.0
    for ring in rings:
        x, y = np.array(ring).T
        total += abs(float(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)))) / 2
    return total


def _measure(code: str, *arguments: str) -> list[float]:
    """Figures that a fresh process prints."""
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True
    )
    return [float(word) for word in done.stdout.split()]


def main() -> int:
    """Run it."""
    megabytes = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    with tempfile.TemporaryDirectory() as folder:
        large, small, tiny = (Path(folder) / f"{name}.json" for name in ("large", "small", "tiny"))
        write_coco(tiny, 100_000)
        write_coco(small, megabytes * 100_000)
        write_coco(large, megabytes * 1_000_000)
        size, part = os.path.getsize(large) / 1e6, os.path.getsize(small) / 1e6
        seconds, peak, annotations, points = _measure(_READ, str(large), str(tiny))
        own = _measure(_READ, str(small), str(tiny))
        load = _measure(_LOAD, str(small))
    ratio = peak * 1024 / 1e6 / size
    print(
        f"read_coco, {size:.0f} MB, {annotations:.0f} annotations, {points:.0f} points: "
        f"{seconds:.1f} s, {size / seconds:.0f} MB/s, peak {peak * 1024 / 1e6:.0f} MB resident = "
        f"{ratio:.2f} of the file (limit {LIMIT}); the stored rings alone are "
        f"{points * 16 / 1e6:.0f} MB"
    )
    print(
        f"{part:.0f} MB: read_coco {own[0]:.1f} s, {part / own[0]:.0f} MB/s, peak "
        f"{own[1] * 1024 / 1e6:.0f} MB; json.load {load[0]:.1f} s, {part / load[0]:.0f} MB/s, peak "
        f"{load[1] * 1024 / 1e6:.0f} MB"
    )
    return int(ratio > LIMIT)


if __name__ == "__main__":
    sys.exit(main())
