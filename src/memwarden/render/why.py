"""The answer of ``mem why`` as JSON and as a page."""

from __future__ import annotations

import json
from typing import Any

from memwarden.core.condition import as_mapping
from memwarden.core.record import TYPE_CHECKING
from memwarden.core.secrets import redact
from memwarden.core.visible import plain
from memwarden.render.lines import Whole, folded
from memwarden.render.screen import styled, width

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memwarden.core.route.why import Outcome, Why

_LABEL = 12


def why_fields(why: Why) -> dict[str, Any]:
    """The JSON shape of ``mem why``."""
    note, standing = why.note, why.standing
    admitted = standing.admitted
    return {
        "id": note.id or None,
        "path": note.path,
        "module": why.module,
        "title": redact(note.title),
        "subject": why.subject or None,
        "facet": note.facet or None,
        "scope": why.scope,
        "lifecycle": note.lifecycle,
        "standing": standing.name,
        "governs": why.governs,
        "contested": list(why.contested),
        "admitted": None
        if admitted is None
        else {
            "at": admitted.at,
            "actor": {"kind": admitted.actor[0], "name": admitted.actor[1]},
            "commit": admitted.commit or None,
        },
        "evidence": [{item.key: redact(item.value)} for item in note.evidence],
        "anchors": [a.text if a.kind == "path" else {"command": a.text} for a in note.anchors],
        "condition": as_mapping(note.condition) if note.condition is not None else None,
        "faults": [{"code": fault.code, "message": fault.message} for fault in why.faults],
        "remarks": [{"code": one.code, "message": redact(one.message)} for one in why.remarks],
        "tasks": [
            {
                "task": one.task,
                "loaded": one.loaded,
                "reason": one.reasons[0],
                "reasons": list(one.reasons),
                "detail": redact(one.detail),
            }
            for one in why.outcomes
        ],
        "otherwise": list(why.otherwise),
        "ends": list(why.ends),
    }


def why_page(why: Why, color: bool) -> str:
    """What decides about the note, one question a line."""
    head = f"{why.note.id or '(no ID)'}  {plain(redact(why.note.title))}"
    return "\n".join([styled(head, "bold", color), *_lines(why)]) + "\n"


def _lines(why: Why) -> Iterator[str]:
    note, standing = why.note, why.standing
    yield from _row("path", note.path, whole=True)
    misses = f", {standing.misses} missed" if standing.misses else ""
    yield from _row("standing", f"{standing.name}{misses}")
    for fault in why.faults:
        yield from _row("invalid", f"{fault.code} {fault.message}")
    for odd in why.remarks:
        yield from _row("remark", f"{odd.code} {redact(odd.message)}")
    yield from _row("admitted", _admission(why))
    for item in note.evidence:
        yield from _row("", f"{item.key}: {redact(item.value)}")
    key = " / ".join(part for part in (why.subject, note.facet) if part) or "no subject, no facet"
    yield from _row("about", f"{key} ({why.scope})")
    yield from _row("governs", why.governs)
    if why.contested:
        yield from _row("contested", f"by {', '.join(why.contested)}: a person must decide")
    for at, anchor in enumerate(note.anchors):
        shown = anchor.text if anchor.kind == "path" else f"command {anchor.text}"
        yield from _row("" if at else "touched by", shown, whole=anchor.kind == "path")
    if note.condition is not None:
        yield from _row("condition", json.dumps(as_mapping(note.condition), ensure_ascii=False))
    for label, loads in (("loaded by", True), ("not by", False)):
        chosen = [one for one in why.outcomes if one.loaded is loads]
        for at, one in enumerate(chosen):
            yield from _row("" if at else label, _outcome(one))
    for at, way in enumerate(why.otherwise):
        yield from _row("" if at else "but by", way)
    for at, end in enumerate(why.ends):
        yield from _row("" if at else "ends", end)


def _admission(why: Why) -> str:
    admitted = why.standing.admitted
    if admitted is None:
        if why.standing.name == "candidate":
            return "no: it waits in the inbox"
        return "by hand: no event records it, review is its admission" if why.note.evidence else "no evidence"
    kind, name = admitted.actor
    return f"{admitted.at[:10]} by {kind} {name}"


def _outcome(one: Outcome) -> str:
    detail = f" ({redact(one.detail)})" if one.detail else ""
    return f"{one.task}: {', '.join(one.reasons)}{detail}"


def _row(label: str, text: str, whole: bool = False) -> Iterator[str]:
    """A line, folded; a path is ``whole``."""
    lead = f"  {label:<{_LABEL}}"
    told = Whole(plain(text)) if whole else plain(text)
    yield from folded((told,), min(width(), 100), lead, " " * len(lead))
