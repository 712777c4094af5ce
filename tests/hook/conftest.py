"""A memory with something to say."""

from __future__ import annotations

import pytest

from tests.conftest import Repo, note_text


@pytest.fixture
def noted(memory_repo: Repo) -> Repo:
    """A memory with one rule on a.py and one debt on b.py."""
    memory_repo.write("a.py", "a\n")
    memory_repo.write("b.py", "b\n")
    memory_repo.write(
        "memory/decisions/a.md", note_text("Keep a.py small", anchors="[a.py]", id="n-rv1e0000")
    )
    memory_repo.write(
        "memory/debts/b.md",
        note_text(
            "b.py waits",
            anchors="[b.py]",
            id="n-debt0000",
            lifecycle="debt",
            facet="behavior",
            condition="{file_contains: {path: b.py, pattern: done}}",
        ),
    )
    memory_repo.commit("notes")
    return memory_repo
