"""``mem apply`` and ``mem recover``: what was previewed is written, what was cut short is ended."""

from __future__ import annotations

from difflib import unified_diff
from typing import Annotated, Any

import typer

from memwarden.cli.app import command
from memwarden.cli.apply_request import apply_plan
from memwarden.cli.carrying import desk_of, may_ask
from memwarden.cli.erase_request import finish_erasing
from memwarden.cli.frame import common, ground, print_json, say, write
from memwarden.cli.mutating import TIMEOUT, LockTimeout, finished
from memwarden.core.visible import plain, visible
from memwarden.edge.place import Place
from memwarden.edge.reading.opening import open_memory
from memwarden.edge.writing.lock import locked
from memwarden.edge.writing.plans import load_plan
from memwarden.edge.writing.recovery import KEEP, TAKE, Conflict, conflicts, forgetting, recover, unsearched
from memwarden.errors import NeedsRecovery, UsageError


def register(app: typer.Typer) -> None:
    """Add ``apply`` and ``recover``."""
    command(app, "apply")(apply)
    command(app, "recover")(recover_command)


def apply(
    ctx: typer.Context,
    plan: Annotated[str, typer.Argument(metavar="PLAN", help="The ID that the preview gave.")],
    lock_timeout: LockTimeout = TIMEOUT,
) -> None:
    """Write a previewed plan, if it is still exactly the one that was shown.

    A stale plan exits 3 and writes nothing; the new plan is shown instead.
    """
    finished(apply_plan(ctx, plan, lock_timeout))


def recover_command(
    ctx: typer.Context,
    keep: Annotated[
        list[str] | None,
        typer.Option(metavar="PATH", help="Leave this file as it is now.", show_default=False),
    ] = None,
    take: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PATH", help="Put the planned content in place of this file.", show_default=False
        ),
    ] = None,
    lock_timeout: LockTimeout = TIMEOUT,
) -> None:
    """End a change that was cut short; a file edited since then is shown, never overwritten unasked."""
    here = ground(ctx)
    choices = dict.fromkeys(keep or (), KEEP) | dict.fromkeys(take or (), TAKE)
    with locked(here.place, "recover", here.now, lock_timeout):
        open_ones = conflicts(here.place)
        unknown = sorted(set(choices) - {conflict.path for conflict in open_ones})
        if unknown:
            raise UsageError(f"{unknown[0]} is in no conflict", "mem recover shows those that are")
        undecided = [conflict for conflict in open_ones if conflict.path not in choices]
        if undecided and not common(ctx).json:
            write("".join(map(conflict_page, undecided)))
        choices |= _ask(ctx, undecided)
        lost = [one.path for one in open_ones if one.lost and choices.get(one.path) == TAKE]
        if lost:
            raise NeedsRecovery(f"the planned content of {lost[0]} is gone", f"mem recover --keep {lost[0]}")
        erasing = forgetting(here.place)
        ended = None if erasing else recover(here.place, choices=choices)
    erasing = erasing or ("" if ended else unsearched(here.place))
    if erasing:
        # It is not at its end before what is left was searched, which takes the locks of all worktrees.
        command = str(load_plan(here.place, erasing).intent["command"])
        more = {"recovered": {"plan": erasing, "command": command, "paths": [], "duplicates": []}}
        finished(finish_erasing(ctx, desk_of(here), erasing, lock_timeout, "recover", choices, more))
        return
    fields: dict[str, Any] = {"recovered": None, "plan": None, "applied": False, "notes": []}
    if ended is None:
        say(ctx, "nothing to recover")
    else:
        done = [step.path for step in ended.steps if choices.get(step.path) != KEEP]
        twice = _twins(here.place, {step.path for step in ended.steps})
        fields |= {
            "recovered": {
                "plan": ended.plan,
                "command": ended.command,
                "paths": done,
                "duplicates": [{"id": note_id, "paths": list(paths)} for note_id, paths in twice.items()],
            },
            "applied": True,
        }
        are = "1 file is" if len(done) == 1 else f"{len(done)} files are"
        say(ctx, f"ended {ended.command or 'a change'} {ended.plan}: {are} as planned")
        for note_id, paths in twice.items():
            say(ctx, plain(f"mem: warning: M004: {note_id} is the ID of {' and '.join(paths)}"))
            say(ctx, "  next: keep what should stay in one of them and remove the other, then mem check")
    if common(ctx).json:
        print_json("recover", fields)


def _twins(place: Place, paths: set[str]) -> dict[str, tuple[str, ...]]:
    """The IDs that more than one file has now, where one of ``paths`` is among them: what is left of a move
    that was kept from its end."""
    files: dict[str, tuple[str, ...]] = {}
    for note in open_memory(place).notes:
        if note.id:
            files[note.id] = (*files.get(note.id, ()), note.path)
    return {one: found for one, found in files.items() if len(found) > 1 and paths & set(found)}


def conflict_page(conflict: Conflict) -> str:
    """Both contents of a conflicting file, as a diff from what is there to what was planned."""
    if conflict.lost:
        return f"{plain(conflict.path)}: its planned content is gone; --keep leaves the file as it is\n"
    old, new = _lines(conflict.found), _lines(conflict.planned)
    name = plain(conflict.path)
    diff = unified_diff(old, new, f"{name} (as it is now)", f"{name} (as planned)")
    return "".join(diff)


def _ask(ctx: typer.Context, undecided: list[Conflict]) -> dict[str, str]:
    """On a terminal, what to do with each file; elsewhere nothing is decided."""
    if not may_ask(ctx):
        return {}
    chosen = {}
    for conflict in undecided:
        takes = not conflict.lost and typer.confirm(
            f"{plain(conflict.path)}: overwrite it with the planned content?", default=False, err=True
        )
        chosen[conflict.path] = TAKE if takes else KEEP
    return chosen


def _lines(data: bytes | None) -> list[str]:
    text = (data or b"").decode("utf-8", "backslashreplace")
    return [visible(line) + "\n" for line in text.split("\n")]
