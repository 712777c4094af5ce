"""A difference as one JSON object: the shape that docs/ci.md describes."""

from __future__ import annotations

from memwarden.core.compare.difference import DEBT_WORDS
from memwarden.core.condition import as_mapping
from memwarden.core.record import TYPE_CHECKING
from memwarden.core.secrets import redact
from memwarden.render.note_fields import event_fields

if TYPE_CHECKING:
    from typing import Any

    from memwarden.core.compare.difference import Carried, Difference, NoteChange, TaskChange
    from memwarden.core.subject import Subject
    from memwarden.edge.review.between import End, Ends


def fields(found: Difference, ends: Ends) -> dict[str, Any]:
    """The object that the page about CI describes, key by key."""
    told: dict[str, Any] = _redacted(_fields(found, ends))
    return told


def _redacted(value: Any) -> Any:
    """The value without any secret in its texts, however deep they lie."""
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, dict):
        return {key: _redacted(inner) for key, inner in value.items()}
    return [_redacted(inner) for inner in value] if isinstance(value, list) else value


def _fields(found: Difference, ends: Ends) -> dict[str, Any]:
    return {
        "from": _end_fields(ends.before),
        "to": _end_fields(ends.after),
        "same": found.same,
        "nowhere": found.nowhere,
        "debts": [_change_fields(change) for change in found.notes if change.word in DEBT_WORDS],
        "notes": [_change_fields(change) for change in found.notes if change.word not in DEBT_WORDS],
        "owners": [
            {
                "scope": change.scope,
                "subject": change.subject,
                "facet": change.facet,
                "before": [note.name for note in change.before],
                "after": [note.name for note in change.after],
            }
            for change in found.owners
        ],
        "manifest": [
            {
                "what": change.what,
                "name": change.name or None,
                "before": _list(change.before),
                "after": _list(change.after),
            }
            for change in found.manifest
        ],
        "subjects": [
            {
                "id": change.id,
                "before": _subject_fields(change.before),
                "after": _subject_fields(change.after),
            }
            for change in found.subjects
        ],
        "broken": list(found.broken),
        "mended": list(found.mended),
        "tasks": [_task_fields(change) for change in found.tasks],
        "unrouted": found.unrouted or None,
    }


def _end_fields(end: End) -> dict[str, Any]:
    return {"name": end.name, "commit": end.commit or None}


def _change_fields(change: NoteChange) -> dict[str, Any]:
    note, was = change.note, change.was
    return {
        "change": change.word,
        "id": note.id or None,
        "path": note.path,
        "was_path": was.path if was is not None and was.path != note.path else None,
        "title": note.title,
        "lifecycle": note.lifecycle,
        "condition": as_mapping(note.condition) if note.condition is not None else None,
        "standing": {"before": change.before or None, "after": change.after or None},
        "fields": list(change.fields),
        "misses": change.misses,
        "by": change.by or None,
        "reason": change.why or None,
        "beside": change.beside or None,
        "event": event_fields(change.event) if change.event is not None else None,
    }


def _task_fields(change: TaskChange) -> dict[str, Any]:
    return {
        "task": change.task,
        "loads": [_carried_fields(one) for one in change.loads],
        "no_longer": [_carried_fields(one) for one in change.drops],
        "tokens": {"before": change.before, "after": change.after},
    }


def _carried_fields(one: Carried) -> dict[str, Any]:
    note = one.note
    return {
        "id": note.id or None,
        "path": note.path,
        "title": note.title,
        "tokens": one.tokens,
        "reason": one.reason,
    }


def _subject_fields(subject: Subject | None) -> dict[str, Any] | None:
    if subject is None:
        return None
    return {
        "name": subject.name,
        "kind": subject.kind or None,
        "ref": subject.ref or None,
        "aliases": list(subject.aliases),
        "merged_into": subject.merged_into or None,
    }


def _list(values: tuple[str, ...] | None) -> list[str] | None:
    return None if values is None else list(values)
