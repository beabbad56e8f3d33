"""A second process that compiles kernels while the very first run goes on.

Compiling is the slow part of a first run and holds a lock within one process. The companion takes
the metrics from the last to the first and leaves what it compiles in the cache on disk, so the two
processes meet in the middle. Later runs find everything there and start none.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import click

_PROGRAM = "import sys; from polygauge.measuring import rehearse; rehearse(sys.argv[1:])"


@contextmanager
def companion(metrics: Sequence[str], *, quiet: bool) -> Iterator[Callable[[], None]]:
    """Give a function that says so and starts the companion, which ends with the block."""
    started: list[subprocess.Popen[bytes]] = []

    def start() -> None:
        if not quiet:
            click.echo("compiling kernels, this once; later runs start at once", err=True)
        started.append(
            subprocess.Popen(
                [sys.executable, "-c", _PROGRAM, *reversed(metrics)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        )

    try:
        yield start
    finally:
        for process in started:
            process.kill()
            process.wait()
