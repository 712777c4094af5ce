"""What the tests of ``mem import`` stand on: a memory that has just begun."""

from __future__ import annotations

import pytest

from tests.conftest import Mem, Repo


@pytest.fixture
def mem(inside: Mem) -> Mem:
    """In the test's own process: quick."""
    return inside


@pytest.fixture
def started(repo: Repo, mem: Mem) -> Repo:
    """A repository right after ``mem init``."""
    assert mem("init").code == 0
    repo.commit("start")
    return repo
