"""The metrics: one file each, one record each, all of them in `METRICS`."""

from polygauge.metrics._hausdorff_exact import HAUSDORFF_EXACT, hausdorff_exact
from polygauge.metrics._iou import IOU, iou
from polygauge.metrics._polis import POLIS, polis
from polygauge.metrics._record import Metric

METRICS: tuple[Metric, ...] = (IOU, POLIS, HAUSDORFF_EXACT)
BY_NAME: dict[str, Metric] = {metric.name: metric for metric in METRICS}

__all__ = ["METRICS", "Metric", "hausdorff_exact", "iou", "polis"]
