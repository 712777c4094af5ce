"""``mem supersede``, ``revoke``, ``reinstate``, ``move`` and ``edit``: changes to notes that are there."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from memwarden.cli.app import command
from memwarden.cli.arguments import NoteArgument, Reason
from memwarden.cli.editing import edit_in_editor, edit_intent, take_text
from memwarden.cli.frame import ground
from memwarden.cli.from_here import note_said
from memwarden.cli.mutating import TIMEOUT, Apply, LockTimeout, run_mutation, run_with_reason
from memwarden.cli.said import read_note_text, reference
from memwarden.core.lookup import find_note
from memwarden.core.memory import Memory
from memwarden.core.workspace import Unreadable
from memwarden.edge.reading.opening import open_memory
from memwarden.errors import Refused, UsageError


def register(app: typer.Typer) -> None:
    """Add the verbs that change notes."""
    command(app, "supersede")(supersede)
    command(app, "revoke")(revoke)
    command(app, "reinstate")(reinstate)
    command(app, "move")(move)
    command(app, "edit")(edit)


def supersede(
    ctx: typer.Context,
    old: Annotated[
        str, typer.Argument(metavar="OLD", callback=note_said, help="The note that falls silent.")
    ],
    new: Annotated[
        str, typer.Argument(metavar="NEW", callback=note_said, help="The note that stands in for it.")
    ],
    apply: Apply = False,
    lock_timeout: LockTimeout = TIMEOUT,
) -> None:
    """Let one active note stand in for another of the same scope, subject and facet."""

    def make_intent(memory: Memory) -> dict[str, Any]:
        return {"command": "supersede", "old": reference(memory, old), "new": reference(memory, new)}

    run_mutation(ctx, "supersede", make_intent, apply=apply, lock_timeout=lock_timeout)


def revoke(
    ctx: typer.Context,
    note: NoteArgument,
    reason: Reason = "",
    apply: Apply = False,
    lock_timeout: LockTimeout = TIMEOUT,
) -> None:
    """Retire a note that was wrong: silent everywhere, its file and the reason stay."""
    run_with_reason(ctx, "revoke", note, reason, apply, lock_timeout)


def reinstate(
    ctx: typer.Context,
    note: NoteArgument,
    reason: Reason = "",
    apply: Apply = False,
    lock_timeout: LockTimeout = TIMEOUT,
) -> None:
    """Take back that a note was paid, revoked or rejected; its misses are kept."""
    run_with_reason(ctx, "reinstate", note, reason, apply, lock_timeout)


def move(
    ctx: typer.Context,
    note: NoteArgument,
    module: Annotated[
        str, typer.Argument(metavar="MODULE", help="A module of the manifest, inbox or archive.")
    ],
    apply: Apply = False,
    lock_timeout: LockTimeout = TIMEOUT,
) -> None:
    """Put a note into another module; archive retires it for reading only."""
    by = ground(ctx).actor.kind

    def make_intent(memory: Memory) -> dict[str, Any]:
        return {"command": "move", "note": reference(memory, note), "module": module, "by": by}

    run_mutation(ctx, "move", make_intent, apply=apply, lock_timeout=lock_timeout)


def edit(
    ctx: typer.Context,
    note: NoteArgument,
    file: Annotated[
        str,
        typer.Option(
            "--file", metavar="FILE", help="The new text; - reads standard input.", show_default=False
        ),
    ] = "",
    apply: Apply = False,
    lock_timeout: LockTimeout = TIMEOUT,
) -> None:
    """Change a note's text in $EDITOR, or take it from a file or standard input.

    Standard input that is no terminal is read without being asked for.
    """
    here = ground(ctx)
    memory = open_memory(here.place)
    path = _editable(memory, note)
    try:
        before = memory.workspace.read(path)
    except Unreadable as error:
        raise Refused(f"{path} cannot be read: {error}", "mem edit changes plain files only") from None
    if not file and _on_terminal():
        edit_in_editor(ctx, here, path, before, apply=apply, lock_timeout=lock_timeout)
        return
    intent = edit_intent(path, before, read_note_text(file or "-"))
    take_text(ctx, intent, apply=apply, lock_timeout=lock_timeout)


def _on_terminal() -> bool:
    return sys.stdin.isatty()


def _editable(memory: Memory, note: str) -> str:
    """The path of a note; one that cannot be read as a note may be edited by its path."""
    wanted = note.strip().removeprefix("./")
    for path in memory.broken:
        if wanted in (path, path.removeprefix("memory/")):
            return path
    try:
        return find_note(memory, note).path
    except UsageError as error:
        near = [path for path in memory.broken if wanted and wanted in path]
        if len(near) == 1:
            return near[0]
        raise error
