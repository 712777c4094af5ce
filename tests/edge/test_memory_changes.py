"""git is asked what the memory changes while it is read: the answer is the same, and what changes in between
is read again."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from memwarden.edge.git import changes, plumbing
from memwarden.edge.git.changes import MemoryChanges, memory_changes
from memwarden.edge.git.plumbing import Child
from memwarden.edge.place import Place, find_place
from memwarden.edge.reading import index, witness
from memwarden.edge.reading.opening import open_memory
from memwarden.errors import MemError
from tests.conftest import Repo, note_text
from tests.edge.index_ground import one_program, settled

__all__ = ["one_program"]
NOTE = "memory/decisions/a.md"


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The processes that were started to be asked."""
    pids: list[int] = []

    def spawn(*words: Any) -> Child:
        child = plumbing.spawn(*words)
        pids.append(child.pid)
        return child

    monkeypatch.setattr(changes, "spawn", spawn)
    return pids


@pytest.fixture
def place(memory_repo: Repo) -> Place:
    for name in ("a", "b", "c"):
        memory_repo.write(f"memory/decisions/{name}.md", note_text(name, id=f"n-aaaaaaa{len(name)}"))
    memory_repo.commit("notes")
    memory_repo.write(NOTE, "changed\n")
    (memory_repo.root / "memory/decisions/b.md").unlink()
    memory_repo.write("memory/decisions/new é.md", "new\n")
    return find_place(str(memory_repo.root))


def head_of(place: Place) -> str:
    return Repo(Path(place.root)).git("rev-parse", "HEAD").strip()


def test_what_was_edited_removed_and_added_is_told_with_the_blob_before(place: Place) -> None:
    repo = Repo(Path(place.root))
    there = [NOTE, "memory/decisions/c.md", "memory/manifest.md", "memory/decisions/new é.md"]
    found = memory_changes(place, head_of(place), there)
    blobs = {path: repo.git("rev-parse", f"HEAD:{path}").strip() for path in (NOTE, "memory/decisions/b.md")}
    assert found.before == {**blobs, "memory/decisions/new é.md": ""}
    assert found.after == {NOTE: "?", "memory/decisions/b.md": "", "memory/decisions/new é.md": "?"}


def test_each_commit_has_its_own_answer_and_the_same_as_alone(place: Place) -> None:
    repo = Repo(Path(place.root))
    first = head_of(place)
    repo.commit("second")
    there = [NOTE, "memory/decisions/c.md"]
    asked = MemoryChanges(place, (first, head_of(place)))
    asked.begin()
    asked.begin()
    assert asked.found(there) == [memory_changes(place, one, there) for one in (first, head_of(place))]


def is_gone(pid: int) -> bool:
    """Whether a child has ended and was heard."""
    try:
        os.waitpid(pid, os.WNOHANG)
    except ChildProcessError:
        return True
    return False


def test_nobody_is_left_behind_where_the_answer_is_not_wanted(place: Place) -> None:
    asked = MemoryChanges(place, (head_of(place),))
    asked.begin()
    pids = [child.pid for child in asked._children]
    asked.close()
    assert len(pids) == 2
    assert all(map(is_gone, pids))


def test_a_commit_that_is_not_there_is_told_and_nobody_is_left_behind(place: Place) -> None:
    asked = MemoryChanges(place, ("f" * 40,))
    asked.begin()
    pids = [child.pid for child in asked._children]
    with pytest.raises(MemError):
        asked.found([])
    asked.close()
    assert all(map(is_gone, pids))


def test_what_changes_while_git_looks_is_read_again_next_time(place: Place) -> None:
    open_memory(place, beside=lambda: (Path(place.root) / NOTE).touch())
    assert index.indexed_memory(place, open_memory(place, cache=False).workspace) is None


def test_a_witness_hears_that_git_is_asked_meanwhile(place: Place) -> None:
    asked = MemoryChanges(place, (head_of(place),))
    seen = witness.watch(place)
    try:
        open_memory(place, beside=asked.begin)
    finally:
        witness.rest()
        asked.close()
    assert seen.sound
    assert os.path.join(place.git_dir, "MERGE_HEAD") in seen.looks


def test_an_index_that_is_fresh_needs_nothing_beside(place: Place) -> None:
    settled(place)
    open_memory(place)
    begun: list[int] = []
    open_memory(place, beside=lambda: begun.append(1))
    assert not begun
