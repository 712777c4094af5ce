"""The memory that is read at once is the memory, or none."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

import pytest

from memwarden.edge.erase.held_tree import HeldTree, held_memory
from memwarden.edge.place import find_place
from memwarden.edge.reading.opening import open_memory
from memwarden.edge.tree.worktree import WorkingTree
from tests.conftest import Repo, note_text

NOTE = "memory/decisions/one.md"


@pytest.fixture
def indexed(memory_repo: Repo) -> Repo:
    """A memory whose index holds for every file: older than the clock's last tick."""
    memory_repo.write(NOTE, note_text("A note"))
    memory_repo.write("memory/events/n-4f7k2m9q/odd.txt", "no event")
    place = find_place(str(memory_repo.root))
    for _ in range(50):
        open_memory(place)
        if held_memory(place) is not None:
            break
        time.sleep(0.02)
    return memory_repo


def test_it_is_the_memory_with_every_content_at_hand(indexed: Repo) -> None:
    place = find_place(str(indexed.root))
    held, read = held_memory(place), open_memory(place)
    assert held is not None
    assert isinstance(held.workspace, HeldTree)
    assert held._replace(workspace=read.workspace) == read
    plain = WorkingTree(place.root)
    assert list(held.workspace.paths("memory")) == list(plain.paths("memory"))
    assert list(held.workspace.paths("memory/events")) == list(plain.paths("memory/events"))
    (indexed.root / NOTE).unlink()
    assert held.workspace.read(NOTE) == note_text("A note").encode()


def edited(root: str) -> None:
    with open(os.path.join(root, NOTE), "a", encoding="utf-8") as file:
        file.write("more\n")


def added(root: str) -> None:
    with open(os.path.join(root, "memory/decisions/two.md"), "w", encoding="utf-8") as file:
        file.write(note_text("Another", id="n-22222222"))


def removed(root: str) -> None:
    os.unlink(os.path.join(root, NOTE))


def linked(root: str) -> None:
    removed(root)
    os.symlink("../brief.md", os.path.join(root, NOTE))


def piped(root: str) -> None:
    removed(root)
    os.mkfifo(os.path.join(root, NOTE))


def another_repository(root: str) -> None:
    os.makedirs(os.path.join(root, "memory/decisions/.git"))


@pytest.mark.parametrize("change", [edited, added, removed, linked, piped, another_repository])
def test_what_has_changed_since_is_not_held(indexed: Repo, change: Callable[[str], None]) -> None:
    place = find_place(str(indexed.root))
    assert held_memory(place) is not None
    change(place.root)
    assert held_memory(place) is None


def test_a_folder_with_a_files_name_and_a_repository_inside_are_left_to_the_tree(memory_repo: Repo) -> None:
    place = find_place(str(memory_repo.root))
    for name in ("memory/decisions/odd.md", "memory/decisions/inner/.git"):
        os.makedirs(os.path.join(place.root, name))
        time.sleep(0.05)
        open_memory(place)
        assert held_memory(place) is None
        os.rmdir(os.path.join(place.root, name))
