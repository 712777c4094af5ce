"""A changed memory is what reading the changed tree would give."""

from __future__ import annotations

import pytest

from memwarden.core.memory import Memory
from memwarden.core.workspace import Overlay
from memwarden.edge.tree.worktree import WorkingTree
from memwarden.edit.memory_reader import load
from memwarden.edit.snapshot import changed_memory
from tests.conftest import MANIFEST, Repo, note_text

EVENT = "memory/events/n-aaaaaaaa/0001-revoked-00000000.json"
CHANGES: list[dict[str, bytes | None]] = [
    {},
    {"src/a.py": b"x"},
    {"memory/decisions/new.md": note_text("New", id="n-bbbbbbbb").encode()},
    {"memory/decisions/a.md": None},
    {"memory/decisions/a.md": note_text("Changed", id="n-aaaaaaaa").encode()},
    {"memory/decisions/a.md": b"---\nid: [\n"},
    {"memory/decisions/broken.md": note_text("Mended", id="n-cccccccc").encode()},
    {"memory/manifest.md": MANIFEST.replace("4000", "5").encode()},
    {"memory/manifest.md": None},
    {"memory/subjects/x.md": b"---\nid: x\nname: X\nkind: concept\n---\n# X\n"},
    {EVENT: b"{}"},
    {"memory/decisions/a.md": None, "memory/archive/a.md": note_text("A", id="n-aaaaaaaa").encode()},
    {"memory/decisions/stray.txt": b"stray"},
]


@pytest.fixture
def memory(memory_repo: Repo) -> Memory:
    memory_repo.write("memory/decisions/a.md", note_text("A", id="n-aaaaaaaa", facet="vibes"))
    memory_repo.write("memory/decisions/broken.md", "---\nid: [\n")
    memory_repo.write("memory/events/n-aaaaaaaa/odd.json", "{}")
    return load(WorkingTree(str(memory_repo.root)))


@pytest.mark.parametrize("changes", CHANGES)
def test_it_equals_reading_the_changed_tree(memory: Memory, changes: dict[str, bytes | None]) -> None:
    whole = load(Overlay(memory.workspace, changes))
    assert changed_memory(memory, changes)._replace(workspace=whole.workspace) == whole
