"""A note that somebody looked at once more: ``mem admit`` pins its evidence anew."""

from __future__ import annotations

import pytest

from tests.conftest import Mem, Repo, note_text

RULE = "memory/decisions/rule.md"


@pytest.fixture
def drifted(memory_repo: Repo, mem: Mem) -> Repo:
    """A rule whose evidence changed after its admission, and a debt."""
    memory_repo.write("src/a.py", "one\n")
    assert mem("add", "A rule", "--evidence", "file:src/a.py", "--anchor", "src/a.py", "--apply").code == 0
    until = ("--debt", "--until", "contains:src/a.py:three")
    assert mem("add", "A debt", *until, "--evidence", "file:src/a.py", "--apply").code == 0
    memory_repo.write("src/a.py", "two\n")
    return memory_repo


def drift(mem: Mem) -> list[str]:
    return [one["note"] for one in mem("check", "--json").json["findings"] if one["code"] == "M203"]


def the(mem: Mem, title: str) -> str:
    notes = mem("list", "--json").json["notes"]
    return next(note["id"] for note in notes if note["title"] == title)


@pytest.mark.parametrize("title", ["A rule", "A debt"])
def test_admitting_again_ends_the_drift_and_changes_no_note(drifted: Repo, mem: Mem, title: str) -> None:
    note = the(mem, title)
    assert note in drift(mem)
    ran = mem("admit", note, "--apply", "--json")
    assert ran.code == 0, ran.err
    changed = [change["path"] for change in ran.json["plan"]["changes"]]
    assert [path.startswith(f"memory/events/{note}/0002-admitted-") for path in changed] == [True]
    assert note not in drift(mem)


def test_admitting_again_what_is_as_it_was_pinned_does_nothing(drifted: Repo, mem: Mem) -> None:
    drifted.write("src/a.py", "one\n")
    ran = mem("admit", the(mem, "A rule"), "--apply", "--json")
    assert (ran.code, ran.json["applied"]) == (0, False)


def test_a_debt_that_is_paid_meanwhile_is_not_admitted_again(drifted: Repo, mem: Mem) -> None:
    drifted.write("src/a.py", "three\n")
    ran = mem("admit", the(mem, "A debt"), "--apply")
    assert ran.code == 1
    assert "M401" in ran.err


def test_what_an_active_note_says_is_not_changed_by_admitting_it(drifted: Repo, mem: Mem) -> None:
    ran = mem("admit", the(mem, "A rule"), "--facet", "security", "--apply")
    assert (ran.code, "mem edit" in ran.err) == (1, True)


def test_an_agent_admits_again_only_on_evidence_that_anyone_can_open(drifted: Repo, mem: Mem) -> None:
    agent = {"CLAUDECODE": "1"}
    assert mem("admit", the(mem, "A rule"), "--apply", env=agent).code == 0
    drifted.write("memory/decisions/said.md", note_text("Said", id="n-aaaaaaa1", facet="security"))
    ran = mem("admit", "n-aaaaaaa1", "--apply", env=agent)
    assert (ran.code, "M201" in ran.err) == (1, True)


def test_a_note_made_by_hand_gets_its_admission(drifted: Repo, mem: Mem) -> None:
    drifted.write("memory/decisions/hand.md", note_text("By hand", id="n-aaaaaaa1", facet="security"))
    assert "M204" in mem("check", "--json").out
    assert mem("admit", "n-aaaaaaa1", "--apply").code == 0
    assert mem("admit", "n-br1ef000", "--apply").code == 0
    assert "M204" not in mem("check", "--json").out
