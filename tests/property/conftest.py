"""Generated inputs are the same on every run and untimed; ``--hypothesis-profile=deep`` digs deeper."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("suite", deadline=None, derandomize=True)
settings.register_profile("deep", deadline=None, max_examples=5000)
settings.load_profile("suite")
