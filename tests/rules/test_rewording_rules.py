"""M410: a debt that is re-worded by hand is named, whoever made the change."""

from __future__ import annotations

import pytest

from memwarden.core.event import ADMITTED, PAID, Event
from memwarden.core.memory import Memory
from memwarden.errors import NOTICE, WARNING, Finding
from memwarden.rules import Context, check
from tests.conftest import Repo, note_text
from tests.rules.ground import TODAY, read

PATH, ID = "memory/debts/a.md", "n-4f7k2m9q"
OLD = "{file_contains: {path: a.py, pattern: frozen_clock}}"
EASIER = "{file_contains: {path: a.py, pattern: clock}}"


def debt(condition: str = OLD, **fields: str) -> str:
    return note_text("A debt", **{"lifecycle": "debt", "facet": "behavior", "condition": condition, **fields})


def reworded(repo: Repo, before: str, after: str, *events: Event) -> list[Finding]:
    repo.write(PATH, before)
    base = read(repo)
    repo.write(PATH, after)
    memory: Memory = read(repo)._replace(events={ID: events})
    return [found for found in check(memory, Context(TODAY, base=base)) if found.code == "M410"]


@pytest.mark.parametrize("after", [debt(EASIER), debt(""), debt("", lifecycle="rule")])
def test_what_pays_a_debt_is_not_re_worded_unseen(memory_repo: Repo, after: str) -> None:
    (found,) = reworded(memory_repo, debt(), after)
    assert (found.severity, found.note) == (NOTICE, ID)
    assert "paid when a.py contains /frozen_clock/" in found.message


def test_a_condition_that_comes_to_a_declared_debt_is_named(memory_repo: Repo) -> None:
    (found,) = reworded(memory_repo, debt(""), debt())
    assert "it was left to a person's word" in found.message


def record(kind: str, actor: str, condition: str) -> Event:
    from memwarden.core.canonical import condition_digest
    from memwarden.edit.note_reader import read_note

    note, _ = read_note(PATH, debt(condition).encode())
    assert note is not None
    facts = {"condition_digest": condition_digest(note.condition)}
    return Event(ID, 1, kind, actor=(actor, "x"), facts=facts)


@pytest.mark.parametrize(("actor", "severity"), [("human", ""), ("ci", ""), ("agent", WARNING)])
def test_a_re_wording_on_record_is_its_actors(memory_repo: Repo, actor: str, severity: str) -> None:
    found = reworded(memory_repo, debt(), debt(EASIER), record(ADMITTED, actor, EASIER))
    assert [one.severity for one in found] == ([severity] if severity else [])


def test_what_is_no_re_wording_is_not_named(memory_repo: Repo) -> None:
    memory_repo.write("b.py", "")
    moved = OLD.replace("a.py", "b.py")
    assert reworded(memory_repo, debt(), debt(tags="[x]")) == []
    assert reworded(memory_repo, debt(), debt(moved)) == []
    assert reworded(memory_repo, debt(), debt(EASIER), record(PAID, "human", OLD)) == []
    assert reworded(memory_repo, note_text("Rule"), debt()) == []
    memory_repo.write("a.py", "")
    assert len(reworded(memory_repo, debt(), debt(moved))) == 1
