"""A note that was deleted while its events stay is told; one that was taken out on purpose is not."""

from __future__ import annotations

import pytest

from tests.conftest import Mem, Repo

CODE = "M605"


@pytest.fixture
def debt(memory_repo: Repo, mem: Mem) -> str:
    memory_repo.write("a.py", "x = 1\n")
    until = ("--until", "contains:a.py:done", "--anchor", "a.py")
    (note,) = mem("add", "Fix a", "--debt", *until, "--apply", "--json").json["notes"]
    memory_repo.commit("a debt")
    return str(note)


def file_of(repo: Repo, note: str) -> str:
    return repo.git("ls-files", f"memory/*{note[2:]}.md").strip()


def told(mem: Mem, *words: str) -> list[tuple[str, str]]:
    found = mem("check", *words, "--json").json["findings"]
    return [(one["note"], one["severity"]) for one in found if one["code"] == CODE]


@pytest.mark.parametrize("words", [(), ("--staged",), ("--at", "HEAD"), ("--range", "HEAD~1..HEAD")])
def test_a_note_deleted_by_hand_is_told_wherever_the_check_looks(
    words: tuple[str, ...], memory_repo: Repo, mem: Mem, debt: str
) -> None:
    assert told(mem) == told(mem, "--staged") == []
    memory_repo.git("rm", "-q", file_of(memory_repo, debt))
    if "HEAD" in " ".join(words):
        memory_repo.commit("gone")
    assert told(mem, *words) == [(debt, "warning")]
    assert mem("check", *words).code == 0
    memory_repo.git("checkout", "HEAD~1" if "HEAD" in " ".join(words) else "HEAD", "--", "memory")
    if words != ("--at", "HEAD") and "--range" not in words:
        assert told(mem, *words) == []


@pytest.mark.parametrize(
    "how", ["forget", "forget --hard", "purge", "move", "revoke", "by hand to the archive"]
)
def test_a_note_that_was_taken_out_on_purpose_is_no_finding(
    how: str, memory_repo: Repo, mem: Mem, debt: str
) -> None:
    if how == "move":
        assert mem("move", debt, "archive", "--apply").code == 0
    elif how == "by hand to the archive":
        (memory_repo.root / "memory/archive").mkdir()
        memory_repo.git("mv", file_of(memory_repo, debt), "memory/archive/kept.md")
    elif how in ("revoke", "forget"):
        assert mem(how, debt, "--apply").code == 0
    else:
        plan = mem(*how.split(), debt, "--json").json["plan"]["id"]
        assert mem("apply", plan).code == 0
    assert told(mem) == []


def test_a_note_that_cannot_be_read_is_not_gone(memory_repo: Repo, mem: Mem, debt: str) -> None:
    path = file_of(memory_repo, debt)
    memory_repo.write("memory/debts/other.md", "<<<<<<< ours\n" + memory_repo.read(path))
    memory_repo.git("rm", "-q", path)
    memory_repo.git("add", "-A")
    assert told(mem) == told(mem, "--staged") == []


def test_a_note_whose_id_was_written_over_leaves_its_record_behind(
    memory_repo: Repo, mem: Mem, debt: str
) -> None:
    path = file_of(memory_repo, debt)
    memory_repo.write(path, memory_repo.read(path).replace(debt, "n-00000000"))
    assert told(mem) == [(debt, "warning")]


def test_a_staged_check_that_goes_on_from_the_last_one_tells_it_too(
    memory_repo: Repo, mem: Mem, debt: str
) -> None:
    path = file_of(memory_repo, debt)
    assert told(mem, "--staged") == []
    memory_repo.git("rm", "-q", path)
    assert told(mem, "--staged") == [(debt, "warning")]
    memory_repo.git("reset", "-q")
    memory_repo.git("checkout", "-q", "--", path)
    assert told(mem, "--staged") == []


def test_the_finding_names_the_commit_that_deleted_the_note(memory_repo: Repo, mem: Mem, debt: str) -> None:
    memory_repo.git("rm", "-q", file_of(memory_repo, debt))
    gone = memory_repo.commit("gone")
    (finding,) = [one for one in mem("check", "--json").json["findings"] if one["code"] == CODE]
    command = finding["fix"].partition(" finds")[0].split()
    assert command[0] == "git"
    assert gone in memory_repo.git(*command[1:])
