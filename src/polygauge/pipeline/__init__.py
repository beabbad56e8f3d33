"""One evaluation on one machine: the calls in order."""

from polygauge.pipeline._evaluate import Progress, Run, evaluate_layers
from polygauge.pipeline._options import DEFAULT_AREA_CLASSES, Options

__all__ = ["DEFAULT_AREA_CLASSES", "Options", "Progress", "Run", "evaluate_layers"]
