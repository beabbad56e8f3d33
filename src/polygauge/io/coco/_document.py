"""What a check found, as one document."""

from __future__ import annotations

from typing import Any

from polygauge.io.coco._tables import SEGMENTATION_KINDS, Coco

SCHEMA = "polygauge.check/1"


def check_document(coco: Coco, reference: str, prediction: str | None = None) -> dict[str, Any]:
    """The findings of a check, as `polygauge check --json` prints them."""
    counts: dict[str, dict[str, Any]] = {}
    for side in coco.sides:
        kinds = side.kind.tolist()
        counts[side.side] = {
            "images": len(coco.images),
            "categories": len(coco.categories),
            "annotations": len(side),
            "segmentations": {name: kinds.count(k) for k, name in enumerate(SEGMENTATION_KINDS)},
            "polygons": int(side.has_polygon.sum()),
            "crowd": int(side.is_crowd.sum()),
        }
    findings = coco.findings
    return {
        "schema": SCHEMA,
        "files": {"reference": reference, "prediction": prediction},
        "config": {
            "invalid": coco.options.invalid,
            "nested": coco.options.nested,
            "boxes": coco.options.boxes,
        },
        "counts": counts,
        "wrong": findings.wrong,
        "totals": {s: findings.count(s) for s in ("error", "warning", "note")},
        "findings": [
            {
                "severity": group.kind.severity,
                "code": group.kind.code,
                "side": group.side,
                "subject": group.kind.subject,
                "count": group.count,
                "of": group.total,
                "what": group.kind.what,
                "assumed": group.kind.assumed,
                "details": group.details,
                "ids": group.ids,
                "names": group.names,
                "text": group.text,
            }
            for group in findings.groups()
        ],
    }
