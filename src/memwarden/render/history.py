"""What blame and log found: the JSON shapes that outside scripts rely on, and lines for a screen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from memwarden.core.condition import Verdict, as_mapping
from memwarden.core.event import Event
from memwarden.core.note import Note
from memwarden.core.standing import DECLARED
from memwarden.core.visible import plain
from memwarden.edge.review.blame import Blame, Flip
from memwarden.edge.review.landing import Landing
from memwarden.render.laddering import verdict_fields
from memwarden.render.note_fields import event_fields
from memwarden.render.screen import styled
from memwarden.render.table import Column, table

EVENT_STYLES = {"paid": "green", "missed": "yellow", "reinstated": "yellow", "revoked": "red"}
WORDS = {True: ("holds", "green"), False: ("fails", "red"), None: ("cannot tell", "yellow")}


def blame_fields(note: Note, found: Blame, landings: Sequence[tuple[Event, Landing]]) -> dict[str, Any]:
    """``note, flips, holds_now`` and what explains them."""
    condition = note.condition or note.verify
    return {
        "note": note.id or None,
        "path": note.path,
        "condition": as_mapping(condition) if condition is not None else None,
        "flips": [_flip_fields(flip) for flip in found.flips],
        "holds_now": found.holds_now,
        "now": verdict_fields(found.now),
        "paid_by": found.paid_by.commit if found.paid_by else None,
        "payments": [_landing_fields(event, landing) for event, landing in landings],
        "notes": list(found.notes),
    }


def _flip_fields(flip: Flip) -> dict[str, Any]:
    return {
        "commit": flip.commit,
        "holds": flip.holds,
        "at": flip.by.at,
        "author": flip.by.author,
        "summary": flip.by.summary,
        "evidence": {"before": verdict_fields(flip.before), "after": verdict_fields(flip.after)},
    }


def _landing_fields(event: Event, landing: Landing) -> dict[str, Any]:
    return {
        "event": event.path,
        "at": event.at,
        "recorded": landing.recorded or None,
        "reachable": landing.reachable,
        "blobs_found": landing.blobs_found,
        "landed": landing.commit or None,
        "added": landing.added or None,
        "how": landing.how or None,
    }


def blame_page(note: Note, found: Blame, landings: Sequence[tuple[Event, Landing]], color: bool) -> str:
    """One paragraph a flip, then how it stands, where payments landed, and what could not be seen."""
    lines = [styled(f"{note.id or '-'}  {plain(note.title)}", "bold", color)]
    for flip in found.flips:
        word, style = WORDS[flip.holds]
        lines.append(
            f"{styled(flip.commit[:12], 'yellow', color)}  {flip.by.at[:10]}  "
            f"{styled(word, style, color)}  {plain(flip.by.author)}: {plain(flip.by.summary)}"
        )
        lines += [f"    before: {_told(flip.before)}", f"    after:  {_told(flip.after)}"]
    if not found.flips:
        lines.append("no commit changed what the condition says")
    word, style = WORDS[found.holds_now]
    lines.append(f"now: {styled(word, style, color)}: {plain(found.now.why)}")
    lines += [_landing_line(event, landing) for event, landing in landings]
    lines += [f"note: {plain(text)}" for text in found.notes]
    return "\n".join(lines) + "\n"


def _told(verdict: Verdict) -> str:
    """The verdict's reason, and the line that decided it."""
    excerpt = next((item["excerpt"] for item in verdict.items if item.get("excerpt")), "")
    return plain(verdict.why + (f": {excerpt}" if excerpt else ""))


def _landing_line(event: Event, landing: Landing) -> str:
    """Where a payment landed, and what of its receipt is no longer to be found."""
    if not landing.commit:
        declared = event.facts.get("how") == DECLARED
        where = "declared, over a condition that does not hold" if declared else "no commit of HEAD paid"
        where += f"; recorded in {landing.added[:12]}" if landing.added else ""
    elif landing.commit == landing.added:
        where = f"landed as {landing.commit[:12]} ({landing.how})"
    else:
        record = f"recorded in {landing.added[:12]}" if landing.added else "the record is in no commit yet"
        where = f"the condition first held in {landing.commit[:12]}; {record}"
    gone = [] if landing.reachable or not landing.recorded else ["not in this history"]
    if not landing.blobs_found:
        gone.append("its blobs are not found")
    recorded = f", on top of {landing.recorded[:12]}" if landing.recorded else ""
    aside = f" ({', '.join(gone)})" if gone else ""
    return f"paid {event.at[:10]}: {where}{recorded}{aside}"


def log_fields(events: Iterable[Event]) -> dict[str, Any]:
    """``events``, as they are shown."""
    return {"events": [event_fields(event) for event in events]}


def log_page(events: Sequence[Event], titles: Mapping[str, str], color: bool) -> str:
    """One line an event."""
    columns = (
        Column("at (UTC)", "dim", spare=True),
        Column("event", styles=EVENT_STYLES),
        Column("note", "bold"),
        Column("title", flexible=True),
        Column("how", "dim", flexible=True, spare=True),
    )
    rows = [
        (_minute(event.at), event.kind, event.note, titles.get(event.note, ""), _how(event))
        for event in events
    ]
    return table(columns, rows, color)


def _minute(at: str) -> str:
    return at[:16].replace("T", " ")


def _how(event: Event) -> str:
    """Who, and what there is to say about it."""
    facts = event.facts
    why = f"+{facts.get('count', 1)}" if event.kind == "missed" else facts.get("reason") or facts.get("how")
    return f"{event.actor[1]}: {why}" if why else event.actor[1]
