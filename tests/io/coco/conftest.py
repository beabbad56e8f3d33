"""Small COCO files, written and read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from polygauge.io.coco import CocoOptions, read_coco

SQUARE = [10, 10, 30, 10, 30, 30, 10, 30]


def ground_truth(*annotations: dict, images: int = 1) -> dict:
    """A ground truth of these annotations, each filled up with what it lacks."""
    filled = [
        {"id": k + 1, "image_id": 1, "category_id": 1, "iscrowd": 0, **annotation}
        for k, annotation in enumerate(annotations)
    ]
    return {
        "images": [
            {"id": k + 1, "file_name": f"{k + 1}.tif", "width": 100, "height": 100}
            for k in range(images)
        ],
        "categories": [{"id": 1, "name": "building"}],
        "annotations": filled,
    }


def result(segmentation, **more) -> dict:
    """One result."""
    return {"image_id": 1, "category_id": 1, "score": 0.5, "segmentation": segmentation, **more}


@pytest.fixture
def read(tmp_path: Path):
    """Write documents (or raw bytes) and read them."""

    def run(reference, prediction=None, **options):
        paths = []
        for name, document in (("gt.json", reference), ("pred.json", prediction)):
            if document is None:
                continue
            path = tmp_path / name
            raw = isinstance(document, bytes)
            path.write_bytes(document if raw else json.dumps(document).encode())
            paths.append(path)
        return read_coco(*paths, options=CocoOptions(**options))

    return run


def codes(coco, side: str | None = None) -> dict[str, int]:
    """How often each kind of finding comes."""
    return {
        group.kind.code: group.count
        for group in coco.findings.groups()
        if side in (None, group.side)
    }


def texts(coco) -> str:
    """All sentences."""
    return "\n".join(group.text for group in coco.findings.groups())
