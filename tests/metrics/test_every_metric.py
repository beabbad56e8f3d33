"""The same questions for every metric, asked by its record; a new record is asked at once."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re

import numpy as np
import pytest
import shapely
from shapely import LineString, MultiPolygon, Point, Polygon, box
from shapely.affinity import rotate, scale, translate

import polygauge as pg
from polygauge import metrics
from polygauge.metrics import METRICS
from polygauge.metrics._record import Metric
from tests.polygons import (
    BOW_TIE,
    COURTYARD,
    L_SHAPE,
    NAMED,
    RECTANGLE,
    TRIANGLE,
    TWO_PARTS,
    UNIT_SQUARE,
    random_pairs,
)

# What every keyword of a public function is given here, and whether it is a length, which scales
# with the coordinates. A keyword that is not listed fails: say what it is.
KEYWORDS = {
    "width": (0.4, "length"),
    "spacing": (1.9, "length"),
    "tolerance": (1.5, "length"),
    "offset": (0.4, "length"),
    "angle": (2.0, "degree"),
    "q": (90.0, "percent"),
    "alpha": (2.0, "ratio"),
    "beta": (1.0, "ratio"),
}
# Where one keyword means another thing.
KEYWORDS_OF = {
    ("right_angle_share", "tolerance"): (30.0, "degree"),
    # Pieces short against all sides would hide that vertices on a side change them.
    ("mta", "spacing"): (1.0, "length"),
    ("mta_p3", "spacing"): (1.0, "length"),
}

# A search ends within a stated share of the size, not at the last digit.
PRECISION = {"offset_x": 1e-6, "offset_y": 1e-6, "offset": 1e-6}

# Equal shapes with a notch are below the best value, because the convex hull is larger than them.
BEST_ONLY_WHERE_CONVEX = {"giou"}

# Gated: no value where no piece keeps about its length; as in the public code, none for one
# that lies mostly elsewhere.
SOMETIMES_UNDEFINED = {"mta", "mta_p3"}

# Their names say that holes are not looked at, so they are not asked to fill them.
WITHOUT_RINGS = {"polis_exterior"}

SIZE = 20.0  # of the shapes below, about
SECTIONS = ["Parameters", "Returns", "Raises", "Notes", "References", "Examples"]
INVARIANCES = ("start_vertex", "ring_direction", "translation", "rotation", "collinear_vertices")
POWER = {"ratio": 0, "count": 0, "degree": 0, "length": 1, "area": 2}

every = pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
every_pair = pytest.mark.parametrize(
    "metric", [m for m in METRICS if m.kind == "pair"], ids=lambda metric: metric.name
)
every_shape = pytest.mark.parametrize(
    "metric", [m for m in METRICS if m.kind == "shape"], ids=lambda metric: metric.name
)


def column(shapes) -> np.ndarray:
    out = np.empty(len(shapes), dtype=object)
    out[:] = shapes
    return out


def sample() -> tuple[np.ndarray, np.ndarray]:
    """Pairs of every kind, none with a coincidence, on a grid that survives shifts and halves."""
    stars = [
        (random_pairs(11, 6, 3), random_pairs(21, 6, 5)),
        (random_pairs(12, 8, 6), random_pairs(23, 8, 6)),
        (random_pairs(13, 6, 12), random_pairs(24, 6, 9)),
        (random_pairs(14, 6, 8, holes=True), random_pairs(25, 6, 7, holes=True)),
    ]
    a = [shape for first, _ in stars for shape in first[0]]
    b = [shape for _, second in stars for shape in second[1]]
    for shape in (RECTANGLE, L_SHAPE, COURTYARD):
        bent = rotate(scale(shape, 1.07, 0.93), 11)
        a.append(rotate(shape, 17, origin=(0, 0)))
        b.append(translate(rotate(bent, 9, origin=(0, 0)), 1.3, -0.8))
    parts = MultiPolygon([a[6], translate(a[7], 25, 2)])
    a += [parts, parts, a[8], scale(a[12], 0.1, 0.1)]
    b += [translate(parts, 0.7, 0.4), b[9], translate(b[10], 17, 9), scale(b[13], 0.1, 0.1)]
    grid = (shapely.set_precision(side, 2.0**-20, mode="valid_output") for side in (a, b))
    sides = tuple(column(list(side)) for side in grid)
    assert all(shapely.is_valid(side).all() for side in sides)
    return sides


A, B = sample()
# Edges far shorter than any width, where GEOS's buffer of a boundary depends on the direction.
FINE = (column([shapely.segmentize(box(0, 0, 1.4, 1.4), 0.0014)]), column([box(0, 0, 1.4, 1.2)]))


def settings(metric: Metric, k: float = 1.0) -> dict[str, float]:
    """A value for every keyword but `rings`; lengths times k."""
    out = {}
    for name, parameter in inspect.signature(metric.function).parameters.items():
        if parameter.kind == parameter.KEYWORD_ONLY and name != "rings":
            value, unit = KEYWORDS_OF.get((metric.name, name)) or KEYWORDS[name]
            out[name] = value * k if unit == "length" else value
    return out


def measure(metric: Metric, a=A, b=B, k: float = 1.0) -> np.ndarray:
    """Values of a pair metric on pairs, of a shape metric on the second side."""
    sides = (a, b) if metric.kind == "pair" else (b,)
    return metric.function(*sides, **settings(metric, k))


def defined_values(metric: Metric) -> np.ndarray:
    """Values on the sample; with gaps only where the record's formula has them."""
    values = measure(metric)
    assert values.dtype == np.float64
    assert values.shape == A.shape
    gaps = np.isnan(values)
    assert gaps.any() == (metric.name in SOMETIMES_UNDEFINED)
    assert gaps.sum() < 0.7 * len(values)
    return values


def tolerance(metric: Metric) -> float:
    return PRECISION.get(metric.name, 1e-9) * (SIZE if metric.unit == "length" else 1.0)


def redraw(shape, start=0, reverse=False, split=False):
    """The same shape with its rings begun elsewhere, run the other way, or with edges halved."""

    def ring(line):
        points = np.asarray(line.coords)[:-1]
        if split:
            middles = (points + np.roll(points, -1, axis=0)) / 2
            points = np.stack([points, middles], axis=1).reshape(-1, 2)
        points = np.roll(points, -start, axis=0)
        return points[::-1] if reverse else points

    parts = [
        Polygon(ring(p.exterior), [ring(i) for i in p.interiors]) for p in shapely.get_parts(shape)
    ]
    return parts[0] if len(parts) == 1 else MultiPolygon(parts)


CHANGES = {
    "start_vertex": lambda a, b: (
        column([redraw(s, start=1) for s in a]),
        column([redraw(s, start=2) for s in b]),
    ),
    "ring_direction": lambda a, b: (a, column([redraw(s, reverse=True) for s in b])),
    "translation": lambda a, b: [column([translate(s, 12.5, -7.25) for s in x]) for x in (a, b)],
    "rotation": lambda a, b: [column([rotate(s, 33, origin=(0, 0)) for s in x]) for x in (a, b)],
    "collinear_vertices": lambda a, b: (a, column([redraw(s, split=True) for s in b])),
}


# The list itself


def test_every_record_of_a_metric_file_is_in_the_list():
    found = []
    for module in pkgutil.iter_modules(metrics.__path__):
        content = vars(importlib.import_module(f"polygauge.metrics.{module.name}")).values()
        found += [value for value in content if isinstance(value, Metric)]
    assert {m.name for m in found} == {m.name for m in METRICS}
    assert len({m.name for m in METRICS}) == len(METRICS)
    assert {m.kind for m in METRICS} <= {"pair", "shape"}, "ask a new kind its questions here"


@every
def test_the_record_is_complete(metric):
    assert metric.name == metric.function.__name__
    assert getattr(pg, metric.name) is metric.function
    assert metric.title
    assert metric.equation
    assert metric.source
    low, high = metric.bounds
    assert low < high
    assert metric.best is None or low <= metric.best <= high
    assert metric.invariant_to <= set(INVARIANCES)
    assert set(metric.parameters) <= set(inspect.signature(metric.compute).parameters)
    assert (metric.set_aside is None) == (metric.set_aside_reason == "")


@every
def test_options_are_keywords_and_nothing_else_passes(metric):
    parameters = list(inspect.signature(metric.function).parameters.values())
    data = 2 if metric.kind == "pair" else 1
    names = ["reference", "prediction"] if metric.kind == "pair" else ["geometries"]
    assert [p.name for p in parameters[:data]] == names
    assert all(p.kind == p.KEYWORD_ONLY for p in parameters[data:])


@every
def test_the_docstring_has_its_sections(metric):
    text = inspect.getdoc(metric.function)
    assert text is not None
    first, blank, *_ = text.splitlines()
    assert first.endswith(".")
    assert blank == ""
    assert re.findall(r"^(\w+)\n-+$", text, re.MULTILINE) == SECTIONS
    part = dict(zip(SECTIONS, re.split(r"^\w+\n-+$", text, flags=re.MULTILINE)[1:], strict=True))
    assert "NaN where" in part["Returns"]
    assert "GeometryError" in part["Raises"]
    assert metric.kind == "shape" or "ShapeError" in part["Raises"]
    assert re.search(rf">>> .*\b{metric.name}\(", part["Examples"])
    if metric.unit == "length":
        assert "CRS units" in part["Returns"]
    for name in settings(metric):
        assert re.search(rf"^\s*{name} : ", part["Parameters"], re.MULTILINE)


# Values


@every_pair
def test_a_perfect_pair_has_the_best_value(metric):
    same = [*NAMED.values(), *A, *B]
    again = [redraw(s, start=1, reverse=True) for s in same]
    values = measure(metric, column(same), column(again))
    assert np.isfinite(values).all()
    if metric.best is None:
        return
    convex = np.array([s.area > (1 - 1e-12) * s.convex_hull.area for s in same])
    assert convex.sum() > 5
    judged = convex if metric.name in BEST_ONLY_WHERE_CONVEX else np.ones(len(same), dtype=bool)
    np.testing.assert_allclose(values[judged], metric.best, rtol=0, atol=1e-9)
    if metric.name in BEST_ONLY_WHERE_CONVEX:
        assert (abs(values[~convex] - metric.best) > 1e-3).all()


@every_shape
def test_no_shape_is_perfect_but_one_end_of_the_range_may_be_better(metric):
    assert metric.best in (None, *metric.bounds)


@every
def test_values_lie_within_the_bounds(metric):
    low, high = metric.bounds
    values = defined_values(metric)
    assert np.nanmin(values) >= low
    assert np.nanmax(values) <= high
    assert np.nanmax(values) - np.nanmin(values) > 1e-3


@every_pair
def test_symmetric_or_not_as_declared(metric):
    forth, back = defined_values(metric), measure(metric, B, A)
    if metric.symmetric:
        np.testing.assert_allclose(back, forth, rtol=0, atol=tolerance(metric))
    else:
        assert np.nanmax(abs(back - forth)) > 1e-3


@pytest.mark.parametrize("change", INVARIANCES)
@every
def test_unchanged_by_what_is_declared_and_changed_by_the_rest(metric, change):
    before = defined_values(metric)
    after = measure(metric, *CHANGES[change](A, B))
    if change in metric.invariant_to:
        np.testing.assert_allclose(after, before, rtol=0, atol=tolerance(metric))
    elif np.nanmax(abs(after - before)) <= 1e-6:
        assert abs(measure(metric, *CHANGES[change](*FINE)) - measure(metric, *FINE)) > 1e-6


@pytest.mark.parametrize("k", [0.25, 3.0])
@every
def test_values_scale_with_the_unit(metric, k):
    larger = [column([scale(s, k, k, origin=(0, 0)) for s in side]) for side in (A, B)]
    expected = defined_values(metric) * k ** POWER[metric.unit]
    atol = tolerance(metric) * k ** POWER[metric.unit]
    np.testing.assert_allclose(measure(metric, *larger, k=k), expected, rtol=1e-9, atol=atol)


@every
def test_a_far_origin_changes_nothing(metric):
    far = [column([translate(s, 1_000_000, 5_000_000) for s in side]) for side in (A, B)]
    np.testing.assert_allclose(
        measure(metric, *far), defined_values(metric), rtol=0, atol=tolerance(metric)
    )


@pytest.mark.parametrize(
    "shape", [TRIANGLE, COURTYARD, TWO_PARTS], ids=["triangle", "hole", "parts"]
)
@every
def test_small_and_compound_shapes_have_a_value(metric, shape):
    moved = translate(rotate(shape, 3), 0.3, -0.2)
    for a, b in ((shape, moved), (shape, L_SHAPE), (L_SHAPE, shape)):
        value = measure(metric, a, b)
        assert type(value) is float
        assert np.isfinite(value) or (metric.name in SOMETIMES_UNDEFINED and b is not moved)


# Inputs


@every
def test_missing_empty_and_invalid_have_no_value(metric):
    good = UNIT_SQUARE
    a = column([good, None, Polygon(), MultiPolygon(), BOW_TIE, good])
    assert np.isnan(measure(metric, a, a)).tolist() == [False, True, True, True, True, False]
    if metric.kind == "pair":
        goods = column([good] * len(a))
        for sides in ((a, goods), (goods, a)):
            assert np.isnan(measure(metric, *sides)).tolist() == [0, 1, 1, 1, 1, 0]
    assert np.isnan(measure(metric, None, None))
    assert measure(metric, column([]), column([])).shape == (0,)


@pytest.mark.parametrize(
    "wrong", [LineString([(0, 0), (1, 1)]), Point(0, 0)], ids=["line", "point"]
)
@every
def test_a_wrong_type_is_refused(metric, wrong):
    wrongs = column([UNIT_SQUARE, wrong])
    with pytest.raises(pg.GeometryError, match=f"row 1 is a {wrong.geom_type}"):
        measure(metric, wrongs, wrongs)


@every
def test_shapes_that_do_not_pair_up_are_refused(metric):
    if metric.kind == "pair":
        with pytest.raises(pg.ShapeError, match=r"reference has shape \(3,\)"):
            measure(metric, A[:3], B[:2])
    with pytest.raises(pg.ShapeError, match=r"shape \(1, 3\)"):
        measure(metric, A[None, :3], B[None, :3])


@every
def test_a_batch_equals_single_calls_bit_for_bit(metric):
    batch = defined_values(metric)
    single = np.array([measure(metric, a, b) for a, b in zip(A, B, strict=True)])
    back = measure(metric, A[::-1], B[::-1])[::-1]
    for again in (single, back):
        np.testing.assert_array_equal(again, batch)


@every
def test_rows_do_not_mix(metric):
    holes = B.copy()
    holes[3] = None
    values = measure(metric, A, holes)
    expected = np.where(np.arange(len(A)) == 3, np.nan, measure(metric))
    np.testing.assert_array_equal(values, expected)


def filled(shape):
    """The shape of its exteriors."""
    parts = [Polygon(part.exterior) for part in shapely.get_parts(shape)]
    return parts[0] if len(parts) == 1 else MultiPolygon(parts)


def of_rings(metric: Metric, a, b, rings: str) -> np.ndarray:
    sides = (a, b) if metric.kind == "pair" else (b,)
    return metric.function(*sides, **settings(metric), rings=rings)


@every
def test_exterior_rings_are_the_shapes_with_their_holes_filled(metric):
    parameter = inspect.signature(metric.function).parameters.get("rings")
    assert (parameter is None) == (metric.name in WITHOUT_RINGS)
    if parameter is None:
        return
    assert parameter.default == "all"
    assert '    rings : {"all", "exterior"}\n' in metric.function.__doc__
    # A hole and an exterior with a vertex drawn twice, and a hole in one of two parts.
    twice = Polygon([(0, 0), (9, 0), (9, 0), (9, 8), (0, 8)], [[(2, 2), (4, 2), (4, 2), (3, 4)]])
    parts = MultiPolygon([twice, box(20, 0, 26, 5)])
    a = column([*A, COURTYARD, twice, parts, None, L_SHAPE])
    b = column([*B, twice, rotate(COURTYARD, 5), rotate(parts, 4), COURTYARD, COURTYARD])
    fill = [column([None if s is None else filled(s) for s in side]) for side in (a, b)]
    got, expected = of_rings(metric, a, b, "exterior"), of_rings(metric, *fill, "all")
    np.testing.assert_array_equal(got, expected)
    np.testing.assert_array_equal(of_rings(metric, a, b, "all"), measure(metric, a, b))


@every
def test_a_part_in_a_hole_goes_with_it(metric):
    if metric.name in WITHOUT_RINGS:
        return
    court = box(0, 0, 12, 12).difference(box(2, 2, 9, 9))
    a = MultiPolygon([box(4, 4, 7, 7), court, box(20, 0, 27, 6)])
    b = translate(rotate(a, 7), 0.3, 0.1)
    solid = [MultiPolygon([filled(s.geoms[1]), s.geoms[2]]) for s in (a, b)]
    assert of_rings(metric, a, b, "exterior") == of_rings(metric, *solid, "all")


@every
def test_other_rings_are_refused(metric):
    if metric.name in WITHOUT_RINGS:
        return
    for wrong in ("interior", "", None):
        with pytest.raises(
            pg.OptionError, match=rf"^rings is {wrong!r}\nhint: give 'all' or 'exterior'$"
        ):
            of_rings(metric, UNIT_SQUARE, UNIT_SQUARE, wrong)


@every
def test_a_length_that_is_none_is_refused(metric):
    for name in settings(metric):
        unit = (KEYWORDS_OF.get((metric.name, name)) or KEYWORDS[name])[1]
        if unit != "length":
            continue
        for value in (0.0, -1.0, float("nan"), float("inf")):
            with pytest.raises(pg.OptionError, match=f"{name} is"):
                metric.function(
                    *([box(0, 0, 9, 9)] * (2 if metric.kind == "pair" else 1)),
                    **settings(metric) | {name: value},
                )
