"""The metrics: one file each, one record each, all of them in `METRICS`."""

from polygauge.metrics._boundary_iou import BOUNDARY_IOU, boundary_iou
from polygauge.metrics._boundary_iou_inner import BOUNDARY_IOU_INNER, boundary_iou_inner
from polygauge.metrics._hausdorff_exact import HAUSDORFF_EXACT, hausdorff_exact
from polygauge.metrics._iou import IOU, iou
from polygauge.metrics._polis import POLIS, polis
from polygauge.metrics._record import Metric

METRICS: tuple[Metric, ...] = (IOU, BOUNDARY_IOU, BOUNDARY_IOU_INNER, POLIS, HAUSDORFF_EXACT)
BY_NAME: dict[str, Metric] = {metric.name: metric for metric in METRICS}

__all__ = [
    "METRICS",
    "Metric",
    "boundary_iou",
    "boundary_iou_inner",
    "hausdorff_exact",
    "iou",
    "polis",
]
