"""The two calls the pipeline makes: relate the layers, and count found, missed and extra."""

from __future__ import annotations

import numpy as np

from polygauge.matching._groups import find_groups
from polygauge.matching._one_to_one import TIE, Rule, one_to_one
from polygauge.matching._overlaps import Overlaps
from polygauge.tables import Detection, Features, Matches


def detect(
    overlaps: Overlaps,
    reference: Features,
    prediction: Features,
    *,
    threshold: float,
    rule: Rule,
) -> Detection:
    """Match one to one and say which features are found, missed, extra or excused.

    Features that are set aside follow COCO's ignore rule: judged references choose first; a
    prediction that only reaches a reference set aside is excused, and so is an unmatched
    prediction that is set aside itself. A prediction set aside may still find a judged reference.
    """
    to_judged = reference.counts[overlaps.reference]
    kept = np.zeros(len(overlaps), dtype=bool)
    kept[to_judged] = one_to_one(
        overlaps.take(to_judged),
        threshold=threshold,
        rule=rule,
        scores=prediction.scores,
        boxes=(reference.polygons.boxes, prediction.polygons.boxes),
    )
    found = np.zeros(len(reference), dtype=bool)
    found[overlaps.reference[kept]] = True
    used = np.zeros(len(prediction), dtype=bool)
    used[overlaps.prediction[kept]] = True

    reaches_set_aside = np.zeros(len(prediction), dtype=bool)
    reaches = ~to_judged & (overlaps.iou >= threshold - TIE)
    reaches_set_aside[overlaps.prediction[reaches]] = True
    excused = ~used & (~prediction.counts | reaches_set_aside)
    return Detection(
        threshold=threshold,
        reference=overlaps.reference[kept],
        prediction=overlaps.prediction[kept],
        iou=overlaps.iou[kept],
        missed=reference.counts & ~found,
        extra=~used & ~excused,
        excused=excused,
    )


def match(
    overlaps: Overlaps,
    detection: Detection,
    reference: Features,
    prediction: Features,
    *,
    rule: Rule,
    group_share: float,
) -> Matches:
    """The related pairs: kept by the one-to-one rule, or sharing enough of the smaller feature."""
    groups = find_groups(overlaps, reference, prediction, share=group_share)
    partner = np.full(len(reference), -1)
    partner[detection.reference] = detection.prediction
    kept = partner[overlaps.reference] == overlaps.prediction
    related = kept | (groups.number >= 0)
    return Matches(
        reference=overlaps.reference[related],
        prediction=overlaps.prediction[related],
        intersection=overlaps.intersection[related],
        iou=overlaps.iou[related],
        one_to_one=kept[related],
        group=groups.number[related],
        relation=groups.relation[related],
        group_iou=groups.iou[related],
        inner_walls=groups.inner_walls[related],
        rule=rule,
        threshold=detection.threshold,
        group_share=group_share,
    )
