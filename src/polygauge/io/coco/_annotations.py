"""From the elements of `annotations` to columns."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from polygauge.errors import GeometryError
from polygauge.geometry import BoolArray, FloatArray, IntArray, Polygons
from polygauge.io.coco._columns import Growing, IdColumn, number_of, numbers
from polygauge.io.coco._findings import Notebook
from polygauge.io.coco._options import CocoOptions
from polygauge.io.coco._rings import RingCollector, StoredRings, admit_rings
from polygauge.io.coco._rle import MaskCollector, Masks
from polygauge.io.coco._segments import read_segments
from polygauge.io.coco._tables import BOX, MASK, NONE, POLYGON
from polygauge.tables import Side

_NO_AREA = "with no area"


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """The annotations of a file before their images and categories are known."""

    image_ids: NDArray[Any]
    no_image_id: BoolArray
    category_ids: NDArray[Any]
    no_category_id: BoolArray
    ids: NDArray[Any]
    no_id: BoolArray
    ids_as_text: bool
    scores: FloatArray
    is_crowd: BoolArray
    is_ignored: BoolArray
    areas: FloatArray
    boxes: FloatArray
    kind: NDArray[np.int8]
    rings: StoredRings
    masks: Masks
    direct: BoolArray
    others: Polygons
    slots: IntArray

    def __len__(self) -> int:
        return len(self.kind)


class AnnotationReader:
    """Takes batches of annotations; keeps columns, notes what it had to assume."""

    def __init__(self, side: Side, path: str, options: CocoOptions, notes: Notebook) -> None:
        self.side, self.path, self.options, self.notes = side, path, options, notes
        self._image_ids, self._category_ids, self._ids = IdColumn(), IdColumn(), IdColumn()
        self._scores, self._areas = Growing(np.float64), Growing(np.float64)
        self._boxes = Growing(np.float64, 4)
        self._is_crowd, self._is_ignored = Growing(np.bool_), Growing(np.bool_)
        self._kind, self._direct = Growing(np.int8), Growing(np.bool_)
        self._slots = Growing(np.int64)
        self._rings, self._masks = RingCollector(), MaskCollector()
        self._others: list[Polygons] = []
        self._other_count = 0

    def extend(self, elements: list[Any]) -> None:
        """Take a batch."""
        start = len(self._kind)
        wrong = [k for k, element in enumerate(elements) if type(element) is not dict]
        if wrong:
            self._note("bad-annotation", start, wrong)
            elements = [item if isinstance(item, dict) else {} for item in elements]
        self._image_ids.extend([item.get("image_id") for item in elements])
        self._category_ids.extend([item.get("category_id") for item in elements])
        self._ids.extend([item.get("id") for item in elements])
        self._add_flags(start, elements)
        self._add_scores(start, [item.get("score") for item in elements])
        areas = self._numbers(start, [item.get("area") for item in elements])
        self._areas.extend(areas)
        boxes = self._add_boxes(start, [item.get("bbox") for item in elements])
        self._add_shapes(start, [item.get("segmentation") for item in elements], areas, boxes)

    def finish(self) -> Columns:
        """All annotations of the file."""
        image_ids, no_image_id = self._image_ids.finish()
        category_ids, no_category_id = self._category_ids.finish()
        ids, no_id = self._ids.finish(numbered=True)
        texts = self._image_ids.texts or self._category_ids.texts or self._ids.texts
        return Columns(
            image_ids, no_image_id, category_ids, no_category_id, ids, no_id, texts,
            self._scores.finish(), self._is_crowd.finish(), self._is_ignored.finish(),
            self._areas.finish(), self._boxes.finish(), self._kind.finish(), self._rings.finish(),
            self._masks.finish(), self._direct.finish(), Polygons.concatenate(self._others),
            self._slots.finish(),
        )  # fmt: skip

    def _note(self, code: str, start: int, rows: list[int], details: str | list[str] = "") -> None:
        self.notes.add(code, self.side, np.array(rows, dtype=np.int64) + start, details)

    def _numbers(self, start: int, values: list[Any]) -> FloatArray:
        found, texts, unreadable = numbers(values)
        self._note("text-number", start, texts)
        self._note("bad-number", start, unreadable)
        return found

    def _add_scores(self, start: int, values: list[Any]) -> None:
        found, texts, unreadable = numbers(values)
        self._note("text-number", start, texts)
        given = np.isnan(found) & np.array([value is not None for value in values], dtype=bool)
        bad = np.flatnonzero(given)
        self._note("bad-score", start, sorted({*bad.tolist(), *unreadable}))
        self._scores.extend(found)

    def _add_flags(self, start: int, elements: list[dict[str, Any]]) -> None:
        for key, column in (("iscrowd", self._is_crowd), ("ignore", self._is_ignored)):
            values = [item.get(key) for item in elements]
            if key == "iscrowd" and self.side == "reference":
                without = [row for row, value in enumerate(values) if value is None]
                self._note("no-iscrowd", start, without)
            if values.count(None) == len(values):
                column.extend(np.zeros(len(values), dtype=bool))
                continue
            found, texts, unreadable = numbers(values)
            self._note("text-number", start, texts)
            self._note("bad-number", start, unreadable)
            column.extend(np.nan_to_num(found) != 0)

    def _add_boxes(self, start: int, values: list[Any]) -> FloatArray:
        flat = array("d")
        add, nothing = flat.fromlist, [np.nan] * 4
        bad: list[int] = []
        texts: list[int] = []
        for row, value in enumerate(values):
            if type(value) is list and len(value) == 4:
                try:
                    add(value)
                    continue
                except (TypeError, OverflowError):
                    pass
                sides = [number for item in value if (number := number_of(item)) is not None]
                if len(sides) == 4:
                    texts.append(row)
                    add(sides)
                    continue
            add(nothing)
            if value is not None:
                bad.append(row)
        self._note("text-number", start, texts)
        self._note("bad-bbox", start, bad)
        boxes = np.frombuffer(flat, dtype=np.float64).reshape(-1, 4)
        self._boxes.extend(boxes)
        return boxes

    def _add_shapes(
        self, start: int, values: list[Any], areas: FloatArray, boxes: FloatArray
    ) -> None:
        segments = read_segments(values)
        for code, rows in segments.habits.items():
            self._note(code, start, rows)
        xy = np.frombuffer(segments.coordinates, dtype=np.float64).reshape(-1, 2)
        ring_points = np.array(segments.lengths, dtype=np.int64) // 2
        ring_counts = np.array(segments.ring_counts, dtype=np.int64)
        self._rings.extend(xy, ring_points, ring_counts)
        try:
            admitted = admit_rings(
                xy,
                np.concatenate([[0], np.cumsum(ring_points)]),
                np.concatenate([[0], np.cumsum(ring_counts)]),
                areas,
                self.options.invalid,
                self.options.nested,
            )
        except GeometryError as error:
            row, _, reason = error.message.partition(": ")
            known = self._ids.last(int(row))
            element = f"#{int(row) + start}" if known is None else known
            raise GeometryError(
                f"{self.side}: annotation {element} of {self.path}: {reason}", hint=error.hint
            ) from error
        for code in dict.fromkeys(code for code, _, _ in admitted.found):
            found = [(row, detail) for c, row, detail in admitted.found if c == code]
            self._note(code, start, [r for r, _ in found], [d for _, d in found])

        kind = np.where(ring_counts > 0, POLYGON, NONE).astype(np.int8)
        shapes = dict(admitted.shapes)
        faults = {**segments.faults, **admitted.faults}
        masks = list(segments.masks)
        kind[masks] = MASK
        bad_masks = self._masks.extend(
            [row + start for row in masks], list(segments.masks.values())
        )
        broken = {row - start: why for row, why in bad_masks.items()}
        self._note("bad-rle", start, list(broken), [f"with {why}" for why in broken.values()])
        self._fall_back(start, kind, shapes, faults, broken, boxes)
        self._kind.extend(kind)
        self._direct.extend(admitted.direct)
        slots = np.full(len(values), -1, dtype=np.int64)
        slots[list(shapes)] = self._other_count + np.arange(len(shapes))
        self._slots.extend(slots)
        if shapes:
            self._others.append(Polygons.from_shapely(list(shapes.values())))
            self._other_count += len(shapes)

    def _fall_back(
        self,
        start: int,
        kind: NDArray[np.int8],
        shapes: dict[int, Any],
        faults: dict[int, str],
        broken: dict[int, str],
        boxes: FloatArray,
    ) -> None:
        """What is left of annotations whose segmentation is of no use: a box, or nothing."""
        has_box = np.isfinite(boxes.sum(axis=1)) & (boxes[:, 2:].min(axis=1) > 0)
        as_polygon, rest = [], []
        for row, why in sorted({**faults, **broken}.items()):
            # A shape without area was drawn and counts; one that is none gives way to its box.
            if why != _NO_AREA:
                kind[row] = BOX if has_box[row] else NONE
            if self.options.boxes == "polygon" and has_box[row]:
                x, y, width, height = boxes[row]
                shapes[row] = shapely.box(x, y, x + width, y + height)
                kind[row] = BOX
                as_polygon.append(row)
            elif row in faults:
                rest.append(row)
        self._note("box-as-polygon", start, as_polygon)
        self._note("no-polygon", start, rest, [faults[row] for row in rest])
