"""Commands that only read: ``list``, ``show``, ``search``, ``status``, ``export``."""

from __future__ import annotations

import os
from typing import Annotated, Any

import typer

from memwarden.cli.app import command
from memwarden.cli.arguments import NoteArgument
from memwarden.cli.frame import Ground, common, ground, json_text, print_json, say, write
from memwarden.cli.from_here import FromHere, say_how_read
from memwarden.core.choosing import Wanted, choose, require_known
from memwarden.core.fitness import remarks, unfit, unfit_among
from memwarden.core.lookup import find_note
from memwarden.core.memory import Memory
from memwarden.core.note import Note
from memwarden.core.secrets import redact
from memwarden.core.standing import Standing, standings
from memwarden.core.visible import plain
from memwarden.edge.command.judging import Running
from memwarden.edge.command.trust import TrustStore, trust_folder
from memwarden.edge.reading.opening import open_memory
from memwarden.edge.review.checking import check_tree
from memwarden.edge.review.reporting import Asker
from memwarden.edge.tree.given_path import given_path
from memwarden.edge.turn.counts import fires_of
from memwarden.edit.note_reader import body_of
from memwarden.errors import ERROR, WARNING, Finding
from memwarden.render.note_fields import brief_fields, full_fields
from memwarden.render.notes import note_page, note_table, status_page

BRIEF = "memory/brief.md"


def register(app: typer.Typer) -> None:
    """Add the reading commands."""
    command(app, "list")(list_notes)
    command(app, "show")(show)
    command(app, "search")(search)
    command(app, "status")(status)
    command(app, "export")(export)


Lifecycle = Annotated[str, typer.Option(help="rule or debt.")]
StandingName = Annotated[str, typer.Option(help="active, owed, paid, candidate, superseded, ...")]
Module = Annotated[str, typer.Option(help="A module, as the manifest names it.")]
Subject = Annotated[str, typer.Option(help="A subject: ID, alias, name or path:FILE.")]
Facet = Annotated[str, typer.Option(help="A facet.")]
AnchorPath = Annotated[str, typer.Option(help="Notes whose anchors match this path.")]
Text = Annotated[str, typer.Option(help="Notes whose title, subject, tags or body contain this text.")]


def list_notes(
    ctx: typer.Context,
    lifecycle: Lifecycle = "",
    standing: StandingName = "",
    module: Module = "",
    subject: Subject = "",
    facet: Facet = "",
    anchor: AnchorPath = "",
    text: Text = "",
) -> None:
    """List notes, sorted by path."""
    wanted = Wanted(lifecycle, standing, module, subject, facet, anchor, text)
    _list(ctx, "list", wanted)


def search(
    ctx: typer.Context, text: Annotated[str, typer.Argument(metavar="TEXT", help="The text to look for.")]
) -> None:
    """Find notes that contain a text. Discovery only: it never decides what a task loads."""
    _list(ctx, "search", Wanted(text=text))


def _list(ctx: typer.Context, verb: str, wanted: Wanted) -> None:
    here = ground(ctx)
    memory = open_memory(here.place)
    if wanted.anchor:
        wanted = wanted._replace(anchor=given_path(here.place, wanted.anchor))
    if wanted.subject:
        seen = FromHere(here.place)
        wanted = wanted._replace(subject=seen.known_subject(wanted.subject, memory, "--subject"))
        say_how_read(ctx, seen)
    require_known(memory, wanted)
    found = standings(memory, here.today)
    chosen = choose(memory, found, wanted, lambda note: _body(memory, note))
    if common(ctx).json:
        modules = memory.modules
        print_json(verb, {"notes": [brief_fields(note, found[note.path], modules) for note in chosen]})
        return
    write(note_table(chosen, found, here.common.color, unfit_among(memory, chosen)))
    if not chosen:
        sought = f"no note contains {plain(wanted.text)!r}" if wanted.text else "no note is like that"
        say(ctx, redact(sought) if memory.notes else "no note is there yet: mem add TEXT writes one down")
    if memory.broken:
        say(ctx, f"{len(memory.broken)} could not be read: mem check")


def show(
    ctx: typer.Context,
    note: NoteArgument,
) -> None:
    """Show one note: what it says, what it governs, and what happened to it."""
    here = ground(ctx)
    memory = open_memory(here.place)
    wanted = find_note(memory, note)
    faults = unfit_among(memory, [wanted])
    fields = _full(here, memory, wanted, standings(memory, here.today), remarks(memory), faults)
    if common(ctx).json:
        print_json("show", fields)
        return
    write(note_page(fields, here.common.color))


def status(ctx: typer.Context) -> None:
    """Say in a few lines how the memory stands."""
    here = ground(ctx)
    memory = open_memory(here.place)
    counts = _counts(memory, here)
    if common(ctx).json:
        print_json("status", counts)
        return
    write(status_page(counts, here.common.color))


def export(ctx: typer.Context) -> None:
    """Print every note with its standing and body, as JSON Lines; with --json, as one object."""
    here = ground(ctx)
    memory = open_memory(here.place)
    found = standings(memory, here.today)
    odd, faults = remarks(memory), unfit(memory)
    told = (_full(here, memory, note, found, odd, faults) for note in memory.notes)
    if common(ctx).json:
        print_json("export", {"notes": list(told)})
        return
    for fields in told:
        write(json_text(fields))


def _full(
    here: Ground,
    memory: Memory,
    note: Note,
    found: dict[str, Standing],
    odd: dict[str, tuple[Finding, ...]],
    faults: dict[str, tuple[Finding, ...]],
) -> dict[str, Any]:
    events = memory.events.get(note.id, ()) if note.id else ()
    fires = fires_of(here.place, note.id)
    body = _body(memory, note)
    return full_fields(
        note,
        found[note.path],
        memory.modules,
        body,
        tuple(events),
        fires,
        odd.get(note.path, ()),
        faults.get(note.path, ()),
    )


def _body(memory: Memory, note: Note) -> str:
    return body_of(memory.workspace.read(note.path))


def _name(memory: Memory, here: Ground) -> str:
    """What people call the project: its brief's title, else its folder."""
    brief = next((note for note in memory.notes if note.path == BRIEF), None)
    return brief.title if brief is not None else os.path.basename(here.place.root)


def _counts(memory: Memory, here: Ground) -> dict[str, Any]:
    found = standings(memory, here.today)
    names: dict[str, int] = {}
    for note in memory.notes:
        name = found[note.path].name
        names[name] = names.get(name, 0) + 1
    running = Running(TrustStore(trust_folder(here.env)), here.env)
    findings = check_tree(Asker(here.place, here.today, here.env, running)).findings
    return {
        "project": memory.manifest.project if memory.manifest else None,
        "name": _name(memory, here),
        "notes": len(memory.notes),
        "standings": dict(sorted(names.items())),
        "broken": len(memory.broken),
        "untold": sum(found[path].live for path in unfit_among(memory, memory.notes)),
        "inbox": names.get("candidate", 0),
        "errors": sum(finding.severity == ERROR for finding in findings),
        "warnings": sum(finding.severity == WARNING for finding in findings),
    }
