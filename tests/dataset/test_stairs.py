"""Staircase outlines against the plain definition: the pixels whose middle lies inside."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from shapely.affinity import rotate, translate

from polygauge.dataset._stairs import staircases
from tests.polygons import NAMED, random_pairs


def pixels(shape: shapely.Geometry, pixel: float) -> shapely.Geometry:
    """Union of the pixels whose middle lies in the shape, one by one."""
    west, south, east, north = np.floor(np.array(shape.bounds) / pixel).astype(int)
    boxes = [
        shapely.box(c * pixel, r * pixel, (c + 1) * pixel, (r + 1) * pixel)
        for c in range(west, east + 1)
        for r in range(south, north + 1)
        if shape.contains(shapely.Point((c + 0.5) * pixel, (r + 0.5) * pixel))
    ]
    return shapely.union_all(boxes)


@pytest.mark.parametrize("name", NAMED)
def test_named_shapes_turned(name):
    shape = translate(rotate(NAMED[name], 17, origin=(0, 0)), 500_000.13, 5_300_000.71)
    (stairs,) = staircases(np.array([shape]), 0.5)
    assert stairs.is_valid
    assert stairs.equals(pixels(shape, 0.5))


def test_rough_shapes_with_holes_in_one_batch():
    shapes, _ = random_pairs(7, 40, 11, holes=True)
    for shape, stairs in zip(shapes, staircases(shapes, 0.75), strict=True):
        assert stairs.is_valid
        assert stairs.equals(pixels(shape, 0.75))


def test_every_vertex_is_a_corner():
    (stairs,) = staircases(np.array([rotate(NAMED["rectangle"], 30)]), 0.5)
    turns = np.diff(shapely.get_coordinates(stairs), axis=0)
    along = turns[:, 0] != 0
    assert (along[1:] != along[:-1]).all()


def test_a_shape_that_holds_no_middle_stays():
    speck = shapely.box(0.6, 0.6, 0.9, 0.9)
    assert staircases(np.array([speck]), 1.0)[0] == speck


def test_no_shapes():
    assert len(staircases(np.empty(0, dtype=object), 0.5)) == 0
