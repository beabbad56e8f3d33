"""Every recorded reference value, row by row: `own` values of vectors/pairs_public.json."""

from __future__ import annotations

import json
from functools import cache

import numpy as np
import pytest
from shapely import Polygon

import polygauge as pg
from tests.shared import shared

# Metric, parameters, where its recorded value stands, tolerance of the vectors' README.
RECORDED = [
    ("iou", {}, "own.iou_evenodd.iou", 1e-9),
    ("polis", {}, "own.polis_allrings", 1e-9),
    ("hausdorff_exact", {}, "own.hausdorff_exact.max", 1e-8),
    ("polis_exterior", {}, "own.polis", 1e-9),
    ("chamfer", {"spacing": 0.1}, "own.chamfer", 1e-9),
    ("hausdorff", {"spacing": 0.1}, "own.hausdorff_max", 1e-9),
    ("hausdorff_sum", {"spacing": 0.1}, "own.hausdorff_sum", 1e-9),
    ("hausdorff_percentile", {"q": 100}, "own.hausdorff_exact.max", 1e-8),
    ("assd", {}, "own.chamfer_exact.length_weighted", 1e-5),
    ("polis_p3", {}, "ref.polis_p3", 1e-9),
    ("polis_p3", {}, "own.polis_code", 1e-9),
    ("chamfer_p3", {}, "ref.chamfer_p3", 1e-9),
    ("chamfer_p3", {}, "own.chamfer_code", 1e-9),
    ("hausdorff_p3", {}, "ref.hausdorff_p3", 1e-9),
    ("hausdorff_p3", {}, "own.hausdorff_code", 1e-9),
    *(
        ("boundary_iou", {"width": float(width)}, f"ref.boundary_iou_band|{width}", 1e-6)
        for width in ("0.25", "0.75", "1.5", "3.0")
    ),
    *(
        (
            "boundary_iou_inner",
            {"width": float(width)},
            f"own.boundary_iou_inner_clip|{width}",
            1e-5,
        )
        for width in ("0.25", "0.75", "1.5", "3.0")
    ),
]


@cache
def records():
    return json.loads(shared("vectors/pairs_public.json").read_text())["pairs"]


def shape(drawn):
    return Polygon(drawn["shell"], drawn["holes"])


def lookup(record, place):
    path, _, key = place.partition("|")
    for name in [*path.split("."), *([key] if key else [])]:
        record = record[name]
    return np.nan if record is None else record


@pytest.mark.parametrize(("name", "parameters", "place", "tolerance"), RECORDED)
def test_recorded_values(name, parameters, place, tolerance):
    valid = [r for r in records() if not r.get("invalid")]
    assert len(valid) == 216
    got = getattr(pg, name)(
        [shape(r["gt"]) for r in valid], [shape(r["pred"]) for r in valid], **parameters
    )
    expected = np.array([lookup(r, place) for r in valid], dtype=float)
    np.testing.assert_allclose(got, expected, atol=tolerance, rtol=tolerance)


@pytest.mark.parametrize(
    "name",
    [
        "iou",
        "polis",
        "hausdorff_exact",
        "polis_exterior",
        "chamfer",
        "hausdorff",
        "hausdorff_sum",
        "hausdorff_percentile",
        "assd",
        "polis_p3",
        "chamfer_p3",
        "hausdorff_p3",
        "vertex_ratio_p3",
        "ciou_p3",
    ],
)
def test_invalid_geometry_has_no_value(name):
    invalid = [r for r in records() if r.get("invalid")]
    assert len(invalid) == 4
    function = getattr(pg, name)
    assert all(np.isnan(function(shape(r["gt"]), shape(r["pred"]))) for r in invalid)


def test_a_run_repairs_what_a_function_refuses():
    import geopandas as gpd

    for record in (r for r in records() if r.get("invalid")):
        expected = record["ref"]["geos_make_valid"]
        run = pg.evaluate(
            gpd.GeoSeries([shape(record["gt"])]),
            gpd.GeoSeries([shape(record["pred"])]),
            metrics=["iou"],
            threshold=1e-6,
            group_share=1e-6,
        )
        assert run.pairs.iou.sum() == pytest.approx(expected["iou"], abs=1e-9)
