"""A terminal for the pages."""

from __future__ import annotations

import os

import pytest

from memwarden.render import screen


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Standard output is a terminal of 60 columns."""
    monkeypatch.setattr(screen.sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("shutil.get_terminal_size", lambda _: os.terminal_size((60, 24)))
    monkeypatch.setenv("TERM", "xterm-256color")
    return monkeypatch
