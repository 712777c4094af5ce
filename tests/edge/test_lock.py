"""The lock: held by processes, never by files."""

from __future__ import annotations

import errno
import fcntl
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from memwarden.edge.place import Place, find_place
from memwarden.edge.writing.lock import all_locked, lock_file, locked
from memwarden.errors import LockHeld, Refused

HOLD = """
import sys
from memwarden.edge.writing.lock import locked
from memwarden.edge.place import find_place
with locked(find_place(sys.argv[1]), "add", "2026-11-30T10:00:00Z"):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def place(repo: Any) -> Place:
    return find_place(str(repo.root))


@contextmanager
def another_holder(place: Place) -> Iterator[subprocess.Popen[bytes]]:
    child = subprocess.Popen(
        [sys.executable, "-c", HOLD, place.root], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert child.stdout is not None
    assert child.stdout.readline() == b"held\n"
    try:
        yield child
    finally:
        child.kill()
        child.communicate()


def test_a_held_lock_is_refused_naming_its_holder(place: Place) -> None:
    with (
        another_holder(place) as holder,
        pytest.raises(LockHeld) as refused,
        locked(place, "admit", "2026-11-30T10:00:01Z", timeout=0),
    ):
        pass
    assert refused.value.exit_code == 4
    assert f"mem add (process {holder.pid} on" in refused.value.message
    assert "since 2026-11-30T10:00:00Z" in refused.value.message


def test_a_stopped_holder_still_holds(place: Place) -> None:
    with another_holder(place) as holder:
        holder.send_signal(signal.SIGSTOP)
        with pytest.raises(LockHeld), locked(place, "admit", "", timeout=0.01):
            pass


def test_a_killed_holders_lock_is_free_at_once(place: Place) -> None:
    with another_holder(place) as holder:
        holder.send_signal(signal.SIGKILL)
        holder.wait()
        with locked(place, "admit", "", timeout=0):
            pass


def test_a_left_over_file_means_nothing(place: Place) -> None:
    os.makedirs(place.private)
    Path(lock_file(place)).write_text('{"pid": 1, "host": "elsewhere", "command": "purge", "since": ""}')
    with locked(place, "add", "2026-11-30T10:00:00Z", timeout=0):
        assert f'"pid": {os.getpid()}' in Path(lock_file(place)).read_text()


def test_a_holder_that_has_not_signed_is_another_process(place: Place) -> None:
    with another_holder(place):
        Path(lock_file(place)).write_text("[1")
        with pytest.raises(LockHeld, match="locked by another process"), locked(place, "x", "", timeout=0):
            pass


def test_the_lock_is_released_when_the_work_fails(place: Place) -> None:
    with pytest.raises(ZeroDivisionError), locked(place, "add", ""):
        raise ZeroDivisionError
    with locked(place, "add", "", timeout=0):
        pass


def test_other_worktrees_are_not_held_up(repo: Any, place: Place) -> None:
    repo.commit("first")
    other = repo.root.parent / "other"
    repo.git("worktree", "add", "-q", str(other))
    with another_holder(place), locked(find_place(str(other)), "add", "", timeout=0):
        pass


def test_several_locks_are_taken_together_each_once(repo: Any, place: Place) -> None:
    repo.commit("first")
    other = repo.root.parent / "other"
    repo.git("worktree", "add", "-q", str(other))
    linked = find_place(str(other))
    with all_locked([linked, place, linked], "purge", ""):
        for one in (place, linked):
            with pytest.raises(LockHeld), locked(one, "add", "", timeout=0):
                pass
    with another_holder(linked), pytest.raises(LockHeld), all_locked([place, linked], "purge", "", timeout=0):
        pass
    with locked(place, "add", "", timeout=0):
        pass


@pytest.mark.parametrize("code", [errno.ENOLCK, errno.ENOTSUP])
def test_a_file_system_that_cannot_lock_refuses_writes(
    place: Place, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    def unable(descriptor: int, operation: int) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(fcntl, "flock", unable)
    with pytest.raises(Refused, match="this file system cannot lock"), locked(place, "add", ""):
        pass


def test_a_git_directory_that_cannot_be_written_is_one_line(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read_only(path: str, exist_ok: bool = False) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), path)

    monkeypatch.setattr(os, "makedirs", read_only)
    message = "cannot write in the git directory: Read-only file system"
    with pytest.raises(Refused, match=message), locked(place, "add", ""):
        pass


def test_a_link_in_the_locks_place_is_not_followed(place: Place, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious")
    os.makedirs(place.private)
    os.symlink(victim, lock_file(place))
    with pytest.raises(Refused), locked(place, "add", ""):
        pass
    assert victim.read_text() == "precious"


@pytest.mark.parametrize("timeout", [float("nan"), -1.0])
def test_no_number_of_seconds_is_no_waiting(place: Place, timeout: float) -> None:
    with another_holder(place), pytest.raises(LockHeld), locked(place, "add", "", timeout):
        pass
