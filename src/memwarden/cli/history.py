"""Commands that look back: ``blame`` finds the commit that paid, ``log`` tells what happened to notes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from memwarden.cli.app import command
from memwarden.cli.arguments import NoteArgument
from memwarden.cli.frame import Ground, common, ground, print_json, say, write
from memwarden.cli.from_here import note_said
from memwarden.core.event import PAID, REINSTATED, Event
from memwarden.core.lookup import find_note
from memwarden.core.memory import Memory
from memwarden.core.note import Note
from memwarden.core.standing import in_history
from memwarden.edge.git.gitstate import is_shallow
from memwarden.edge.git.revisions import tags
from memwarden.edge.reading.opening import open_memory
from memwarden.edge.review.blame import Blame, blame
from memwarden.edge.review.landing import Landing, landed
from memwarden.errors import Refused
from memwarden.judge.reader import Surroundings
from memwarden.render.history import blame_fields, blame_page, log_fields, log_page

if TYPE_CHECKING:
    from memwarden.core.condition import Condition


def register(app: typer.Typer) -> None:
    """Add ``blame`` and ``log``."""
    command(app, "blame")(blame_note)
    command(app, "log")(log)


def blame_note(
    ctx: typer.Context,
    note: NoteArgument,
    at: Annotated[str, typer.Option(help="Walk the history of this commit.", metavar="REV")] = "HEAD",
    all_parents: Annotated[
        bool, typer.Option("--all-parents", help="Also walk merged branches, to the commit on the branch.")
    ] = False,
) -> None:
    """Name the commit that paid a debt, and every commit that broke or repaired it."""
    here = ground(ctx)
    memory = open_memory(here.place)
    chosen = find_note(memory, note)
    condition = _condition(chosen)
    around = Surroundings(here.today, lambda: tags(here.place), is_shallow(here.place))
    found = blame(here.place, condition, at, all_parents=all_parents, surroundings=around)
    landings = _landings(here, memory, chosen, found)
    if common(ctx).json:
        print_json("blame", blame_fields(chosen, found, landings))
        return
    write(blame_page(chosen, found, landings, here.common.color))


def _condition(note: Note) -> Condition:
    condition = note.condition or note.verify
    if condition is None:
        raise Refused(
            f"{note.path} has no condition, so no commit can have paid it",
            f"mem log {note.name} shows what was declared",
        )
    return condition


def _landings(here: Ground, memory: Memory, note: Note, found: Blame) -> list[tuple[Event, Landing]]:
    """Where each recorded payment of the note landed."""
    found_landings = []
    events = memory.events.get(note.id, ())
    for at, event in enumerate(events):
        if event.kind == PAID:
            back = any(later.kind == REINSTATED for later in events[at + 1 :])
            found_landings.append((event, landed(here.place, event, note.condition, found, back)))
    return found_landings


def log(
    ctx: typer.Context,
    note: Annotated[
        str,
        typer.Argument(
            metavar="[NOTE]", callback=note_said, help="One note's events; none lists everything."
        ),
    ] = "",
) -> None:
    """Tell what happened to notes, the latest first: admitted, missed, paid, reinstated, revoked.

    The events of one note stand in the order of their numbers, also where the clocks of two machines
    disagree. Those of several notes go by time, and within one second, where nothing tells, by note.
    """
    here = ground(ctx)
    memory = open_memory(here.place)
    wanted = [find_note(memory, note).id] if note else list(memory.events)
    events = in_history({one: memory.events.get(one, ()) for one in wanted})
    events.reverse()
    if common(ctx).json:
        print_json("log", log_fields(events))
        return
    write(log_page(events, {note.id: note.title for note in memory.notes}, here.common.color))
    if not events:
        say(ctx, "no event yet")
