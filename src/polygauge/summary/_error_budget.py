"""What each kind of error costs: AP and F1 regained by fixing it alone."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from polygauge.errors import OptionError, ShapeError
from polygauge.geometry import BoolArray, FloatArray, IntArray
from polygauge.summary._precision_recall import average_precision
from polygauge.summary._score_matching import match_scored
from polygauge.summary._scored_pairs import ScoredPairs

ERRORS = (
    "split",
    "duplicate",
    "wrong class",
    "merged",
    "misplaced",
    "misshapen",
    "wrong class and inexact",
    "extra",
    "missed",
)
_MISSED = ERRORS.index("missed")
_MERGED = ERRORS.index("merged")
# A reference is covered by a merged prediction, and a piece lies in its reference, from this share.
_HALF = 0.5
# Pieces that lie side by side cover no more than the whole; the rest is room for areas that were
# rounded to pixels.
_WHOLE = 1.05


@dataclass(frozen=True, slots=True)
class ErrorCost:
    """One kind of error.

    Attributes
    ----------
    predictions, references : int
        Wrong predictions of this kind, and missed references put down to it.
    ap_gain, f1_gain : float
        AP and F1 after fixing this kind alone, less what they are. NaN where they are undefined.
    """

    predictions: int
    references: int
    ap_gain: float
    f1_gain: float


@dataclass(frozen=True, slots=True, eq=False)
class ErrorBudget:
    """Where AP and F1 go.

    Attributes
    ----------
    threshold, background : float
    ap, f1 : float
        At this threshold; F1 of all categories together.
    costs : dict of str to ErrorCost
        By kind of error, in the order in which they are tested.
    all_wrong, all_missed : ErrorCost
        Every wrong prediction gone; every missed reference no longer asked for.
    prediction_error : ndarray of int8, shape (predictions,)
        Place in `ERRORS` of each wrong prediction; -1 where right, excused or below the confidence.
    reference_error : ndarray of int8, shape (references,)
        The same for each missed reference; -1 where found or not asked for.
    notes : tuple of str
        What could not be told apart, and why.
    """

    threshold: float
    background: float
    ap: float
    f1: float
    costs: dict[str, ErrorCost]
    all_wrong: ErrorCost
    all_missed: ErrorCost
    prediction_error: NDArray[np.int8]
    reference_error: NDArray[np.int8]
    notes: tuple[str, ...]


def error_budget(
    pairs: ScoredPairs,
    threshold: float = 0.5,
    *,
    background: float = 0.1,
    confidence: float = -np.inf,
    intersection: FloatArray | None = None,
    aligned: FloatArray | None = None,
    tolerance: float = 0.0,
) -> ErrorBudget:
    """Sort every wrong prediction and every missed reference under one error, and price each.

    In the manner of TIDE [1]_, with merged, split and misplaced objects told apart. Matches are
    those of COCO at `threshold`. Each *wrong prediction* (unmatched, not excused) gets the first
    kind that fits; v is its value with a reference of its image that is not ignored:

    split
        At least half of it lies in one reference of its category, and so do at least half of one or
        more other predictions of the category, right or wrong; together they share no more area
        with it than 1.05 times its own.
    duplicate
        v reaches the threshold for a reference of its category (which another prediction has).
    wrong class
        v reaches the threshold for a reference of another category.
    merged
        It covers at least half of each of two or more references of its category.
    misplaced
        v is at least `background` for a reference of its category, and moving the prediction would
        bring it to the threshold (`aligned`).
    misshapen
        v is at least `background` for a reference of its category, and moving is not enough.
    wrong class and inexact
        v is at least `background` for a reference of another category.
    extra
        None of these.

    The reference meant is its *target*: the one with the best v; all that it covers, if merged. A
    right prediction that covers two or more references has them for targets too: a house that
    swallows its shed.
    A *missed reference* has the kind of the best-scored prediction whose target it is, and is
    "missed" when there is none.

    *Fixing* one kind means, with no other match touched:

    * duplicate, extra, wrong class and inexact: the predictions go;
    * wrong class, misplaced, misshapen, split: the best-scored prediction becomes the match of its
      target, in the target's category; where the target is found already, or for the others that
      have the same target, the prediction goes;
    * merged: each target that is not found gets a match with the prediction's score; the
      prediction itself goes if it was wrong;
    * missed: the references are no longer asked for.

    Gains do not add up to 1 - AP: errors hide one another, and that is why each is priced alone.

    Parameters
    ----------
    pairs : ScoredPairs
        Overlaps (IoU). Wrong classes are found only where pairs of two categories are listed.
    threshold : float
        IoU of a match.
    background : float
        Least IoU of an attempt at a reference.
    confidence : float
        Predictions below take no part.
    intersection : ndarray of float64, shape (p,), optional
        Area shared by each pair, in the unit of the areas. From IoU and the two areas without it:
        I = v (A + B) / (1 + v).
    aligned : ndarray of float64, shape (p,), optional
        IoU of each pair after the best translation. Without it nothing is called misplaced, and
        `notes` says so.
    tolerance : float
        How far short of a threshold a value may fall.

    References
    ----------
    .. [1] Bolya, Foley, Hays, Hoffman (2020), TIDE: A General Toolbox for Identifying Object
       Detection Errors. ECCV.

    Raises
    ------
    OptionError
        The values are distances, or not 0 <= background < threshold.
    ShapeError
        `intersection` or `aligned` is not one value a pair.
    """
    if pairs.better == "lower":
        raise OptionError(
            "an error budget of distances", hint="give overlaps: errors are told apart by them"
        )
    if not 0 <= background < threshold:
        raise OptionError(
            f"background {background:g} for the threshold {threshold:g}",
            hint="give 0 <= background < threshold",
        )
    for name, column in (("intersection", intersection), ("aligned", aligned)):
        if column is not None and column.shape != pairs.value.shape:
            raise ShapeError(
                f"{name} has the shape {column.shape} beside {len(pairs.value)} pairs",
                hint="give one value a pair, in the order of the pairs",
            )
    kept = pairs.predictions.score >= confidence if confidence > -np.inf else None
    part = pairs
    if kept is not None:
        listed = kept[pairs.prediction]
        part = pairs.choose(kept)
        intersection = None if intersection is None else intersection[listed]
        aligned = None if aligned is None else aligned[listed]
    state = _State.of(part, threshold, tolerance)
    kind, targets, notes = _sort(
        part, state, threshold - tolerance, background, intersection, aligned
    )
    missed = _missed_kinds(part, state, targets)
    ap, f1 = state.ap(), state.f1()

    costs = {}
    for number, name in enumerate(ERRORS):
        fixed = state.without_missed(missed == _MISSED)
        if number != _MISSED:
            repairs = targets.of(number) if name not in _REMOVED else _Targets.none()
            fixed = state.fixed(kind == number, repairs)
        costs[name] = ErrorCost(
            int((kind == number).sum()),
            int((missed == number).sum()),
            fixed.ap() - ap,
            fixed.f1() - f1,
        )
    no_wrong = state.fixed(kind >= 0, _Targets.none())
    no_missed = state.without_missed(missed >= 0)
    errors = np.full(len(pairs.predictions), -1, dtype=np.int8)
    errors[slice(None) if kept is None else kept] = kind
    return ErrorBudget(
        threshold,
        background,
        ap,
        f1,
        costs,
        ErrorCost(int((kind >= 0).sum()), 0, no_wrong.ap() - ap, no_wrong.f1() - f1),
        ErrorCost(0, int((missed >= 0).sum()), no_missed.ap() - ap, no_missed.f1() - f1),
        errors,
        missed,
        notes,
    )


_REMOVED = {"duplicate", "wrong class and inexact", "extra"}


@dataclass(frozen=True, slots=True, eq=False)
class _Targets:
    """Which prediction meant which reference, and the kind of error that makes it."""

    prediction: IntArray
    reference: IntArray
    kind: IntArray

    @classmethod
    def none(cls) -> _Targets:
        nothing: IntArray = np.empty(0, dtype=np.int64)
        return cls(nothing, nothing, nothing)

    def of(self, kind: int) -> _Targets:
        return self.take(self.kind == kind)

    def take(self, rows: IntArray | BoolArray) -> _Targets:
        return _Targets(self.prediction[rows], self.reference[rows], self.kind[rows])

    def best(self, score: FloatArray, place: IntArray) -> _Targets:
        """For each reference the target of the best-scored prediction; of equals, the first."""
        order = np.lexsort((place[self.prediction], -score[self.prediction], self.reference))
        return self.take(order[np.flatnonzero(np.diff(self.reference[order], prepend=-1))])


@dataclass(frozen=True, slots=True, eq=False)
class _State:
    """Verdicts on predictions, and which references are asked for: enough for AP and F1."""

    row: IntArray
    category: IntArray
    score: FloatArray
    right: BoolArray
    reference_category: IntArray
    asked: BoolArray
    found: BoolArray
    categories: int

    @classmethod
    def of(cls, pairs: ScoredPairs, threshold: float, tolerance: float) -> _State:
        matches = match_scored(pairs, threshold, tolerance=tolerance)
        took = matches.reference[0, 0]
        # In the order in which AP ranks equal scores.
        row = matches.ranked[~matches.excused[0, 0, matches.ranked]]
        asked = ~matches.ignored[0]
        return cls(
            row,
            pairs.predictions.category[row],
            pairs.predictions.score[row],
            took[row] >= 0,
            pairs.references.category,
            asked,
            (matches.prediction[0, 0] >= 0) & asked,
            pairs.categories,
        )

    def place(self, size: int) -> IntArray:
        """Place of each of `size` rows in the ranking."""
        places = np.zeros(size, dtype=np.int64)
        places[self.row] = np.arange(len(self.row))
        return places

    def ap(self) -> float:
        positives = np.bincount(self.reference_category[self.asked], minlength=self.categories)
        return average_precision(self.category, self.score, self.right, positives)

    def f1(self) -> float:
        below = len(self.right) + int(self.asked.sum())
        return 2 * int(self.right.sum()) / below if below else float("nan")

    def without_missed(self, chosen: BoolArray) -> _State:
        return replace(self, asked=self.asked & ~chosen)

    def fixed(self, chosen: BoolArray, targets: _Targets) -> _State:
        """Take the chosen wrong predictions away; put matches of the targets in their place."""
        stays = self.right | ~chosen[self.row]
        origin = np.flatnonzero(stays)
        category, right = self.category[stays], self.right[stays]
        place = self.place(len(chosen))
        score = np.zeros(len(chosen))
        score[self.row] = self.score
        claims = targets.take(~self.found[targets.reference]).best(score, place)
        origin = np.concatenate([origin, place[claims.prediction]])
        category = np.concatenate([category, self.reference_category[claims.reference]])
        right = np.concatenate([right, np.ones(len(claims.reference), dtype=bool)])
        back = np.argsort(origin, kind="stable")
        return replace(
            self,
            row=self.row[origin[back]],
            category=category[back],
            score=self.score[origin[back]],
            right=right[back],
        )


def _sort(
    pairs: ScoredPairs,
    state: _State,
    reach: float,
    background: float,
    intersection: FloatArray | None,
    aligned: FloatArray | None,
) -> tuple[NDArray[np.int8], _Targets, tuple[str, ...]]:
    """Kind of each prediction, the targets, and what could not be told apart."""
    n = len(pairs.predictions)
    heard = np.zeros(n, dtype=bool)
    heard[state.row] = True
    wrong = np.zeros(n, dtype=bool)
    wrong[state.row[~state.right]] = True
    mine, theirs, value = pairs.prediction, pairs.reference, pairs.value
    listed = state.asked[theirs] & heard[mine]
    own = pairs.same_category & listed
    other = ~pairs.same_category & listed
    a, b = pairs.predictions.area[mine], pairs.references.area[theirs]
    shared = value * (a + b) / (1 + value) if intersection is None else intersection
    covers = own & (shared >= _HALF * b)
    covers &= (np.bincount(mine[covers], minlength=n) > 1)[mine]
    piece = own & (shared >= _HALF * a)
    size = len(pairs.references)
    together = np.bincount(theirs[piece], shared[piece], minlength=size)[theirs]
    piece &= (np.bincount(theirs[piece], minlength=size) > 1)[theirs] & (together <= _WHOLE * b)
    near = own & (value >= background)
    movable = near & (aligned >= reach) if aligned is not None else np.zeros(len(mine), dtype=bool)
    fits = [
        piece,
        own & (value >= reach),
        other & (value >= reach),
        covers,
        movable,
        near,
        other & (value >= background),
    ]
    kind = np.full(n, -1, dtype=np.int8)
    kind[wrong] = ERRORS.index("extra")
    for number in reversed(range(len(fits))):
        kind[wrong & (np.bincount(mine[fits[number]], minlength=n) > 0)] = number

    meant = [_Targets.none()]
    for number, pair in enumerate(fits):
        if number == _MERGED:
            rows = np.flatnonzero(pair & ((kind[mine] == number) | ~wrong[mine]))
        else:
            rows = np.flatnonzero(pair & (kind[mine] == number))
            rows = rows[np.lexsort((theirs[rows], -value[rows], mine[rows]))]
            rows = rows[np.flatnonzero(np.diff(mine[rows], prepend=-1))]
        meant.append(_Targets(mine[rows], theirs[rows], np.full(len(rows), number)))
    targets = _Targets(
        np.concatenate([m.prediction for m in meant]),
        np.concatenate([m.reference for m in meant]),
        np.concatenate([m.kind for m in meant]),
    )
    notes = []
    if aligned is None and (kind == ERRORS.index("misshapen")).any():
        notes.append("misplaced counts as misshapen: no IoU after translation was given")
    if pairs.categories > 1 and pairs.same_category.all():
        notes.append("no pair of two categories was given: a wrong class counts as extra")
    return kind, targets, tuple(notes)


def _missed_kinds(pairs: ScoredPairs, state: _State, targets: _Targets) -> NDArray[np.int8]:
    """Kind of each missed reference."""
    missed = state.asked & ~state.found
    kinds = np.full(len(missed), -1, dtype=np.int8)
    kinds[missed] = _MISSED
    best = targets.take(missed[targets.reference]).best(
        pairs.predictions.score, state.place(len(pairs.predictions))
    )
    kinds[best.reference] = best.kind
    return kinds
