"""The first run: it says that it compiles, a second process helps, and later runs do neither."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace

import polygauge as pg
from polygauge.cli.companion import companion
from polygauge.measuring import rehearse


def test_first_use_says_so_once_and_the_second_start_compiles_nothing(layers, tmp_path):
    def run():
        return subprocess.run(
            [sys.executable, "-m", "polygauge", "evaluate", *layers, "--metrics", "iou,polis"],
            capture_output=True,
            text=True,
            timeout=300,
            check=True,
            env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")},
        )

    first, second = run(), run()
    assert first.stderr.count("compiling kernels") == 1
    assert "compiling" not in second.stderr
    assert first.stdout == second.stdout


def test_the_companion_ends_with_its_block(monkeypatch):
    started = []
    real = subprocess.Popen

    def spy(*arguments, **settings):
        started.append(real(*arguments, **settings))
        return started[-1]

    monkeypatch.setattr(subprocess, "Popen", spy)
    with companion(["iou"], quiet=True) as start:
        assert started == []
        start()
        assert started[0].poll() is None
    assert started[0].poll() is not None


def test_the_rehearsal_calls_every_metric_it_is_given(monkeypatch):
    from polygauge import measuring

    called = []
    spies = {
        m.name: replace(m, compute=lambda *a, name=m.name, **k: called.append(name))
        for m in pg.METRICS
    }
    monkeypatch.setattr(measuring, "BY_NAME", spies)
    rehearse(list(spies))
    assert called == [m.name for m in pg.METRICS]
