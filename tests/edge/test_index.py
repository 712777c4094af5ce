"""The index is never the authority: whatever is done behind its back, the answer is the files' own."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from memwarden.core.memory import Memory
from memwarden.core.workspace import Workspace
from memwarden.edge import source_mark
from memwarden.edge.index_read import IndexReader, mark_stale, open_index
from memwarden.edge.place import Place, find_place
from memwarden.edge.reading import index
from memwarden.edge.reading.opening import open_memory
from memwarden.edit import memory_reader, record_reader
from tests.conftest import Repo, note_text
from tests.edge.index_ground import one_program as one_program
from tests.edge.index_ground import settled

A = "memory/decisions/a.md"
B = "memory/decisions/b.md"
DEBT = "memory/debts/flaky.md"
TODAY = "2026-11-30"
EVENT = """{"actor": {"kind": "human", "name": "Ada"}, "at": "2026-11-30T12:00:00Z", "kind": "revoked",
"note": "n-aaaaaaaa", "reason": "wrong", "schema": 1, "seq": 1}"""


@pytest.fixture
def place(memory_repo: Repo) -> Place:
    memory_repo.write(A, note_text("First", id="n-aaaaaaaa", anchors="[src/a.py]"))
    memory_repo.write(B, note_text("Second", id="n-bbbbbbbb", facet="security", anchors="['src/**']"))
    condition = "{file_contains: {path: src/a.py, pattern: frozen}}"
    memory_repo.write(
        DEBT, note_text("Flaky", id="n-cccccccc", lifecycle="debt", condition=condition, anchors="['*.py']")
    )
    memory_repo.write("memory/decisions/broken.md", "---\nid: [\n---\n")
    memory_repo.write("memory/subjects/x.md", "---\nid: x\nname: X\nkind: concept\n---\n")
    memory_repo.commit("notes")
    return settled(find_place(str(memory_repo.root)))


def opened(place: Place) -> Memory:
    """The memory through the index, which must say what a reading without one says."""
    found = open_memory(place)
    assert found[1:] == open_memory(place, cache=False)[1:]
    return found


def is_fresh(place: Place) -> bool:
    return index.indexed_memory(place, open_memory(place, cache=False).workspace) is not None


def reader_of(place: Place) -> IndexReader:
    found = open_index(place.private)
    assert found is not None
    return found


def edited(root: Path, path: str) -> None:
    file = root / path
    file.write_text(file.read_text().replace("First", "Later"))


def put_back_in_time(root: Path, path: str) -> None:
    before = (root / path).stat()
    edited(root, path)
    os.utime(root / path, ns=(before.st_atime_ns, before.st_mtime_ns))


def replaced(root: Path, path: str) -> None:
    new = root / "memory/decisions/.new"
    new.write_text((root / path).read_text().replace("First", "Later"))
    shutil.copystat(root / path, new)
    new.replace(root / path)


def swapped_for_a_link(root: Path, path: str) -> None:
    (root / "elsewhere.md").write_text((root / path).read_text().replace("First", "Later"))
    (root / path).unlink()
    (root / path).symlink_to("../../elsewhere.md")


def checked_out(root: Path, path: str) -> None:
    edited(root, path)
    for arguments in (("commit", "-qam", "later"), ("checkout", "-q", "HEAD~1")):
        subprocess.run(["git", *arguments], cwd=root, check=True)


def folder_swapped(root: Path, path: str) -> None:
    shutil.copytree(root / "memory/decisions", root / "memory/other")
    edited(root, "memory/other/a.md")
    shutil.move(root / "memory/decisions", root / "gone")
    shutil.move(root / "memory/other", root / "memory/decisions")


# What is done behind the index's back, and whether a touch, which looks at the folders' times only, sees
# it at once (True) or at the next full look, which each prompt and each command makes.
BEHIND_ITS_BACK: dict[str, tuple[Callable[[Path, str], object], bool]] = {
    "an edit in place": (edited, False),
    "an edit of the same size, its time put back": (put_back_in_time, False),
    "another file renamed over it": (replaced, True),
    "removal": (lambda root, path: (root / path).unlink(), True),
    "a new note": (lambda root, path: (root / "memory/decisions/c.md").write_text("# New\n"), True),
    "a new folder": (lambda root, path: (root / "memory/new").mkdir(), True),
    "a rename": (lambda root, path: (root / path).rename(root / "memory/decisions/z.md"), True),
    "a folder's rename": (lambda root, path: (root / "memory/debts").rename(root / "memory/owed"), True),
    "a folder swapped for its copy": (folder_swapped, True),
    "a link in its place": (swapped_for_a_link, True),
    "a git checkout": (checked_out, True),
    "a change of mode": (lambda root, path: (root / path).chmod(0o200), False),
    "an edit of the manifest": (lambda root, path: edited_manifest(root), True),
    "an event": (lambda root, path: write_event(root), False),
    "an edit of a subject": (
        lambda root, path: (root / "memory/subjects/x.md").write_text("---\nid: x\nname: Y\n---\n"),
        False,
    ),
}


def edited_manifest(root: Path) -> None:
    file = root / "memory/manifest.md"
    file.write_text(file.read_text().replace("total: 4000", "total: 4001"))


def write_event(root: Path) -> None:
    folder = root / "memory/events/n-cccccccc"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "0001-revoked-00000000.json").write_text("{}")


@pytest.mark.parametrize("what", BEHIND_ITS_BACK)
def test_every_change_behind_its_back_is_seen_by_a_full_look(what: str, place: Place) -> None:
    change, _ = BEHIND_ITS_BACK[what]
    first = opened(place)
    assert is_fresh(place)
    change(Path(place.root), A)
    assert not is_fresh(place)
    opened(place)
    assert len(first.notes) == 4


@pytest.mark.parametrize("what", BEHIND_ITS_BACK)
def test_what_a_touch_sees_at_once_is_what_the_folders_times_tell(what: str, place: Place) -> None:
    change, at_once = BEHIND_ITS_BACK[what]
    if what == "an event":
        write_event(Path(place.root))
        settled(place)
    opened(place)
    assert reader_of(place).fresh(place.root, TODAY)
    if what == "an event":
        Path(place.root, "memory/events/n-cccccccc/0002-revoked-00000000.json").write_text("{}")
    else:
        change(Path(place.root), A)
    assert reader_of(place).fresh(place.root, TODAY) is not at_once


def test_a_note_edited_in_place_is_not_current_though_its_folder_is(place: Place) -> None:
    opened(place)
    edited(Path(place.root), A)
    reader = reader_of(place)
    rows = reader.candidates("src/a.py")
    assert rows is not None
    assert [(row[0], reader.current(row, place.root)) for row in rows] == [
        (DEBT, True),
        (A, False),
        (B, True),
    ]


def test_a_note_with_a_new_event_is_not_current(place: Place) -> None:
    opened(place)
    write_event(Path(place.root))
    reader = reader_of(place)
    rows = reader.candidates("src/a.py")
    assert rows is not None
    assert [reader.current(row, place.root) for row in rows] == [False, True, True]


def test_a_write_that_a_hook_saw_makes_the_index_stale_until_the_next_full_look(place: Place) -> None:
    opened(place)
    mark_stale(place.private)
    assert not reader_of(place).fresh(place.root, TODAY)
    edited(Path(place.root), A)
    settled(place)
    opened(place)
    assert reader_of(place).fresh(place.root, TODAY)


def test_a_touch_finds_the_notes_that_the_path_matches(place: Place) -> None:
    opened(place)
    reader = reader_of(place)
    assert [row[0] for row in reader.candidates("src/a.py") or []] == [DEBT, A, B]
    assert [row[0] for row in reader.candidates("src/deep/b.txt") or []] == [B]
    assert reader.candidates("README.md") == []
    assert reader.command_notes() == []


def test_command_anchors_are_found_by_themselves(memory_repo: Repo) -> None:
    memory_repo.write(A, note_text("First", id="n-aaaaaaaa", anchors="[{command: '^make'}, src/a.py]"))
    place = settled(find_place(str(memory_repo.root)))
    opened(place)
    assert [row[0] for row in reader_of(place).command_notes() or []] == [A]


def test_a_file_as_young_as_the_look_at_it_is_not_trusted(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(place)
    edited(Path(place.root), A)
    info = os.stat(Path(place.root, A))
    monkeypatch.setattr(index, "beginning", lambda fd, tree: info.st_ctime_ns)
    opened(place)
    monkeypatch.undo()
    assert not is_fresh(place)
    opened(settled(place))
    assert is_fresh(place)


def test_a_file_that_changes_while_it_is_read_is_read_again(place: Place) -> None:
    def reading(workspace: Workspace, known: index.NoteReadings) -> Memory:
        memory = memory_reader.load(workspace, known)
        edited(Path(place.root), A)
        return memory

    index.read_and_index(place, open_memory(place, cache=False).workspace, reading, lambda: TODAY)
    assert not is_fresh(place)
    assert opened(place).notes[2].title == "Later"


def test_unchanged_notes_and_events_are_not_parsed_again(
    place: Place, memory_repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_event(Path(place.root))
    memory_repo.write("memory/events/n-aaaaaaaa/0001-revoked-95c50b7f.json", EVENT)
    settled(place)
    assert "n-aaaaaaaa" in opened(place).events
    parsed: list[str] = []

    def noted(read: Callable[[str, bytes], object]) -> Callable[[str, bytes], object]:
        return lambda path, data: (parsed.append(path), read(path, data))[1]

    for name in ("reading_of", "event_of"):
        monkeypatch.setattr(record_reader, name, noted(getattr(record_reader, name)))
    edited(Path(place.root), A)
    found = open_memory(place)
    assert parsed == [A]
    monkeypatch.undo()
    monkeypatch.setattr(source_mark, "source_mark", lambda folder: "")
    assert found[1:] == open_memory(place, cache=False)[1:]


def test_the_standings_of_an_index_hold_until_a_date_changes_one(memory_repo: Repo) -> None:
    memory_repo.write(A, note_text("First", id="n-aaaaaaaa", expires="2020-01-01"))
    memory_repo.write(B, note_text("Second", id="n-bbbbbbbb", not_before="2999-05-01", facet="security"))
    place = settled(find_place(str(memory_repo.root)))
    opened(place)
    reader = reader_of(place)
    days = ("2020-01-01", "2020-01-02", "2999-04-30", "2999-05-01")
    assert [reader.fresh(place.root, day) for day in days] == [False, True, True, False]


def test_nothing_is_written_into_the_working_tree(place: Place) -> None:
    before = {path: path.lstat() for path in sorted(Path(place.root).rglob("*")) if ".git" not in path.parts}
    opened(place)
    after = {path: path.lstat() for path in sorted(Path(place.root).rglob("*")) if ".git" not in path.parts}
    assert {path: info.st_mtime_ns for path, info in before.items()} == {
        path: info.st_mtime_ns for path, info in after.items()
    }


def test_a_memory_with_a_link_in_it_is_read_each_time(place: Place) -> None:
    swapped_for_a_link(Path(place.root), A)
    opened(place)
    assert not is_fresh(place)
    Path(place.root, "elsewhere.md").write_text("# Other\n")
    assert any(note.title == "Other" for note in opened(place).notes)


def test_linked_worktrees_keep_their_own_index(place: Place, memory_repo: Repo) -> None:
    opened(place)
    memory_repo.git("worktree", "add", "-q", "../other", "-b", "other")
    other = find_place(str(memory_repo.root.parent / "other"))
    assert other.private != place.private
    assert open_index(other.private) is None
    opened(settled(other))
    assert is_fresh(other)
    assert is_fresh(place)
