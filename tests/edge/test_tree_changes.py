"""git compares trees while nobody listens yet: nothing is lost, and nothing hangs."""

from __future__ import annotations

import pytest

from memwarden.edge.erase import tree_changes as comparing
from memwarden.edge.erase.tree_changes import EMPTY_TREES, Comparing, tree_changes
from memwarden.edge.place import Place, find_place
from tests.conftest import Repo, is_a_child

FILES = [f"src/part{number:03}/a rather long name of a file.txt" for number in range(300)]


@pytest.fixture
def pairs(repo: Repo) -> list[bytes]:
    """Two pairs of trees with many files between them."""
    for path in FILES:
        repo.write(path, path)
    repo.commit("many")
    first = repo.git("rev-parse", "HEAD^{tree}").strip().encode()
    for path in FILES:
        repo.write(path, path + "\nchanged")
    repo.commit("changed")
    second = repo.git("rev-parse", "HEAD^{tree}").strip().encode()
    return [b"%s %s" % (EMPTY_TREES[40], first), b"%s %s" % (first, second)]


@pytest.fixture
def place(repo: Repo) -> Place:
    return find_place(str(repo.root))


def _paths(place: Place, pairs: list[bytes], asked: Comparing | None) -> list[str]:
    found = tree_changes(place, pairs, lambda: pytest.fail("no tree is missing"), set(), _all_matter, asked)
    return [path.decode() for _, _, _, path in found]


def _all_matter(facts: bytes, paths: bytes) -> bool:
    return True


def test_what_git_says_before_it_is_asked_for_is_heard(place: Place, pairs: list[bytes]) -> None:
    assert _paths(place, pairs, Comparing(place, pairs)) == FILES * 2


def test_git_waits_where_more_would_be_held_than_may_be(
    place: Place, pairs: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(comparing, "_MOST_HELD", 1)
    assert _paths(place, pairs, Comparing(place, pairs)) == FILES * 2


def test_git_that_nobody_listens_to_ends(
    place: Place, pairs: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(comparing, "_MOST_HELD", 1)
    asked = Comparing(place, pairs * 200)
    asked.end()
    assert not is_a_child(asked._child.pid)


def test_changes_that_are_not_all_taken_leave_no_git_behind(place: Place, pairs: list[bytes]) -> None:
    asked = Comparing(place, pairs * 50)
    found = tree_changes(place, pairs * 50, lambda: None, set(), _all_matter, asked)
    next(found)
    assert is_a_child(asked._child.pid)
    found.close()
    assert not is_a_child(asked._child.pid)
