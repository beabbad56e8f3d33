"""One-to-one matching by trying everything."""

from __future__ import annotations

from itertools import combinations


def best_matching(pairs: list[tuple[int, int, float]]) -> tuple[int, float]:
    """Most pairs without a shared feature, and the largest sum of IoU among such sets."""
    for size in range(len(pairs), 0, -1):
        sums = [
            sum(pair[2] for pair in chosen)
            for chosen in combinations(pairs, size)
            if len({p[0] for p in chosen}) == size and len({p[1] for p in chosen}) == size
        ]
        if sums:
            return size, max(sums)
    return 0, 0.0


def coco_greedy(pairs: list[tuple[int, int, float]], scores: list[float]) -> set[tuple[int, int]]:
    """Predictions in descending score; each takes the free reference with the largest IoU."""
    taken: set[int] = set()
    kept = set()
    order = sorted(range(len(scores)), key=lambda p: -scores[p])
    for prediction in order:
        free = [p for p in pairs if p[1] == prediction and p[0] not in taken]
        if free:
            reference = max(free, key=lambda p: (p[2], -p[0]))[0]
            taken.add(reference)
            kept.add((reference, prediction))
    return kept
