"""An index that is damaged, foreign or cannot be written is as good as none, and never another answer."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from memwarden.edge import index_read, source_mark
from memwarden.edge.index_read import open_index
from memwarden.edge.place import Place
from memwarden.edge.reading import index, index_build, keyed_file
from memwarden.edge.review import kept_check
from tests.edge.test_index import DEBT, A, B, edited, is_fresh, one_program, opened, place

__all__ = ["one_program", "place"]
SOURCE_MARK = source_mark.source_mark


@pytest.mark.parametrize("keep", [0, 7, 100, 700, -1])
def test_an_index_that_is_cut_short_is_as_good_as_none(place: Place, keep: int) -> None:
    opened(place)
    file = Path(place.private, "index")
    file.write_bytes(file.read_bytes()[:keep])
    assert open_index(place.private) is None
    opened(place)
    assert is_fresh(place)


def test_no_flipped_bit_ever_gives_another_answer(place: Place) -> None:
    first = opened(place)
    file = Path(place.private, "index")
    whole = file.read_bytes()
    for at in range(0, len(whole), 11):
        file.write_bytes(whole[:at] + bytes([whole[at] ^ 0x40]) + whole[at + 1 :])
        found = index.indexed_memory(place, first.workspace)
        assert found is None or found == first
        reader = open_index(place.private)
        rows = reader.candidates("src/a.py") if reader else None
        assert rows is None or [row[0] for row in rows] == [DEBT, A, B]


def test_an_index_of_another_program_python_or_format_is_as_good_as_none(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(place)
    monkeypatch.setattr(index_read, "FORMAT", 0)
    assert open_index(place.private) is None
    opened(place)


def test_a_file_of_another_kind_is_no_index(place: Place) -> None:
    opened(place)
    other = keyed_file.keyed_bytes({"head": {"base": ""}}, index_read.program_mark(kept_check.FILE))
    Path(place.private, "index").write_bytes(other)
    assert open_index(place.private) is None
    opened(place)
    assert is_fresh(place)


def test_an_index_that_others_may_write_is_not_read(place: Place) -> None:
    opened(place)
    Path(place.private, "index").chmod(0o666)
    assert open_index(place.private) is None


@pytest.mark.parametrize("what", ["folder", "link", "fifo", "directory above is a file"])
def test_something_else_in_its_place_is_no_index(place: Place, what: str) -> None:
    opened(place)
    file = Path(place.private, "index")
    if what == "directory above is a file":
        shutil.rmtree(place.private)
        Path(place.private).write_text("")
    else:
        file.rename(file.with_name("kept"))
        make = {
            "folder": file.mkdir,
            "link": lambda: file.symlink_to("kept"),
            "fifo": lambda: os.mkfifo(file),
        }
        make[what]()
    assert open_index(place.private) is None
    opened(place)


def test_where_nothing_can_be_written_the_memory_is_read_all_the_same(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*arguments: object, **options: object) -> None:
        raise PermissionError("read-only file system")

    monkeypatch.setattr(os, "makedirs", refuse)
    opened(place)
    assert open_index(place.private) is None


def test_a_full_disk_leaves_the_old_index_and_no_rubbish(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(place)
    before = Path(place.private, "index").read_bytes()
    edited(Path(place.root), A)

    def refuse(self: object, values: object, most: int, since: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(index_build.IndexFile, "put_in_place", refuse)
    opened(place)
    assert Path(place.private, "index").read_bytes() == before
    assert sorted(os.listdir(place.private)) == ["index"]


def test_one_process_writes_and_the_others_only_read(place: Place) -> None:
    writing = index_build.IndexFile(place.private)
    opened(place)
    assert open_index(place.private) is None
    writing.close()
    opened(place)
    assert is_fresh(place)


def test_what_a_killed_writer_left_is_cleared_away(place: Place) -> None:
    left = Path(place.private)
    left.mkdir()
    (left / "index.new").write_text("half")
    os.utime(left / "index.new", (1, 1))
    opened(place)
    assert sorted(os.listdir(left)) == ["index"]


def test_a_working_copy_of_the_program_is_another_one_after_an_edit(tmp_path: Path) -> None:
    folder = tmp_path / "program"
    (folder / "core").mkdir(parents=True)
    (folder / "core/note.py").write_text("x = 1\n")
    first = SOURCE_MARK(str(folder))
    (folder / "core/note.py").write_text("x = 22\n")
    assert SOURCE_MARK(str(folder)) != first


def test_the_hash_is_the_one_that_python_publishes() -> None:
    from importlib.util import source_hash

    for data in (b"", b"x", b"memwarden" * 99):
        assert index_read.checksum(data) == source_hash(data)


def test_the_public_hash_serves_where_the_private_one_is_gone() -> None:
    program = (
        "import sys\n"
        "from importlib.util import source_hash\n"
        "sys.modules['_imp'] = None\n"
        "from memwarden.edge.index_read import checksum\n"
        "assert checksum is source_hash"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_a_value_is_found_under_every_key_of_a_crowded_file(tmp_path: Path) -> None:
    values = {f"key {number}": number for number in range(5000)}
    mark = index_read.program_mark(index_read.FILE)
    (tmp_path / "index").write_bytes(keyed_file.keyed_bytes(values, mark))
    file = index_read.open_keyed(str(tmp_path / "index"), mark)
    assert file is not None
    assert all(file.get(key) == value for key, value in values.items())
    assert file.get("another") is None


def test_a_file_with_room_for_more_keys_than_it_has_gives_every_value(tmp_path: Path) -> None:
    mark = index_read.program_mark(index_read.FILE)
    with (tmp_path / "index").open("wb") as written:
        keyed_file.write_keyed(written, ((f"key {n}", [n]) for n in range(100)), mark, 1000)
    (tmp_path / "index").chmod(0o600)
    file = index_read.open_keyed(str(tmp_path / "index"), mark)
    assert file is not None
    assert [file.get(f"key {n}") for n in range(101)] == [*([n] for n in range(100)), None]


def test_more_keys_than_there_is_room_for_are_refused(tmp_path: Path) -> None:
    with (tmp_path / "index").open("wb") as written, pytest.raises(ValueError, match="too many"):
        keyed_file.write_keyed(written, ((f"key {n}", n) for n in range(5)), b"12345678", 4)


def test_an_index_has_room_for_all_of_it(place: Place) -> None:
    """The count of blocks is known before any of them is made."""
    memory = opened(place)
    blocks = list(index_build.index_blocks(memory, {}, {}))
    assert len(dict(blocks)) == len(blocks) <= index_build.most_blocks(len(memory.notes))


def test_values_that_cannot_be_written_leave_the_old_file_and_no_rubbish(place: Place) -> None:
    keyed_file.put_private(place, "index-fates", [("a", 1)], 1)
    before = Path(place.private, "index-fates").read_bytes()
    keyed_file.put_private(place, "index-fates", [("a", 2), ("b", object())], 2)
    assert Path(place.private, "index-fates").read_bytes() == before
    assert os.listdir(place.private) == ["index-fates"]
