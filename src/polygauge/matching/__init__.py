"""Which reference belongs to which prediction."""

from polygauge.matching._groups import Groups, find_groups
from polygauge.matching._layers import LayerAreas, TileAreas, compare_areas, compare_tiles
from polygauge.matching._match import detect, match
from polygauge.matching._one_to_one import RULES, TIE, Rule, one_to_one
from polygauge.matching._overlaps import Overlaps, find_overlaps

__all__ = [
    "RULES",
    "TIE",
    "Groups",
    "LayerAreas",
    "Overlaps",
    "Rule",
    "TileAreas",
    "compare_areas",
    "compare_tiles",
    "detect",
    "find_groups",
    "find_overlaps",
    "match",
    "one_to_one",
]
