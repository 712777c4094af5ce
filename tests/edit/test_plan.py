"""A plan's ID names its intent, its changes and what was read: nothing less, nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from memwarden.core.memory import Memory
from memwarden.edge.tree.worktree import WorkingTree
from memwarden.edit.event_writer import EventDraft
from memwarden.edit.plan import Plan, Proposal, make_plan, starting_digests, what_changed
from memwarden.errors import Refused
from tests.conftest import Repo

INTENT = {"command": "move", "note": "n-aaaaaaaa"}
EVENT = EventDraft("n-aaaaaaaa", 1, "revoked", {"reason": "wrong"})
PROPOSAL = Proposal({"memory/a.md": b"new", "memory/b.md": None}, (EVENT,), frozenset({"memory/read.md"}))


@pytest.fixture
def memory(repo: Repo) -> Memory:
    for name in ("a", "b", "read"):
        repo.write(f"memory/{name}.md", name)
    return Memory(WorkingTree(str(repo.root)))


def plan(memory: Memory, proposal: Proposal = PROPOSAL, intent: Any = INTENT, link: str = "") -> Plan:
    return make_plan(memory, intent, proposal, lambda path: link or path)


def test_the_same_over_the_same_has_the_same_id(memory: Memory) -> None:
    assert plan(memory).id == plan(memory).id
    assert len(plan(memory).id) == 12


def test_everything_that_it_covers_changes_its_id(repo: Repo, memory: Memory) -> None:
    seen = {plan(memory).id}
    for other in (
        plan(memory, intent={**INTENT, "note": "n-bbbbbbbb"}),
        plan(memory, PROPOSAL._replace(changes={"memory/a.md": b"newer", "memory/b.md": None})),
        plan(memory, PROPOSAL._replace(changes={"memory/a.md": b"new"})),
        plan(memory, PROPOSAL._replace(events=(EVENT._replace(seq=2),))),
        plan(memory, PROPOSAL._replace(events=(EVENT._replace(facts={"reason": "other"}),))),
        plan(memory, PROPOSAL._replace(reads=frozenset())),
        plan(memory, link="elsewhere.md"),
    ):
        assert other.id not in seen
        seen.add(other.id)
    for path in ("memory/a.md", "memory/b.md", "memory/read.md", "memory/manifest.md"):
        repo.write(path, "edited")
        assert plan(memory).id not in seen
        seen.add(plan(memory).id)


def test_files_that_it_did_not_read_do_not_matter(repo: Repo, memory: Memory) -> None:
    before = plan(memory).id
    repo.write("memory/other.md", "other")
    assert plan(memory).id == before


def test_the_moment_and_the_actor_are_not_in_it(memory: Memory) -> None:
    facts = plan(memory).events[0].as_mapping()
    assert facts == {"note": "n-aaaaaaaa", "seq": 1, "kind": "revoked", "reason": "wrong"}


def test_a_listing_is_read_by_its_names_alone(repo: Repo, memory: Memory) -> None:
    proposal = PROPOSAL._replace(reads=frozenset({"memory/events/n-aaaaaaaa/"}))
    before = plan(memory, proposal)
    file = repo.write("memory/events/n-aaaaaaaa/0001-x.json", "{}")
    after = plan(memory, proposal)
    assert what_changed(starting_digests(before), starting_digests(after)) == ("memory/events/n-aaaaaaaa/",)
    file.write_text("{ }")
    assert plan(memory, proposal).id == after.id


def test_a_change_that_changes_nothing_is_no_change(memory: Memory) -> None:
    assert plan(memory, Proposal({"memory/a.md": b"a"})).is_empty


def test_a_file_that_cannot_be_read_cannot_be_planned_over(repo: Repo, memory: Memory) -> None:
    (repo.root / "memory/folder.md").mkdir()
    with pytest.raises(Refused, match=r"memory/folder\.md cannot be read"):
        plan(memory, Proposal({"memory/folder.md": b"x"}))
