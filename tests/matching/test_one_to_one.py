"""One-to-one rules against trying everything, and at sizes where trying is out of the question."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from polygauge.errors import OptionError
from polygauge.matching import Overlaps, _one_to_one, one_to_one
from tests.oracles.matching import best_matching, coco_greedy


def overlaps(rows: list[tuple[int, int, float]]) -> Overlaps:
    rows = sorted(rows)
    i = np.array([r[0] for r in rows], dtype=np.int64)
    j = np.array([r[1] for r in rows], dtype=np.int64)
    iou = np.array([r[2] for r in rows])
    return Overlaps(i, j, iou, iou, iou)


graphs = st.dictionaries(
    st.tuples(st.integers(0, 3), st.integers(0, 3)),
    st.floats(0.05, 1.0).map(lambda x: round(x, 3)),
    max_size=9,
).map(lambda d: sorted((i, j, x) for (i, j), x in d.items()))


@given(graphs)
def test_optimal_has_most_matches_then_most_iou(rows):
    pairs = overlaps(rows)
    kept = one_to_one(pairs, threshold=0.05, rule="optimal")
    assert len(set(pairs.reference[kept])) == kept.sum() == len(set(pairs.prediction[kept]))
    size, total = best_matching(rows)
    assert kept.sum() == size
    assert pairs.iou[kept].sum() == pytest.approx(total, abs=1e-9)


@given(graphs, st.lists(st.sampled_from([0.1, 0.5, 0.9]), min_size=4, max_size=4))
def test_greedy_follows_the_scores(rows, scores):
    pairs = overlaps(rows)
    kept = one_to_one(pairs, threshold=0.05, rule="greedy", scores=np.array(scores))
    found = set(zip(pairs.reference[kept].tolist(), pairs.prediction[kept].tolist(), strict=True))
    assert found == coco_greedy(rows, scores)


def test_greedy_and_optimal_differ_as_they_should():
    rows = [(0, 0, 0.666667), (0, 1, 0.8), (1, 0, 0.642857), (1, 1, 0.3125)]
    pairs = overlaps(rows)
    greedy = one_to_one(pairs, threshold=0.5, rule="greedy", scores=np.array([0.9, 0.8]))
    assert greedy.tolist() == [True, False, False, False]
    optimal = one_to_one(pairs, threshold=0.5, rule="optimal")
    assert optimal.tolist() == [False, True, True, False]
    assert pairs.iou[optimal].mean() == pytest.approx(0.7214285)


def test_greedy_without_scores_takes_the_largest_iou_first():
    pairs = overlaps([(0, 0, 0.6), (0, 1, 0.8), (1, 1, 0.9)])
    assert one_to_one(pairs, threshold=0.5, rule="greedy").tolist() == [True, False, True]


def test_an_iou_within_the_accuracy_of_the_threshold_reaches_it():
    pairs = overlaps([(0, 0, 0.5 - 1e-12), (1, 1, 0.5 - 1e-6)])
    assert one_to_one(pairs, threshold=0.5, rule="optimal").tolist() == [True, False]


@pytest.mark.parametrize("threshold", [0.0, -1.0, 1.5, float("nan")])
def test_a_threshold_outside_0_to_1_is_refused(threshold):
    with pytest.raises(OptionError, match="the IoU threshold is"):
        one_to_one(overlaps([]), threshold=threshold, rule="optimal")


def shuffled(pairs, boxes, seed):
    """The same features in another order: pairs, boxes, and the old number of each prediction."""
    rng = np.random.default_rng(seed)
    a, b = rng.permutation(len(boxes[0])), rng.permutation(len(boxes[1]))
    i, j = np.argsort(a)[pairs.reference], np.argsort(b)[pairs.prediction]
    order = np.lexsort((j, i))
    moved = Overlaps(i[order], j[order], pairs.iou[order], pairs.iou[order], pairs.iou[order])
    return moved, (boxes[0][a], boxes[1][b]), (a, b)


@pytest.mark.parametrize("rule", ["optimal", "greedy"])
@pytest.mark.parametrize("scored", [False, True])
@given(graphs, st.integers(0, 99))
def test_the_order_of_the_features_does_not_matter(rule, scored, rows, seed):
    # All IoU equal: everything is a tie.
    pairs = overlaps([(i, j, 0.5) for i, j, _ in rows])
    boxes = tuple(np.random.default_rng(k).uniform(0, 9, (4, 4)) for k in (1, 2))
    scores = np.array([0.5, 0.9, 0.5, 0.9])
    moved, moved_boxes, (a, b) = shuffled(pairs, boxes, seed)

    def found(table, place, confidence):
        kept = one_to_one(
            table, threshold=0.1, rule=rule, boxes=place, scores=confidence if scored else None
        )
        return table.reference[kept], table.prediction[kept]

    first = found(pairs, boxes, scores)
    i, j = found(moved, moved_boxes, scores[b])
    assert set(zip(*first, strict=True)) == set(zip(a[i], b[j], strict=True))


def test_no_pairs_at_all():
    for rule in ("optimal", "greedy"):
        assert len(one_to_one(overlaps([]), threshold=0.5, rule=rule)) == 0


def test_a_chain_too_long_for_a_dense_matrix():
    # Reference k overlaps predictions k and k + 1: one component of 2 x 3000 features. Taking
    # (k, k) everywhere matches all; the IoU of the last step must not tempt it to match fewer.
    n = 3000
    i = np.repeat(np.arange(n), 2)
    j = np.stack([np.arange(n), np.arange(n) + 1], axis=1).ravel()
    iou = np.tile([0.3, 0.9], n)
    kept = one_to_one(Overlaps(i, j, iou, iou, iou), threshold=0.1, rule="optimal")
    assert kept.sum() == n
    assert iou[kept].sum() == pytest.approx(0.9 * n)


def test_sparse_and_dense_solutions_agree(monkeypatch):
    rng = np.random.default_rng(4)
    i, j = np.divmod(rng.choice(60 * 60, 400, replace=False), 60)
    order = np.lexsort((j, i))
    iou = rng.uniform(0.1, 1, 400)
    pairs = Overlaps(i[order], j[order], iou, iou, iou)
    dense = one_to_one(pairs, threshold=0.1, rule="optimal")
    monkeypatch.setattr(_one_to_one, "_DENSE_CELLS", 0)
    sparse = one_to_one(pairs, threshold=0.1, rule="optimal")
    assert dense.sum() == sparse.sum()
    assert iou[dense].sum() == pytest.approx(iou[sparse].sum(), abs=1e-9)
