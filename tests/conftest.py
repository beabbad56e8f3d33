"""Settings for all tests."""

from __future__ import annotations

from hypothesis import settings

# A kernel compiles on its first call, so no single example can be held to a time; and the same
# examples come on every machine.
settings.register_profile("polygauge", deadline=None, derandomize=True)
settings.load_profile("polygauge")
