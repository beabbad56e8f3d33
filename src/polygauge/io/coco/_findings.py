"""What was noticed in COCO files, as one flat table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polygauge.geometry import IntArray
from polygauge.io.coco._columns import TEXT, TextArray
from polygauge.io.coco._kinds import KINDS, NUMBER_OF, Kind, Severity, Subject
from polygauge.tables import Side

SIDES: tuple[Side, Side] = ("reference", "prediction")
_ORDER = {"error": 0, "warning": 1, "note": 2}
_SHOWN = 5


@dataclass(frozen=True, slots=True)
class FindingGroup:
    """All findings of one code on one side.

    Attributes
    ----------
    kind : Kind
    side : {"reference", "prediction"}
    count, total : int
        How many there are, of how many.
    details : dict of str to int
        What differs between them, with counts.
    ids, names : tuple of str
        Of the first few.
    """

    kind: Kind
    side: Side
    count: int
    total: int
    details: dict[str, int]
    ids: tuple[str, ...]
    names: tuple[str, ...]

    @property
    def text(self) -> str:
        """The sentence that is printed, here as by an evaluation."""
        details = "; ".join(
            detail if n == self.count else f"{n} {detail}"
            for detail, n in list(self.details.items())[:_SHOWN]
        )
        if len(self.details) > _SHOWN:
            details += "; ..."
        inside = f" ({details})" if details else ""
        if self.kind.subject == "file":
            sentence = f"the {self.side} file {self.kind.what}{inside}"
        else:
            plural = {"category": "categories"}.get(self.kind.subject, f"{self.kind.subject}s")
            more = ", ..." if self.count > len(self.ids) else ""
            word = "id" if self.count == 1 else "ids"
            sentence = (
                f"{self.count} of {self.total} {self.side} {plural} {self.kind.what}{inside}: "
                f"{word} {', '.join(self.ids)}{more}"
            )
        return f"{sentence}; {self.kind.assumed}" if self.kind.assumed else sentence


@dataclass(frozen=True, slots=True, eq=False)
class Findings:
    """One row an entry; nothing is left out however often it comes.

    Attributes
    ----------
    kind : ndarray of int16, shape (f,)
        Index into `KINDS`.
    side : ndarray of int8, shape (f,)
        0 reference, 1 prediction.
    row : ndarray of int64, shape (f,)
        Row of the image, category or annotation; -1 for a file.
    id, name, detail : ndarray of StringDType, shape (f,)
        Identifier; file or category name; what is particular to this one.
    totals : dict of (side, subject) to int
        How many there are in all.
    """

    kind: NDArray[np.int16]
    side: NDArray[np.int8]
    row: IntArray
    id: TextArray
    name: TextArray
    detail: TextArray
    totals: Mapping[tuple[Side, Subject], int]

    def __len__(self) -> int:
        return len(self.kind)

    def count(self, severity: Severity) -> int:
        """Entries of this severity."""
        chosen = np.array([kind.severity == severity for kind in KINDS])
        return int(chosen[self.kind].sum())

    @property
    def wrong(self) -> bool:
        """There is an error or a warning."""
        return self.count("error") + self.count("warning") > 0

    def rows(self, code: str, side: Side = "reference") -> IntArray:
        """Rows with this code on this side."""
        chosen = (self.kind == NUMBER_OF[code]) & (self.side == SIDES.index(side))
        found: IntArray = self.row[chosen]
        return found

    def groups(self) -> list[FindingGroup]:
        """By code and side: errors first, then warnings, then notes."""
        groups = []
        for number, kind in enumerate(KINDS):
            of_kind = np.flatnonzero(self.kind == number)
            for s, side in enumerate(SIDES):
                entries = of_kind[self.side[of_kind] == s]
                if len(entries) == 0:
                    continue
                first = entries[:_SHOWN]
                details = Counter(self.detail[entries].tolist())
                del details[""]
                groups.append(
                    FindingGroup(
                        kind,
                        side,
                        len(entries),
                        self.totals.get((side, kind.subject), 1),
                        dict(details.most_common()),
                        tuple(self.id[first].tolist()),
                        tuple(self.name[first].tolist()),
                    )
                )
        return sorted(groups, key=lambda group: _ORDER[group.kind.severity])


@dataclass(frozen=True, slots=True)
class _Noted:
    number: int
    side: int
    rows: IntArray
    details: str | tuple[str, ...]


class Notebook:
    """Collects findings while the files are read; names come at the end."""

    def __init__(self) -> None:
        self._noted: list[_Noted] = []

    def add(
        self,
        code: str,
        side: Side,
        rows: Sequence[int] | IntArray = (-1,),
        details: str | Sequence[str] = "",
    ) -> None:
        """Note something of these rows, with one word for all of them or one each."""
        if len(rows):
            self._noted.append(
                _Noted(
                    NUMBER_OF[code],
                    SIDES.index(side),
                    np.array(rows, dtype=np.int64),
                    details if isinstance(details, str) else tuple(details),
                )
            )

    def forget(self, side: Side, subject: Subject) -> None:
        """Leave out what was noted of this subject, which is read anew."""
        self._noted = [
            noted
            for noted in self._noted
            if SIDES[noted.side] != side or KINDS[noted.number].subject != subject
        ]

    def finish(
        self,
        labels: Mapping[tuple[Side, Subject], tuple[NDArray[Any], TextArray]],
    ) -> Findings:
        """The table; `labels` are the ids and names of each side and subject, by row."""
        count = sum(len(noted.rows) for noted in self._noted)
        kind, side = np.empty(count, dtype=np.int16), np.empty(count, dtype=np.int8)
        row = np.empty(count, dtype=np.int64)
        ids, names, details = (np.empty(count, dtype=TEXT) for _ in range(3))
        start = 0
        for noted in self._noted:
            here = slice(start, start + len(noted.rows))
            start = here.stop
            kind[here], side[here], row[here] = noted.number, noted.side, noted.rows
            details[here] = noted.details
            known = labels.get((SIDES[noted.side], KINDS[noted.number].subject))
            if known is not None:
                ids[here] = known[0][noted.rows].astype(TEXT)
                names[here] = known[1][noted.rows].astype(TEXT)
        order = np.lexsort((row, side, kind))
        return Findings(
            kind[order],
            side[order],
            row[order],
            ids[order],
            names[order],
            details[order],
            {key: len(values) for key, (values, _) in labels.items()},
        )
