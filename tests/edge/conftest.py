"""Fixtures for what is kept in private state."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import Repo
from tests.edge.asking import Ask, asking


@pytest.fixture
def ask(memory_repo: Repo, tmp_path: Path) -> Ask:
    """Asks ``mem`` in a repository with a small memory."""
    return asking(memory_repo, tmp_path / "told")
