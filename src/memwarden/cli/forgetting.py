"""``mem forget`` and ``mem purge``: what was found, what is in the way, what is out of reach, and a plan."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Annotated, Any

import typer

from memwarden.cli.app import command
from memwarden.cli.arguments import NoteArgument
from memwarden.cli.erase_request import erase_preview, purge_memory, scope_and_outside
from memwarden.cli.frame import ground
from memwarden.cli.from_here import notes_said
from memwarden.cli.mutating import TIMEOUT, Apply, LockTimeout, finished, run_mutation
from memwarden.cli.said import named, new_id, reference
from memwarden.core.memory import Memory
from memwarden.edge.erase.exposure import measure
from memwarden.edge.erase.outside import FOUND, REMOVED, Scope
from memwarden.edge.writing.mutation import Built
from memwarden.edit.erasure import NOTES, TOMBSTONES
from memwarden.edit.targets import forget_intent
from memwarden.edit.topic import Topic


def register(app: typer.Typer) -> None:
    """Add ``forget`` and ``purge``."""
    command(app, "forget")(forget)
    command(app, "purge")(purge)


def forget(
    ctx: typer.Context,
    note: NoteArgument,
    hard: Annotated[
        bool, typer.Option("--hard", help="Leave no tombstone, and nothing of the note.")
    ] = False,
    apply: Apply = False,
    lock_timeout: LockTimeout = TIMEOUT,
) -> None:
    """Take a note out; a tombstone in do-not-use/ keeps its topic from coming back.

    With --hard every managed trace goes too, and it is applied by its plan ID only.
    """
    if hard:
        finished(erase_preview(ctx, "forget", lambda memory: forget_intent(memory, note), apply=apply))
        return
    where: list[str] = []

    def make_intent(memory: Memory) -> dict[str, Any]:
        found = named(memory, reference(memory, note))
        where[:] = [found.path, found.id]
        return {
            "command": "forget",
            "note": found.name,
            "id": new_id(memory),
            "date": ground(ctx).today,
        }

    def more(built: Built) -> Mapping[str, Any]:
        place = ground(ctx).place
        path, note_id = where
        state = FOUND if os.path.lexists(os.path.join(place.root, path)) else REMOVED
        exposure = measure(place, Topic((), [note_id], [path]))
        scopes = [Scope(NOTES, state, (path,)), Scope(TOMBSTONES, FOUND, built.plan.notes[:1])]
        return scope_and_outside(scopes, exposure)

    run_mutation(ctx, "forget", make_intent, apply=apply, lock_timeout=lock_timeout, more=more)


def purge(
    ctx: typer.Context,
    notes: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NOTE]...", callback=notes_said, help="Notes, by ID, path, or a part of either."
        ),
    ] = None,
    subject: Annotated[
        str, typer.Option(metavar="S", help="A subject with all of its notes.", show_default=False)
    ] = "",
    match: Annotated[
        str,
        typer.Option(
            metavar="TEXT", help="Whatever this text names; - reads standard input.", show_default=False
        ),
    ] = "",
    apply: Annotated[
        bool, typer.Option("--apply", help="Refused here: mem apply PLAN writes what the preview showed.")
    ] = False,
    lock_timeout: LockTimeout = TIMEOUT,
) -> None:
    """Remove every managed trace of notes, of a subject, or of a text, and report what is out of reach.

    It is applied by its plan ID only. Git history is never rewritten.
    """
    finished(purge_memory(ctx, notes or (), subject, match, apply))
