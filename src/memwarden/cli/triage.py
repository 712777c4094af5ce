"""Going through the inbox with a person: one card a candidate, one answer each, one plan at the end."""

from __future__ import annotations

from typing import Any

import typer

from memwarden.cli.add_request import Claims, said_claims, said_notes
from memwarden.cli.frame import Ground, write
from memwarden.cli.from_here import FromHere
from memwarden.cli.said import default_evidence, named, new_id, prose, reference
from memwarden.core.memory import Memory
from memwarden.core.note import DEBT, Anchor, Note
from memwarden.core.turn.wording import in_words
from memwarden.core.visible import plain, visible
from memwarden.core.workspace import Unreadable
from memwarden.edge.git.plumbing import run
from memwarden.edge.place import Place
from memwarden.edge.writing.sifting import Held
from memwarden.edit.note_reader import body_of
from memwarden.errors import MemError, Refused

ACCEPT, REJECT, SKIP, QUIT = "accept", "reject", "skip", "quit"
ANSWERS = (ACCEPT, REJECT, SKIP, QUIT)
HELP = """  accept  it becomes memory, with you as its evidence
  reject  it stays in the inbox, silent, with your reason
  skip    it waits on
  quit    stop asking; what is decided so far is shown as one plan
The first letter will do.
"""


def triage(here: Ground, memory: Memory, waiting: list[Note]) -> list[dict[str, Any]]:
    """Ask about each candidate; what is decided becomes one plan."""
    decisions = []
    for at, note in enumerate(waiting, 1):
        write(f"\n[{at}/{len(waiting)}] {card(here.place, memory, note)}")
        answer = _answer()
        if answer == QUIT:
            break
        if answer == REJECT:
            reason = typer.prompt("why", default="", show_default=False, err=True)
            decisions.append(rejection(memory, note.path, prose(reason, "the reason")))
        elif answer == ACCEPT:
            decisions.append(_acceptance(here, memory, note))
    return decisions


def _answer() -> str:
    """One of :data:`ANSWERS`; anything else is told what can be answered, and is asked again."""
    while True:
        said = typer.prompt("accept, reject, skip or quit", default=SKIP, err=True).strip().lower()
        found = next((one for one in ANSWERS if said in (one, one[0])), "")
        if found:
            return found
        write(HELP)


def card(place: Place, memory: Memory, note: Note) -> str:
    """What a person needs in order to decide about a candidate."""
    try:
        body = body_of(memory.workspace.read(note.path))
    except Unreadable:  # what cannot be shown can still be rejected
        body = ""
    facts = [
        ("from", _writer(place, note)),
        ("kind", _kind(note)),
        ("about", " / ".join(one for one in (note.subject, note.facet) if one)),
        ("anchors", ", ".join(map(_anchor, note.anchors)) or "none: it comes up by its module alone"),
        ("evidence", ", ".join(f"{one.key}: {one.value}" for one in note.evidence) or "none"),
    ]
    lines = [f"{label:<9} {plain(value)}" for label, value in facts if value]
    return "\n".join([plain(note.title), plain(note.path), *lines, "", visible(body).strip(), "\n"])


def _kind(note: Note) -> str:
    if note.lifecycle != DEBT:
        return "rule"
    if note.condition is None:
        return "debt, paid by declaration"
    return f"debt, paid when {in_words(note.condition)}"


def _anchor(anchor: Anchor) -> str:
    return anchor.text if anchor.kind == "path" else f"command: {anchor.text}"


def _writer(place: Place, note: Note) -> str:
    """Who wrote it, by its own evidence, else by who committed it first."""
    said = [f"{one.key} {one.value}" for one in note.evidence if one.key in ("agent", "user")]
    if said:
        return ", ".join(said)
    try:
        log = run(place, "log", "--format=%an, %as", "--diff-filter=A", "--", note.path)
    except MemError:  # no commit yet
        log = b""
    lines = log.decode("utf-8", "replace").splitlines()
    return f"{lines[-1]} (as committed)" if lines else "unknown: it names nobody, and is not committed"


def admission_said(here: Ground) -> dict[str, Any]:
    """An admission as the command alone says it; options say more."""
    return {
        "command": "admit",
        "date": here.today,
        "by": here.actor.kind,
        "spoken": default_evidence(here.actor, here.today),
    }


def _acceptance(here: Ground, memory: Memory, note: Note) -> dict[str, Any]:
    claims = Claims()
    place = {"note": note.name, "id": id_for(memory, note.path), "title": "", "body": ""}
    said = said_claims(claims, FromHere(here.place))
    return {**admission_said(here), **said, **said_notes(memory, claims), **place}


def rejection(memory: Memory, note: str, reason: str) -> dict[str, Any]:
    """A rejection as an intent holds it."""
    return {
        "command": "reject",
        "note": reference(memory, note),
        "id": id_for(memory, note),
        "reason": reason.strip(),
    }


def waits(one: Held) -> Refused:
    """Why a decided candidate stays where it is, and what to do about it."""
    names = [decision["note"] for decision in (*one.rivals, one.decision)]
    message, step = one.why.message, one.why.next_step
    if one.why.findings:
        message = f"refused by {', '.join(dict.fromkeys(found.code for found in one.why.findings))}"
    if not one.rivals:
        return Refused(f"{names[0]} is left in the inbox: {message}", step, one.why.findings)
    return Refused(
        f"{' and '.join(names)} are left in the inbox, for not all of them can be memory: {message}",
        f"mem admit the one that is right, and mem reject the other; to keep both, admit one as it is and"
        f" the other with an option: {step}",
        one.why.findings,
    )


def id_for(memory: Memory, note: str) -> str:
    """The ID that the note has, or one minted for it."""
    return named(memory, note).id or new_id(memory)
