"""From rows to figures: statistics, counts, strata and intervals."""

from polygauge.summary._blocks import assign_blocks
from polygauge.summary._detection import summarise_detection
from polygauge.summary._statistics import QUANTILES, summarise_metric
from polygauge.summary._strata import area_classes, summarise_strata
from polygauge.summary._summarise import summarise

__all__ = [
    "QUANTILES",
    "area_classes",
    "assign_blocks",
    "summarise",
    "summarise_detection",
    "summarise_metric",
    "summarise_strata",
]
