"""``mem forget``: a tombstone that keeps the topic out."""

from __future__ import annotations

from memwarden.core.event import FORGOTTEN
from memwarden.core.identity import note_file_name, slug
from memwarden.core.note import ACTIVE, CANDIDATE, DEBT, Note, place_of, scope_of
from memwarden.core.record import TYPE_CHECKING
from memwarden.core.standing import SUPERSEDED
from memwarden.edit.event_writer import draft
from memwarden.edit.fresh import new_note
from memwarden.edit.plan import Proposal, events_folder
from memwarden.edit.propose.admission import admission
from memwarden.edit.propose.bench import Bench, as_note
from memwarden.edit.tombstone import TOMBSTONE, tombstones
from memwarden.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from memwarden.core.memory import Memory
    from memwarden.edit.plan import Surroundings

SOFT = "soft"


def propose_forget(memory: Memory, intent: Mapping[str, Any], around: Surroundings) -> Proposal:
    """The note's file gives way to a tombstone of the same key and evidence."""
    bench = Bench(memory, around)
    note = bench.note(intent["note"])
    _require_forgettable(bench, note)
    data = _tombstone(bench, note, intent, note.subject)
    path = _folder(note) + note_file_name(_title(note), intent["id"])
    tombstone = as_note(path, data)
    if note.lifecycle == DEBT and not _is_free(bench, tombstone):
        # A debt owns no key; the rule that does is not in its tombstone's way.
        data = _tombstone(bench, note, intent, f"{note.subject}#{slug(note.title)}")
        tombstone = as_note(path, data)
    admitted = admission(bench, tombstone, bench.events_of(tombstone.id))
    facts = {"mode": SOFT, TOMBSTONE: tombstone.id}
    forgotten = draft(note.id, FORGOTTEN, bench.events_of(note.id), facts)
    return Proposal(
        changes={note.path: None, path: data},
        events=(forgotten, admitted.event),
        reads=frozenset({*admitted.reads, *bench.subject_file(note.subject), events_folder(note.id)}),
        notes=(tombstone.id, note.id),
        remarks=(
            f"{tombstone.id} names the topic, to keep it from coming back;"
            f" mem forget {tombstone.id} --hard removes that too",
            "what git's history and other copies keep of it is not reached; --json counts it",
        ),
    )


def _require_forgettable(bench: Bench, note: Note) -> None:
    name = note.name
    if place_of(note.path) != ACTIVE:
        way = f"mem reject {name}" if place_of(note.path) == CANDIDATE else "leave it there"
        raise Refused(
            f"{note.path} is not active: there is nothing to keep from coming back",
            f"{way}, or mem forget {name} --hard",
        )
    if not note.id:
        raise Refused(f"M005: {name} has no ID, so nothing can be recorded about it", "give it an id first")
    if note.id in tombstones(bench.memory):
        raise Refused(f"{name} is a tombstone already", f"mem forget {name} --hard removes it")
    if sum(one.id == note.id for one in bench.memory.notes) > 1:
        raise Refused(
            f"M004: several files have the ID {name}", f"mem forget {name} --hard takes all of them"
        )
    standing = bench.standings[note.path]
    if standing.name == SUPERSEDED:
        raise Refused(
            f"{note.id} is superseded by {standing.by}, which stands for its topic now",
            f"forget {standing.by}, or mem forget {note.id} --hard",
        )


def _is_free(bench: Bench, note: Note) -> bool:
    try:
        bench.require_free(note)
    except Refused:
        return False
    return True


def _folder(note: Note) -> str:
    """Where a tombstone of the same scope lies."""
    scope = scope_of(note.path)
    area = f"areas/{scope.removeprefix('area:')}/" if scope.startswith("area:") else ""
    return f"memory/{area}do-not-use/"


def _title(note: Note) -> str:
    return f"Do not reintroduce: {note.title}"


def _tombstone(bench: Bench, note: Note, intent: Mapping[str, Any], subject: str) -> bytes:
    fields = {
        "id": intent["id"],
        "subject": subject,
        "facet": note.facet,
        "lifecycle": "rule",
        "anchors": [one.text if one.kind == "path" else {"command": one.text} for one in note.anchors],
        "evidence": [{one.key: one.value} for one in note.evidence],
        "supersedes": list(note.supersedes),
        "exception_to": note.exception_to,
        "created": intent["date"],
        "tags": list(note.tags),
    }
    body = f"This was forgotten on {intent['date']} ({note.id}): what it said no longer counts."
    return new_note(fields, _title(note), body)
