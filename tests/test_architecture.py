"""The shape of the package: who may import whom, and what a bare import costs."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path

import pytest
from importlinter.cli import lint_imports

import polygauge

ROOT = Path(__file__).parents[1]


def modules_after(code: str) -> set[str]:
    """Top-level modules that a fresh interpreter has loaded after running `code`."""
    program = f"{code}\nimport sys\nprint(*{{name.split('.')[0] for name in sys.modules}})"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
    )
    return set(done.stdout.splitlines()[-1].split())


def test_import_contracts_hold():
    assert lint_imports(config_filename=str(ROOT / "pyproject.toml"), no_cache=True) == 0


def test_import_polygauge_imports_nothing_heavy():
    heavy = {"numba", "geopandas", "pandas", "pyarrow", "scipy", "shapely", "numpy", "jinja2"}
    assert not modules_after("import polygauge") & heavy


@pytest.mark.parametrize(
    "arguments",
    [["--help"], ["evaluate", "--help"], ["example", "--help"], ["evalute"], ["evaluate"]],
)
def test_help_and_mistakes_import_nothing_heavy(arguments):
    code = (
        "from polygauge.cli import main\n"
        f"try:\n    main({arguments!r})\nexcept SystemExit:\n    pass"
    )
    assert not modules_after(code) & {"numba", "geopandas", "pandas", "numpy", "shapely", "rich"}


def test_public_names_all_exist_and_are_listed():
    for name in polygauge.__all__:
        assert getattr(polygauge, name) is not None
    assert dir(polygauge) == sorted(polygauge.__all__)
    for place, names in polygauge._PLACES.items():
        assert sorted(names) == sorted(importlib.import_module(place).__all__)


def test_every_metric_function_is_public():
    for metric in polygauge.METRICS:
        assert getattr(polygauge, metric.name) is metric.function


def test_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="has no attribute 'iuo'"):
        polygauge.iuo  # noqa: B018
