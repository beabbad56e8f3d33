"""Invalid geometry: what is found, what is kept, what is refused."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from shapely import MultiPolygon, Polygon, box

from polygauge.errors import GeometryError
from polygauge.io import ReadOptions, layer_from_frame
from polygauge.io._admit import admit
from tests.polygons import BOW_TIE


def admit_all(*shapes, invalid="repair"):
    column = np.empty(len(shapes), dtype=object)
    column[:] = shapes
    return admit(column, np.zeros(len(shapes), dtype=bool), invalid)


OVERLAPPING = MultiPolygon([box(0, 0, 4, 4), box(2, 0, 6, 4)])
HOLE_OUTSIDE = Polygon(box(0, 0, 4, 4).exterior, [box(6, 6, 8, 8).exterior])
BRIDGED = Polygon(
    [(0, 0), (10, 0), (10, 10), (0, 10), (0, 0), (3, 3), (3, 7), (7, 7), (7, 3), (3, 3)]
)
SPIKED = Polygon([(0, 0), (4, 0), (4, 4), (4, 9), (4, 4), (0, 4)])


@pytest.mark.parametrize(
    ("shape", "what", "area", "holes"),
    [
        (BOW_TIE, "self-intersection", 50, 0),
        (BRIDGED, "bridge to a hole", 84, 1),
        (SPIKED, "spike", 16, 0),
        (OVERLAPPING, "self-intersection", 24, 0),
        (HOLE_OUTSIDE, "hole lies outside shell", 20, 0),
    ],
)
def test_repair_keeps_the_polygonal_part_and_names_the_fault(shape, what, area, holes):
    admitted = admit_all(shape)
    (finding,) = admitted.findings
    assert (finding.what, finding.action) == (what, "repaired")
    kept = admitted.shapes[0]
    assert kept.is_valid
    assert kept.area == pytest.approx(area)
    assert shapely.get_num_interior_rings(shapely.get_parts(kept)).sum() == holes
    assert admitted.invalid == 1


def test_the_place_of_a_crossing_is_given():
    assert admit_all(BOW_TIE).findings[0].where == "5 5"


def test_drop_and_fail():
    admitted = admit_all(BOW_TIE, box(0, 0, 1, 1), invalid="drop")
    assert admitted.rows.tolist() == [1]
    assert admitted.findings[0].action == "skipped"
    with pytest.raises(GeometryError, match="Self-intersection"):
        admit_all(BOW_TIE, invalid="fail")


def test_fail_names_side_feature_and_place():
    import geopandas as gpd

    frame = gpd.GeoDataFrame({"key": ["x", "y"]}, geometry=[box(0, 0, 1, 1), BOW_TIE])
    with pytest.raises(GeometryError, match=r"prediction: feature y .*Self-intersection\[5 5\]"):
        layer_from_frame(frame, "prediction", ReadOptions(id="key", invalid="fail"))


def test_no_area_counts_as_empty():
    flat = Polygon([(0, 0), (1, 1), (2, 2), (1, 1)])
    admitted = admit_all(flat)
    assert len(admitted.shapes) == 0
    assert [(f.what, f.action) for f in admitted.findings] == [("degenerate: no area", "skipped")]


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=3, max_size=9))
def test_any_ring_on_a_grid_is_admitted_valid_or_left_out(points):
    shape = Polygon(points)
    admitted = admit_all(shape)
    assert len(admitted.shapes) + sum(f.action == "skipped" for f in admitted.findings) == 1
    for kept in admitted.shapes:
        assert kept.is_valid
        assert kept.area > 0
        assert kept.area <= shapely.convex_hull(shape).area + 1e-9
