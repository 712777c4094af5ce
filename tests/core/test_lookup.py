"""An ID, a path, or an unambiguous part of either."""

from __future__ import annotations

import pytest

from memwarden.core.lookup import find_note
from memwarden.core.memory import Memory
from memwarden.core.note import Note
from memwarden.errors import ERROR, Finding, UsageError

NOTES = (
    Note("memory/decisions/json-4f7k2m9q.md", "n-4f7k2m9q", "Use JSON"),
    Note("memory/decisions/json-lines-4f7zzzzz.md", "n-4f7zzzzz", "Use JSON lines"),
    Note("memory/inbox/idea.md", "", "An idea"),
)
BROKEN = Finding("M001", ERROR, "no YAML", "memory/decisions/broken.md", 2)
MEMORY = Memory(None, None, NOTES, ("memory/decisions/broken.md",), findings=(BROKEN,))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("n-4f7k2m9q", 0),
        ("n-4f7z", 1),
        ("4f7z", 1),
        ("memory/inbox/idea.md", 2),
        ("inbox/idea.md", 2),
        ("./memory/inbox/idea.md", 2),
        ("idea.md", 2),
        ("idea", 2),
        ("IDEA", 2),
        ("json-lines", 1),
        ("m9q", 0),
    ],
)
def test_a_note_is_found_by_any_unambiguous_part(text: str, at: int) -> None:
    assert find_note(MEMORY, text) == NOTES[at]


def test_an_ambiguous_name_lists_its_notes() -> None:
    with pytest.raises(UsageError, match=r"names 2 notes: n-4f7k2m9q .*; n-4f7zzzzz "):
        find_note(MEMORY, "json")


def test_an_unknown_name_offers_the_nearest() -> None:
    with pytest.raises(UsageError, match="no note 'idee'") as refused:
        find_note(MEMORY, "idee")
    assert refused.value.next_step == "did you mean idea?"


def test_a_broken_note_is_named_with_what_is_wrong() -> None:
    with pytest.raises(UsageError, match="cannot be read") as refused:
        find_note(MEMORY, "decisions/broken.md")
    assert refused.value.findings == (BROKEN,)


def test_a_part_of_a_broken_note_s_name_is_no_unknown_name() -> None:
    with pytest.raises(UsageError, match=r"memory/decisions/broken.md cannot be read"):
        find_note(MEMORY, "broken")


def test_a_title_is_answered_with_the_notes_that_have_it() -> None:
    with pytest.raises(UsageError, match="no note 'use  json lines'") as refused:
        find_note(MEMORY, "use  json lines")
    assert refused.value.next_step.endswith("did you mean n-4f7zzzzz?")
    with pytest.raises(UsageError) as refused:
        find_note(MEMORY, "an idea")
    assert refused.value.next_step.endswith("did you mean memory/inbox/idea.md?")


def test_of_a_note_without_its_file_the_events_are_named() -> None:
    with pytest.raises(UsageError, match="no note 'n-gone0000'") as refused:
        find_note(MEMORY._replace(events={"n-gone0000": ()}), "n-gone0000")
    assert "memory/events/n-gone0000" in refused.value.next_step


@pytest.mark.parametrize("text", ["", "  "])
def test_an_empty_name_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        find_note(MEMORY, text)
