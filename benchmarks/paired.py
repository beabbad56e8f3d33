"""Paired timing: two ways of doing the same work, taken in turns, so that drift hits both."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median


@dataclass(frozen=True)
class Row:
    """One ratio.

    Attributes
    ----------
    name : str
        What was compared with what.
    ratio : float
        Time of the peer over ours.
    bar : float
        The ratio to reach.
    detail : str
        Both times.
    """

    name: str
    ratio: float
    bar: float
    detail: str

    @property
    def met(self) -> bool:
        """Whether the ratio reaches the bar."""
        return self.ratio >= self.bar

    def __str__(self) -> str:
        verdict = "ok  " if self.met else "MISS"
        return f"{verdict} {self.name:<58} {self.ratio:8.1f}x  (bar {self.bar:g}x)  {self.detail}"


def compare(
    name: str,
    ours: Callable[[], object],
    peer: Callable[[], object],
    *,
    bar: float,
    ours_rows: int,
    peer_rows: int,
    rounds: int = 7,
) -> Row:
    """Time both in turns after one warm-up each; the ratio is the median over the rounds.

    Parameters
    ----------
    ours_rows, peer_rows : int
        Pairs that one call handles; times are compared a pair.
    """
    ours(), peer()
    ratios, our_times, peer_times = [], [], []
    for _ in range(rounds):
        our_times.append(_time(ours) / ours_rows)
        peer_times.append(_time(peer) / peer_rows)
        ratios.append(peer_times[-1] / our_times[-1])
    detail = f"{median(our_times) * 1e6:.2f} against {median(peer_times) * 1e6:.2f} us a pair"
    return Row(name, median(ratios), bar, detail)


def _time(function: Callable[[], object]) -> float:
    start = time.perf_counter()
    function()
    return time.perf_counter() - start
