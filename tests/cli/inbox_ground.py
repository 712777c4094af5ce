"""A memory with a candidate in its inbox."""

from __future__ import annotations

import pytest

from tests.conftest import Mem, Repo

AGENT = {"CLAUDECODE": "1"}


@pytest.fixture
def ready(memory_repo: Repo) -> Repo:
    memory_repo.write("docs/adr.md", "# Decision\n")
    memory_repo.commit("files")
    return memory_repo


@pytest.fixture
def candidate(ready: Repo, inside: Mem) -> str:
    """The ID of what an agent has observed."""
    ran = inside("add", "Retries need a cap", "--anchor", "src/retry.py", "--json", env=AGENT)
    (note,) = ran.json["notes"]
    return str(note)
