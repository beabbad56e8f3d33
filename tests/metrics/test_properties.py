"""What must not change a value, for any polygons: start, direction, place and turn."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from shapely import MultiPolygon, Polygon
from shapely.affinity import rotate, scale, translate

import polygauge as pg
from tests.polygons import polygons

CALLS = {
    "iou": lambda a, b, k=1: pg.iou(a, b),
    "boundary_iou": lambda a, b, k=1: pg.boundary_iou(a, b, width=0.4 * k),
    "boundary_iou_inner": lambda a, b, k=1: pg.boundary_iou_inner(a, b, width=0.4 * k),
    "polis": lambda a, b, k=1: pg.polis(a, b),
    "hausdorff_exact": lambda a, b, k=1: pg.hausdorff_exact(a, b),
    "polis_exterior": lambda a, b, k=1: pg.polis_exterior(a, b),
    "chamfer": lambda a, b, k=1: pg.chamfer(a, b, spacing=0.3 * k),
    "hausdorff": lambda a, b, k=1: pg.hausdorff(a, b, spacing=0.3 * k),
    "hausdorff_sum": lambda a, b, k=1: pg.hausdorff_sum(a, b, spacing=0.3 * k),
    "hausdorff_percentile": lambda a, b, k=1: pg.hausdorff_percentile(a, b),
    "assd": lambda a, b, k=1: pg.assd(a, b),
    "boundary_share": lambda a, b, k=1: pg.boundary_share(a, b, tolerance=0.7 * k),
}
# Arcs are drawn as segments, so turning a shape changes a region's outline a little.
TURN = {"boundary_iou": 2e-3, "boundary_iou_inner": 2e-4}
LENGTHS = {
    "polis",
    "hausdorff_exact",
    "polis_exterior",
    "chamfer",
    "hausdorff",
    "hausdorff_sum",
    "hausdorff_percentile",
    "assd",
}
everything = pytest.mark.parametrize("name", CALLS)


def redraw(shape, start, reverse):
    """The same shape with every ring begun elsewhere, and perhaps run the other way."""

    def ring(line):
        points = list(line.coords)[:-1]
        k = start % len(points)
        points = points[k:] + points[:k]
        return points[::-1] if reverse else points

    parts = [
        Polygon(ring(p.exterior), [ring(i) for i in p.interiors]) for p in shapely.get_parts(shape)
    ]
    return parts[0] if len(parts) == 1 else MultiPolygon(parts)


@everything
@given(a=polygons(), b=polygons(), start=st.integers(0, 9), reverse=st.booleans())
def test_start_vertex_and_direction(name, a, b, start, reverse):
    assert CALLS[name](redraw(a, start, reverse), redraw(b, 2 * start, not reverse)) == (
        pytest.approx(CALLS[name](a, b), abs=1e-9)
    )


@everything
@given(a=polygons(), b=polygons())
def test_swapping_the_sides(name, a, b):
    assert CALLS[name](a, b) == pytest.approx(CALLS[name](b, a), abs=1e-8)


@everything
@given(a=polygons(), b=polygons(), x=st.integers(-(10**6), 10**6), y=st.integers(0, 5 * 10**6))
def test_a_million_metres_away(name, a, b, x, y):
    # Coordinates first on a grid that survives the shift, so that the shapes stay the same.
    a, b = (shapely.set_precision(shape, 2**-20) for shape in (a, b))
    far = [translate(shape, x, y) for shape in (a, b)]
    assert CALLS[name](*far) == pytest.approx(CALLS[name](a, b), abs=1e-9)


@everything
@given(a=polygons(), b=polygons(), angle=st.floats(0, 360))
def test_rotation(name, a, b, angle):
    turned = [rotate(shape, angle, origin=(0, 0)) for shape in (a, b)]
    assert CALLS[name](*turned) == pytest.approx(CALLS[name](a, b), abs=TURN.get(name, 1e-8))


@everything
@given(a=polygons(), b=polygons(), factor=st.sampled_from([0.25, 3.0, 40.0]))
def test_units(name, a, b, factor):
    larger = [scale(shape, factor, factor, origin=(0, 0)) for shape in (a, b)]
    expected = CALLS[name](a, b) * (factor if name in LENGTHS else 1)
    assert CALLS[name](*larger, factor) == pytest.approx(expected, rel=1e-8, abs=1e-9)


@everything
def test_missing_empty_and_invalid_are_nan(name):
    good, bad = Polygon([(0, 0), (9, 0), (0, 9)]), Polygon([(0, 0), (1, 1), (1, 0), (0, 1)])
    values = CALLS[name]([good, None, Polygon(), bad, good], [good, good, good, good, None])
    assert np.isnan(values).tolist() == [False, True, True, True, True]


@everything
def test_lengths_that_differ_and_wrong_types_are_refused(name):
    square = shapely.box(0, 0, 9, 9)
    with pytest.raises(pg.ShapeError, match=r"reference has shape \(2,\)"):
        CALLS[name]([square, square], [square])
    with pytest.raises(pg.GeometryError, match="row 1 is a LinearRing"):
        CALLS[name]([square, square.exterior], [square, square])


@pytest.mark.parametrize("width", [0, -1, float("nan"), float("inf")])
@pytest.mark.parametrize("name", ["boundary_iou", "boundary_iou_inner"])
def test_a_width_that_is_none_is_refused(name, width):
    square = shapely.box(0, 0, 9, 9)
    with pytest.raises(pg.OptionError, match="width is"):
        getattr(pg, name)(square, square, width=width)


def test_two_single_geometries_give_a_float_and_one_goes_with_a_column():
    square = shapely.box(0, 0, 9, 9)
    assert type(pg.iou(square, square)) is float
    assert pg.iou(square, [square, None])[0] == 1
