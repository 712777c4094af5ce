"""A change of several files is all or nothing: killed, starved or forbidden at every effect it makes."""

from __future__ import annotations

import errno
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memwarden.core.change import FileChange
from memwarden.edge.place import Place, find_place
from memwarden.edge.writing.apply import CannotWrite, apply_changes
from memwarden.edge.writing.disk import Disk
from memwarden.edge.writing.journal import is_unfinished
from memwarden.edge.writing.recovery import recover
from memwarden.errors import NeedsRecovery

EFFECTS = ("create", "write", "flush", "replace", "remove", "make_folder", "remove_folder", "flush_folder")

OLD = {
    "memory/decisions/kept.md": b"kept\n",
    "memory/decisions/changed.md": b"old words\n",
    "memory/inbox/removed.md": b"leaves the inbox\n",
    "memory/inbox/removed-too.md": b"leaves too\n",
    "src/target.md": b"behind a link\n",
}
NEW = {
    "memory/decisions/kept.md": b"kept\n",
    "memory/decisions/changed.md": b"new words\n",
    "memory/decisions/created.md": b"created\n",
    "memory/events/n-4f7k2m9q/0001-admitted-00000000.json": b"{}\n",
    "src/target.md": b"written through\n",
}
CHANGES = [
    FileChange("memory/decisions/changed.md", b"old words\n", b"new words\n"),
    FileChange("memory/decisions/created.md", None, b"created\n"),
    FileChange("memory/decisions/link.md", b"behind a link\n", b"written through\n"),
    FileChange("memory/events/n-4f7k2m9q/0001-admitted-00000000.json", None, b"{}\n"),
    FileChange("memory/inbox/removed.md", b"leaves the inbox\n", None),
    FileChange("memory/inbox/removed-too.md", b"leaves too\n", None),
]
MODES = {"memory/decisions/changed.md": 0o755, "memory/inbox/removed.md": 0o600}


@pytest.fixture
def place(repo: Any) -> Place:
    for path, content in OLD.items():
        repo.write(path, content)
    (repo.root / "memory/decisions/link.md").symlink_to("../../src/target.md")
    for path, mode in MODES.items():
        (repo.root / path).chmod(mode)
    return find_place(str(repo.root))


class Faulty(Disk):
    """A disk on which something happens before or after the effect number ``at``."""

    def __init__(self, at: int, happens: Callable[[str], None], after: bool = False, lasting: bool = False):
        self.left = at
        self.happens = happens
        self.after = after
        self.lasting = lasting
        self.seen: list[str] = []


def _counted(name: str) -> Callable[..., Any]:
    plain = getattr(Disk, name)

    def effect(self: Faulty, *arguments: Any) -> Any:
        self.seen.append(name)
        self.left -= 1
        due = self.left == -1 or (self.lasting and self.left < 0)
        if due and not self.after:
            self.happens(name)
        result = plain(self, *arguments)
        if due and self.after:
            self.happens(name)
        return result

    return effect


for _name in EFFECTS:
    setattr(Faulty, _name, _counted(_name))


def die(name: str) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def in_a_process(work: Callable[[], object]) -> bool:
    """Run ``work`` in a process of its own; whether it came to its end."""
    pid = os.fork()
    if pid == 0:
        try:
            work()
            os._exit(0)
        except BaseException:
            os._exit(7)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    assert code in (0, -signal.SIGKILL), f"the child failed with {code}"
    return code == 0


def files(place: Place) -> dict[str, bytes]:
    root = Path(place.root)
    found = [
        path for path in root.rglob("*") if path.is_file() and ".git" not in path.relative_to(root).parts
    ]
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in found
        if not path.is_symlink() and not path.name.startswith(".mem-")
    }


def leftovers(place: Place) -> list[str]:
    tree = [path.name for path in Path(place.root).rglob(".mem-*")]
    private = Path(place.private)
    return tree + ([name.name for name in private.iterdir()] if private.is_dir() else [])


def is_whole(place: Place, content: dict[str, bytes]) -> bool:
    root = Path(place.root)
    assert (root / "memory/decisions/link.md").is_symlink()
    for path, mode in MODES.items():
        assert not (root / path).exists() or (root / path).stat().st_mode & 0o7777 == mode
    return files(place) == content


@pytest.fixture
def private(place: Place) -> None:
    os.makedirs(place.private)


@pytest.mark.usefixtures("private")
@pytest.mark.parametrize("after", [False, True])
def test_a_kill_at_any_effect_leaves_the_old_tree_or_a_journal_that_ends_in_the_new_one(
    place: Place, after: bool
) -> None:
    outcomes = set()
    for at in range(200):
        ended = in_a_process(lambda at=at: apply_changes(place, CHANGES, disk=Faulty(at, die, after)))
        decided = is_unfinished(place)
        if not decided and not ended:
            assert is_whole(place, OLD) or is_whole(place, NEW)
        recover(place)
        assert is_whole(place, NEW) if decided or ended else is_whole(place, OLD) or is_whole(place, NEW)
        assert leftovers(place) == []
        outcomes.add((decided, is_whole(place, NEW)))
        if ended:
            break
        put_back(place)
    else:
        pytest.fail("the apply never came to its end")
    assert outcomes == {(False, False), (True, True), (False, True)}


def put_back(place: Place) -> None:
    for path in set(NEW) - set(OLD):
        (Path(place.root) / path).unlink(missing_ok=True)
    for path, content in OLD.items():
        (Path(place.root) / path).write_bytes(content)
    for path, mode in MODES.items():
        (Path(place.root) / path).chmod(mode)


@pytest.mark.usefixtures("private")
def test_a_kill_during_recovery_is_recovered_in_turn(place: Place) -> None:
    for at in range(200):
        ended = in_a_process(lambda at=at: apply_changes(place, CHANGES, disk=Faulty(at, die)))
        decided = is_unfinished(place)
        for again in range(200):
            if in_a_process(lambda again=again: recover(place, Faulty(again, die))):
                break
        assert is_whole(place, NEW if decided or ended else OLD) or (not decided and is_whole(place, NEW))
        assert leftovers(place) == []
        if ended:
            return
        put_back(place)


@pytest.mark.usefixtures("private")
@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EACCES, errno.EROFS, errno.EIO])
def test_a_refused_effect_leaves_the_old_tree_and_no_trace(place: Place, code: int) -> None:
    refusals = []
    for at in range(200):
        disk = Faulty(at, failing(code))
        try:
            apply_changes(place, CHANGES, disk=disk)
        except CannotWrite as error:
            refusals.append(error.message)
            assert is_whole(place, OLD)
        else:
            assert is_whole(place, NEW)  # what failed was only cleaning up
        recover(place)
        assert leftovers(place) == []
        put_back(place)
        if disk.left >= 0:
            break
    assert len(refusals) > 20
    assert all(os.strerror(code) in message for message in refusals)


def failing(code: int) -> Callable[[str], None]:
    def fail(name: str) -> None:
        raise OSError(code, os.strerror(code))

    return fail


@pytest.mark.usefixtures("private")
@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EROFS])
def test_a_disk_that_fails_from_some_point_on_is_old_or_says_so_and_is_recovered_later(
    place: Place, code: int
) -> None:
    cut_short = 0
    for at in range(200):
        disk = Faulty(at, failing(code), lasting=True)
        try:
            apply_changes(place, CHANGES, disk=disk)
            assert is_whole(place, NEW)
        except CannotWrite:
            assert is_unfinished(place) or is_whole(place, OLD)
        except NeedsRecovery:
            assert is_unfinished(place)
            cut_short += 1
        recover(place)
        assert is_whole(place, OLD) or is_whole(place, NEW)
        assert leftovers(place) == []
        put_back(place)
        if disk.left >= 0:
            break
    assert cut_short


@pytest.mark.usefixtures("private")
def test_a_kill_while_a_failed_change_is_taken_back_ends_in_one_of_the_two_trees(place: Place) -> None:
    class Both(Faulty):
        def replace(self, staged: str, target: str) -> None:
            if target.endswith("0001-admitted-00000000.json") and os.path.basename(staged).startswith(
                ".mem-"
            ):
                raise OSError(errno.EACCES, "Permission denied")
            super().replace(staged, target)

    killed = 0
    for at in range(200):

        def work(at: int = at) -> None:
            with pytest.raises(CannotWrite):
                apply_changes(place, CHANGES, disk=Both(at, die))

        ended = in_a_process(work)
        recover(place)
        assert is_whole(place, OLD) or (not ended and is_whole(place, NEW))
        assert leftovers(place) == []
        put_back(place)
        if ended:
            break
        killed += 1
    assert killed > 20


@pytest.mark.usefixtures("private")
@pytest.mark.parametrize("size", [0, 1, 5, 9])
def test_a_short_write_leaves_the_original(place: Place, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    write, written = os.write, 0

    def short(descriptor: int, data: Any) -> int:
        nonlocal written
        if written >= size:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        done = write(descriptor, data[: size - written])
        written += done
        return done

    class Full(Disk):
        def write(self, descriptor: int, data: bytes) -> None:
            with monkeypatch.context() as patch:
                patch.setattr(os, "write", short)
                super().write(descriptor, data)

    with pytest.raises(CannotWrite, match="No space left"):
        apply_changes(place, CHANGES, disk=Full())
    assert is_whole(place, OLD)
    recover(place)
    assert leftovers(place) == []


@pytest.mark.usefixtures("private")
def test_an_edit_between_crash_and_recovery_is_never_overwritten(place: Place) -> None:
    replacements = 0

    class Dying(Disk):
        def replace(self, staged: str, target: str) -> None:
            nonlocal replacements
            replacements += 1
            if replacements == 3:  # the journal's, then the first file's
                die("replace")
            super().replace(staged, target)

    assert not in_a_process(lambda: apply_changes(place, CHANGES, disk=Dying()))
    edited = Path(place.root) / "memory/decisions/created.md"
    edited.write_bytes(b"somebody's own\n")
    before = files(place)
    with pytest.raises(NeedsRecovery, match=r"edited outside: memory/decisions/created\.md"):
        recover(place)
    assert files(place) == before
    recover(place, choices={"memory/decisions/created.md": "keep"})
    assert files(place) == {**NEW, "memory/decisions/created.md": b"somebody's own\n"}
    assert leftovers(place) == []
