"""Readings by blob: the same memory with and without them, and no trouble where they cannot be kept."""

from __future__ import annotations

import os

import pytest

from memwarden.core.memory import Memory
from memwarden.edge.git.git_workspace import IndexTree
from memwarden.edge.place import Place, find_place
from memwarden.edge.reading.blob_readings import FILE, BlobReadings
from tests.conftest import Repo, note_text

A = "memory/decisions/a.md"


@pytest.fixture
def place(memory_repo: Repo) -> Place:
    memory_repo.write(A, note_text("a", lifecycle="debt", condition="{file_exists: x}", anchors="[a.py]"))
    memory_repo.write("memory/decisions/b.md", "---\nid: [\n---\n")
    memory_repo.git("add", "-A")
    return find_place(str(memory_repo.root))


def loaded(place: Place) -> Memory:
    readings = BlobReadings(place)
    tree = IndexTree(place)
    try:
        memory = readings.loaded(tree)
    finally:
        tree.close()
    readings.keep()
    return memory._replace(workspace=None)  # type: ignore[arg-type]


def test_the_second_reading_is_the_first_and_parses_nothing(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = loaded(place)

    def put(*_: object) -> None:
        raise AssertionError("a known blob was read again")

    monkeypatch.setattr(BlobReadings, "put", put)
    assert loaded(place) == first
    assert len(first.notes) == 2
    assert first.broken == ("memory/decisions/b.md",)


def test_only_what_changed_is_read(place: Place, memory_repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    loaded(place)
    memory_repo.write(A, note_text("changed"))
    memory_repo.git("add", "-A")
    read: list[str] = []
    put = BlobReadings.put

    def listening(self: BlobReadings, path: str, *rest: object) -> None:
        read.append(path)
        put(self, path, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(BlobReadings, "put", listening)
    assert [note.title for note in loaded(place).notes if note.path == A] == ["changed"]
    assert read == [A]


def test_the_same_blob_at_another_path_is_another_reading(place: Place, memory_repo: Repo) -> None:
    memory_repo.write("memory/decisions/one.md", "no heading\n")
    memory_repo.write("memory/decisions/two.md", "no heading\n")
    memory_repo.git("add", "-A")
    loaded(place)
    titles = [note.title for note in loaded(place).notes]
    assert {"one", "two"} <= set(titles)


@pytest.mark.parametrize("damage", [b"", b"x" * 5000])
def test_damaged_readings_are_as_good_as_none(place: Place, memory_repo: Repo, damage: bytes) -> None:
    first = loaded(place)
    memory_repo.write(f".git/mem/{FILE}", damage)
    assert loaded(place) == first


def test_readings_that_cannot_be_kept_are_not_missed(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    opened, refused = os.open, []

    def refuse(path: str, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        if flags & os.O_CREAT:
            refused.append(path)
            raise PermissionError
        return opened(path, flags, mode, dir_fd=dir_fd)

    monkeypatch.setattr(os, "open", refuse)
    assert len(loaded(place).notes) == 2
    assert refused
