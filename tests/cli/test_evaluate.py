"""The verb `evaluate`: its output, its exit status, and that it never leaves half a result."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
import tomllib

import geopandas as gpd
import pandas as pd
import pyogrio
import pytest

FILES = {
    "summary.json",
    "pairs.parquet",
    "features.parquet",
    "ledger.parquet",
    "review.gpkg",
    "report.html",
    "config.toml",
}


def test_a_run_leaves_the_whole_folder(command, layers, tmp_path):
    done = command("evaluate", *layers, "-o", tmp_path / "run", "--id", "key", "--score", "conf")
    assert done.status == 0, done.err
    folder = tmp_path / "run"
    assert {p.name for p in folder.iterdir()} == FILES
    summary = json.loads((folder / "summary.json").read_text())
    assert set(summary) >= {
        "schema", "version", "config", "counts", "headline", "metrics", "detection", "policies",
        "warnings",
    }  # fmt: skip
    # Squares moved by a tenth of their side: 90 / 110.
    assert summary["headline"]["iou"] == pytest.approx(90 / 110)
    assert summary["headline"]["precision"] == pytest.approx(2 / 3)
    metric = summary["metrics"]["polis"]
    assert set(metric) >= {
        "n", "undefined", "mean", "median", "rmse", "min", "max", "quantiles", "ci95",
    }  # fmt: skip
    assert metric["n"] == 2
    # Two of the four vertices of each square lie 1 from the other outline: 2 x (2 / 8).
    assert metric["mean"] == pytest.approx(0.5)


def test_the_tables_of_a_run_open_elsewhere(command, layers, tmp_path):
    folder = tmp_path / "run"
    assert command("evaluate", *layers, "-o", folder, "--id", "key").status == 0
    pairs = pd.read_parquet(folder / "pairs.parquet")
    assert pairs.reference_id.tolist() == ["a", "b"]
    assert pairs.prediction_id.tolist() == ["p", "q"]
    assert pairs.one_to_one.tolist() == [True, True]
    assert pairs.relation.tolist() == ["1:1", "1:1"]
    features = gpd.read_parquet(folder / "features.parquet")
    assert features.crs == "EPSG:32632"
    status = {(r.side, r.id): r.status for r in features.itertuples()}
    assert status["reference", "c"] == "missed"
    assert status["prediction", "r"] == "extra"
    assert status["reference", "a"] == "matched"
    review = gpd.read_file(folder / "review.gpkg", layer="review")
    assert review["kind"].tolist() == ["extra", "missed", "matched", "matched"]
    assert review["rank"].tolist() == [1, 2, 3, 4]
    styles = pyogrio.read_dataframe(folder / "review.gpkg", layer="layer_styles")
    assert set(styles.f_table_name) == {"review", "review_reference"}
    assert len(pd.read_parquet(folder / "ledger.parquet")) == 0


def test_json_on_stdout_is_the_summary_of_the_folder(command, layers, tmp_path):
    done = command("evaluate", *layers, "-o", tmp_path / "run", "--json")
    assert done.status == 0
    assert json.loads(done.out) == json.loads((tmp_path / "run/summary.json").read_text())


def test_a_run_repeats_from_its_config(command, layers, tmp_path):
    first = command(
        "evaluate", *layers, "-o", tmp_path / "a", "--id", "key", "--score", "conf",
        "--match", "greedy", "--threshold", "0.4", "--strata", "kind,area", "--width", "0.5",
        "--metrics", "iou,boundary_iou",
    )  # fmt: skip
    assert first.status == 0, first.err
    again = command("evaluate", "--config", tmp_path / "a/config.toml", "-o", tmp_path / "b")
    assert again.status == 0, again.err
    assert (tmp_path / "a/summary.json").read_text() == (tmp_path / "b/summary.json").read_text()
    config = tomllib.loads((tmp_path / "a/config.toml").read_text())
    assert config["match"] == "greedy"
    assert config["reference"] == str(layers[0])


def test_the_command_line_wins_over_the_config(command, layers, tmp_path):
    command("evaluate", *layers, "-o", tmp_path / "a", "--threshold", "0.4")
    done = command(
        "evaluate", "--config", tmp_path / "a/config.toml", "--threshold", "0.9", "--json"
    )
    assert json.loads(done.out)["detection"][0]["threshold"] == 0.9


def test_an_unknown_key_in_a_config_is_named(command, layers, tmp_path):
    (tmp_path / "c.toml").write_text("treshold = 0.5\n")
    done = command("evaluate", "--config", tmp_path / "c.toml", *layers)
    assert done.status == 2
    assert "unknown keys: treshold" in done.err


def test_fail_under_gives_exit_1_and_names_the_figure(command, layers):
    done = command("evaluate", *layers, "--fail-under", "iou=0.9", "--fail-under", "recall=0.5")
    assert done.status == 1
    assert "failed: iou is 0.8182, below 0.9" in done.err
    assert "recall" not in done.err
    assert command("evaluate", *layers, "--fail-under", "iou=0.8").status == 0


@pytest.mark.parametrize("limit", ["iou", "iou=high", "iuo=0.5"])
def test_a_limit_that_means_nothing_is_refused(command, layers, limit):
    done = command("evaluate", *layers, "--fail-under", limit)
    assert done.status == 2
    assert done.err.startswith("error: ")
    assert "\n\nhint: " in done.err


def test_explain_prints_every_choice(command, layers):
    done = command("evaluate", *layers, "--explain")
    for topic in ("matching:", "threshold:", "groups:", "boundary width:", "intervals:"):
        assert topic in done.out


def test_strata_by_column_and_by_area(command, layers):
    done = command("evaluate", *layers, "--strata", "kind,area", "--area-classes", "50", "--json")
    strata = json.loads(done.out)["strata"]
    by_kind = {row["class"]: row for row in strata["kind"]}
    assert (by_kind["house"]["recall"], by_kind["shed"]["recall"]) == (1.0, 0.0)
    assert by_kind["shed"]["metrics"]["iou"]["mean"] is None
    by_area = {row["class"]: row for row in strata["area"]}
    assert by_area["below 50 m2"]["fn"] == 1
    assert by_area["50 m2 and more"]["fp"] == 1


def test_nothing_is_overwritten_unless_asked(command, layers, tmp_path):
    folder = tmp_path / "run"
    assert command("evaluate", *layers, "-o", folder).status == 0
    before = (folder / "summary.json").stat().st_mtime_ns
    refused = command("evaluate", *layers, "-o", folder)
    assert refused.status == 2
    assert "--overwrite" in refused.err
    assert (folder / "summary.json").stat().st_mtime_ns == before
    assert command("evaluate", *layers, "-o", folder, "--overwrite").status == 0


def test_a_folder_of_something_else_is_never_replaced(command, layers, tmp_path):
    precious = tmp_path / "thesis"
    precious.mkdir()
    (precious / "chapter.txt").write_text("years of work")
    done = command("evaluate", *layers, "-o", precious, "--overwrite")
    assert done.status == 2
    assert (precious / "chapter.txt").read_text() == "years of work"


def test_errors_name_the_problem_and_the_way_out(command, layers, tmp_path):
    done = command("evaluate", tmp_path / "nowhere.gpkg", layers[1])
    assert done.status == 2
    assert done.err.startswith("error: ")
    assert "nowhere.gpkg" in done.err
    assert "hint: " in done.err
    assert "Traceback" not in done.err


def test_traceback_only_on_request(command, layers, tmp_path):
    done = command("evaluate", tmp_path / "nowhere.gpkg", layers[1], "--traceback")
    assert done.status == 2
    assert "Traceback" in done.err


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("--width", "-1", "width is -1.0"),
        ("--gsd", "nan", "gsd is nan"),
        ("--threshold", "0", "threshold is 0"),
        ("--metrics", "iuo", "there is no metric 'iuo'"),
        ("--metrics", "iou,iou", "asked for twice"),
        ("--suite", "p4", "there is no suite 'p4'"),
        ("--min-area", "-3", "min-area is -3"),
        ("--jobs", "0", "jobs is 0"),
        ("--match", "nearest", "'nearest' is not one of"),
        ("--id", "nokey", "nokey"),
        ("--strata", "colour", "colour"),
        ("--area-classes", "9,1", "area classes"),
    ],
)
def test_options_that_mean_nothing_are_refused(command, layers, option, value, message):
    extra = ["--strata", "area"] if option == "--area-classes" else []
    done = command("evaluate", *layers, option, value, *extra)
    assert done.status == 2
    assert message in done.err
    assert "hint: " in done.err


def test_quiet_says_nothing_and_verbose_says_more(command, layers, tmp_path):
    quiet = command("evaluate", *layers, "-o", tmp_path / "a", "-q")
    assert quiet.err == ""
    verbose = command("evaluate", *layers, "-o", tmp_path / "b", "-v")
    assert "matching: optimal" in verbose.err


def test_the_number_of_threads_changes_no_bit(command, layers):
    one = json.loads(command("evaluate", *layers, "-j", "1", "--json").out)
    two = json.loads(command("evaluate", *layers, "-j", "2", "--json").out)
    one["config"].pop("jobs"), two["config"].pop("jobs")
    assert one == two


def test_an_interrupted_run_leaves_nothing_and_exits_130(tmp_path):
    from polygauge.dataset import write_town

    a, b = write_town(tmp_path / "town", 30_000, seed=3, format="parquet")
    process = subprocess.Popen(
        [sys.executable, "-m", "polygauge", "evaluate", a, b, "-o", tmp_path / "run"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 120
    while not list(tmp_path.glob(".run.partial-*")):
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.005)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert "interrupted" in err
    assert {p.name for p in tmp_path.iterdir()} == {"town"}


def test_typo_and_missing_argument(command):
    typo = command("evalute")
    assert (typo.status, "there is no verb 'evalute'" in typo.err) == (2, True)
    missing = command("evaluate", "a.gpkg")
    assert (missing.status, "PREDICTION" in missing.err) == (2, True)


def test_as_a_process_of_its_own(process, layers, tmp_path):
    done = process("evaluate", *layers, "-o", tmp_path / "run")
    assert done.status == 0, done.err
    assert "one-to-one, optimal" in done.out
    assert "\x1b" not in done.err


def test_exterior_only_reaches_the_run_and_its_config(command, layers, tmp_path):
    done = command("evaluate", *layers, "--exterior-only", "-o", tmp_path / "run", "--json")
    document = json.loads(done.out)
    assert document["config"]["rings"] == "exterior"
    assert "rings" in document["policies"]
    again = command("evaluate", "--config", tmp_path / "run/config.toml", "--json")
    assert json.loads(again.out) == document
