"""A look sees every change, whichever process comes to look at it, and leaves no process behind."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memwarden.edge import source_mark
from memwarden.edge.place import Place, find_place
from memwarden.edge.reading import full_look, tree_stamps
from memwarden.edge.reading.full_look import FullLook, begin, is_unchanged
from memwarden.edge.reading.index import indexed_memory
from memwarden.edge.reading.opening import open_memory
from memwarden.edge.reading.tree_stamps import look, stamps_of
from memwarden.edge.tree.worktree import WorkingTree
from tests.conftest import Repo, note_text
from tests.edge.index_ground import settled
from tests.edge.test_index import reader_of


@pytest.fixture(autouse=True)
def several_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_mark, "source_mark", lambda folder: "")
    monkeypatch.setattr(tree_stamps, "SHARE", 2)
    monkeypatch.setattr(full_look, "SHARES_EACH", 1)
    monkeypatch.setattr(full_look, "_processors", lambda: 3)


@pytest.fixture
def place(memory_repo: Repo) -> Place:
    for number in range(12):
        memory_repo.write(f"memory/decisions/{number}.md", note_text(f"Note {number}", id=f"n-{number:08d}"))
    Path(os.fsdecode(bytes(memory_repo.root / "memory/decisions") + b"/odd\xff.md")).write_text("# Odd\n")
    found = settled(find_place(str(memory_repo.root)))
    open_memory(found)
    return found


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """The copies that were started; none of them is there at the end."""
    found: list[int] = []
    fork = os.fork

    def noting() -> int:
        pid = fork()
        found.append(pid)
        return pid

    monkeypatch.setattr(os, "fork", noting)
    yield found
    for pid in found:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_what_stands_is_seen_to_stand_by_three_processes(place: Place, started: list[int]) -> None:
    assert is_unchanged(reader_of(place), place.root)
    assert len(started) == 2


def test_it_is_the_same_from_another_folder(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in (place.root, "/"):
        monkeypatch.chdir(folder)
        assert is_unchanged(reader_of(place), place.root)


def edit(path: Path) -> None:
    info = path.stat()
    data = path.read_bytes()
    path.write_bytes(data[:-1] + b"?")
    os.utime(path, ns=(info.st_atime_ns, info.st_mtime_ns))


def put_another_in_its_place(path: Path) -> None:
    other = path.with_name("other")
    other.write_bytes(path.read_bytes())
    other.replace(path)


@pytest.mark.parametrize(
    "change", [edit, put_another_in_its_place, Path.unlink], ids=lambda one: one.__name__
)
@pytest.mark.parametrize("helped", [True, False], ids=["helped", "alone"])
def test_a_change_to_any_file_is_seen(
    change: Callable[[Path], object], helped: bool, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not helped:
        monkeypatch.setattr(full_look, "_processors", lambda: 1)
    files = [path for path in stamps_of(reader_of(place)) if os.path.isfile(f"{place.root}/{path}")]
    assert len(files) > 13
    for path in files:
        before = Path(place.root, path).read_bytes()
        change(Path(place.root, path))
        assert not is_unchanged(reader_of(place), place.root), path
        Path(place.root, path).write_bytes(before)
        settled(place)
        open_memory(place)
        assert is_unchanged(reader_of(place), place.root)


def test_a_change_after_it_began_and_before_its_last_word_may_be_seen_and_the_next_look_sees_it(
    place: Place,
) -> None:
    going_on = begin(place.root, place.private)
    assert going_on is not None
    edit(Path(place.root, "memory/decisions/3.md"))
    going_on.holds()
    assert not is_unchanged(reader_of(place), place.root)


def test_a_copy_that_dies_is_believed_nothing(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    parent = os.getpid()
    monkeypatch.setattr(FullLook, "_take_part", lambda look: os.getpid() == parent or os._exit(9))
    assert not is_unchanged(reader_of(place), place.root)


def test_where_no_copy_can_be_had_one_process_looks_at_all(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused() -> int:
        raise BlockingIOError

    monkeypatch.setattr(os, "fork", refused)
    assert is_unchanged(reader_of(place), place.root)
    edit(Path(place.root, "memory/decisions/3.md"))
    assert not is_unchanged(reader_of(place), place.root)


def test_where_nobody_hears_how_a_copy_ended_it_is_looked_again(place: Place) -> None:
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        assert is_unchanged(reader_of(place), place.root)
        edit(Path(place.root, "memory/decisions/3.md"))
        assert not is_unchanged(reader_of(place), place.root)
    finally:
        signal.signal(signal.SIGCHLD, before)


def test_a_look_that_nobody_waits_for_leaves_nothing_behind(place: Place, started: list[int]) -> None:
    files = len(os.listdir("/dev/fd"))
    going_on = begin(place.root, place.private)
    assert going_on is not None
    going_on.close()
    going_on.close()
    del going_on
    assert len(started) == 2
    assert len(os.listdir("/dev/fd")) == files


def test_the_memory_comes_out_of_an_index_that_several_looked_at(place: Place) -> None:
    found = indexed_memory(place, WorkingTree(place.root))
    assert found is not None
    assert found[1:] == open_memory(place, cache=False)[1:]


def test_the_index_tells_every_stamp(place: Place) -> None:
    tree = look(place.root)
    assert stamps_of(reader_of(place)) == dict(zip(tree.paths, tree.stamps, strict=True))


def test_no_memory_has_more_shares_than_a_byte_can_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree_stamps, "SHARE", 512)
    for count in (1, 511, 512, 513, 128_000, 128_001, 300_000):
        shares = tree_stamps.shares({f"memory/{number}": (number, 1, 2, 3) for number in range(count)})
        assert len(shares) <= 256
        assert sum(len(stamps) for _, stamps in shares) == count
