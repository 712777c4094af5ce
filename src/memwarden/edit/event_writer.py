"""A new event: its facts made safe, its name made from its content."""

from __future__ import annotations

import json

from memwarden.core.actor import Actor
from memwarden.core.canonical import condition_digest
from memwarden.core.condition import as_mapping
from memwarden.core.event import FOLDER, FORGOTTEN, PURGED, SCHEMA, Event
from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.core.secrets import redact
from memwarden.core.standing import next_seq
from memwarden.core.visible import visible
from memwarden.edit.event_reader import name_hash

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from memwarden.core.condition import Condition, Verdict


class EventDraft(NamedTuple):
    """An event before it happens: what a plan names.  ``reads`` are the paths that its verdict read;
    where one of them differs from HEAD the event will say ``dirty``."""

    note: str
    seq: int
    kind: str
    facts: dict[str, Any] = {}
    reads: tuple[str, ...] = ()

    def as_mapping(self) -> dict[str, Any]:
        """Everything that is known before it happens."""
        return {"note": self.note, "seq": self.seq, "kind": self.kind, **self.facts}


class Stamp(NamedTuple):
    """What an event says of the moment in which it is written; ``dirty`` are the paths that differ
    from HEAD there."""

    at: str
    actor: Actor
    commit: str = ""
    branch: str = ""
    dirty: frozenset[str] = frozenset()


def draft(
    note: str, kind: str, earlier: Iterable[Event], facts: Mapping[str, Any], reads: Iterable[str] = ()
) -> EventDraft:
    """The event that comes after the ``earlier`` ones of its note; its facts are made safe to keep."""
    kept = {key: _safe(value) for key, value in facts.items() if value is not None}
    return EventDraft(note, next_seq(earlier), kind, kept, tuple(sorted(reads)))


def event_file(draft: EventDraft, stamp: Stamp) -> tuple[str, bytes]:
    """The path and the bytes of the event."""
    facts = {
        **draft.as_mapping(),
        "schema": SCHEMA,
        "at": stamp.at,
        "actor": {"kind": stamp.actor.kind, "name": _safe(stamp.actor.name)},
        "commit": stamp.commit or None,
    }
    if draft.kind not in (FORGOTTEN, PURGED):
        facts["branch"] = _safe(stamp.branch) or None
        facts["dirty"] = any(path in stamp.dirty for path in draft.reads)
    name = f"{draft.seq:04d}-{draft.kind}-{name_hash(facts)}.json"
    return f"{FOLDER}{draft.note}/{name}", event_bytes(facts)


def event_bytes(facts: Mapping[str, Any]) -> bytes:
    """Indented JSON with sorted keys: one fact a line, so that a review can read it."""
    return (json.dumps(facts, indent=2, sort_keys=True, ensure_ascii=False) + "\n").encode()


def condition_facts(condition: Condition | None) -> dict[str, Any]:
    """What an event says of the condition that it is about."""
    if condition is None:
        return {}
    return {"condition": as_mapping(condition), "condition_digest": condition_digest(condition)}


def verdict_facts(verdict: Verdict) -> dict[str, Any]:
    """What an event says of a verdict: its state, why, and the evidence."""
    return {"state": verdict.state, "why": verdict.why, "items": list(verdict.items)}


def _safe(value: Any) -> Any:
    """The same value without secrets and without what JSON or a terminal could not take."""
    if isinstance(value, str):
        return visible(redact(value))
    if isinstance(value, dict):
        return {_safe(key): _safe(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_safe(inner) for inner in value]
    return value
