"""Predictions with scores, references, and a value for every pair that can be compared."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from polygauge.errors import InputError, OptionError, ShapeError
from polygauge.geometry import BoolArray, FloatArray, IntArray

Better = Literal["higher", "lower"]


@dataclass(frozen=True, slots=True, eq=False)
class ScoredPredictions:
    """Predictions, a row each.

    Attributes
    ----------
    image, category : ndarray of int64, shape (n,)
        Numbers from 0.
    score : ndarray of float64, shape (n,)
        NaN ranks last.
    area : ndarray of float64, shape (n,)
        In the unit of the size classes.
    id : ndarray of int64, shape (n,)
        Used only where an id of 0 is to read as "unmatched"; otherwise row numbers from 1 will do.
    """

    image: IntArray
    category: IntArray
    score: FloatArray
    area: FloatArray
    id: IntArray

    @classmethod
    def of(
        cls,
        image: ArrayLike,
        score: ArrayLike,
        *,
        category: ArrayLike | None = None,
        area: ArrayLike | None = None,
        id: ArrayLike | None = None,
    ) -> ScoredPredictions:
        """From anything like arrays; one category and areas of NaN where none are given.

        A prediction of unknown area belongs to every size class.
        """
        images = np.asarray(image, dtype=np.int64)
        size = len(images)
        return cls(
            images,
            _integers("category", category, size, fill=0),
            _floats("score", score, size),
            _floats("area", area, size),
            _identities(id, size),
        )

    def __len__(self) -> int:
        return len(self.image)

    def take(self, rows: BoolArray | IntArray) -> ScoredPredictions:
        """The chosen rows."""
        return ScoredPredictions(
            self.image[rows], self.category[rows], self.score[rows], self.area[rows], self.id[rows]
        )


@dataclass(frozen=True, slots=True, eq=False)
class ScoredReferences:
    """References, a row each.

    Attributes
    ----------
    image, category : ndarray of int64, shape (n,)
        Numbers from 0.
    area : ndarray of float64, shape (n,)
    crowd : ndarray of bool, shape (n,)
        May be taken by any number of predictions, and excuses them; never missed.
    ignored : ndarray of bool, shape (n,)
        May be taken by one prediction, and excuses it; never missed. A crowd is ignored too.
    id : ndarray of int64, shape (n,)
    """

    image: IntArray
    category: IntArray
    area: FloatArray
    crowd: BoolArray
    ignored: BoolArray
    id: IntArray

    @classmethod
    def of(
        cls,
        image: ArrayLike,
        *,
        category: ArrayLike | None = None,
        area: ArrayLike | None = None,
        crowd: ArrayLike | None = None,
        ignored: ArrayLike | None = None,
        id: ArrayLike | None = None,
    ) -> ScoredReferences:
        """From anything like arrays; one category, no crowd and none ignored where not given."""
        images = np.asarray(image, dtype=np.int64)
        size = len(images)
        crowds = _flags("crowd", crowd, size)
        return cls(
            images,
            _integers("category", category, size, fill=0),
            _floats("area", area, size),
            crowds,
            _flags("ignored", ignored, size) | crowds,
            _identities(id, size),
        )

    def __len__(self) -> int:
        return len(self.image)

    def take(self, rows: BoolArray | IntArray) -> ScoredReferences:
        """The chosen rows."""
        return ScoredReferences(
            self.image[rows],
            self.category[rows],
            self.area[rows],
            self.crowd[rows],
            self.ignored[rows],
            self.id[rows],
        )


@dataclass(frozen=True, slots=True, eq=False)
class ScoredPairs:
    """All that average precision is computed from; it knows no files, masks or polygons.

    Pairs stand in compressed rows: those of prediction p are `start[p]` to `start[p + 1]`. A pair
    that is not listed is not comparable. Pairs of two categories may be listed: they are what
    `error_budget` and `confuse_categories` find wrong classes by; nothing else looks at them.

    Attributes
    ----------
    predictions : ScoredPredictions
    references : ScoredReferences
    start : ndarray of int64, shape (predictions + 1,)
    reference : ndarray of int64, shape (p,)
        Row of the reference of each pair, rising within a prediction.
    value : ndarray of float64, shape (p,)
        Overlap or distance; NaN where the two are not comparable.
    better : {"higher", "lower"}
        "higher" for an overlap such as IoU, "lower" for a distance such as MPD.
    images, categories : int
        How many there are, those without any object included.
    """

    predictions: ScoredPredictions
    references: ScoredReferences
    start: IntArray
    reference: IntArray
    value: FloatArray
    better: Better
    images: int
    categories: int

    @classmethod
    def from_pairs(
        cls,
        predictions: ScoredPredictions,
        references: ScoredReferences,
        prediction: ArrayLike,
        reference: ArrayLike,
        value: ArrayLike,
        *,
        better: Better = "higher",
        images: int | None = None,
        categories: int | None = None,
    ) -> ScoredPairs:
        """From a list of pairs in any order, such as those that share area.

        Parameters
        ----------
        prediction, reference : array_like of int, shape (p,)
            Rows of the two tables. Both of a pair lie in one image.
        value : array_like of float, shape (p,)
        better : {"higher", "lower"}
        images, categories : int, optional
            Their numbers; by default as many as the rows name.

        Raises
        ------
        ShapeError
            The three columns differ in length.
        InputError
            A pair names a row that does not exist, lies in two images, or is listed twice.
        OptionError
            `better` is neither of the two words.
        """
        if better not in ("higher", "lower"):
            raise OptionError(
                f"better={better!r}", hint='give "higher" for overlaps, "lower" for distances'
            )
        p = np.asarray(prediction, dtype=np.int64)
        r = np.asarray(reference, dtype=np.int64)
        v = np.asarray(value, dtype=np.float64)
        if not len(p) == len(r) == len(v):
            raise ShapeError(
                f"{len(p)} predictions, {len(r)} references and {len(v)} values of pairs",
                hint="give one of each a pair",
            )
        for rows, size, side in (
            (p, len(predictions), "prediction"),
            (r, len(references), "reference"),
        ):
            if len(rows) and (rows.min() < 0 or rows.max() >= size):
                raise InputError(
                    f"a pair names {side} {int(rows.max() if rows.max() >= size else rows.min())} "
                    f"of {size}",
                    hint="rows are numbered from 0",
                )
        if (predictions.image[p] != references.image[r]).any():
            raise InputError(
                "a pair has its two sides in different images", hint="compare within an image only"
            )
        if len(p) and ((np.diff(p) < 0) | ((np.diff(p) == 0) & (np.diff(r) <= 0))).any():
            order = np.lexsort((r, p))
            p, r, v = p[order], r[order], v[order]
            if ((np.diff(p) == 0) & (np.diff(r) == 0)).any():
                raise InputError("a pair is listed twice", hint="give each pair once")
        start = np.zeros(len(predictions) + 1, dtype=np.int64)
        np.cumsum(np.bincount(p, minlength=len(predictions)), out=start[1:])
        return cls(
            predictions,
            references,
            start,
            r,
            v,
            better,
            _number("image", images, predictions.image, references.image),
            _number("category", categories, predictions.category, references.category),
        )

    @classmethod
    def from_matrices(
        cls,
        predictions: ScoredPredictions,
        references: ScoredReferences,
        values: ArrayLike,
        offsets: ArrayLike,
        *,
        groups: Literal["image and category", "image"] = "image and category",
        better: Better = "higher",
        images: int | None = None,
        categories: int | None = None,
    ) -> ScoredPairs:
        """From one matrix a group, [prediction][reference], each in the order of its table.

        Parameters
        ----------
        values : array_like of float, shape (p,)
            The matrices one behind the other, row by row.
        offsets : array_like of int, shape (groups + 1,)
            Where each begins. Groups are all that any row names, in rising order of image, then
            category; one without predictions or without references has an empty matrix.
        groups : {"image and category", "image"}
            With "image" the matrices compare objects of different categories too.

        Raises
        ------
        ShapeError
            The number of groups, or the size of a matrix, is not what the tables say.
        """
        flat = np.asarray(values, dtype=np.float64)
        begin = np.asarray(offsets, dtype=np.int64)
        width = _number("category", categories, predictions.category, references.category)
        keys = [
            side.image * width + side.category if groups == "image and category" else side.image
            for side in (predictions, references)
        ]
        named, number = np.unique(np.concatenate(keys), return_inverse=True)
        mine, theirs = number[: len(predictions)], number[len(predictions) :]
        rows = np.bincount(mine, minlength=len(named))
        columns = np.bincount(theirs, minlength=len(named))
        if len(begin) != len(named) + 1:
            raise ShapeError(
                f"{len(begin)} offsets of matrices for {len(named)} groups",
                hint="give one more offset than there are groups",
            )
        wrong = np.flatnonzero(np.diff(begin) != rows * columns)
        if len(wrong) or len(flat) != begin[-1]:
            g = int(wrong[0]) if len(wrong) else len(named) - 1
            raise ShapeError(
                f"group {g} has {int(rows[g])} predictions and {int(columns[g])} references, its "
                f"matrix {int(begin[g + 1] - begin[g])} values",
                hint="give every pair of the group, NaN where it is not comparable",
            )
        # Pairs of one prediction lie together in a matrix already; gather them in row order.
        in_group = np.argsort(theirs, kind="stable")
        first = np.concatenate([[0], np.cumsum(columns)])
        order = np.argsort(mine, kind="stable")
        place = np.empty(len(mine), dtype=np.int64)
        place[order] = np.arange(len(mine)) - np.concatenate([[0], np.cumsum(rows)])[mine[order]]
        length = columns[mine]
        p = np.repeat(np.arange(len(mine)), length)
        within = np.arange(len(p)) - np.repeat(np.cumsum(length) - length, length)
        return cls.from_pairs(
            predictions,
            references,
            p,
            in_group[first[mine][p] + within],
            flat[(begin[mine] + place * length)[p] + within],
            better=better,
            images=images,
            categories=width,
        )

    @property
    def prediction(self) -> IntArray:
        """Row of the prediction of each pair."""
        rows: IntArray = np.repeat(np.arange(len(self.predictions)), np.diff(self.start))
        return rows

    @property
    def same_category(self) -> BoolArray:
        """Whether the two of each pair are of one category."""
        same: BoolArray = (
            self.predictions.category[self.prediction] == self.references.category[self.reference]
        )
        return same

    def choose(
        self, predictions: BoolArray | None = None, references: BoolArray | None = None
    ) -> ScoredPairs:
        """The same with only some predictions, such as those above a confidence, or references."""
        mine = np.ones(len(self.predictions), dtype=bool) if predictions is None else predictions
        theirs = np.ones(len(self.references), dtype=bool) if references is None else references
        listed = mine[self.prediction] & theirs[self.reference]
        start = np.concatenate([[0], np.cumsum(listed)])[self.start]
        return replace(
            self,
            predictions=self.predictions.take(mine),
            references=self.references.take(theirs),
            start=np.concatenate([[0], np.cumsum(np.diff(start)[mine])]),
            reference=(np.cumsum(theirs) - 1)[self.reference[listed]],
            value=self.value[listed],
        )

    def without_categories(self) -> ScoredPairs:
        """The same with all objects in one category, as COCO's `useCats = 0`."""
        none = np.zeros(len(self.predictions), dtype=np.int64)
        nowhere = np.zeros(len(self.references), dtype=np.int64)
        return replace(
            self,
            predictions=replace(self.predictions, category=none),
            references=replace(self.references, category=nowhere),
            categories=1,
        )


def _floats(name: str, values: ArrayLike | None, size: int) -> FloatArray:
    if values is None:
        return np.full(size, np.nan)
    column = np.asarray(values, dtype=np.float64)
    _same_length(name, column, size)
    return column


def _integers(name: str, values: ArrayLike | None, size: int, *, fill: int) -> IntArray:
    if values is None:
        return np.full(size, fill, dtype=np.int64)
    column = np.asarray(values, dtype=np.int64)
    _same_length(name, column, size)
    return column


def _flags(name: str, values: ArrayLike | None, size: int) -> BoolArray:
    if values is None:
        return np.zeros(size, dtype=bool)
    column = np.asarray(values, dtype=bool)
    _same_length(name, column, size)
    return column


def _identities(values: ArrayLike | None, size: int) -> IntArray:
    return np.arange(1, size + 1) if values is None else _integers("id", values, size, fill=0)


def _same_length(name: str, column: FloatArray | IntArray | BoolArray, size: int) -> None:
    if column.shape != (size,):
        raise ShapeError(
            f"{name} has the shape {column.shape} beside {size} images",
            hint="give one value a row",
        )


def _number(name: str, number: int | None, mine: IntArray, theirs: IntArray) -> int:
    """How many images or categories; refuses rows outside."""
    low = min(mine.min(initial=0), theirs.min(initial=0))
    high = int(max(mine.max(initial=-1), theirs.max(initial=-1))) + 1
    if low < 0 or (number is not None and high > number):
        wrong = int(low) if low < 0 else high - 1
        raise InputError(
            f"{name} {wrong} of {high if number is None else number}",
            hint=f"number every {name} from 0",
        )
    return high if number is None else number
