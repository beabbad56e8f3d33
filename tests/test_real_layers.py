"""Real layers, against figures that were worked out without this package."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import shapely

import polygauge as pg
from tests.shared import shared

REGION = "data/eubucco-three-sources/region-ES630"
SPACENET = "data/solaris-spacenet"


@pytest.mark.parametrize(
    ("reference", "prediction", "layer_iou", "matches"),
    [("gov", "osm", 0.2552, 26), ("gov", "msft", 0.4234, 43), ("osm", "msft", 0.2735, 21)],
)
def test_three_sources_of_one_region(reference, prediction, layer_iou, matches):
    run = pg.evaluate(
        shared(f"{REGION}/{reference}.parquet"),
        shared(f"{REGION}/{prediction}.parquet"),
        metrics=["iou"],
    )
    assert run.summary.headline["layer_iou"] == pytest.approx(layer_iou, abs=5e-5)
    assert run.summary.detection[0].tp == matches


def test_areas_of_the_region_count_overlaps_once():
    run = pg.evaluate(
        shared(f"{REGION}/osm.parquet"), shared(f"{REGION}/msft.parquet"), metrics=["iou"]
    )
    areas = run.summary.counts["areas"]
    assert areas["reference"] == pytest.approx(55_231.8, abs=0.05)
    assert areas["prediction"] == pytest.approx(89_926.8, abs=0.05)


def test_atlanta_hand_labels_against_a_model():
    run = pg.evaluate(
        shared(f"{SPACENET}/gt.geojson"), shared(f"{SPACENET}/pred.geojson"), metrics=["iou"]
    )
    assert run.summary.detection[0].tp == 8
    assert run.pairs.iou.max() == pytest.approx(0.680, abs=5e-4)
    best = (
        pg.evaluate(
            shared(f"{SPACENET}/gt.geojson"),
            shared(f"{SPACENET}/pred.geojson"),
            metrics=["iou"],
            threshold=1e-6,
            group_share=1e-6,
        )
        .pairs.groupby("reference_id")
        .iou.max()
    )
    assert best.sum() / 28 == pytest.approx(0.3354, abs=5e-5)


def test_the_same_buildings_in_degrees_and_in_metres_agree():
    run = pg.evaluate(
        shared(f"{SPACENET}/gt.geojson"), shared(f"{SPACENET}/gt_epsg4326.json"), metrics=["iou"]
    )
    assert run.summary.detection[0].tp == 28
    assert run.summary.headline["iou"] > 0.999


def test_spacenet_iou_of_every_building():
    # As the SpaceNet scorer goes about it: the proposals in descending confidence, each speaks for
    # the building of its image that it overlaps most, and takes it when IoU > 0.5.
    truth = pd.read_csv(shared(f"{SPACENET}/SN2_sample_truth.csv"))
    proposals = pd.read_csv(shared(f"{SPACENET}/SN2_sample_preds.csv"))
    expected = pd.read_csv(shared(f"{SPACENET}/SN2_sample_iou_by_building.csv"))
    for frame in (truth, proposals):
        frame["shape"] = shapely.force_2d(shapely.from_wkt(frame.PolygonWKT_Pix))
    score = np.zeros(len(truth))
    free = np.ones(len(truth), dtype=bool)
    for proposal in proposals.sort_values(
        "Confidence", ascending=False, kind="stable"
    ).itertuples():
        rows = np.flatnonzero(free & (truth.ImageId == proposal.ImageId))
        values = np.nan_to_num(pg.iou(truth["shape"].to_numpy()[rows], proposal.shape))
        if len(rows) and values.max() > 0:
            best = rows[values.argmax()]
            score[best] = max(score[best], values.max())
            free[best] = values.max() <= 0.5
    assert (truth.BuildingId == expected.BuildingId).all()
    np.testing.assert_allclose(score, expected.iou_score, atol=1e-6, rtol=0)


@pytest.mark.parametrize(
    ("area", "tp", "fp", "fn", "f1"),
    [("AOI_2_Vegas", 35, 2, 7, 0.8860759493670887), ("AOI_5_Khartoum", 52, 55, 75, 4 / 9)],
)
def test_spacenet_official_f1(tmp_path, area, tp, fp, fn, f1):
    paths = []
    for name in ("truth", "preds"):
        frame = pd.read_csv(shared(f"{SPACENET}/SN2_sample_{name}.csv"))
        paths.append(tmp_path / f"{name}.csv")
        frame[frame.ImageId.str.startswith(area)].to_csv(paths[-1], index=False)
    run = pg.evaluate(
        *paths,
        geometry="PolygonWKT_Pix",
        tile="ImageId",
        score="Confidence",
        match="greedy",
        metrics=["iou"],
        min_area=20,  # the challenge does not count smaller buildings
    )
    d = run.summary.detection[0]
    assert (d.tp, d.fp, d.fn) == (tp, fp, fn)
    assert d.f1 == pytest.approx(f1, abs=1e-12)
