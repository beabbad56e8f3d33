"""COCO files as flat arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from polygauge.geometry import BoolArray, FloatArray, IntArray, Polygons
from polygauge.io.coco._columns import Ids, TextArray
from polygauge.io.coco._findings import Findings
from polygauge.io.coco._options import CocoOptions
from polygauge.io.coco._rings import StoredRings, assemble
from polygauge.io.coco._rle import Masks
from polygauge.tables import Side

SegmentationKind = Literal["none", "box", "mask", "polygon"]
SEGMENTATION_KINDS: tuple[SegmentationKind, ...] = ("none", "box", "mask", "polygon")
NONE, BOX, MASK, POLYGON = range(4)


@dataclass(frozen=True, slots=True, eq=False)
class Images:
    """The images of the reference.

    Attributes
    ----------
    ids : ndarray of int64 or StringDType, shape (m,)
    file_names : ndarray of StringDType, shape (m,)
        "" where there is none.
    widths, heights : ndarray of float64, shape (m,)
        Pixels; NaN where there is no usable one.
    res_x, res_y : ndarray of float64, shape (m,)
        Ground size of a pixel as stored (`res_x`, `res_y`, else `gsd`); NaN where there is none.
    """

    ids: Ids
    file_names: TextArray
    widths: FloatArray
    heights: FloatArray
    res_x: FloatArray
    res_y: FloatArray

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True, slots=True, eq=False)
class Categories:
    """The categories of the reference.

    Attributes
    ----------
    ids : ndarray of int64 or StringDType, shape (c,)
    names : ndarray of StringDType, shape (c,)
        "" where there is none.
    """

    ids: Ids
    names: TextArray

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True, slots=True, eq=False)
class Annotations:
    """The annotations of one side, all of them, in the order of the file.

    Attributes
    ----------
    side : {"reference", "prediction"}
    image, category : ndarray of int64, shape (n,)
        Rows of `Images` and `Categories`; -1 where the reference has no such image or category.
    ids : ndarray of int64 or StringDType, shape (n,)
        1, 2, 3 ... where the file has none at all.
    scores : ndarray of float64, shape (n,)
        NaN where there is none.
    is_crowd, is_ignored : ndarray of bool, shape (n,)
        The flags `iscrowd` and `ignore`.
    areas : ndarray of float64, shape (n,)
        As stored; NaN where there is none.
    boxes : ndarray of float64, shape (n, 4)
        x, y, width, height as stored; NaN where there is none.
    kind : ndarray of int8, shape (n,)
        Index into `SEGMENTATION_KINDS`: what there is to measure.
    rings : StoredRings
        Every ring as written, also those that are no polygon.
    masks : Masks
    direct : ndarray of bool, shape (n,)
        The polygon is the stored rings as they are, each a part of its own.
    others : Polygons
        The polygons that had to be made: repaired, with holes, united, or from a bbox.
    slots : ndarray of int64, shape (n,)
        Row of `others`, -1 where the polygon is direct or there is none.
    """

    side: Side
    image: IntArray
    category: IntArray
    ids: Ids
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
        return len(self.image)

    @property
    def polygons(self) -> Polygons:
        """All polygons, shape (n,), pixels, y down; empty where there is none.

        They are put together at each call and need as much memory as the stored rings again; for
        large files take them in pieces.
        """
        return self.take_polygons(np.arange(len(self)))

    def take_polygons(self, rows: ArrayLike, *, keep_repeated: bool = False) -> Polygons:
        """The polygons of these annotations; see `Polygons.from_ragged` on repeated points."""
        index = np.asarray(rows, dtype=np.int64)
        return assemble(
            self.rings, self.direct, self.others, self.slots, index, keep_repeated=keep_repeated
        )

    @property
    def has_polygon(self) -> BoolArray:
        """Annotations with a polygon that is not empty, shape (n,)."""
        found: BoolArray = self.direct | (self.slots >= 0)
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Coco:
    """A reference file and, where one was read, a prediction file.

    Attributes
    ----------
    images : Images
    categories : Categories
    reference : Annotations
    prediction : Annotations or None
    findings : Findings
    options : CocoOptions
    """

    images: Images
    categories: Categories
    reference: Annotations
    prediction: Annotations | None
    findings: Findings
    options: CocoOptions

    @property
    def sides(self) -> tuple[Annotations, ...]:
        """The sides that were read."""
        return (self.reference,) if self.prediction is None else (self.reference, self.prediction)
