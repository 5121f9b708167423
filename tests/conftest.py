"""Settings for all tests: no test depends on how fast the machine is."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("triage", deadline=None, derandomize=True)
settings.load_profile("triage")
