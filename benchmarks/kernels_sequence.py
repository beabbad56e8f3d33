"""Vertex routes, the cyclic Fréchet distance and tangent angles against their plain versions."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from tests.oracles import frechet, mpd, mta

from benchmarks.paired import Row, compare
from benchmarks.pairs import star_pairs
from polygauge.geometry import (
    Pairs,
    Polygons,
    edge_points,
    frechet_distances,
    max_tangent_angles,
    vertex_routes,
)


def all_mpd(pairs: Pairs) -> None:
    """What the three metrics together need."""
    pairs.share(vertex_routes)
    pairs.share(edge_points, 2.0, 1.0, None)


def rate(name: str, work: Callable[[], object], pairs: int, bar: float) -> Row:
    """Pairs a second, best of three, as a multiple of the bar."""
    work()
    seconds = []
    for _ in range(3):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    a_second = pairs / min(seconds)
    return Row(f"{name}, over {bar:,.0f} pairs a second", a_second / bar, 1, f"{a_second:,.0f}")


def rows() -> Iterator[Row]:
    """The ratios, one core."""
    a, b = star_pairs(2_000, 40)
    ra, rb = Polygons.from_shapely(a), Polygons.from_shapely(b)
    few = range(4)
    yield rate("mpd, 40 vertices", lambda: all_mpd(Pairs.row_by_row(ra, rb)), 2_000, 1_000)
    yield compare(
        "mpd, 40 vertices, against shortest paths in scipy",
        lambda: all_mpd(Pairs.row_by_row(ra, rb)),
        lambda: [mpd.mpd(a[k], b[k], router=mpd.route_in_a_graph) for k in few],
        bar=80,
        ours_rows=2_000,
        peer_rows=len(few),
        rounds=3,
    )
    yield compare(
        "frechet, 40 vertices, against dynamic programming in numpy",
        lambda: frechet_distances(Pairs.row_by_row(ra, rb)),
        lambda: [frechet.frechet(a[k], b[k], frechet.from_one_row) for k in few],
        bar=100,
        ours_rows=2_000,
        peer_rows=len(few),
        rounds=3,
    )
    yield compare(
        "mta, 40 vertices, spacing 0.6, against numpy",
        lambda: max_tangent_angles(Pairs.row_by_row(ra, rb), 0.6),
        lambda: [mta.mta(a[k], b[k], 0.6) for k in few],
        bar=100,
        ours_rows=2_000,
        peer_rows=len(few),
        rounds=3,
    )
    a, b = star_pairs(20, 300)
    large_a, large_b = Polygons.from_shapely(a), Polygons.from_shapely(b)
    yield rate("mpd, 300 vertices", lambda: all_mpd(Pairs.row_by_row(large_a, large_b)), 20, 50)
    yield rate(
        "frechet, 300 vertices",
        lambda: frechet_distances(Pairs.row_by_row(large_a, large_b)),
        20,
        20,
    )
