"""git that was asked ahead says what it would say now, or is not believed."""

from __future__ import annotations

import os

import pytest

from memwarden.edge.erase import staged
from memwarden.edge.erase.asked import Asked
from memwarden.edge.erase.staged import ask_ahead, staged_files
from memwarden.edge.place import Place, find_place
from memwarden.errors import MemError
from tests.conftest import Repo


@pytest.fixture
def place(memory_repo: Repo) -> Place:
    return find_place(str(memory_repo.root))


def is_over(asked: Asked) -> bool:
    """Whether git has ended, and was waited for."""
    try:
        os.waitpid(asked._child.pid, os.WNOHANG)
    except ChildProcessError:
        return True
    return False


def asked_ahead(place: Place) -> Asked:
    ask_ahead(place)
    assert staged._asked is not None
    return staged._asked[2]


def test_it_is_the_same_answer(place: Place) -> None:
    asked = Asked(place, "rev-parse", "HEAD")
    assert len(asked.heard()) == 41
    asked.leave()
    assert is_over(asked)


def test_a_refusal_is_raised_when_it_is_heard(place: Place) -> None:
    asked = Asked(place, "rev-parse", "--verify", "nothing")
    with pytest.raises(MemError):
        asked.heard()


def test_who_is_left_ends(place: Place) -> None:
    asked = Asked(place, "cat-file", "--batch-check", "--batch-all-objects")
    asked.leave()
    asked.leave()
    assert is_over(asked)


def test_what_was_listed_ahead_is_what_is_staged(memory_repo: Repo, place: Place) -> None:
    memory_repo.write("odd\tname\n.txt", "odd")
    memory_repo.git("add", "-A")
    plain = staged_files(place)
    staged._last = None
    asked = asked_ahead(place)
    assert staged_files(place) == plain
    assert "odd\tname\n.txt" in [path for _, _, path in plain]
    assert staged._asked is None
    assert is_over(asked)


def test_a_list_from_before_the_index_changed_is_not_believed(memory_repo: Repo, place: Place) -> None:
    asked = asked_ahead(place)
    memory_repo.write("new.txt", "new")
    memory_repo.git("add", "-A")
    assert "new.txt" in [path for _, _, path in staged_files(place)]
    assert is_over(asked)


def test_who_is_asked_again_is_left(place: Place) -> None:
    first = asked_ahead(place)
    second = asked_ahead(place)
    assert is_over(first)
    staged_files(place)
    assert is_over(second)
