"""Segmentations as people write them, as flat rings and masks."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from typing import Any

from polygauge.io.coco._columns import number_of

# Three points; what is shorter is told apart from rings written in other ways.
_SHORTEST = 6
_DEEPEST = 8


@dataclass(slots=True)
class Segments:
    """The segmentations of a batch.

    Attributes
    ----------
    coordinates : array of float
        x, y, x, y, ... of all rings.
    lengths : list of int
        Coordinates in each ring.
    ring_counts : list of int
        Rings of each annotation.
    masks : dict of int to dict
        Segmentations that are objects, by row of the batch.
    faults : dict of int to str
        Why an annotation has nothing usable, by row of the batch.
    habits : dict of str to list of int
        Rows of the batch by code of an unusual way of writing.
    """

    coordinates: array[float] = field(default_factory=lambda: array("d"))
    lengths: list[int] = field(default_factory=list)
    ring_counts: list[int] = field(default_factory=list)
    masks: dict[int, dict[str, Any]] = field(default_factory=dict)
    faults: dict[int, str] = field(default_factory=dict)
    habits: dict[str, list[int]] = field(default_factory=dict)


class _UnreadableError(Exception):
    """A segmentation that holds something else than rings."""


def read_segments(segmentations: list[Any]) -> Segments:
    """Take apart the segmentations of a batch."""
    out = Segments()
    coordinates, lengths, ring_counts = out.coordinates, out.lengths, out.ring_counts
    add, add_length, add_count = coordinates.fromlist, lengths.append, ring_counts.append
    for row, segmentation in enumerate(segmentations):
        before, rings = len(coordinates), len(lengths)
        # Rings as the standard has them go this way, at the cost of the copying alone.
        if type(segmentation) is list and segmentation:
            try:
                for ring in segmentation:
                    count = len(ring)
                    if count < _SHORTEST or count & 1:
                        break
                    add(ring)
                    add_length(count)
                else:
                    add_count(len(segmentation))
                    continue
            except (TypeError, OverflowError):
                pass
            del coordinates[before:]
            del lengths[rings:]
        _read_unusual(out, row, segmentation)
    return out


def _read_unusual(out: Segments, row: int, segmentation: Any) -> None:
    """Take one segmentation that is not written as the standard has it."""
    rings: list[array[float]] = []
    habits: set[str] = set()
    if segmentation is None:
        out.faults[row] = "without a segmentation"
    elif isinstance(segmentation, dict):
        out.masks[row] = segmentation
    elif not isinstance(segmentation, list):
        out.faults[row] = "with a segmentation that is no list or object"
    elif not segmentation:
        out.faults[row] = "with an empty segmentation"
    else:
        try:
            _collect(segmentation, rings, habits, 0)
        except _UnreadableError as error:
            out.faults[row] = f"with {error}"
            rings, habits = [], set()
    for ring in rings:
        if len(ring) & 1:
            habits.add("odd-coordinates")
            ring.pop()
        out.coordinates.extend(ring)
        out.lengths.append(len(ring))
    out.ring_counts.append(len(rings))
    for habit in sorted(habits):
        out.habits.setdefault(habit, []).append(row)


def _collect(value: list[Any], rings: list[array[float]], habits: set[str], depth: int) -> None:
    """Add the rings in a nest of lists."""
    kinds = set(map(type, value))
    if list not in kinds:
        if depth != 1:
            habits.add("flat-list" if depth == 0 else "deep-list")
        rings.append(_numbers(value, habits))
        return
    if len(kinds) > 1:
        raise _UnreadableError("numbers and lists side by side")
    if depth == _DEEPEST:
        raise _UnreadableError("lists nested too deeply")
    if all(len(item) == 2 and type(item[0]) is not list for item in value):
        habits.add("pair-list")
        rings.append(_numbers([number for pair in value for number in pair], habits))
        return
    for item in value:
        _collect(item, rings, habits, depth + 1)


def _numbers(values: list[Any], habits: set[str]) -> array[float]:
    """Coordinates as floats."""
    if set(map(type, values)) <= {int, float}:
        try:
            return array("d", values)
        except OverflowError as error:
            raise _UnreadableError("a coordinate that is too large") from error
    out = array("d")
    for value in values:
        number = None if isinstance(value, bool) else number_of(value)
        if number is None:
            kind = "null" if value is None else f"{value!r}"[:20]
            raise _UnreadableError(f"the coordinate {kind}")
        if isinstance(value, str):
            habits.add("text-coordinates")
        out.append(number)
    return out
