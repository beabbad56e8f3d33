"""What of two layers is judged: areas of interest, ignore regions, minimum area."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from polygauge.geometry import BoolArray, FloatArray, Polygons
from polygauge.io._layer import plain_id
from polygauge.io._ledger import Event
from polygauge.io._options import FrameOptions
from polygauge.io._region import shares_inside
from polygauge.tables import Features, Judged

_HALF = 0.5


def near(polygons: Polygons, box: FloatArray) -> BoolArray:
    """Features that may touch the area of interest, or match one that does."""
    boxes = polygons.boxes
    if len(boxes) == 0:
        return np.zeros(0, dtype=bool)

    def meets(margin: float) -> BoolArray:
        below = np.all(boxes[:, :2] <= box[2:] + margin, axis=1)
        above = np.all(boxes[:, 2:] >= box[:2] - margin, axis=1)
        return np.asarray(below & above)

    inside = meets(0.0)
    largest = (boxes[inside, 2:] - boxes[inside, :2]).max(initial=0.0)
    return meets(float(largest))


def judge(polygons: Polygons, aoi: Any, ignore: Any, options: FrameOptions) -> NDArray[np.uint8]:
    """`Judged` code of each feature; the area of interest goes before the other rules."""
    judged = np.full(len(polygons), Judged.YES, dtype=np.uint8)
    if options.min_area > 0:
        judged[polygons.areas < options.min_area] = Judged.BELOW_MIN_AREA
    if ignore is not None:
        judged[shares_inside(polygons, ignore) >= _HALF] = Judged.IN_IGNORE_REGION
    if aoi is not None:
        share = shares_inside(polygons, aoi)
        if options.edge_objects == "ignore":
            judged[(share > 0) & (share < 1)] = Judged.CUT_BY_AOI
            judged[share == 0] = Judged.OUTSIDE_AOI
        else:
            judged[share < _HALF] = Judged.OUTSIDE_AOI
    return judged


def set_aside_events(features: Features, polygons: Polygons, aoi: Any) -> list[Event]:
    """A ledger row for each feature set aside; those wholly outside are only counted."""
    aside = features.judged != Judged.YES
    if aoi is not None:
        outside = features.judged == Judged.OUTSIDE_AOI
        rows = np.flatnonzero(outside)
        aside[rows] = shares_inside(polygons.take(rows), aoi) > 0
    return [
        Event(
            features.side,
            plain_id(features.ids[k]),
            int(features.rows[k]),
            Judged(features.judged[k]).text,
            "",
            "set aside",
        )
        for k in np.flatnonzero(aside)
    ]


def judging_policies(options: FrameOptions) -> dict[str, str]:
    policies = {
        "invalid geometry": "see the ledger; shapes without area count as empty and are skipped",
    }
    if options.rings == "exterior":
        policies["rings"] = "exteriors only: holes are filled on both sides before measuring"
    if options.aoi is not None:
        policies["area of interest"] = (
            "objects count when at least half of their area is inside"
            if options.edge_objects == "count"
            else "objects count when wholly inside; those cut by the edge are set aside"
        )
    if options.ignore is not None:
        policies["ignore regions"] = "objects at least half inside are set aside on both sides"
    if options.min_area > 0:
        policies["minimum area"] = f"objects below {options.min_area:g} are set aside"
    if options.aoi is not None or options.ignore is not None or options.min_area > 0:
        policies["set aside"] = (
            "may be matched, so that the partner is not blamed; never missed, never extra"
        )
    return policies
