"""Each word of a difference has its one reason, and what stayed the same has none."""

from __future__ import annotations

import pytest

from memwarden.core.canonical import condition_digest
from memwarden.core.compare.comparing import compare
from memwarden.core.condition import PathTest
from memwarden.core.event import Event
from memwarden.core.manifest import Manifest, Route, Task
from memwarden.core.memory import Memory
from memwarden.core.note import DEBT, Evidence, Note
from memwarden.core.subject import Subject
from memwarden.core.workspace import Overlay
from tests.core.test_route import Files

TODAY = "2026-12-01"
ID, OTHER = "n-0000000a", "n-0000000b"
EXISTS = PathTest("file_exists", "done.txt")
DIGEST = condition_digest(EXISTS)
RULE = Note(
    "memory/decisions/a.md",
    ID,
    "A",
    "project",
    "security",
    evidence=(Evidence("user", "Ada"),),
    created=TODAY,
)
OWED = RULE._replace(path="memory/debts/a.md", lifecycle=DEBT, condition=EXISTS)
MANIFEST = Manifest(tasks=(Task("plan", routes=(Route("decisions/"), Route("debts/"))),))


def memory(*notes: Note, events: tuple[Event, ...] = (), manifest: Manifest = MANIFEST) -> Memory:
    files = Overlay(Files(), {note.path: f"# {note.title}\n\nBody.\n".encode() for note in notes})
    found: dict[str, tuple[Event, ...]] = {}
    for event in events:
        found[event.note] = (*found.get(event.note, ()), event)
    return Memory(files, manifest, tuple(sorted(notes, key=lambda note: note.path)), events=found)


def event(seq: int, kind: str, **facts: object) -> Event:
    if kind in ("paid", "reinstated"):
        facts = {"condition_digest": DIGEST, **facts}
    return Event(ID, seq, kind, f"2026-11-30T10:00:{seq:02}Z", ("human", "Ada"), facts=facts,
                 path=f"memory/events/{ID}/{seq:04}-{kind}-00000000.json")  # fmt: skip


def words(before: Memory, after: Memory) -> list[str]:
    touched = {note.path for side in (before, after) for note in side.notes}
    return [change.word for change in compare(before, after, touched, TODAY).notes]


PAID, MISSED, AGAIN = event(1, "paid"), event(2, "missed", count=2), event(3, "reinstated", reason="no")
NOTES = {
    "added": ((), (RULE,)),
    "removed": ((RULE,), ()),
    "moved": ((RULE,), (RULE._replace(path="memory/constraints/a.md"),)),
    "reworded": ((RULE,), (RULE._replace(tags=("x",)),)),
    "admitted": ((RULE._replace(path="memory/inbox/a.md"),), (RULE,)),
    "opened": ((), (OWED,)),
    "superseded": (
        (RULE, RULE._replace(path="memory/decisions/b.md", id=OTHER, supersedes=(ID,), expires="2026-01-01")),
        (RULE, RULE._replace(path="memory/decisions/b.md", id=OTHER, supersedes=(ID,))),
    ),
}


@pytest.mark.parametrize("word", NOTES)
def test_what_happened_to_the_file_is_told_once(word: str) -> None:
    before, after = NOTES[word]
    found = words(memory(*before), memory(*after))
    assert found.count(word) == 1
    assert set(found) <= {word, "reworded", "back"}


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ((), (PAID,), ["paid"]),
        ((), (MISSED,), ["missed"]),
        ((PAID,), (PAID, AGAIN), ["reinstated"]),
        ((PAID,), (), ["reopened"]),
        ((), (PAID, AGAIN, event(4, "paid", how="declared")), ["paid", "reinstated"]),
        ((PAID,), (PAID,), []),
        ((), (event(1, "admitted"),), []),
        ((), (event(1, "revoked", reason="wrong"),), ["revoked"]),
        ((event(1, "revoked"),), (event(1, "revoked"), event(2, "reinstated")), ["reinstated"]),
    ],
)
def test_what_happened_to_the_debt_is_told_by_its_events(
    before: tuple[Event, ...], after: tuple[Event, ...], told: list[str]
) -> None:
    assert words(memory(OWED, events=before), memory(OWED, events=after)) == told


def test_a_debt_opened_and_paid_between_the_two_is_told_as_both() -> None:
    assert words(memory(), memory(OWED, events=(MISSED, PAID._replace(seq=3)))) == [
        "opened",
        "paid",
        "missed",
    ]


def test_a_reworded_condition_is_owed_again() -> None:
    other = OWED._replace(condition=PathTest("file_exists", "more.txt"))
    before, after = memory(OWED, events=(PAID,)), memory(other, events=(PAID,))
    found = compare(before, after, {OWED.path}, TODAY).notes
    assert [change.word for change in found] == ["reopened", "reworded"]
    assert found[0].reason == "its condition was reworded"


def test_a_rule_that_becomes_a_debt_opens_one() -> None:
    assert "opened" in words(memory(RULE), memory(RULE._replace(lifecycle=DEBT, condition=EXISTS)))


def test_a_date_that_silences_a_note_is_told_as_silence() -> None:
    gone = RULE._replace(expires="2026-01-01")
    assert words(memory(RULE), memory(gone)) == ["reworded", "silenced"]
    assert words(memory(gone), memory(RULE)) == ["reworded", "back"]


def test_a_rejected_candidate_is_told() -> None:
    candidate = RULE._replace(path="memory/inbox/a.md")
    assert words(memory(candidate), memory(candidate, events=(event(1, "rejected"),))) == ["rejected"]


@pytest.mark.parametrize("name", ["0-before", "b-behind"])
@pytest.mark.parametrize(("note", "word"), [(RULE, "added"), (OWED, "opened")])
def test_a_second_file_with_the_same_id_is_told_beside_the_first_which_stays(
    note: Note, word: str, name: str
) -> None:
    copy = note._replace(path=note.path.replace("a.md", f"{name}.md"))
    before, after = memory(note, events=(MISSED, PAID)), memory(note, copy, events=(MISSED, PAID))
    found = compare(before, after, {copy.path}, TODAY)
    assert [(one.word, one.note.path, one.beside) for one in found.notes] == [(word, copy.path, note.path)]
    assert found.owners == ()
    taken = compare(after, before, {copy.path}, TODAY)
    assert [(one.word, one.note.path) for one in taken.notes] == [("removed", copy.path)]


def test_a_note_that_moves_while_a_copy_of_it_comes_is_moved_once() -> None:
    here, there = (RULE._replace(path=f"memory/constraints/{name}.md") for name in "ab")
    found = compare(memory(RULE), memory(here, there), {RULE.path, here.path, there.path}, TODAY).notes
    assert [(one.word, one.note.path, one.beside) for one in found] == [
        ("added", there.path, here.path),
        ("moved", here.path, ""),
    ]


@pytest.mark.parametrize(
    ("note", "retired", "told"),
    [
        (RULE, "revoked", ["back"]),
        (RULE._replace(path="memory/inbox/a.md"), "rejected", ["back"]),
        (OWED._replace(path="memory/inbox/a.md"), "rejected", ["back"]),
        (OWED, "revoked", ["reinstated"]),
    ],
)
def test_what_is_reinstated_is_told_among_the_debts_only_where_it_is_one(
    note: Note, retired: str, told: list[str]
) -> None:
    gone = event(1, retired, reason="no")
    back = event(2, "reinstated", reason="yes")
    found = compare(memory(note, events=(gone,)), memory(note, events=(gone, back)), (), TODAY).notes
    assert [(one.word, one.why) for one in found] == [(word, "yes") for word in told]
    assert words(memory(note), memory(note, events=(gone, back))) == (told if note is OWED else [])


def test_a_key_is_told_that_a_note_which_was_there_owns_again() -> None:
    gone = event(1, "revoked")
    before, after = memory(RULE, events=(gone,)), memory(RULE, events=(gone, event(2, "reinstated")))
    (change,) = compare(before, after, (), TODAY).owners
    assert (change.before, [note.id for note in change.after]) == ((), [ID])
    admitted = compare(memory(RULE._replace(path="memory/inbox/a.md")), memory(RULE), {RULE.path}, TODAY)
    assert admitted.owners == ()  # that a new note owns what nobody did goes without saying


def test_owners_are_told_where_somebody_owned() -> None:
    rival = RULE._replace(path="memory/decisions/b.md", id=OTHER, title="B", created="2026-12-02")
    found = compare(memory(RULE), memory(RULE, rival), {rival.path}, TODAY).owners
    assert [
        (change.facet, [n.id for n in change.before], [n.id for n in change.after]) for change in found
    ] == [("security", [ID], [ID, OTHER])]
    assert compare(memory(), memory(RULE), {RULE.path}, TODAY).owners == ()
    (gone,) = compare(memory(RULE), memory(), {RULE.path}, TODAY).owners
    assert gone.after == ()


def test_a_merge_of_subjects_can_change_an_owner() -> None:
    one, two = Subject("memory/subjects/q.md", "q", "Q"), Subject("memory/subjects/r.md", "r", "R")
    notes = (RULE._replace(subject="q"), RULE._replace(path="memory/decisions/b.md", id=OTHER, subject="r"))
    before = memory(*notes)._replace(subjects=(one, two))
    after = before._replace(subjects=(one, two._replace(merged_into="q")))
    found = compare(before, after, {two.path}, TODAY)
    assert [(change.subject, len(change.after)) for change in found.owners] == [("q", 2), ("r", 0)]
    assert [change.id for change in found.subjects] == ["r"]


def test_tasks_tell_what_they_load_and_why_they_no_longer_do() -> None:
    after = memory(OWED, events=(PAID,))
    (task,) = compare(memory(OWED), after, set(), TODAY).tasks
    assert (task.task, [(one.note.id, one.reason) for one in task.drops]) == ("plan", [(ID, "paid")])
    narrow = MANIFEST._replace(budgets=(("total", 1),))
    (task,) = compare(memory(RULE), memory(RULE, manifest=narrow), set(), TODAY).tasks
    assert [one.reason for one in task.drops] == ["over-budget"]
    (task,) = compare(memory(RULE), memory(RULE, manifest=MANIFEST._replace(tasks=())), set(), TODAY).tasks
    assert (task.before is not None, task.after, [one.reason for one in task.drops]) == (
        True,
        None,
        ["no such task"],
    )


def test_a_memory_compared_with_itself_differs_in_nothing() -> None:
    whole = memory(RULE, OWED._replace(id=OTHER), events=(PAID, MISSED))
    assert compare(whole, whole, {RULE.path, OWED.path}, TODAY).same


def test_what_an_admission_fills_in_is_no_rewording() -> None:
    bare = RULE._replace(path="memory/inbox/a.md", facet="", evidence=())
    told = compare(memory(bare), memory(RULE), {RULE.path, bare.path}, TODAY)
    assert [one.word for one in told.notes] == ["admitted"]
    other = bare._replace(title="Another", evidence=(Evidence("user", "Bob"),))
    told = compare(memory(other), memory(RULE), {RULE.path, other.path}, TODAY)
    assert [(one.word, one.fields) for one in told.notes] == [
        ("admitted", ()), ("reworded", ("title", "evidence")),
    ]  # fmt: skip
