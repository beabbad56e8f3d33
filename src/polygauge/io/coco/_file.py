"""One COCO file as columns, before it is held against the other."""

from __future__ import annotations

from typing import Any

import numpy as np

from polygauge.errors import LayerError
from polygauge.geometry import FloatArray
from polygauge.io.coco._annotations import AnnotationReader, Columns
from polygauge.io.coco._columns import TEXT, IdColumn, number_of, repeats, text_of
from polygauge.io.coco._findings import Notebook
from polygauge.io.coco._kinds import Subject
from polygauge.io.coco._options import CocoOptions
from polygauge.io.coco._stream import JsonStream
from polygauge.io.coco._tables import Categories, Images
from polygauge.tables import Side

_WANTED: dict[str, Subject] = {
    "images": "image",
    "categories": "category",
    "annotations": "annotation",
}
_SIZES = ("width", "height", "res_x", "res_y", "gsd")


class CocoFile:
    """What one file holds.

    Attributes
    ----------
    path : str
    is_list : bool
        The file is a plain list of annotations.
    found : set of str
        Which of the lists it has.
    images : Images
    categories : Categories
        As they are listed in this file.
    columns : Columns
        Its annotations.
    """

    def __init__(self, side: Side, path: str, options: CocoOptions, notes: Notebook) -> None:
        self.side, self.path = side, path
        self._options, self._notes = options, notes
        stream = JsonStream(path, tuple(_WANTED))
        images, categories = _ImageReader(side, notes), _CategoryReader(side, notes)
        annotations = AnnotationReader(side, path, options, notes)
        self.found: set[str] = set()
        for batch in stream.batches():
            if batch.begins and batch.key in self.found:
                notes.add("repeated-key", side, details=batch.key)
                notes.forget(side, _WANTED[batch.key])
                if batch.key == "images":
                    images = _ImageReader(side, notes)
                elif batch.key == "categories":
                    categories = _CategoryReader(side, notes)
                else:
                    annotations = AnnotationReader(side, path, options, notes)
            self.found.add(batch.key)
            if batch.key == "images":
                images.extend(batch.elements)
            elif batch.key == "categories":
                categories.extend(batch.elements)
            else:
                annotations.extend(batch.elements)
        self.is_list = bool(stream.is_list)
        if stream.lenient:
            notes.add("not-strict-json", side)
        for key in stream.not_arrays:
            notes.add("not-a-list", side, details=key)
        self._check_keys(stream)
        self.images, self.categories = images.finish(), categories.finish()
        self.columns: Columns = annotations.finish()

    def _check_keys(self, stream: JsonStream) -> None:
        """Refuse an object that is something else altogether."""
        if self.is_list or self.found or stream.not_arrays:
            return
        keys = ", ".join(stream.keys[:8]) or "none"
        looks = "GeoJSON" if "features" in stream.keys else "another kind of file"
        raise LayerError(
            f"{self.side}: {self.path} is no COCO file: it has no images, categories or "
            f"annotations; its keys: {keys}",
            hint=f"this looks like {looks}; COCO is an object with those three lists, or a list of "
            "results",
        )


class _ImageReader:
    """Takes batches of images."""

    def __init__(self, side: Side, notes: Notebook) -> None:
        self.side, self.notes = side, notes
        self._ids, self._names = IdColumn(), list[str]()
        self._sizes: dict[str, list[float]] = {key: [] for key in _SIZES}

    def extend(self, elements: list[Any]) -> None:
        """Take a batch."""
        start = len(self._names)
        elements = _objects(elements, "bad-image", self.side, start, self.notes)
        self._ids.extend([item.get("id") for item in elements])
        self._names += [text_of(item.get("file_name")) for item in elements]
        for key, column in self._sizes.items():
            values = [number_of(item.get(key)) for item in elements]
            column += [value if value is not None and value > 0 else np.nan for value in values]

    def finish(self) -> Images:
        """All images of the file."""
        ids, missing = self._ids.finish()
        self.notes.add("no-image-id", self.side, np.flatnonzero(missing))
        self.notes.add("repeated-image-id", self.side, np.flatnonzero(repeats(ids, missing)))
        sizes = {key: np.array(column) for key, column in self._sizes.items()}
        widths, heights = (_whole(sizes[key]) for key in ("width", "height"))
        if self.side == "reference":
            unsized = np.flatnonzero(np.isnan(widths) | np.isnan(heights))
            self.notes.add("no-image-size", self.side, unsized)
        res_x, res_y = (
            np.where(np.isnan(sizes[key]), sizes["gsd"], sizes[key]) for key in ("res_x", "res_y")
        )
        return Images(ids, np.array(self._names, dtype=TEXT), widths, heights, res_x, res_y)


class _CategoryReader:
    """Takes batches of categories."""

    def __init__(self, side: Side, notes: Notebook) -> None:
        self.side, self.notes = side, notes
        self._ids, self._names = IdColumn(), list[str]()

    def extend(self, elements: list[Any]) -> None:
        """Take a batch."""
        elements = _objects(elements, "bad-category", self.side, len(self._names), self.notes)
        self._ids.extend([item.get("id") for item in elements])
        self._names += [text_of(item.get("name")) for item in elements]

    def finish(self) -> Categories:
        """All categories of the file."""
        ids, missing = self._ids.finish()
        self.notes.add("no-category-id", self.side, np.flatnonzero(missing))
        self.notes.add("repeated-category-id", self.side, np.flatnonzero(repeats(ids, missing)))
        return Categories(ids, np.array(self._names, dtype=TEXT))


def _objects(
    elements: list[Any], code: str, side: Side, start: int, notes: Notebook
) -> list[dict[str, Any]]:
    """The elements, an empty object in place of what is none."""
    wrong = [start + k for k, element in enumerate(elements) if not isinstance(element, dict)]
    notes.add(code, side, wrong)
    return [element if isinstance(element, dict) else {} for element in elements]


def _whole(values: FloatArray) -> FloatArray:
    """Whole numbers of pixels; NaN for others."""
    return np.where(values % 1 == 0, values, np.nan)
