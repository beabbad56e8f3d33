"""One evaluation on one machine: the calls in order."""

from polygauge.pipeline._evaluate import Progress, Run, evaluate_coco, evaluate_layers
from polygauge.pipeline._options import DEFAULT_AREA_CLASSES, Options
from polygauge.pipeline._tiles import TileScores

__all__ = [
    "DEFAULT_AREA_CLASSES",
    "Options",
    "Progress",
    "Run",
    "TileScores",
    "evaluate_coco",
    "evaluate_layers",
]
