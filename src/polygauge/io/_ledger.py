"""Collecting what happened to single features."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from polygauge.tables import Ledger, Side


@dataclass(frozen=True, slots=True)
class Event:
    """One feature, what was found, where, and what was done."""

    side: Side
    id: Any
    row: int
    what: str
    where: str
    action: str


def make_ledger(events: Iterable[Event]) -> Ledger:
    """The events as a table, by side and row."""
    rows = sorted(events, key=lambda event: (event.side != "reference", event.row))

    def column(name: str) -> np.ndarray[Any, np.dtype[np.object_]]:
        out = np.empty(len(rows), dtype=object)
        for k, event in enumerate(rows):
            out[k] = getattr(event, name)
        return out

    return Ledger(
        side=column("side"),
        id=column("id"),
        row=np.array([event.row for event in rows], dtype=np.int64),
        what=column("what"),
        where=column("where"),
        action=column("action"),
    )
