"""From rows to figures: statistics, counts, strata and intervals."""

from polygauge.summary._blocks import assign_blocks
from polygauge.summary._detection import summarise_detection
from polygauge.summary._precision_recall import PrecisionRecall, precision_recall
from polygauge.summary._score_matching import COCO_SIZES, COCO_THRESHOLDS
from polygauge.summary._scored_pairs import ScoredPairs, ScoredPredictions, ScoredReferences
from polygauge.summary._statistics import QUANTILES, summarise_metric
from polygauge.summary._strata import area_classes, summarise_strata
from polygauge.summary._summarise import summarise
from polygauge.summary._tile_precision import spacenet_score, tile_precision
from polygauge.summary._tiles import summarise_tiles, tile_means

__all__ = [
    "COCO_SIZES",
    "COCO_THRESHOLDS",
    "QUANTILES",
    "PrecisionRecall",
    "ScoredPairs",
    "ScoredPredictions",
    "ScoredReferences",
    "area_classes",
    "assign_blocks",
    "precision_recall",
    "spacenet_score",
    "summarise",
    "summarise_detection",
    "summarise_metric",
    "summarise_strata",
    "summarise_tiles",
    "tile_means",
    "tile_precision",
]
