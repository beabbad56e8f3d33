"""From rows to figures: statistics, counts, strata, intervals, AP and AR."""

from polygauge.summary._blocks import assign_blocks
from polygauge.summary._category_confusion import (
    CategoryConfusion,
    category_table,
    confuse_categories,
    image_table,
)
from polygauge.summary._confidence import (
    BestF1,
    Calibration,
    ConfidenceCurve,
    best_f1,
    calibration,
    confidence_curve,
)
from polygauge.summary._detection import summarise_detection
from polygauge.summary._error_budget import ERRORS, ErrorBudget, ErrorCost, error_budget
from polygauge.summary._precision_recall import (
    RECALL_LEVELS,
    PrecisionRecall,
    accumulate,
    precision_recall,
    precision_recall_by_image,
    precision_recall_intervals,
)
from polygauge.summary._score_matching import (
    ALL_SIZES,
    COCO_SIZES,
    COCO_THRESHOLDS,
    ScoredMatches,
    match_scored,
)
from polygauge.summary._scored_pairs import ScoredPairs, ScoredPredictions, ScoredReferences
from polygauge.summary._statistics import QUANTILES, summarise_metric
from polygauge.summary._strata import area_classes, summarise_strata
from polygauge.summary._summarise import summarise
from polygauge.summary._threshold_quality import GRID, ThresholdQuality, threshold_quality
from polygauge.summary._tile_precision import (
    SpaceNetScore,
    TilePrecision,
    spacenet_score,
    tile_precision,
)
from polygauge.summary._tiles import summarise_tiles, tile_means

__all__ = [
    "ALL_SIZES",
    "COCO_SIZES",
    "COCO_THRESHOLDS",
    "ERRORS",
    "GRID",
    "QUANTILES",
    "RECALL_LEVELS",
    "BestF1",
    "Calibration",
    "CategoryConfusion",
    "ConfidenceCurve",
    "ErrorBudget",
    "ErrorCost",
    "PrecisionRecall",
    "ScoredMatches",
    "ScoredPairs",
    "ScoredPredictions",
    "ScoredReferences",
    "SpaceNetScore",
    "ThresholdQuality",
    "TilePrecision",
    "accumulate",
    "area_classes",
    "assign_blocks",
    "best_f1",
    "calibration",
    "category_table",
    "confidence_curve",
    "confuse_categories",
    "error_budget",
    "image_table",
    "match_scored",
    "precision_recall",
    "precision_recall_by_image",
    "precision_recall_intervals",
    "spacenet_score",
    "summarise",
    "summarise_detection",
    "summarise_metric",
    "summarise_strata",
    "summarise_tiles",
    "threshold_quality",
    "tile_means",
    "tile_precision",
]
