"""Appending keeps every line whole, without reading those that are there; nothing that waits is lost."""

from __future__ import annotations

import errno
import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memwarden.edge.turn.appending import BESIDE, LockedLines, append_lines, read_lines

BEFORE = [("paid", "n-1"), ("missed", "n-2")]
AFTER = [("missed", "n-2")]
EFFECTS = ("open", "write", "fsync", "replace", "rename", "unlink", "ftruncate", "close")


def test_line_after_one_that_was_cut_short_stands_by_itself(tmp_path: Path) -> None:
    file = tmp_path / "lines"
    file.write_bytes(b"whole\t1\ncut sho")
    append_lines(str(file), [("next", "2")])
    append_lines(str(file), [("last", "3")])
    assert file.read_bytes() == b"whole\t1\ncut sho\nnext\t2\nlast\t3\n"
    assert read_lines(str(file))[-2:] == [("next", "2"), ("last", "3")]


def _replaced(file: Path) -> None:
    with LockedLines(str(file)) as lines:
        lines.replace(AFTER)


def _stopped_at(count: int, stop: Callable[[], None]) -> list[tuple[str, Any]]:
    """The effects of ``os``, of which the one that is ``count`` further on stops the program instead."""
    left = [count]

    def stopping(effect: Callable[..., Any]) -> Callable[..., Any]:
        def call(*words: Any, **named: Any) -> Any:
            left[0] -= 1
            if left[0] < 0:
                stop()
            return effect(*words, **named)

        return call

    return [(name, stopping(getattr(os, name))) for name in EFFECTS]


def _killed_at(count: int, file: Path) -> bool:
    """Whether a child that replaces the lines was killed at that effect; else it had come to its end."""
    child = os.fork()
    if not child:
        for name, effect in _stopped_at(count, lambda: os.kill(os.getpid(), signal.SIGKILL)):
            setattr(os, name, effect)
        try:
            _replaced(file)
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)


def test_a_kill_at_any_effect_of_a_replacement_leaves_the_old_lines_or_the_new(tmp_path: Path) -> None:
    file = tmp_path / "pending"
    killed = 0
    while True:
        file.unlink(missing_ok=True)
        append_lines(str(file), BEFORE)
        if not _killed_at(killed, file):
            break
        killed += 1
        assert read_lines(str(file)) in (BEFORE, AFTER)
        _replaced(file)  # what the killed one left is in nobody's way
        assert read_lines(str(file)) == AFTER
        assert os.listdir(tmp_path) == ["pending"]
    assert killed >= 5


def test_a_full_disk_takes_no_line_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "pending"
    append_lines(str(file), BEFORE)
    write = os.write

    def full(descriptor: int, data: Any) -> int:
        if len(data) > 1:
            return write(descriptor, bytes(data)[:1])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(OSError, match="space"):
        _replaced(file)
    monkeypatch.undo()
    assert read_lines(str(file)) == BEFORE
    assert os.listdir(tmp_path) == ["pending"]


def test_who_waited_for_a_file_that_was_replaced_appends_to_the_new_one(tmp_path: Path) -> None:
    file = tmp_path / "pending"
    append_lines(str(file), BEFORE)
    waiting = threading.Thread(target=append_lines, args=(str(file), [("paid", "n-3")]))
    with LockedLines(str(file)) as lines:
        waiting.start()
        while waiting.is_alive() and not _opened_twice(file):
            pass
        lines.replace(AFTER)
        lines.append([("paid", "n-4")])  # the new file is as locked as the old one was
    waiting.join()
    assert read_lines(str(file)) == [*AFTER, ("paid", "n-4"), ("paid", "n-3")]


def _opened_twice(file: Path) -> bool:
    """Whether two descriptors of this process are of one file: then the other one is at the lock."""
    named = file.stat().st_ino
    found = 0
    for descriptor in range(256):
        try:
            found += os.fstat(descriptor).st_ino == named
        except OSError:
            continue
    return found > 1


def test_what_a_killed_replacement_left_is_no_way_out_of_the_folder(tmp_path: Path) -> None:
    file = tmp_path / "pending"
    other = tmp_path / "other"
    other.write_text("mine\n")
    (tmp_path / ("pending" + BESIDE)).symlink_to(other)
    append_lines(str(file), BEFORE)
    _replaced(file)
    assert read_lines(str(file)) == AFTER
    assert other.read_text() == "mine\n"
