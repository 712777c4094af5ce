"""After a crash: readers warn, the check refuses, writers end what was begun, and no edit is lost."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from memwarden.core.change import FileChange
from memwarden.edge.place import find_place
from memwarden.edge.writing.apply import apply_changes
from memwarden.edge.writing.disk import Disk
from tests.conftest import Mem, Repo, note_text

ONE, TWO = "memory/decisions/one.md", "memory/decisions/two.md"


class Dying(Disk):
    """Kills its process at the second file that is put in place, after the journal's own rename."""

    renames = 0

    def replace(self, staged: str, target: str) -> None:
        self.renames += 1
        if self.renames == 3:
            os.kill(os.getpid(), signal.SIGKILL)
        super().replace(staged, target)


class Halting(Disk):
    """Kills its process before it removes anything."""

    def remove(self, path: str) -> None:
        if path.endswith(".md"):
            os.kill(os.getpid(), signal.SIGKILL)
        super().remove(path)


def text(title: str, number: int) -> bytes:
    return note_text(title, id=f"n-aaaaaaa{number}", subject=f"path:src/{number}.py").encode()


@pytest.fixture
def killed(memory_repo: Repo) -> Repo:
    """A repository where a process died between two files: the first is new, the second still old."""
    memory_repo.write(ONE, text("Old one", 1))
    memory_repo.write(TWO, text("Old two", 2))
    place = find_place(str(memory_repo.root))
    os.makedirs(place.private, exist_ok=True)
    changes = [
        FileChange(ONE, text("Old one", 1), text("New one", 1)),
        FileChange(TWO, text("Old two", 2), text("New two", 2)),
    ]
    pid = os.fork()
    if pid == 0:
        apply_changes(place, changes, "0123456789ab", "edit", disk=Dying())
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == -signal.SIGKILL
    assert "New one" in memory_repo.read(ONE)
    assert "Old two" in memory_repo.read(TWO)
    return memory_repo


def leftovers(repo: Repo) -> list[Path]:
    return [
        *repo.root.rglob(".mem-*"),
        *(repo.root / ".git/mem").glob("journal*"),
        *(repo.root / ".git/mem").glob("staging"),
    ]


def test_readers_answer_and_warn(killed: Repo, inside: Mem) -> None:
    for command in (("list",), ("route", "--task", "plan"), ("add", "A preview")):
        ran = inside(*command)
        assert ran.code == 0
        assert "cut short" in ran.err
    assert "Old two" in killed.read(TWO)


def test_whoever_writes_is_warned_once(killed: Repo, inside: Mem) -> None:
    assert inside("add", "A claim", "--anchor", "src/x.py", "--apply").err.count("cut short") == 1


def test_the_check_judges_no_half_written_tree(killed: Repo, inside: Mem) -> None:
    assert inside("check").code == 5


def test_the_next_writer_ends_what_was_begun(killed: Repo, inside: Mem) -> None:
    assert inside("add", "A claim", "--anchor", "src/x.py", "--apply").code == 0
    assert "New two" in killed.read(TWO)
    assert leftovers(killed) == []
    assert inside("check").code == 0


def test_recover_ends_it_and_says_what(killed: Repo, inside: Mem) -> None:
    ran = inside("recover", "--json")
    assert (ran.code, ran.json["recovered"]["plan"]) == (0, "0123456789ab")
    assert ran.json["recovered"]["paths"] == [ONE, TWO]
    assert "New two" in killed.read(TWO)
    assert leftovers(killed) == []
    assert inside("recover", "--json").json["recovered"] is None
    assert (
        "already applied" in inside("apply", "0123456789ab").err or inside("apply", "0123456789ab").code == 2
    )


def test_an_edit_since_then_is_shown_and_kept(
    killed: Repo, inside: Mem, tree: Callable[[], dict[str, bytes]]
) -> None:
    killed.write(TWO, text("My own two", 2))
    before = tree()
    writer = inside("add", "A claim", "--apply")
    assert writer.code == 5
    assert TWO in writer.err
    shown = inside("recover")
    assert shown.code == 5
    assert "-# My own two" in shown.out
    assert "+# New two" in shown.out
    assert tree() == before
    assert inside("recover", "--keep", TWO).code == 0
    assert "My own two" in killed.read(TWO)
    assert leftovers(killed) == []


def test_an_edit_is_overwritten_only_when_asked_for(killed: Repo, inside: Mem) -> None:
    killed.write(TWO, text("My own two", 2))
    assert inside("recover", "--take", "memory/decisions/other.md").code == 2
    assert inside("recover", "--take", TWO).code == 0
    assert "New two" in killed.read(TWO)


def test_on_a_terminal_each_file_is_asked_about(
    killed: Repo, inside: Mem, monkeypatch: pytest.MonkeyPatch
) -> None:
    killed.write(TWO, text("My own two", 2))
    monkeypatch.setattr("memwarden.cli.planning.may_ask", lambda ctx: True)
    monkeypatch.setattr("typer.confirm", lambda *a, **k: False)
    assert inside("recover").code == 0
    assert "My own two" in killed.read(TWO)


def test_a_planned_content_that_is_gone_cannot_be_taken(killed: Repo, inside: Mem) -> None:
    killed.git("clean", "-fdq", "-e", "memory/decisions/*.md", "-e", "memory/*.md")
    for file in killed.root.rglob(".mem-*"):
        file.unlink()
    assert inside("recover", "--take", TWO).code == 5
    assert inside("recover", "--keep", TWO).code == 0
    assert "Old two" in killed.read(TWO)


def test_a_move_that_is_kept_from_its_end_leaves_two_files_and_says_so(
    memory_repo: Repo, inside: Mem
) -> None:
    memory_repo.write(ONE, text("A claim", 1))
    place = find_place(str(memory_repo.root))
    os.makedirs(place.private, exist_ok=True)
    moved = "memory/constraints/one.md"
    changes = [FileChange(moved, None, text("A claim", 1)), FileChange(ONE, text("A claim", 1), None)]
    pid = os.fork()
    if pid == 0:
        apply_changes(place, changes, "0123456789ab", "move", disk=Halting())
        os._exit(0)
    os.waitpid(pid, 0)
    assert (memory_repo.root / moved).exists()
    memory_repo.write(ONE, text("My own claim", 1))
    ran = inside("recover", "--keep", ONE)
    assert ran.code == 0
    assert "1 file is as planned" in ran.err
    assert f"M004: n-aaaaaaa1 is the ID of {moved} and {ONE}" in ran.err
    assert "remove the other" in ran.err
    assert (memory_repo.read(ONE), inside("check").code) == (text("My own claim", 1).decode(), 1)
