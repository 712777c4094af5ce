"""``mem inbox``, ``admit`` and ``reject``: what becomes of candidates."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from memwarden.cli.add_request import Claims, said_claims, said_notes
from memwarden.cli.app import command
from memwarden.cli.arguments import (
    Anchor,
    Debt,
    EvidenceOption,
    ExceptionTo,
    Expires,
    Facet,
    Module,
    NewSubject,
    NotBefore,
    NoteArgument,
    OnCommand,
    Reason,
    SubjectOption,
    Supersedes,
    Tag,
    Until,
    Verify,
)
from memwarden.cli.carrying import may_ask
from memwarden.cli.frame import common, ground, print_json, show_error, write
from memwarden.cli.from_here import FromHere, say_how_read
from memwarden.cli.mutating import TIMEOUT, Apply, LockTimeout, desk_of, run_mutation
from memwarden.cli.said import one_line, prose, read_text, reference
from memwarden.cli.triage import admission_said, id_for, rejection, triage, waits
from memwarden.core.memory import Memory
from memwarden.core.note import CANDIDATE
from memwarden.core.standing import standings
from memwarden.core.visible import plain
from memwarden.edge.reading.opening import open_memory
from memwarden.edge.writing.sifting import sift
from memwarden.errors import EXIT_REFUSED
from memwarden.render.note_fields import brief_fields


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
    """Make a candidate memory: it moves to its module, with evidence; options fill what it lacks.

    A note that is active already is admitted again as it stands: its evidence is pinned anew.
    """
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
    seen = FromHere(here.place)
    said = {
        **admission_said(here),
        **said_claims(claims, seen),
        "title": one_line(title, "the title") if title else "",
        "body": prose(read_text(body, "--body"), "the body") if body else "",
    }

    say_how_read(ctx, seen)

    def make_intent(memory: Memory) -> dict[str, Any]:
        place = {"note": reference(memory, note), "id": id_for(memory, note)}
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
        return rejection(memory, note, prose(reason, "--reason"))

    run_mutation(ctx, "reject", make_intent, apply=apply, lock_timeout=lock_timeout)


def inbox(ctx: typer.Context, lock_timeout: LockTimeout = TIMEOUT) -> None:
    """Show the candidates; on a terminal, accept, reject or skip each, with one plan at the end."""
    here = ground(ctx)
    memory = open_memory(here.place)
    found = standings(memory, here.today)
    waiting = [note for note in memory.notes if found[note.path].name == CANDIDATE]
    if common(ctx).json:
        modules = memory.modules
        rows = [brief_fields(note, found[note.path], modules) for note in waiting]
        print_json("inbox", {"notes": rows, "plan": None, "applied": False})
        return
    if not waiting:
        write("the inbox is empty\n")
        return
    if not may_ask(ctx):
        write(
            "".join(f"{note.id or '(no ID)'}  {plain(note.title)}  {plain(note.path)}\n" for note in waiting)
        )
        return
    decisions = triage(here, memory, waiting)
    if decisions:
        asked = {"command": "inbox", "decisions": decisions}
        kept, held = sift(desk_of(here), memory, asked)
        for one in held:
            show_error(waits(one))
        if kept:
            intent = {**asked, "decisions": kept}
            run_mutation(ctx, "inbox", lambda memory: intent, lock_timeout=lock_timeout, short=True)
        if held:
            raise typer.Exit(EXIT_REFUSED)
