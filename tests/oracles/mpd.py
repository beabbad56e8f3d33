"""Matching of vertex sequences and the mean inflection point distance, written out plainly."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable

import numpy as np
import shapely
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

Route = list[tuple[int, int]]


def outlines(shape: shapely.Geometry) -> list[np.ndarray]:
    """Distinct vertices of the exterior of each part, counter-clockwise."""
    polygons = [shapely.orient_polygons(part) for part in shapely.get_parts(shape)]
    return [shapely.get_coordinates(polygon.exterior)[:-1] for polygon in polygons]


def couples(a: shapely.Geometry, b: shapely.Geometry) -> list[tuple[int, int]]:
    """Parts set against each other: every part of either side with the nearest centroid."""
    middles = [
        np.array([shapely.get_coordinates(shapely.Polygon(p.exterior).centroid)[0] for p in parts])
        for parts in (shapely.get_parts(a), shapely.get_parts(b))
    ]
    far = np.hypot(*(middles[0][:, None] - middles[1]).transpose(2, 0, 1))
    # Equal up to rounding means equal: the first.
    far = np.round(far / max(far.max(), 1e-300), 10)
    return sorted(
        {(p, int(far[p].argmin())) for p in range(len(far))}
        | {(int(far[:, q].argmin()), q) for q in range(far.shape[1])}
    )


def distance_table(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Distance of every vertex of one side to every vertex of the other."""
    return np.hypot(*(a[:, None] - b).transpose(2, 0, 1))


def costs(table: np.ndarray) -> np.ndarray:
    """What a pair costs: its distance, and a billionth that decides ties."""

    def neighbour(i: int, j: int) -> np.ndarray:
        return np.roll(table, (-i, -j), axis=(0, 1))

    around = neighbour(-1, -1) + neighbour(1, 1) + (neighbour(-1, 1) + neighbour(1, -1)) / 2
    largest = table.max()
    return table + 1e-9 * largest * (1 + around / (48 * largest))


def route_from_every_start(cost: np.ndarray) -> Route:
    """Cheapest route: dynamic programming from every pair of start vertices to the pair before."""
    m, n = cost.shape
    best: tuple[float, Route] = (np.inf, [])
    for s, t in itertools.product(range(m), range(n)):
        table = np.roll(cost, (-s, -t), axis=(0, 1))
        reached: dict[tuple[int, int], tuple[float, Route]] = {(0, 0): (table[0, 0], [(0, 0)])}
        for i, j in itertools.product(range(m), range(n)):
            before = [reached[p] for p in ((i - 1, j - 1), (i - 1, j), (i, j - 1)) if p in reached]
            if before:
                total, route = min(before, key=lambda entry: entry[0])
                reached[i, j] = total + table[i, j], [*route, (i, j)]
        total, route = reached[m - 1, n - 1]
        if total < best[0]:
            best = total, [((i + s) % m, (j + t) % n) for i, j in route]
    return best[1]


def route_in_a_graph(cost: np.ndarray) -> Route:
    """The same as shortest paths from (0, t) to (m, t + n) in the grid unrolled, for all t."""
    m, n = cost.shape
    width = 2 * n
    grid = np.tile(cost, (2, 2))[: m + 1]
    number = np.arange((m + 1) * width).reshape(m + 1, width)
    sources, targets = [], []
    for i, j in ((1, 0), (0, 1), (1, 1)):
        sources.append(number[: m + 1 - i, : width - j].ravel())
        targets.append(number[i:, j:].ravel())
    source, target = np.concatenate(sources), np.concatenate(targets)
    graph = csr_array((grid.ravel()[target], (source, target)), shape=(number.size, number.size))
    far, before = dijkstra(graph, indices=number[0, :n], return_predecessors=True)
    ends = number[m, n:]
    t = int(far[np.arange(n), ends].argmin())
    route, node = [], before[t, ends[t]]
    while node >= 0:
        route.append((int(node // width) % m, int(node % width) % n))
        node = before[t, node]
    return route[::-1]


Router = Callable[[np.ndarray], Route]


def mean_over_routes(
    a: shapely.Geometry, b: shapely.Geometry, router: Router = route_from_every_start
) -> tuple[float, list[tuple[np.ndarray, np.ndarray, Route]]]:
    """Mean distance over all vertex pairs of the routes of all couples, and the routes."""
    sides = outlines(a), outlines(b)
    routes = []
    for p, q in couples(a, b):
        x, y = sides[0][p], sides[1][q]
        routes.append((x, y, router(costs(distance_table(x, y)))))
    far = [np.hypot(*(x[i] - y[j])) for x, y, route in routes for i, j in route]
    return float(np.mean(far)), routes


def mpd_ep(
    a: shapely.Geometry, b: shapely.Geometry, router: Router = route_from_every_start
) -> float:
    """Mean distance of the matched vertices (eq. 7)."""
    return mean_over_routes(a, b, router)[0]


def mpd_terms(
    a: shapely.Geometry,
    b: shapely.Geometry,
    alpha: float = 2.0,
    beta: float = 1.0,
    tolerance: float | None = None,
    router: Router = route_from_every_start,
) -> tuple[list[float], int, int]:
    """Distances that are added up, the number of edge points, and the sum of min(m, n)."""
    mean, routes = mean_over_routes(a, b, router)
    nearer = beta * mean if tolerance is None else tolerance
    terms, edge_points, fewer = [], 0, 0
    for x, y, route in routes:
        fewer += min(len(x), len(y))
        in_route = Counter(i for i, _ in route), Counter(j for _, j in route)
        for i, j in route:
            far = np.hypot(*(x[i] - y[j]))
            feet = []
            if in_route[0][i] > 1:
                feet += [foot(y[j], x[i], x[i - 1]), foot(y[j], x[i], x[(i + 1) % len(x)])]
            if in_route[1][j] > 1:
                feet += [foot(x[i], y[j], y[j - 1]), foot(x[i], y[j], y[(j + 1) % len(y)])]
            near = min((d for d in feet if d < nearer * (1 - 1e-9)), default=None)
            if far > alpha * mean * (1 + 1e-9) and near is not None:
                edge_points += 1
                terms.append(near)
            else:
                terms.append(far)
    return terms, edge_points, fewer


def foot(point: np.ndarray, start: np.ndarray, end: np.ndarray) -> float:
    """Distance to the foot of the perpendicular on an edge; infinite where it lies beyond."""
    along = end - start
    t = (point - start) @ along / (along @ along)
    return float(np.hypot(*(point - start - t * along))) if -1e-9 <= t <= 1 + 1e-9 else np.inf


def mpd(a: shapely.Geometry, b: shapely.Geometry, **options) -> float:
    """Sum of the terms over their number."""
    terms, _, _ = mpd_terms(a, b, **options)
    return sum(terms) / len(terms)


def mpd_eq10(a: shapely.Geometry, b: shapely.Geometry, **options) -> float:
    """Sum of the terms over min(m, n) plus the number of edge points (eq. 10)."""
    terms, edge_points, fewer = mpd_terms(a, b, **options)
    return sum(terms) / (fewer + edge_points)
