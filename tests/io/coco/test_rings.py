"""Rings as stored and the polygons they become."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from shapely import LineString, Polygon, box

from polygauge.errors import GeometryError
from polygauge.io.coco._bridges import take_apart
from polygauge.io.coco._rings import _simple, admit_rings
from tests.io.coco.conftest import SQUARE, codes, ground_truth, texts
from tests.oracles.coco import is_ring, stitch

BOW_TIE = [10, 10, 30, 30, 30, 10, 10, 30]


def admit_one(*rings, area=np.nan, invalid="repair", nested="union"):
    """The polygon that rings of points are read as, and what was found."""
    xy = np.array([point for ring in rings for point in ring], dtype=float).reshape(-1, 2)
    out = admit_rings(
        xy,
        np.cumsum([0] + [len(ring) for ring in rings]),
        np.array([0, len(rings)]),
        np.array([area]),
        invalid,
        nested,
    )
    if out.direct[0]:
        return shapely.MultiPolygon([Polygon(ring) for ring in rings]), []
    return out.shapes.get(0), [code for code, _, _ in out.found]


def test_rings_are_kept_as_written(read):
    closed = [*SQUARE, *SQUARE[:2]]
    coco = read(ground_truth({"segmentation": [closed, [60, 60, 80, 60, 80, 80]]}))
    rings = coco.reference.rings
    assert rings.coordinates.ravel().tolist() == [*closed, 60, 60, 80, 60, 80, 80]
    assert rings.ring_offsets.tolist() == [0, 5, 8]
    assert rings.annotation_offsets.tolist() == [0, 2]
    assert rings.closed.tolist() == [True, False]
    assert rings.point_counts.tolist() == [8]


def test_polygons_keep_their_guarantees_whatever_the_direction(read):
    turned = np.reshape(SQUARE, (-1, 2))[::-1].ravel().tolist()
    doubled = [*SQUARE[:2], *SQUARE]
    coco = read(ground_truth(*({"segmentation": [r]} for r in (SQUARE, turned, doubled))))
    polygons = coco.reference.polygons
    assert polygons.areas.tolist() == [400, 400, 400]
    assert polygons.vertex_counts.tolist() == [4, 4, 4]
    assert polygons.drawn_counts.tolist() == [4, 4, 5]


def test_parts_nested_overlapping_and_touching():
    big, small, beside = box(0, 0, 9, 9), box(3, 3, 5, 5), box(9, 0, 12, 9)
    ring = {shape: list(shape.exterior.coords) for shape in (big, small, beside)}
    assert admit_one(ring[big])[1] == []
    shape, found = admit_one(ring[big], ring[small], nested="holes")
    assert (shape.area, found) == (77, ["nested-hole"])
    shape, found = admit_one(ring[big], ring[small])
    assert (shape.area, found) == (81, ["nested-ring"])
    shape, found = admit_one(ring[big], ring[beside])
    assert (shape.area, found) == (108, ["overlapping-rings"])
    island = list(box(3.5, 3.5, 4, 4).exterior.coords)
    shape, found = admit_one(ring[small], island, ring[big], nested="holes")
    assert (shape.area, found) == (77.25, ["nested-hole"])
    twice, found = admit_one(ring[big], ring[big])
    assert (twice.area, found) == (81, ["overlapping-rings"])


def test_a_useless_ring_beside_a_good_one_is_named(read):
    coco = read(ground_truth({"segmentation": [SQUARE, [1, 2, 3, 4]]}))
    assert coco.reference.polygons.areas.tolist() == [400]
    assert "have a ring that is no polygon beside usable ones (with 4 numbers, a box)" in texts(
        coco
    )
    assert coco.reference.rings.point_counts.tolist() == [6]


def test_invalid_drop_and_fail(read):
    document = ground_truth({"segmentation": [SQUARE]}, {"segmentation": [BOW_TIE]})
    dropped = read(document, invalid="drop")
    assert dropped.reference.has_polygon.tolist() == [True, False]
    assert codes(dropped)["invalid-dropped"] == codes(dropped)["no-polygon"] == 1
    with pytest.raises(GeometryError, match=r"reference: annotation 2 of .*gt.json: Self-inters"):
        read(document, invalid="fail")


def test_take_polygons_in_any_order(read):
    coco = read(
        ground_truth(
            {"segmentation": [SQUARE]},
            {"segmentation": []},
            {"segmentation": [BOW_TIE]},
            {"segmentation": [[0, 0, 5, 0, 5, 5]]},
        )
    )
    assert coco.reference.polygons.areas.tolist() == [400, 0, 200, 12.5]
    assert coco.reference.take_polygons([3, 2, 2, 1, 0]).areas.tolist() == [12.5, 200, 200, 0, 400]
    assert len(coco.reference.take_polygons([])) == 0


OUTLINE = [(0, 0), (20, 0), (20, 20), (0, 20)]
HOLE = [(5, 5), (5, 8), (8, 8), (8, 5)]
ANOTHER = [(12, 12), (12, 15), (15, 15), (15, 12)]


@pytest.mark.parametrize(
    ("ring", "area", "what"),
    [
        (stitch(OUTLINE, HOLE), 391, "bridge"),
        (stitch(stitch(OUTLINE, HOLE), ANOTHER), 382, "bridge"),
        # A bridge with a corner, and one that the ring starts on.
        ([*OUTLINE, (0, 0), (2, 3), *HOLE, HOLE[0], (2, 3)], 391, "bridge"),
        (np.roll(stitch(OUTLINE, HOLE), 3, axis=0), 391, "bridge"),
        # Walked the same way round as the outline; a spike besides; two squares at one corner.
        (stitch(OUTLINE, HOLE[::-1]), 391, "invalid-ring"),
        ([*stitch(OUTLINE, HOLE), (-5, 20), (0, 20)], 391, None),
        ([(0, 0), (4, 0), (4, 4), (8, 4), (8, 8), (4, 8), (4, 4), (0, 4)], 32, "invalid-ring"),
    ],
)
def test_bridges_and_what_only_looks_like_one(ring, area, what):
    shape, found = admit_one([tuple(point) for point in ring])
    assert shape.area == area
    assert what is None or found == [what]


def test_taking_apart_moves_no_vertex():
    xy = np.array(stitch(stitch(OUTLINE, HOLE), ANOTHER), dtype=float)
    places, (shape,) = take_apart(xy, np.array([0, len(xy)]), np.array([0]))
    assert places.tolist() == [0]
    assert shape.equals(Polygon(OUTLINE, [HOLE, ANOTHER]))
    assert len(shapely.get_coordinates(shape)) == 15
    spiked = np.array([*stitch(OUTLINE, HOLE), (-5, 20), (0, 20)], dtype=float)
    assert len(take_apart(spiked, np.array([0, len(spiked)]), np.array([0]))[0]) == 0


points = st.tuples(st.integers(0, 7), st.integers(0, 7))


@given(st.lists(points, min_size=3, max_size=9))
@settings(max_examples=400)
def test_a_ring_proven_simple_is_valid(ring):
    xy = np.array(ring, dtype=float)
    proven = bool(_simple(xy, np.array([0, len(xy)]))[0])
    assert is_ring(xy) or not proven


@given(st.integers(3, 30), st.integers(0, 10**6))
def test_stars_are_proven_simple(corners, seed):
    rng = np.random.default_rng(seed)
    angles = (np.arange(corners) + rng.uniform(-0.3, 0.3, corners)) * 2 * np.pi / corners
    radii = rng.uniform(5, 10, corners)
    xy = np.stack([radii * np.cos(angles), radii * np.sin(angles)], axis=1) + 1e4
    assert bool(_simple(xy, np.array([0, corners]))[0]) or not is_ring(xy)


@st.composite
def courtyards(draw):
    """A building with courtyards, and its one ring as P3 stitches it."""
    corners = draw(st.integers(4, 12))
    angles = 2 * np.pi * (np.arange(corners) + draw(st.floats(0, 1))) / corners
    radii = np.array(draw(st.lists(st.floats(80, 110), min_size=corners, max_size=corners)))
    shell = np.stack([112 + radii * np.cos(angles), 112 + radii * np.sin(angles)], axis=1)
    shell = [tuple(point) for point in shell.round(2).tolist()]
    cells = draw(st.lists(st.integers(0, 3), min_size=1, max_size=4, unique=True))
    holes = []
    for cell in cells:
        x, y = 92 + 24 * (cell % 2), 92 + 24 * (cell // 2)
        w, h = draw(st.tuples(st.integers(3, 16), st.integers(3, 16)))
        holes.append([(x, y), (x, y + h), (x + w, y + h), (x + w, y)])
    whole = Polygon(shell, holes)
    assume(whole.is_valid)
    ring, drawn = shell, Polygon(shell)
    for k, hole in enumerate(holes):
        gaps = [(np.hypot(a[0] - b[0], a[1] - b[1]), a, b) for a in ring for b in hole]
        _, a, b = min(gaps)
        bridge, others = LineString([a, b]), [Polygon(o) for m, o in enumerate(holes) if m != k]
        # A bridge through another courtyard or over the outline makes another shape.
        assume(drawn.covers(bridge))
        assume(not any(bridge.crosses(other) for other in others))
        ring = stitch(ring, hole)
    return whole, ring


@given(courtyards(), st.booleans())
@settings(max_examples=150)
def test_stitched_rings_are_read_back_with_their_holes(made, closed):
    whole, ring = made
    shape, found = admit_one([*ring, ring[0]] if closed else ring)
    assert set(found) == {"bridge"}
    assert shape.is_valid
    assert len(shape.interiors) == len(whole.interiors)
    assert shape.symmetric_difference(whole).area <= 1e-9 * whole.area
    assert shape.length == pytest.approx(whole.length)
