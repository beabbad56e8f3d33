"""What was noticed in COCO files, as one flat table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from polygauge.geometry import IntArray
from polygauge.io.coco._columns import TEXT, Ids, TextArray
from polygauge.io.coco._kinds import KINDS, NUMBER_OF, Kind, Severity, Subject
from polygauge.tables import Side

SIDES: tuple[Side, Side] = ("reference", "prediction")
_ORDER = {"error": 0, "warning": 1, "note": 2}
_SHOWN = 5
_SUBJECTS: tuple[Subject, ...] = ("file", "image", "category", "annotation")


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
class Labels:
    """What the images, categories or annotations of a side are called.

    Attributes
    ----------
    ids : ndarray of int64 or StringDType, shape (n,)
    names : ndarray of StringDType, shape (m,)
    places : ndarray of int64, shape (n,), or None
        Which name each has, -1 for none; None where they go together row by row.
    """

    ids: Ids
    names: TextArray
    places: IntArray | None = None

    def names_of(self, rows: IntArray) -> TextArray:
        """Names of these rows, "" for none."""
        found = np.full(len(rows), "", dtype=TEXT)
        places = rows if self.places is None else self.places[rows]
        found[places >= 0] = self.names[places[places >= 0]]
        return found


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
    detail : ndarray of int32, shape (f,)
        Index into `words`: what is particular to this one.
    words : tuple of str
        The first is "".
    labels : dict of (side, subject) to Labels
    """

    kind: NDArray[np.int16]
    side: NDArray[np.int8]
    row: IntArray
    detail: NDArray[np.int32]
    words: tuple[str, ...]
    labels: Mapping[tuple[Side, Subject], Labels]

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

    @property
    def ids(self) -> TextArray:
        """Identifier of each entry, "" for a file; made at each call."""
        return self._named()[0]

    @property
    def names(self) -> TextArray:
        """File or category name of each entry, "" where there is none; made at each call."""
        return self._named()[1]

    def groups(self) -> list[FindingGroup]:
        """By code and side: errors first, then warnings, then notes."""
        groups = []
        starts = np.flatnonzero(np.diff(self.kind * 2 + self.side, prepend=-1))
        bounds = [*starts.tolist(), len(self)]
        for start, stop in pairwise(bounds):
            kind, side = KINDS[self.kind[start]], SIDES[self.side[start]]
            labels = self.labels.get((side, kind.subject))
            counts = np.bincount(self.detail[start:stop], minlength=1)
            counts[0] = 0
            common = np.argsort(-counts, kind="stable")[: np.count_nonzero(counts)].tolist()
            ids, names = (
                column.tolist() for column in self._named(slice(start, min(stop, start + _SHOWN)))
            )
            groups.append(
                FindingGroup(
                    kind,
                    side,
                    stop - start,
                    1 if labels is None else len(labels.ids),
                    {self.words[k]: int(counts[k]) for k in common},
                    tuple(ids) if labels is not None else (),
                    tuple(names) if labels is not None else (),
                )
            )
        return sorted(groups, key=lambda group: _ORDER[group.kind.severity])

    def _named(self, chosen: slice = slice(None)) -> tuple[TextArray, TextArray]:
        """Identifiers and names of these entries."""
        kind, side, row = self.kind[chosen], self.side[chosen], self.row[chosen]
        ids, names = (np.full(len(kind), "", dtype=TEXT) for _ in range(2))
        subjects = np.array([_SUBJECTS.index(k.subject) for k in KINDS])[kind]
        for (of_side, subject), labels in self.labels.items():
            here = (side == SIDES.index(of_side)) & (subjects == _SUBJECTS.index(subject))
            ids[here] = labels.ids[row[here]].astype(TEXT)
            names[here] = labels.names_of(row[here])
        return ids, names


@dataclass(frozen=True, slots=True)
class _Noted:
    number: int
    side: int
    rows: IntArray
    details: NDArray[np.int32]


class Notebook:
    """Collects findings while the files are read; names come at the end."""

    def __init__(self) -> None:
        self._noted: list[_Noted] = []
        self._words: dict[str, int] = {"": 0}

    def add(
        self,
        code: str,
        side: Side,
        rows: Sequence[int] | IntArray = (-1,),
        details: str | Iterable[str] = "",
    ) -> None:
        """Note something of these rows, with one word for all of them or one each."""
        if len(rows) == 0:
            return
        words = self._words
        if isinstance(details, str):
            numbers = np.full(len(rows), words.setdefault(details, len(words)), dtype=np.int32)
        else:
            numbers = np.fromiter(
                (words.setdefault(word, len(words)) for word in details), np.int32, len(rows)
            )
        self._noted.append(
            _Noted(NUMBER_OF[code], SIDES.index(side), np.array(rows, dtype=np.int64), numbers)
        )

    def forget(self, side: Side, subject: Subject) -> None:
        """Leave out what was noted of this subject, which is read anew."""
        self._noted = [
            noted
            for noted in self._noted
            if SIDES[noted.side] != side or KINDS[noted.number].subject != subject
        ]

    def finish(self, labels: Mapping[tuple[Side, Subject], Labels]) -> Findings:
        """The table, by code, side and row."""
        counts = [len(noted.rows) for noted in self._noted]
        none = np.empty(0, dtype=np.int64)
        kind = np.repeat(np.array([n.number for n in self._noted], dtype=np.int16), counts)
        side = np.repeat(np.array([n.side for n in self._noted], dtype=np.int8), counts)
        row = np.concatenate([none, *(noted.rows for noted in self._noted)])
        detail = np.concatenate([none.astype(np.int32), *(n.details for n in self._noted)])
        order = np.lexsort((row, side, kind))
        return Findings(
            kind[order], side[order], row[order], detail[order], tuple(self._words), labels
        )
