"""Columns that grow batch by batch and end as flat arrays."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from polygauge.geometry import BoolArray, FloatArray, IntArray

TEXT = np.dtypes.StringDType()
TextArray = NDArray[Any]

Ids = NDArray[Any]
"""Identifiers: int64 where all are whole numbers, else text."""

_INTS = np.iinfo(np.int64)


class Growing:
    """An array that grows at its end, in place where the system can."""

    def __init__(self, dtype: DTypeLike, width: int | None = None) -> None:
        self._data: NDArray[Any] = np.empty(0 if width is None else (0, width), dtype=dtype)
        self._shape = () if width is None else (width,)
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def extend(self, values: NDArray[Any]) -> None:
        """Add rows."""
        count = self._count + len(values)
        if count > len(self._data):
            # Pages that were never written take no memory, so a wide margin costs nothing.
            self._data.resize((max(count, len(self._data) * 3 // 2), *self._shape), refcheck=False)
        self._data[self._count : count] = values
        self._count = count

    def finish(self) -> NDArray[Any]:
        """The rows; nothing can be added after."""
        self._data.resize((self._count, *self._shape), refcheck=False)
        return self._data


def grown_offsets(counts: IntArray, start: int) -> IntArray:
    """Ends of groups of these sizes, the first beginning at `start`."""
    ends: IntArray = np.cumsum(counts, dtype=np.int64) + start
    return ends


def text_of(value: Any) -> str:
    """A name as text that every encoder takes."""
    text = value if isinstance(value, str) else "" if value is None else str(value)
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def plain_id(value: Any) -> int | str | None:
    """An identifier in its one form: 7, 7.0 and "7" are the same; None where it is none."""
    if isinstance(value, float):
        value = int(value) if value.is_integer() else str(value) if np.isfinite(value) else None
    if isinstance(value, bool) or not isinstance(value, (int, str)):
        return None
    if isinstance(value, int):
        return value if _INTS.min <= value <= _INTS.max else str(value)
    if len(value) <= 18 and value.lstrip("-").isdecimal() and value.isascii():
        number = int(value)
        return number if str(number) == value else value
    return text_of(value)


class IdColumn:
    """Identifiers: whole numbers as int64, or text for all as soon as one is not a number.

    Attributes
    ----------
    texts : bool
        Some were written as text though they are numbers.
    """

    def __init__(self) -> None:
        self._pieces: list[NDArray[np.int64] | list[int | str | None]] = []
        self.texts = False

    def extend(self, values: list[Any]) -> None:
        """Add what the file has; what is no identifier becomes a missing one."""
        if set(map(type, values)) <= {int}:
            try:
                self._pieces.append(np.array(values, dtype=np.int64))
            except OverflowError:
                self._pieces.append([plain_id(value) for value in values])
            return
        plain = [plain_id(value) for value in values]
        self.texts |= any(
            isinstance(raw, str) and isinstance(kept, int)
            for raw, kept in zip(values, plain, strict=True)
        )
        if set(map(type, plain)) <= {int}:
            self._pieces.append(np.array(plain, dtype=np.int64))
        else:
            self._pieces.append(plain)

    def last(self, row: int) -> int | str | None:
        """An identifier of the batch added last."""
        value: int | str | None = self._pieces[-1][row]
        return value

    def finish(self, *, numbered: bool = False) -> tuple[Ids, BoolArray]:
        """The identifiers and which are missing; those are named by position, as "#4" for row 4.

        `numbered` counts 1, 2, 3 ... where there is none at all, as pycocotools does with results.
        """
        pieces, self._pieces = self._pieces, []
        missing = np.concatenate(
            [np.zeros(0, dtype=bool)]
            + [
                np.zeros(len(piece), dtype=bool)
                if isinstance(piece, np.ndarray)
                else np.array([value is None for value in piece], dtype=bool)
                for piece in pieces
            ]
        )
        if numbered and missing.all():
            return np.arange(1, len(missing) + 1), missing
        if all(isinstance(piece, np.ndarray) for piece in pieces):
            return np.concatenate([np.zeros(0, dtype=np.int64), *pieces]), missing
        ids = np.empty(len(missing), dtype=TEXT)
        row = 0
        for piece in pieces:
            for value in piece.tolist() if isinstance(piece, np.ndarray) else piece:
                ids[row] = f"#{row}" if value is None else str(value)
                row += 1
        return ids, missing


def find_ids(ids: Ids, wanted: Ids) -> IntArray:
    """Row of each wanted identifier, the first where it comes twice; -1 where it does not."""
    if len(ids) == 0 or len(wanted) == 0:
        return np.full(len(wanted), -1, dtype=np.int64)
    if ids.dtype == np.int64 and wanted.dtype == np.int64:
        order = np.argsort(ids, kind="stable")
        place = np.searchsorted(ids[order], wanted)
        found = order[np.minimum(place, len(ids) - 1)]
        return np.where(ids[found] == wanted, found, -1)
    rows: dict[str, int] = {}
    for row, value in enumerate(ids.tolist()):
        rows.setdefault(str(value), row)
    return np.fromiter((rows.get(str(v), -1) for v in wanted.tolist()), np.int64, len(wanted))


def repeats(ids: Ids, missing: BoolArray) -> BoolArray:
    """Rows whose identifier came before."""
    if ids.dtype == np.int64:
        order = np.argsort(ids, kind="stable")
        again = np.zeros(len(ids), dtype=bool)
        again[order[1:]] = ids[order[1:]] == ids[order[:-1]]
    else:
        again = find_ids(ids, ids) != np.arange(len(ids))
    found: BoolArray = again & ~missing
    return found


def unique_ids(ids: Ids, chosen: BoolArray) -> Ids:
    """Each chosen identifier once, sorted."""
    found: Ids = np.unique(ids[chosen])
    return found


def numbers(values: Sequence[Any]) -> tuple[FloatArray, list[int], list[int]]:
    """Values as floats; NaN where there is none.

    Returns
    -------
    values : ndarray of float64
    texts, unreadable : list of int
        Which were written as text; which are there but are no number.
    """
    if values.count(None) == len(values):
        return np.full(len(values), np.nan), [], []
    try:
        return np.frombuffer(array("d", values), dtype=np.float64), [], []
    except (TypeError, OverflowError):
        pass
    out = np.full(len(values), np.nan)
    texts: list[int] = []
    unreadable: list[int] = []
    for row, value in enumerate(values):
        if value is None:
            continue
        number = number_of(value)
        if number is None:
            unreadable.append(row)
            continue
        out[row] = number
        if isinstance(value, str):
            texts.append(row)
    return out, texts, unreadable


def number_of(value: Any) -> float | None:
    """A value as a float, text included; None where it is no number."""
    if isinstance(value, (int, float, str)):
        try:
            return float(value)
        except (ValueError, OverflowError):
            return None
    return None
