"""The law over a neighbourhood is the law over the whole memory."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memwarden.core.actor import Actor
from memwarden.core.memory import Memory
from memwarden.core.workspace import Entry, Overlay, Unreadable
from memwarden.edit.event_writer import Stamp, draft, event_file
from memwarden.edit.fresh import new_note
from memwarden.edit.memory_reader import load
from memwarden.edit.snapshot import changed_memory
from memwarden.rules.law import judge_change
from memwarden.rules.scene import Context
from tests.conftest import MANIFEST

pytestmark = pytest.mark.property


class Nothing:
    """A workspace without files."""

    name = "nothing"

    def entry(self, path: str) -> Entry | None:
        return None

    def read(self, path: str) -> bytes:
        raise Unreadable("no such file")

    def paths(self, under: str = "", passing: frozenset[str] = frozenset()) -> object:
        return iter(())

    def blob(self, path: str) -> str:
        return ""

    def resolved(self, path: str) -> str:
        return path


SUBJECT = b"---\nid: lib\nname: Library\nkind: concept\naliases: [the library]\n---\n# Library\n"
ALWAYS = {"memory/manifest.md": MANIFEST.encode(), "memory/subjects/lib.md": SUBJECT}
IDS = [f"n-aaaaaaa{n}" for n in range(6)]
FOLDERS = ("decisions", "constraints", "areas/sync", "archive", "inbox", "debts")
SUBJECTS = ("project", "path:src/a.py", "path:./src/a.py", "lib", "the library", "unknown", "")


@st.composite
def notes(draw: st.DrawFn) -> tuple[str, bytes]:
    note_id = draw(st.sampled_from(IDS))
    path = f"memory/{draw(st.sampled_from(FOLDERS))}/{draw(st.sampled_from(('x', 'y', 'z')))}{note_id[-1]}.md"
    fields = {
        "id": draw(st.sampled_from((note_id, ""))) if draw(st.integers(0, 9)) == 0 else note_id,
        "subject": draw(st.sampled_from(SUBJECTS)),
        "facet": draw(st.sampled_from(("workflow", "security", "vibes"))),
        "lifecycle": draw(st.sampled_from(("", "", "debt"))),
        "evidence": draw(st.sampled_from(([{"user": "Ada"}], [{"agent": "me"}], []))),
        "supersedes": draw(st.lists(st.sampled_from(IDS), max_size=1)),
        "exception_to": draw(st.sampled_from(("", "", *IDS))),
        "expires": draw(st.sampled_from(("", "", "2026-01-01"))),
    }
    return path, new_note(fields, "A claim")


@st.composite
def events(draw: st.DrawFn) -> tuple[str, bytes]:
    kind = draw(st.sampled_from(("revoked", "reinstated", "rejected", "purged")))
    event = draft(draw(st.sampled_from(IDS)), kind, (), {})._replace(seq=draw(st.integers(1, 3)))
    return event_file(event, Stamp("2026-11-30T10:00:00Z", Actor("human", "Ada")))


@st.composite
def changes(draw: st.DrawFn, there: list[str]) -> dict[str, bytes | None]:
    found: dict[str, bytes | None] = dict(draw(st.lists(notes() | events(), max_size=2)))
    if there:
        found |= dict.fromkeys(draw(st.lists(st.sampled_from(there), max_size=1)))
    return found


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.data(), st.lists(notes() | events(), max_size=8))
def test_a_neighbourhood_shows_every_new_error(data: st.DataObject, files: list[tuple[str, bytes]]) -> None:
    before: Memory = load(Overlay(Nothing(), ALWAYS | dict(files)))  # type: ignore[arg-type]
    change = data.draw(changes(sorted(path for path, _ in files)))
    after = changed_memory(before, change)
    context = Context("2026-11-30")
    near = judge_change(before, after, context, change)
    whole = judge_change(before, after, context, [*change, "memory/manifest.md"])
    assert near.errors == whole.errors
