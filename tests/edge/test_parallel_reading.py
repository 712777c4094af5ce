"""What several processes read is what one reads; a process that fails is no loss."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest

from memwarden.core.memory import Memory
from memwarden.edge.git.git_workspace import IndexTree
from memwarden.edge.git.objects import Objects
from memwarden.edge.place import find_place
from memwarden.edge.reading import parallel_reading
from memwarden.edge.reading.blob_readings import BlobReadings
from memwarden.edge.reading.copies import Copy, give
from memwarden.edge.reading.opening import open_memory
from memwarden.edge.reading.parallel_reading import is_note, read_notes
from memwarden.edge.tree.worktree import WorkingTree
from memwarden.edit.record_reader import reading_of
from tests.conftest import Repo, note_text


@pytest.fixture
def paths(memory_repo: Repo, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setattr(parallel_reading, "LEAST", 4)
    monkeypatch.setattr(parallel_reading, "processors", lambda: 3)
    found = []
    for number in range(20):
        path = f"memory/decisions/{number:02d}.md"
        text = note_text(f"Note {number}", id=f"n-{number:08d}", subject=f"path:a.py#{number}")
        memory_repo.write(path, text if number % 5 else "---\nid: [\n---\n")
        found.append(path)
    (memory_repo.root / "memory/decisions/07.md").unlink()
    (memory_repo.root / "memory/decisions/07.md").symlink_to("/etc/hostname")
    memory_repo.write("memory/decisions/08.md", "x" * (2 << 20))
    return found


def test_several_processes_find_what_one_finds(paths: list[str], memory_repo: Repo) -> None:
    tree = WorkingTree(str(memory_repo.root))
    readable = [path for path in paths if not path.endswith(("07.md", "08.md"))]
    assert read_notes(tree, paths) == {path: reading_of(path, tree.read(path)) for path in readable}


def test_a_first_reading_is_the_same_with_many_processes(paths: list[str], memory_repo: Repo) -> None:
    (memory_repo.root / "memory/decisions/07.md").unlink()
    place = find_place(str(memory_repo.root))
    assert open_memory(place)[1:] == open_memory(place, cache=False)[1:]
    assert open_memory(place)[1:] == open_memory(place, cache=False)[1:]


def test_a_process_that_dies_takes_only_its_share_with_it(
    paths: list[str], memory_repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    parent = os.getpid()
    read = parallel_reading._read

    def dying(workspace: WorkingTree, share: list[str]) -> list[object]:
        if os.getpid() != parent and "memory/decisions/01.md" in share:
            os._exit(9)
        return read(workspace, share)

    monkeypatch.setattr(parallel_reading, "_read", dying)
    found = read_notes(WorkingTree(str(memory_repo.root)), paths)
    assert "memory/decisions/00.md" in found
    assert "memory/decisions/02.md" in found
    assert "memory/decisions/01.md" not in found


def test_interrupted_reading_leaves_no_process_behind_that_nobody_hears(
    paths: list[str], memory_repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    parent, begun = os.getpid(), []
    read = parallel_reading._read

    def interrupted(workspace: WorkingTree, share: list[str]) -> dict[str, object]:
        if os.getpid() == parent:
            raise KeyboardInterrupt
        return {"x" * (1 << 20): (None, ()), **read(workspace, share)}  # more than a pipe holds

    def known(work: Callable[[], bytes]) -> Copy | None:
        begun.append(give(work))
        return begun[-1]

    monkeypatch.setattr(parallel_reading, "_read", interrupted)
    monkeypatch.setattr(parallel_reading, "give", known)
    with pytest.raises(KeyboardInterrupt):
        read_notes(WorkingTree(str(memory_repo.root)), paths)
    assert len(begun) == 2
    for copy in begun:
        assert copy is not None
        with pytest.raises(ProcessLookupError):
            os.kill(copy.pid, 0)


def test_git_ends_though_a_copy_goes_on(memory_repo: Repo) -> None:
    memory_repo.commit()
    oid = memory_repo.git("rev-parse", "HEAD:memory/manifest.md").strip()
    rest, end = os.pipe()
    with Objects(find_place(str(memory_repo.root))) as objects:
        text = objects.read(oid)
        copy = give(lambda: os.read(rest, 1))
    with Objects(find_place(str(memory_repo.root))) as objects:
        assert objects.read(oid) == text
    assert copy is not None
    os.write(end, b"x")
    assert copy.result() == b"x"
    for number in (rest, end):
        os.close(number)


def test_where_no_process_can_be_had_the_rest_is_left_to_others(
    paths: list[str], memory_repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> int:
        raise BlockingIOError("too many processes")

    monkeypatch.setattr(os, "fork", refuse)
    found = read_notes(WorkingTree(str(memory_repo.root)), paths)
    assert sorted(found) == [f"memory/decisions/{number:02d}.md" for number in range(0, 20, 3)]


def test_few_notes_are_read_by_one_process(memory_repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> int:
        raise AssertionError("no process is needed")

    monkeypatch.setattr(os, "fork", refuse)
    memory_repo.write("memory/decisions/one.md", note_text("One"))
    assert "One" in [note.title for note in open_memory(find_place(str(memory_repo.root))).notes]


@pytest.mark.parametrize(
    ("path", "verdict"),
    [
        ("memory/brief.md", True),
        ("memory/decisions/x.md", True),
        ("memory/decisions/README.md", False),
        ("memory/decisions/.x.md", False),
        ("memory/manifest.md", False),
        ("memory/subjects/x.md", False),
        ("memory/events/n-aaaaaaaa/0001-paid-00000000.json", False),
        ("memory/decisions/x.txt", False),
    ],
)
def test_only_notes_are_read_ahead(path: str, verdict: bool) -> None:
    assert is_note(path) is verdict


def test_staged_notes_are_the_same_with_many_processes(
    paths: list[str], memory_repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    (memory_repo.root / "memory/decisions/09.md").unlink()
    (memory_repo.root / "memory/decisions/09.md").symlink_to("01.md")
    memory_repo.git("add", "-A")
    place = find_place(str(memory_repo.root))

    def staged() -> Memory:
        tree = IndexTree(place)
        try:
            return BlobReadings(place).loaded(tree)._replace(workspace=tree)
        finally:
            tree.close()

    together = staged()
    monkeypatch.setattr(parallel_reading, "LEAST", 1000)
    assert together[1:] == staged()[1:]
    assert len(together.notes) > 10
