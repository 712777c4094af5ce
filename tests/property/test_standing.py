"""The fold gives one answer: for any order of reading, and however often a file is read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwarden.core.event import KINDS, Event
from memwarden.core.memory import Memory
from memwarden.core.note import Note
from memwarden.core.standing import fold, standings

pytestmark = pytest.mark.property

DIGESTS = ("", "sha256:a", "sha256:b")
STATES = ("holds", "does not hold", "cannot tell")


@st.composite
def events(draw: st.DrawFn) -> Event:
    kind = draw(st.sampled_from(KINDS))
    facts = {
        "condition_digest": draw(st.sampled_from(DIGESTS)),
        "how": draw(st.sampled_from(("touch", "declared"))),
        "count": draw(st.integers(1, 3)),
        "verdict": {"state": draw(st.sampled_from(STATES))},
    }
    seq, day = draw(st.integers(1, 6)), draw(st.integers(1, 3))
    name = f"{seq:04}-{kind}-{abs(hash(repr(facts))) % 16**8:08x}.json"
    at = f"2026-11-0{day}T00:00:00Z"
    return Event("n-aaaaaaaa", seq, kind, at, facts=facts, path=f"memory/events/n-aaaaaaaa/{name}")


@given(st.data(), st.lists(events(), max_size=12), st.sampled_from(DIGESTS))
def test_any_reading_order_and_any_duplicates_give_the_same_account(
    data: st.DataObject, log: list[Event], digest: str
) -> None:
    again = data.draw(
        st.permutations(log + data.draw(st.lists(st.sampled_from(log)) if log else st.just([])))
    )
    assert fold(again, digest) == fold(log, digest)


@given(st.data(), st.lists(events(), max_size=12))
def test_the_standing_is_the_same_in_any_reading_order(data: st.DataObject, log: list[Event]) -> None:
    note = Note("memory/debts/a.md", "n-aaaaaaaa", lifecycle="debt")
    found = [
        standings(Memory(None, notes=(note,), events={note.id: tuple(order)}), "2026-11-30")  # type: ignore[arg-type]
        for order in (log, data.draw(st.permutations(log)))
    ]
    assert found[0] == found[1]


@given(st.lists(events(), max_size=12), st.sampled_from(DIGESTS))
def test_misses_are_never_lost(log: list[Event], digest: str) -> None:
    counts = {(e.seq, e.at, e.path): e.facts["count"] for e in log if e.kind == "missed"}
    assert fold(log, digest).misses == sum(counts.values())
