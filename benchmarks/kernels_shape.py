"""Shape, corner and displacement kernels against array shapely, numpy and scipy."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely
from scipy.optimize import linear_sum_assignment, minimize
from shapely.affinity import translate

from benchmarks.paired import Row, compare
from benchmarks.pairs import building_pairs, star_pairs
from polygauge.geometry import (
    Pairs,
    Polygons,
    best_translations,
    corners,
    hull_areas,
    line_freedoms,
    main_directions,
    matched_corners,
    polygon_edges,
    rectangle_sides,
)


def numpy_corners(shapes):
    """Turns of all vertices, ring by ring."""
    out = []
    for ring in shapely.get_exterior_ring(shapes):
        step = np.diff(shapely.get_coordinates(ring), axis=0)
        before = np.roll(step, 1, axis=0)
        cross = before[:, 0] * step[:, 1] - before[:, 1] * step[:, 0]
        out.append(np.degrees(np.arctan2(cross, (before * step).sum(axis=1))))
    return out


def numpy_directions(shapes):
    """Main direction of every ring."""
    out = []
    for ring in shapely.get_exterior_ring(shapes):
        step = np.diff(shapely.get_coordinates(ring), axis=0) @ [1, 1j]
        out.append(np.angle(np.sum(abs(step) * np.exp(4j * np.angle(step)))) / 4)
    return out


def numpy_line_dof(shapes):
    """Orthogonality and parallel classes of every ring: less than `line_freedoms` does."""
    out = []
    for ring in shapely.get_exterior_ring(shapes):
        step = np.diff(shapely.get_coordinates(ring), axis=0)
        heading = np.degrees(np.arctan2(step[:, 1], step[:, 0]))
        for period in (90, 180):
            angle = np.sort(heading % period)
            gaps = np.diff(np.append(angle, angle[0] + period))
            out.append(max((gaps > 0.5).sum(), 1))
    return out


def assigned_corners(a, b):
    """Largest matching of the vertices of two shapes by scipy's assignment."""
    out = []
    for x, y in zip(a, b, strict=True):
        p, q = (shapely.get_coordinates(s)[:-1] for s in (x, y))
        near = np.hypot(*(p[:, None] - q[None]).transpose(2, 0, 1)) <= 1.0
        out.append(near[linear_sum_assignment(near, maximize=True)].sum())
    return out


def simplex(a, b):
    """Best translation by Nelder and Mead over GEOS overlays, from one start."""
    return [
        minimize(
            lambda t, x=x, y=y: -shapely.intersection(x, translate(y, *t)).area,
            (0.0, 0.0),
            method="Nelder-Mead",
        ).fun
        for x, y in zip(a, b, strict=True)
    ]


def rows() -> Iterator[Row]:
    """The ratios, one core."""
    a, b = building_pairs(8_000)
    ra, rb = Polygons.from_shapely(a), Polygons.from_shapely(b)
    everyone = np.arange(len(a))
    few = b[:500]

    def against(name, ours, peer, bar, peer_rows=500):
        return compare(name, ours, peer, bar=bar, ours_rows=len(a), peer_rows=peer_rows)

    yield against("corners, buildings, numpy a ring", lambda: corners(rb),
                  lambda: numpy_corners(few), 20)  # fmt: skip
    yield against("main_directions, buildings, numpy a ring",
                  lambda: main_directions(rb, everyone),
                  lambda: numpy_directions(few), 20)  # fmt: skip
    yield against("line_freedoms, buildings, numpy a ring, directions only",
                  lambda: line_freedoms(*polygon_edges(rb), 0.5, 0.5),
                  lambda: numpy_line_dof(few), 10)  # fmt: skip
    yield against("rectangle_sides, buildings, array shapely", lambda: rectangle_sides(rb),
                  lambda: shapely.oriented_envelope(few), 3)  # fmt: skip
    yield against("hull_areas, buildings, array shapely",
                  lambda: hull_areas(Pairs.row_by_row(ra, rb)),
                  lambda: shapely.area(shapely.convex_hull(shapely.union(a[:500], few))),
                  10)  # fmt: skip
    yield against("matched_corners, buildings, scipy's assignment",
                  lambda: matched_corners(Pairs.row_by_row(ra, rb), 1.0),
                  lambda: assigned_corners(a[:500], few), 20)  # fmt: skip
    yield against("best_translations, buildings, simplex over GEOS",
                  lambda: best_translations(Pairs.row_by_row(ra, rb)),
                  lambda: simplex(a[:20], b[:20]), 50, 20)  # fmt: skip
    for vertices, bar in ((6, 50), (40, 20)):
        a, b = star_pairs(1_000, vertices)
        ra, rb = Polygons.from_shapely(a), Polygons.from_shapely(b)
        yield against(f"best_translations, {vertices} vertices, simplex over GEOS",
                      lambda ra=ra, rb=rb: best_translations(Pairs.row_by_row(ra, rb)),
                      lambda a=a, b=b: simplex(a[:20], b[:20]), bar, 20)  # fmt: skip
