"""The page of a run: whole, inert, and true to the numbers."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import geopandas as gpd
import pytest
from shapely import box
from shapely.affinity import translate

import polygauge as pg
from polygauge.dataset import make_town
from polygauge.reports import render_page, write_page
from tests.polygons import COURTYARD

VOID = {"meta", "br", "line", "rect", "path"}


class Reader(HTMLParser):
    """Checks that tags nest, and collects what matters."""

    def __init__(self):
        super().__init__()
        self.open, self.seen, self.attributes, self.text = [], [], [], []

    def handle_starttag(self, tag, attrs):
        self.seen.append(tag)
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


def page_of(run):
    tables = run.run
    return render_page(
        summary=run.document(),
        reference=tables.reference,
        prediction=tables.prediction,
        matches=tables.matches,
        measurements=tables.measurements,
    )


def read(page):
    reader = Reader()
    reader.feed(page)
    assert reader.open == []
    return reader


@pytest.fixture(scope="module")
def town():
    made = make_town(300, seed=2)
    return pg.evaluate(made.reference, made.prediction, id="id", gsd=0.3, strata=["kind", "area"])


def test_page_is_well_formed_and_fetches_nothing(town):
    reader = read(page_of(town))
    assert "script" not in reader.seen
    assert "link" not in reader.seen
    links = [value for name, value in reader.attributes if name in ("src", "href")]
    targets = {value for name, value in reader.attributes if name == "id"}
    assert links
    assert all(link[0] == "#" and link[1:] in targets for link in links)
    assert not re.search(r"url\(|@import|https?://", page_of(town))


def test_page_has_every_metric_its_histogram_and_the_worst_pairs(town):
    page = page_of(town)
    reader = read(page)
    for name in town.summary.metrics:
        assert pg.metrics.BY_NAME[name].title in page
    assert page.count('class="histogram"') == len(town.summary.metrics)
    assert page.count('class="pair"') == 10
    described = [value for name, value in reader.attributes if name == "aria-label"]
    worst = town.pairs[town.pairs.one_to_one].nsmallest(1, "iou").iloc[0]
    assert any(f"Reference {worst.reference_id} and prediction" in text for text in described)


def test_hostile_ids_and_classes_are_inert():
    evil = '<script>alert(1)</script>"><img src=x onerror=alert(1)>'
    shapes = [box(0, 0, 9, 9), box(20, 0, 29, 9), box(40, 0, 49, 9)]
    frame = gpd.GeoDataFrame(
        {"key": [evil, "\u202eabc\n", "x" * 1_000_000], "kind": [evil, evil, "y" * 1_000_000]},
        geometry=shapes,
        crs="EPSG:32632",
    )
    moved = frame.copy()
    moved.geometry = [translate(shape, 1, 0) for shape in shapes]
    page = page_of(pg.evaluate(frame, moved, id="key", strata=["kind"]))
    reader = read(page)
    assert not {"script", "img"} & set(reader.seen)
    assert not [name for name, _ in reader.attributes if name.startswith("on")]
    assert "(1,000,000 characters)" in page
    assert len(page) < 100_000
    assert "\u202e" not in page
    assert r"\u202eabc\n" in page


def test_text_that_is_not_unicode_can_be_written(tmp_path):
    frame = gpd.GeoDataFrame(geometry=[box(0, 0, 9, 9)], crs="EPSG:32632")
    evaluation = pg.evaluate(frame, frame)
    run = evaluation.run
    write_page(
        tmp_path / "page.html",
        summary={**evaluation.document(), "warnings": ["\ud800" + "w" * 5000]},
        reference=run.reference,
        prediction=run.prediction,
        matches=run.matches,
        measurements=run.measurements,
    )
    page = (tmp_path / "page.html").read_text("utf-8")
    assert r"\ud800" in page
    assert "(5,001 characters)" in page


def test_holes_are_drawn_as_holes():
    frame = gpd.GeoDataFrame(geometry=[COURTYARD], crs="EPSG:32632")
    page = page_of(pg.evaluate(frame, frame))
    (path,) = re.findall(r'<path class="reference" fill-rule="evenodd" d="([^"]+)"', page)
    assert path.count("M") == 2


def test_the_page_does_not_depend_on_whether_the_summary_was_stored(town):
    tables = town.run
    stored = render_page(
        summary=json.loads(town.to_json()),
        reference=tables.reference,
        prediction=tables.prediction,
        matches=tables.matches,
        measurements=tables.measurements,
    )
    assert stored == page_of(town) == page_of(town)


def test_what_cannot_be_seen_is_described(town):
    page = page_of(town)
    assert page.count("<svg") == page.count('role="img" aria-label="') + page.count("aria-hidden")
    assert page.count("<table") == page.count("<caption>")
    levels = [int(tag[1]) for tag in read(page).seen if re.fullmatch(r"h\d", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1


def test_figures_on_the_page_are_those_of_the_summary(town):
    page = page_of(town)
    for name in ("precision", "recall", "f1", "layer_iou", "iou"):
        assert f'<div class="value">{town.summary.headline[name]:.3f}' in page
    polis = town.summary.metrics["polis"]
    for value in (polis.mean, polis.median, polis.rmse, polis.max):
        assert f"{value:.3f}" in page


def test_worst_pairs_come_lowest_first(town):
    labels = re.findall(r'aria-label="Reference (\d+) and prediction (\d+), IoU', page_of(town))
    pairs = town.pairs[town.pairs.one_to_one].nsmallest(10, "iou")
    expected = zip(pairs.reference_id, pairs.prediction_id, strict=True)
    assert [(int(a), int(b)) for a, b in labels] == list(expected)


@pytest.mark.parametrize("min_area", [0, 60])
def test_fates_add_up_to_the_features(town, min_area):
    made = make_town(300, seed=2)
    page = page_of(pg.evaluate(made.reference, made.prediction, min_area=min_area))
    for side, frame in (("references", made.reference), ("predictions", made.prediction)):
        (label,) = re.findall(rf'aria-label="{side}: ([^"]+)"', page)
        counts = [
            int(n) for n in re.findall(r"(\d+) (?:matched|related|missed|extra|counted)", label)
        ]
        assert sum(counts) == len(frame)
        assert ("counted neither way" in label) == (min_area > 0)


def test_a_figure_of_another_suite_is_shown_by_its_name(town):
    tables = town.run
    document = town.document()
    document["headline"] = {"ap50": 0.123456, **document["headline"]}
    page = render_page(
        summary=document,
        reference=tables.reference,
        prediction=tables.prediction,
        matches=tables.matches,
        measurements=tables.measurements,
    )
    assert '<h3>ap50</h3><div class="value">0.123</div>' in page


@pytest.mark.parametrize(
    ("a", "b", "words"),
    [
        (2, 2, "Every one of 2 references has a matching prediction at IoU of 0.5 or more."),
        (2, 1, "1 of 2 references (50.0 %) have a matching prediction at IoU of 0.5 or more; "
               "1 has none. Every prediction matches a reference."),
        (1, 2, "1 of 2 predictions matches no reference."),
        (0, 1, "There is no reference to judge 1 prediction by."),
        (2, 0, "There are no predictions: 2 references cannot be matched."),
    ],
)  # fmt: skip
def test_the_first_sentence_says_it(a, b, words):
    shapes = gpd.GeoSeries([box(0, 0, 9, 9), box(20, 0, 29, 9)], crs="EPSG:32632")
    assert words in page_of(pg.evaluate(shapes.iloc[:a], shapes.iloc[:b]))


@pytest.mark.parametrize("sides", ["none", "reference", "both"])
def test_page_without_matches_says_so(sides):
    full = gpd.GeoDataFrame(geometry=[box(0, 0, 9, 9)], crs="EPSG:32632")
    empty = full.iloc[:0]
    pair = {"none": (full, full.translate(50)), "reference": (full, empty), "both": (empty, empty)}
    page = page_of(pg.evaluate(*pair[sides]))
    read(page)
    assert "No prediction matches a reference." in page
    assert "nan" not in page.lower().replace("nance", "")


def test_undefined_values_are_counted_on_the_page():
    frame = gpd.GeoDataFrame(geometry=[box(0, 0, 1, 1), box(9, 0, 29, 20)], crs="EPSG:32632")
    page = page_of(pg.evaluate(frame, frame, width=0.9))
    assert "Boundary IoU: 1 undefined, too small for the band" in page


def test_a_metric_without_any_value_has_no_histogram():
    frame = gpd.GeoDataFrame(geometry=[box(0, 0, 1, 1), box(9, 0, 10, 1)], crs="EPSG:32632")
    page = page_of(pg.evaluate(frame, frame, width=0.9, metrics=["boundary_iou"]))
    read(page)
    assert "No pair has a value" in page
    assert '<div class="value">n/a</div>' in page
    assert page.count('class="pair"') == 2


def test_a_run_with_many_metrics_keeps_its_cards_few_and_says_so(town):
    tables = town.run
    document = town.document()
    names = [f"further_{k}" for k in range(7)]
    document["metrics"] |= dict.fromkeys(names, document["metrics"]["polis"])
    values = dict.fromkeys(names, tables.measurements.values["polis"])
    page = render_page(
        summary={**document, "strata": {}},
        reference=tables.reference,
        prediction=tables.prediction,
        matches=tables.matches,
        measurements=replace(tables.measurements, values=tables.measurements.values | values),
    )
    whole = len(town.summary.metrics) + len(names)
    assert f"{whole - 8} more metrics" in page
    assert page.count('class="histogram"') == whole
    assert "All values of every pair are in" in page
