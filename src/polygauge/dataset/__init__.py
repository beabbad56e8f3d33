"""Data to work on: made-up towns with predictions that have typical faults."""

from polygauge.dataset._faults import Faults
from polygauge.dataset._town import Format, Town, make_town, write_town

__all__ = ["Faults", "Format", "Town", "make_town", "write_town"]
