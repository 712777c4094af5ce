"""Standings, one law a test."""

from __future__ import annotations

from typing import Any

import pytest

from memwarden.core.canonical import condition_digest
from memwarden.core.condition import TextTest
from memwarden.core.event import Event
from memwarden.core.memory import Memory
from memwarden.core.note import Evidence, Note
from memwarden.core.standing import Standing, fold, in_history, next_seq, seen_failing, standings

TODAY = "2026-11-30"
FIXED = TextTest("file_contains", "a.py", "fixed")
DIGEST = condition_digest(FIXED)
DEBT = Note("memory/debts/a.md", "n-aaaaaaaa", lifecycle="debt", condition=FIXED)
RULE = Note(
    "memory/decisions/a.md",
    "n-aaaaaaaa",
    subject="project",
    facet="workflow",
    evidence=(Evidence("user", "Ada"),),
)
HOLDS = {"state": "holds"}
FAILS = {"state": "does not hold"}


def happened(*kinds: str | tuple[str, dict[str, Any]]) -> tuple[Event, ...]:
    events = []
    for seq, entry in enumerate(kinds, 1):
        kind, facts = (entry, {}) if isinstance(entry, str) else entry
        if kind == "paid":
            facts = {"condition_digest": DIGEST, "how": "touch", **facts}
        events.append(Event("n-aaaaaaaa", seq, kind, f"2026-11-{seq:02}T00:00:00Z", facts=facts))
    return tuple(events)


def standing(note: Note, *kinds: str | tuple[str, dict[str, Any]], others: tuple[Note, ...] = ()) -> Standing:
    memory = Memory(None, notes=(note, *others), events={note.id: happened(*kinds)})  # type: ignore[arg-type]
    return standings(memory, TODAY)[note.path]


@pytest.mark.parametrize(
    ("note", "name"),
    [
        (RULE, "active"),
        (DEBT, "owed"),
        (RULE._replace(path="memory/inbox/a.md"), "candidate"),
        (RULE._replace(path="memory/archive/2025/a.md"), "archived"),
        (RULE._replace(expires="2026-11-29"), "expired"),
        (RULE._replace(expires="2026-11-30"), "active"),
        (RULE._replace(not_before="2026-12-01"), "not-yet"),
        (RULE._replace(not_before="2026-11-30"), "active"),
        (DEBT._replace(condition=None), "owed"),
    ],
)
def test_place_and_dates_alone_give_a_standing(note: Note, name: str) -> None:
    assert standing(note).name == name


def test_a_payment_makes_an_owed_debt_paid_and_is_named() -> None:
    found = standing(DEBT, "admitted", "paid")
    assert (found.name, found.paid and found.paid.seq, found.live) == ("paid", 2, False)


def test_a_rule_is_never_paid() -> None:
    assert standing(RULE, "paid").name == "active"


def test_a_payment_for_another_condition_does_not_count() -> None:
    assert standing(DEBT, ("paid", {"condition_digest": "sha256:other"})).name == "owed"
    assert standing(DEBT._replace(condition=None), "paid").name == "owed"
    assert standing(DEBT._replace(condition=None), ("paid", {"condition_digest": None})).name == "paid"


def test_two_clones_that_both_pay_make_one_payment_the_first() -> None:
    first, second = happened("paid")[0], happened("paid")[0]._replace(at="2026-11-02T00:00:00Z")
    assert fold([second, first], DIGEST).paid == first


def test_a_reinstated_debt_is_owed_with_its_misses() -> None:
    found = standing(
        DEBT, ("missed", {"count": 2}), "paid", ("reinstated", {"reason": "back", "verdict": FAILS})
    )
    assert (found.name, found.misses, found.reason, found.awaits_red) == ("owed", 2, "back", False)


def test_a_reinstated_debt_pays_again_when_it_had_failed() -> None:
    assert standing(DEBT, "paid", ("reinstated", {"verdict": FAILS}), "paid").name == "paid"


GREEN = ("reinstated", {"condition_digest": DIGEST, "verdict": HOLDS})


def test_after_a_reinstatement_that_still_held_only_red_then_green_pays() -> None:
    assert standing(DEBT, "paid", GREEN).awaits_red
    assert standing(DEBT, "paid", GREEN, "paid").name == "owed"
    assert standing(DEBT, "paid", GREEN, ("failed", {"condition_digest": DIGEST}), "paid").name == "paid"
    assert standing(DEBT, "paid", GREEN, ("failed", {"condition_digest": "sha256:x"}), "paid").name == "owed"


def test_after_a_reinstatement_that_still_held_a_declared_payment_counts() -> None:
    assert standing(DEBT, "paid", GREEN, ("paid", {"how": "declared"})).name == "paid"


def test_after_a_reinstatement_that_still_held_another_condition_counts() -> None:
    other = TextTest("file_contains", "a.py", "better")
    later = ("paid", {"condition_digest": condition_digest(other)})
    assert standing(DEBT._replace(condition=other), "paid", GREEN, later).name == "paid"


def test_a_revoked_note_is_silent_with_its_reason_until_it_is_reinstated() -> None:
    found = standing(RULE, ("revoked", {"reason": "it was wrong"}))
    assert (found.name, found.reason, found.live) == ("revoked", "it was wrong", False)
    assert standing(RULE, "revoked", "reinstated").name == "active"


def test_a_rejected_candidate_stays_silent_until_it_is_reinstated() -> None:
    candidate = RULE._replace(path="memory/inbox/a.md")
    assert standing(candidate, "rejected").name == "rejected"
    assert standing(candidate, "rejected", "reinstated").name == "candidate"


def test_reinstating_an_active_note_changes_nothing() -> None:
    assert standing(RULE, "reinstated").name == "active"


def test_a_purged_note_that_a_merge_brought_back_stays_silent_whatever_follows() -> None:
    assert standing(RULE, "purged", "reinstated") == Standing(
        "revoked", reason="purged", reinstated=happened("purged", "reinstated")[1]
    )


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({}, "superseded"),
        ({"path": "memory/inbox/b.md"}, "active"),
        ({"path": "memory/archive/b.md"}, "active"),
        ({"expires": "2026-01-01"}, "active"),
        ({"not_before": "2027-01-01"}, "active"),
        ({"lifecycle": "debt"}, "active"),
        ({"facet": "security"}, "active"),
        ({"subject": "path:a.py"}, "active"),
        ({"subject": ""}, "active"),
        ({"path": "memory/areas/x/b.md"}, "active"),
        ({"evidence": ()}, "active"),
        ({"evidence": (Evidence("agent", "claude-code"),)}, "active"),
    ],
)
def test_only_an_active_successor_of_the_same_claim_supersedes(change: dict[str, str], name: str) -> None:
    successor = RULE._replace(path="memory/decisions/b.md", id="n-bbbbbbbb", supersedes=("n-aaaaaaaa",))
    successor = successor._replace(**change)
    assert standing(RULE, others=(successor,)).name == name


def test_a_superseded_note_names_its_successor() -> None:
    successor = RULE._replace(path="memory/decisions/b.md", id="n-bbbbbbbb", supersedes=("n-aaaaaaaa",))
    assert standing(RULE, others=(successor,)).by == "n-bbbbbbbb"


def test_a_note_without_an_id_has_no_events_and_supersedes_nothing() -> None:
    nameless = RULE._replace(id="", path="memory/decisions/z.md", supersedes=("n-aaaaaaaa",))
    assert standing(RULE, others=(nameless,)).name == "active"


def test_the_next_seq_is_one_more_than_the_highest_seen() -> None:
    assert next_seq(()) == 1
    assert next_seq(reversed(happened("admitted", "missed", "missed"))) == 4


def test_a_failing_verdict_is_seen_in_admission_failure_and_reinstatement() -> None:
    at = {"condition_digest": DIGEST}
    assert seen_failing(happened(("failed", at)), DIGEST)
    assert seen_failing(happened(("admitted", {**at, "verdict": FAILS})), DIGEST)
    assert seen_failing(happened(("reinstated", {**at, "verdict": FAILS})), DIGEST)
    assert not seen_failing(happened(("admitted", {**at, "verdict": {"state": "cannot tell"}})), DIGEST)
    assert not seen_failing(happened(("failed", {"condition_digest": "sha256:x"})), DIGEST)
    assert not seen_failing(happened("failed"), "")


def test_history_keeps_a_notes_events_in_the_order_of_their_numbers_whatever_the_clocks_say() -> None:
    def event(note: str, seq: int, at: str) -> Event:
        return Event(note, seq, "missed", f"2026-11-{at}:00Z", path=f"{note}/{seq}")

    fast = [event("n-b", 1, "20T10:00"), event("n-b", 2, "20T09:00"), event("n-b", 3, "20T11:00")]
    others = [event("n-a", 1, "20T10:00"), event("n-c", 1, "20T10:30"), event("n-c", 2, "20T10:30")]
    for first in (fast, others):
        mixed = [*first, *(fast if first is others else others)]
        events = {note: tuple(e for e in reversed(mixed) if e.note == note) for note in ("n-c", "n-a", "n-b")}
        told = [event.path for event in in_history(events)]
        assert told == ["n-a/1", "n-b/1", "n-b/2", "n-c/1", "n-c/2", "n-b/3"]
