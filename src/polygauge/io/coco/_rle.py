"""Run lengths of COCO masks, from the compressed text or as listed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polygauge.geometry import IntArray, jit
from polygauge.io.coco._columns import Growing, number_of

Counts = NDArray[np.uint32]

_Size = tuple[int, int]

_DECODED, _BROKEN, _WRONG_SUM = 0, 1, 2
_WHY = {
    _BROKEN: "counts that cannot be decoded",
    _WRONG_SUM: "counts that do not add up to the size",
}


@dataclass(frozen=True, slots=True, eq=False)
class Masks:
    """The masks of a side: run lengths down the columns, background first.

    Attributes
    ----------
    rows : ndarray of int64, shape (k,)
        Annotations that have one, ascending.
    sizes : ndarray of int64, shape (k, 2)
        Height and width.
    counts : ndarray of uint32
    offsets : ndarray of int64, shape (k + 1,)
        Mask i owns counts `offsets[i]` to `offsets[i + 1]`.
    """

    rows: IntArray
    sizes: IntArray
    counts: Counts
    offsets: IntArray

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def areas(self) -> IntArray:
        """Pixels of each mask, shape (k,)."""
        return _foreground(self.counts, self.offsets)


@dataclass(slots=True)
class MaskCollector:
    """Takes the segmentations of one side that are objects."""

    counts: Growing = field(default_factory=lambda: Growing(np.uint32))
    ends: Growing = field(default_factory=lambda: Growing(np.int64))
    rows: Growing = field(default_factory=lambda: Growing(np.int64))
    sizes: Growing = field(default_factory=lambda: Growing(np.int64, 2))

    def extend(self, rows: list[int], objects: list[dict[str, Any]]) -> dict[int, str]:
        """Add the masks of these annotations; returns what is wrong with those left out."""
        faults: dict[int, str] = {}
        compressed: list[tuple[int, _Size, bytes]] = []
        decoded: dict[int, tuple[_Size, Counts]] = {}
        for row, item in zip(rows, objects, strict=True):
            size, counts = _size(item.get("size")), item.get("counts")
            if size is None:
                faults[row] = "no size"
            elif isinstance(counts, str) and counts.isascii():
                compressed.append((row, size, counts.encode("ascii")))
            elif isinstance(counts, list):
                listed = _listed(counts, size[0] * size[1])
                if isinstance(listed, str):
                    faults[row] = listed
                else:
                    decoded[row] = size, listed
            else:
                faults[row] = "no counts" if counts is None else _WHY[_BROKEN]
        _decompress(compressed, decoded, faults)
        for row in sorted(decoded):
            size, counts = decoded[row]
            self.counts.extend(counts)
            self.ends.extend(np.array([len(self.counts)]))
            self.rows.extend(np.array([row]))
            self.sizes.extend(np.array([size]))
        return faults

    def finish(self) -> Masks:
        """All of them."""
        return Masks(
            self.rows.finish(),
            self.sizes.finish(),
            self.counts.finish(),
            np.concatenate([np.zeros(1, dtype=np.int64), self.ends.finish()]),
        )


def _size(value: Any) -> tuple[int, int] | None:
    """Height and width, where they are two whole numbers whose mask a mask can have."""
    if not isinstance(value, list) or len(value) != 2:
        return None
    sides = [number_of(item) for item in value]
    whole = [int(side) for side in sides if side is not None and 0 < side < 2**31 and side % 1 == 0]
    return (whole[0], whole[1]) if len(whole) == 2 else None


def _listed(counts: list[Any], pixels: int) -> Counts | str:
    """Listed run lengths; what is wrong where they are none, or of another number of pixels."""
    numbers = [number_of(value) for value in counts]
    if not all(n is not None and 0 <= n < 2**32 and n % 1 == 0 for n in numbers):
        return _WHY[_BROKEN]
    found = np.array(numbers, dtype=np.uint32)
    return found if int(found.sum(dtype=np.int64)) == pixels else _WHY[_WRONG_SUM]


def _decompress(
    compressed: list[tuple[int, _Size, bytes]],
    decoded: dict[int, tuple[_Size, Counts]],
    faults: dict[int, str],
) -> None:
    """Add the run lengths of compressed texts, or what is wrong with them."""
    if not compressed:
        return
    text = np.frombuffer(b"".join(c for _, _, c in compressed), dtype=np.uint8)
    starts = np.cumsum([0] + [len(c) for _, _, c in compressed])
    pixels = np.array([size[0] * size[1] for _, size, _ in compressed], dtype=np.int64)
    counts, offsets, state = _decode(text, starts, pixels)
    for k, (row, size, _) in enumerate(compressed):
        if state[k] == _DECODED:
            decoded[row] = size, counts[offsets[k] : offsets[k + 1]]
        else:
            faults[row] = _WHY[int(state[k])]


@jit
def _decode(
    text: NDArray[np.uint8], starts: IntArray, pixels: IntArray
) -> tuple[Counts, IntArray, IntArray]:
    """Run lengths of compressed texts: five bits a byte, low ones first, above '0'.

    Bit 5 says that more bits follow, bit 4 of the last byte is the sign; from the third run on the
    number is the difference to the run two before.
    """
    counts = np.empty(len(text), dtype=np.uint32)
    offsets = np.zeros(len(starts), dtype=np.int64)
    state = np.zeros(len(starts) - 1, dtype=np.int64)
    n = 0
    for i in range(len(starts) - 1):
        first, total = n, np.int64(0)
        k = starts[i]
        while k < starts[i + 1] and state[i] == _DECODED:
            value, shift, more = np.int64(0), 0, True
            while more and state[i] == _DECODED:
                # A run has at most 33 bits with its sign: seven bytes.
                if k >= starts[i + 1] or shift > 30 or text[k] < 48 or text[k] > 111:
                    state[i] = _BROKEN
                    break
                byte = np.int64(text[k]) - 48
                value |= (byte & 0x1F) << shift
                shift += 5
                more = (byte & 0x20) != 0
                if not more and (byte & 0x10) != 0:
                    value -= np.int64(1) << shift
                k += 1
            if state[i] == _DECODED:
                if n - first > 2:
                    value += np.int64(counts[n - 2])
                if value < 0 or value > 0xFFFFFFFF:
                    state[i] = _BROKEN
                else:
                    counts[n] = value
                    total += value
                    n += 1
        if state[i] == _DECODED and total != pixels[i]:
            state[i] = _WRONG_SUM
        offsets[i + 1] = n
    return counts[:n].copy(), offsets, state


@jit
def _foreground(counts: Counts, offsets: IntArray) -> IntArray:
    out = np.zeros(len(offsets) - 1, dtype=np.int64)
    for i in range(len(out)):
        for k in range(offsets[i] + 1, offsets[i + 1], 2):
            out[i] += counts[k]
    return out
