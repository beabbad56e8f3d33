"""Rows of two polygon sets to be measured against each other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np

from polygauge.geometry.polygons import IntArray, Polygons

T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Row `k` is feature `i[k]` of `a` (reference) against feature `j[k]` of `b` (prediction).

    Both features of a row are non-empty. A batch also remembers the costly steps that several
    metrics need: `share(step, ...)` runs `step(pairs, ...)` once and hands the result on.
    """

    a: Polygons
    b: Polygons
    i: IntArray
    j: IntArray
    _steps: dict[Any, Any] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return len(self.i)

    @classmethod
    def row_by_row(cls, a: Polygons, b: Polygons) -> Pairs:
        """Row k of `a` against row k of `b`."""
        rows = np.arange(len(a), dtype=np.int64)
        return cls(a, b, rows, rows)

    def without_holes(self) -> Pairs:
        """The same rows, exterior rings only, with nothing shared; each feature is copied once."""
        sides = []
        for polygons, rows in ((self.a, self.i), (self.b, self.j)):
            unique, place = np.unique(rows, return_inverse=True)
            sides.append((polygons.take(unique).without_holes(), place.astype(np.int64)))
        (a, i), (b, j) = sides
        return Pairs(a, b, i, j)

    def slice(self, start: int, stop: int) -> Pairs:
        """Rows `start` to `stop` as a batch of its own, with nothing shared."""
        return Pairs(self.a, self.b, self.i[start:stop], self.j[start:stop])

    def share(self, step: Callable[..., T], *arguments: Any) -> T:
        """Result of `step(self, *arguments)`, computed once in the life of this batch."""
        key = (step, arguments)
        if key not in self._steps:
            self._steps[key] = step(self, *arguments)
        result: T = self._steps[key]
        return result
