"""``mem inbox``, ``admit`` and ``reject``: what becomes of candidates."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from memwarden.cli.add_request import Claims, said_claims, said_notes
from memwarden.cli.adding import (
    Anchor,
    Debt,
    EvidenceOption,
    ExceptionTo,
    Expires,
    Facet,
    Module,
    NewSubject,
    NotBefore,
    OnCommand,
    SubjectOption,
    Supersedes,
    Tag,
    Until,
    Verify,
)
from memwarden.cli.app import command
from memwarden.cli.frame import Ground, common, ground, print_json, write
from memwarden.cli.mutating import TIMEOUT, Apply, LockTimeout, run_mutation
from memwarden.cli.said import (
    default_evidence,
    named,
    new_id,
    one_line,
    prose,
    read_text,
    reference,
)
from memwarden.core.memory import Memory
from memwarden.core.note import CANDIDATE, Note
from memwarden.core.standing import standings
from memwarden.core.visible import plain, visible
from memwarden.core.workspace import Unreadable
from memwarden.edge.opening import open_memory
from memwarden.edit.note_reader import body_of
from memwarden.render.note_fields import brief_fields

NoteArgument = Annotated[str, typer.Argument(metavar="NOTE", help="Its ID, its path, or a part of either.")]
Reason = Annotated[str, typer.Option(help="Why; it is kept with the event.", show_default=False)]


def register(app: typer.Typer) -> None:
    """Add ``inbox``, ``admit`` and ``reject``."""
    command(app, "inbox")(inbox)
    command(app, "admit")(admit)
    command(app, "reject")(reject)


def admit(
    ctx: typer.Context,
    note: NoteArgument,
    title: Annotated[str, typer.Option(help="Another title.", show_default=False)] = "",
    body: Annotated[
        str, typer.Option(help="With --title, another body; - reads standard input.", show_default=False)
    ] = "",
    debt: Debt = False,
    until: Until = "",
    anchor: Anchor = None,
    on_command: OnCommand = None,
    subject: SubjectOption = "",
    new_subject: NewSubject = False,
    facet: Facet = "",
    module: Module = "",
    evidence: EvidenceOption = None,
    supersedes: Supersedes = None,
    exception_to: ExceptionTo = "",
    verify: Verify = "",
    expires: Expires = "",
    not_before: NotBefore = "",
    tag: Tag = None,
    apply: Apply = False,
    lock_timeout: LockTimeout = TIMEOUT,
) -> None:
    """Make a candidate memory: it moves to its module, with evidence; options fill what it lacks."""
    here = ground(ctx)
    claims = Claims(
        debt,
        until,
        anchor,
        on_command,
        subject,
        new_subject,
        facet,
        module,
        evidence,
        supersedes,
        exception_to,
        verify,
        expires,
        not_before,
        tag,
    )
    said = {
        **admission_said(here),
        **said_claims(claims),
        "title": one_line(title, "the title") if title else "",
        "body": prose(read_text(body, "--body"), "the body") if body else "",
    }

    def make_intent(memory: Memory) -> dict[str, Any]:
        place = {"note": reference(memory, note), "id": _id_for(memory, note)}
        return {**said, **place, **said_notes(memory, claims)}

    run_mutation(ctx, "admit", make_intent, apply=apply, lock_timeout=lock_timeout)


def reject(
    ctx: typer.Context,
    note: NoteArgument,
    reason: Reason = "",
    apply: Apply = False,
    lock_timeout: LockTimeout = TIMEOUT,
) -> None:
    """Turn a candidate down; its file stays in the inbox, silent, and the reason is kept."""

    def make_intent(memory: Memory) -> dict[str, Any]:
        return _rejection(memory, note, prose(reason, "--reason"))

    run_mutation(ctx, "reject", make_intent, apply=apply, lock_timeout=lock_timeout)


def inbox(ctx: typer.Context, lock_timeout: LockTimeout = TIMEOUT) -> None:
    """Show the candidates; on a terminal, accept, reject or skip each, with one plan at the end."""
    here = ground(ctx)
    memory = open_memory(here.place)
    found = standings(memory, here.today)
    waiting = [note for note in memory.notes if found[note.path].name == CANDIDATE]
    if common(ctx).json:
        modules = memory.manifest.modules() if memory.manifest else ()
        rows = [brief_fields(note, found[note.path], modules) for note in waiting]
        print_json("inbox", {"notes": rows, "plan": None, "applied": False})
        return
    if not waiting:
        write("the inbox is empty\n")
        return
    if not _on_terminal():
        write(
            "".join(f"{note.id or '(no ID)'}  {plain(note.title)}  {plain(note.path)}\n" for note in waiting)
        )
        return
    decisions = _triage(here, memory, waiting)
    if decisions:
        intent = {"command": "inbox", "decisions": decisions}
        run_mutation(ctx, "inbox", lambda memory: intent, lock_timeout=lock_timeout)


def _on_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def admission_said(here: Ground) -> dict[str, Any]:
    """An admission as the command alone says it; options say more."""
    return {
        "command": "admit",
        "date": here.today,
        "by": here.actor.kind,
        "spoken": default_evidence(here.actor, here.today),
    }


def _triage(here: Ground, memory: Memory, waiting: list[Note]) -> list[dict[str, Any]]:
    """Ask about each candidate; what is decided becomes one plan."""
    decisions = []
    for at, note in enumerate(waiting, 1):
        write(f"\n[{at}/{len(waiting)}] {_card(memory, note)}")
        answer = typer.prompt("accept, reject, skip or quit", default="skip", err=True).strip().lower()[:1]
        if answer == "q":
            break
        if answer == "r":
            reason = typer.prompt("why", default="", show_default=False, err=True)
            decisions.append(_rejection(memory, note.path, prose(reason, "the reason")))
        elif answer == "a":
            decisions.append(_acceptance(here, memory, note))
    return decisions


def _card(memory: Memory, note: Note) -> str:
    try:
        body = body_of(memory.workspace.read(note.path))
    except Unreadable:  # what cannot be shown can still be rejected
        body = ""
    evidence = ", ".join(f"{one.key}: {one.value}" for one in note.evidence) or "none"
    return (
        f"{plain(note.title)}\n{plain(note.path)}\nevidence: {plain(evidence)}\n\n{visible(body).strip()}\n\n"
    )


def _acceptance(here: Ground, memory: Memory, note: Note) -> dict[str, Any]:
    claims = Claims()
    place = {"note": note.id or note.path, "id": _id_for(memory, note.path), "title": "", "body": ""}
    return {**admission_said(here), **said_claims(claims), **said_notes(memory, claims), **place}


def _rejection(memory: Memory, note: str, reason: str) -> dict[str, Any]:
    return {
        "command": "reject",
        "note": reference(memory, note),
        "id": _id_for(memory, note),
        "reason": reason.strip(),
    }


def _id_for(memory: Memory, note: str) -> str:
    """The ID that the note has, or one minted for it."""
    return named(memory, note).id or new_id(memory)
