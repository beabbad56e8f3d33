"""COCO ground truth and results in, and what is wrong with them."""

from polygauge.io.coco._document import check_document
from polygauge.io.coco._features import coco_features
from polygauge.io.coco._findings import FindingGroup, Findings
from polygauge.io.coco._frame import CocoFrameOptions, coco_frame
from polygauge.io.coco._kinds import KINDS, Kind
from polygauge.io.coco._options import CocoOptions
from polygauge.io.coco._read import read_coco
from polygauge.io.coco._rings import StoredRings
from polygauge.io.coco._rle import Masks
from polygauge.io.coco._sniff import is_coco
from polygauge.io.coco._tables import (
    SEGMENTATION_KINDS,
    Annotations,
    Categories,
    Coco,
    Images,
)

__all__ = [
    "KINDS",
    "SEGMENTATION_KINDS",
    "Annotations",
    "Categories",
    "Coco",
    "CocoFrameOptions",
    "CocoOptions",
    "FindingGroup",
    "Findings",
    "Images",
    "Kind",
    "Masks",
    "StoredRings",
    "check_document",
    "coco_features",
    "coco_frame",
    "is_coco",
    "read_coco",
]
