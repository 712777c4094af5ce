"""One note as the JSON shape that outside scripts rely on."""

from __future__ import annotations

from typing import Any

from memwarden.core.condition import as_mapping
from memwarden.core.event import Event
from memwarden.core.note import DEBT, Note, module_of, scope_of
from memwarden.core.secrets import redact
from memwarden.core.standing import Standing
from memwarden.errors import Finding


def brief_fields(note: Note, standing: Standing, modules: tuple[str, ...]) -> dict[str, Any]:
    """``id, path, module, title, subject, facet, scope, lifecycle, standing, created``; null where the
    file does not say."""
    return {
        "id": note.id or None,
        "path": note.path,
        "module": module_of(note.path, modules),
        "title": note.title,
        "subject": note.subject or None,
        "facet": note.facet or None,
        "scope": scope_of(note.path),
        "lifecycle": note.lifecycle,
        "standing": standing.name,
        "created": note.created or None,
    }


def full_fields(
    note: Note,
    standing: Standing,
    modules: tuple[str, ...],
    body: str,
    events: tuple[Event, ...],
    fires: int,
    remarks: tuple[Finding, ...] = (),
    faults: tuple[Finding, ...] = (),
) -> dict[str, Any]:
    """The brief shape and everything else that the note's file and events say; ``remarks`` say how an odd
    file is read, ``faults`` why the note is told to nobody."""
    return {
        **brief_fields(note, standing, modules),
        "tags": list(note.tags),
        "supersedes": list(note.supersedes),
        "exception_to": note.exception_to or None,
        "not_before": note.not_before or None,
        "expires": note.expires or None,
        "tokens": note.tokens,
        "reason": standing.reason or None,
        "body": body,
        "anchors": [a.text if a.kind == "path" else {"command": a.text} for a in note.anchors],
        "condition": as_mapping(note.condition) if note.condition is not None else None,
        "verify": as_mapping(note.verify) if note.verify is not None else None,
        "evidence": [{e.key: e.value} for e in note.evidence],
        "misses": standing.misses if note.lifecycle == DEBT else 0,
        "fires": fires,
        "remarks": [{"code": one.code, "message": redact(one.message)} for one in remarks],
        "faults": [{"code": one.code, "message": redact(one.message)} for one in faults],
        "events": [event_fields(event) for event in events],
    }


def event_fields(event: Event) -> dict[str, Any]:
    """An event as its file writes it, with the file's path."""
    return {
        **event.facts,
        "note": event.note,
        "seq": event.seq,
        "kind": event.kind,
        "at": event.at,
        "actor": {"kind": event.actor[0], "name": event.actor[1]},
        "commit": event.commit or None,
        "branch": event.branch or None,
        "dirty": event.dirty,
        "path": event.path,
    }
