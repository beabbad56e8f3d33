"""The page of a run: whole, inert, and true to the numbers."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import geopandas as gpd
import numpy as np
import pytest
from shapely import box
from shapely.affinity import translate

import polygauge as pg
from polygauge.dataset import make_town
from polygauge.reports import render_page
from polygauge.reports._svg import histogram
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
    assert not [value for name, value in reader.attributes if name in ("src", "href")]
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


def test_bars_of_a_histogram_add_up():
    values = np.random.default_rng(1).normal(0, 1, 500)
    drawing = str(histogram(values, label="x", unit="m"))
    counts = [int(n) for n in re.findall(r": (\d+)</title>", drawing)]
    assert sum(counts) == 500
    assert "500 values" in drawing


def test_a_histogram_of_one_value_stands():
    drawing = str(histogram(np.full(3, 2.0), label="x", unit=""))
    assert re.findall(r": (\d+)</title>", drawing) == ["3"]


def test_hostile_ids_and_classes_are_inert():
    evil = '<script>alert(1)</script>"><img src=x onerror=alert(1)>'
    shapes = [box(0, 0, 9, 9), box(20, 0, 29, 9), box(40, 0, 49, 9)]
    frame = gpd.GeoDataFrame(
        {"key": [evil, "\u202eabc", "x" * 1_000_000], "kind": [evil, evil, "y" * 1_000_000]},
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
    assert len(page) < 200_000


def test_holes_are_drawn_as_holes():
    frame = gpd.GeoDataFrame(geometry=[COURTYARD], crs="EPSG:32632")
    page = page_of(pg.evaluate(frame, frame))
    (path,) = re.findall(r'<path class="reference" fill-rule="evenodd" d="([^"]+)"', page)
    assert path.count("M") == 2


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
    assert "1 too small for the band" in page
