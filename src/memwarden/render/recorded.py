"""An event that is about to be written, in one line: its kind, its note, and what it records."""

from __future__ import annotations

from memwarden.core.record import TYPE_CHECKING
from memwarden.core.visible import plain

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from memwarden.edit.event_writer import EventDraft


def event_line(event: EventDraft) -> str:
    """``+ event admitted n-4f7k2m9q: user: Ada, 2026-11-30; the condition does not hold: no match``."""
    facts = event.facts
    told = [_evidence(facts.get("evidence")), _verdict(facts.get("verdict"))]
    told += [str(facts[key]) for key in ("how", "why", "mode", "reason") if facts.get(key)]
    if facts.get("count"):
        told.append(f"{facts['count']} more")
    said = "; ".join(one for one in told if one)
    return plain(f"+ event {event.kind} {event.note}" + (f": {said}" if said else ""))


def _evidence(evidence: Any) -> str:
    """Evidence as a note cites it; that of a payment is told by its paths."""
    if isinstance(evidence, dict):
        items = evidence.get("items") or ()
        return ", ".join(f"{item['path']}:{item['line']}" for item in items if item.get("line"))
    return ", ".join(f"{key}: {value}" for item in evidence or () for key, value in item.items())


def _verdict(verdict: Mapping[str, Any] | None) -> str:
    if not verdict:
        return ""
    why = f": {verdict['why']}" if verdict.get("why") else ""
    return f"the condition {'cannot be told' if 'tell' in verdict['state'] else verdict['state']}{why}"
