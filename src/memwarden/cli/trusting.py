"""``mem trust``: a person at a terminal endorses the exact command that a note names."""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from memwarden.cli.app import command
from memwarden.cli.frame import Ground, common, ground, print_json, say, write
from memwarden.cli.from_here import note_said
from memwarden.core.actor import HUMAN
from memwarden.core.condition_parts import commands_in
from memwarden.core.lookup import find_note
from memwarden.core.note import Note
from memwarden.core.visible import plain
from memwarden.edge.command.trust import Entry, TrustStore, trust_folder
from memwarden.edge.reading.opening import open_memory
from memwarden.errors import Refused, UsageError

if TYPE_CHECKING:
    pass


def register(app: typer.Typer) -> None:
    """Add ``trust``."""
    command(app, "trust")(trust)


def trust(
    ctx: typer.Context,
    note: Annotated[
        str,
        typer.Argument(
            metavar="[NOTE]",
            callback=note_said,
            help="The note whose condition runs a command.",
            show_default=False,
        ),
    ] = "",
    list_all: Annotated[bool, typer.Option("--list", help="Show what you have endorsed.")] = False,
    revoke: Annotated[bool, typer.Option("--revoke", help="Take the endorsement back.")] = False,
) -> None:
    """Show the command that a note's condition runs, and endorse it: for you, here, word by word.

    A changed word, another folder or another note is not endorsed. Only a person at a terminal can endorse.
    """
    here = ground(ctx)
    store = TrustStore(trust_folder(here.env))
    if list_all:
        _list(ctx, here, store)
        return
    if not note:
        raise UsageError("no note is named", "mem trust NOTE, or mem trust --list")
    memory = open_memory(here.place)
    found = find_note(memory, note)
    project = memory.project
    if revoke:
        _revoke(ctx, here, store, project, found)
        return
    wanted = [
        Entry(project, found.id, test.run, here.place.root, here.now)
        for condition in (found.condition, found.verify)
        if condition is not None
        for test in dict.fromkeys(commands_in(condition))
    ]
    if not wanted:
        raise Refused(f"{found.path} runs no command", "only a condition or verify with command needs trust")
    _endorse(ctx, here, store, found, wanted)


def _endorse(ctx: typer.Context, here: Ground, store: TrustStore, note: Note, wanted: list[Entry]) -> None:
    new = [entry for entry in wanted if not _known(store, entry)]
    _show(ctx, f"{note.id} {plain(note.title)}\n")
    for entry in wanted:
        state = "" if entry in new else "  (endorsed already)"
        _show(ctx, f"  runs: {_words(entry)}{state}\n  in:   {plain(entry.folder)}\n")
    if new:
        _require_person(here)
        if not typer.confirm("Run this whenever the condition is judged here?", default=False, err=True):
            raise Refused("nothing was endorsed", "")
        try:
            for entry in new:
                store.add(entry)
        except OSError as error:
            raise Refused(f"cannot keep the endorsement: {error.strerror}", "nothing runs") from None
        say(ctx, "endorsed; a changed word is not")
    if common(ctx).json:
        print_json("trust", {"endorsed": [_fields(here, entry) for entry in wanted]})


def _show(ctx: typer.Context, text: str) -> None:
    """What a person has to see before they answer; beside the one object of ``--json``, which has no place
    for it and names no folder of this machine."""
    if common(ctx).json:
        typer.echo(text, nl=False, err=True)
    else:
        write(text)


def _require_person(here: Ground) -> None:
    """Authority comes from a person who sees the words, not from whoever can run a program."""
    if here.actor.kind != HUMAN:
        raise Refused(
            f"only a person can endorse a command, and this is {here.actor.kind}:{here.actor.name}",
            "run mem trust in a terminal of your own; CI passes --allow-commands",
        )
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise Refused("a command is endorsed on a terminal only", "run mem trust in a terminal")


def _revoke(ctx: typer.Context, here: Ground, store: TrustStore, project: str, note: Note) -> None:
    """Every command that this note ever had here, also one that its text no longer names."""
    of_note = [
        e for e in store.entries() if (e.project, e.note, e.folder) == (project, note.id, here.place.root)
    ]
    gone = [entry for entry in of_note if store.remove(entry)]
    if common(ctx).json:
        print_json("trust", {"revoked": [_fields(here, entry) for entry in gone]})
        return
    for entry in gone:
        write(f"revoked {entry.note}: {_words(entry)}\n")
    if not gone:
        say(ctx, "nothing of this note was endorsed here")


def _list(ctx: typer.Context, here: Ground, store: TrustStore) -> None:
    entries = store.entries()
    if common(ctx).json:
        print_json("trust", {"endorsed": [_fields(here, entry) for entry in entries]})
        return
    for entry in entries:
        write(f"{entry.note} {_words(entry)}\n  in {plain(entry.folder)}, {plain(entry.at) or 'no date'}\n")
    if not entries:
        say(ctx, "nothing is endorsed")


def _known(store: TrustStore, entry: Entry) -> bool:
    return store.endorsed(entry.project, entry.note, entry.argv, entry.folder)


def _words(entry: Entry) -> str:
    """The argument list as a shell would take it, so that every blank and quote is seen."""
    return plain(shlex.join(entry.argv))


def _fields(here: Ground, entry: Entry) -> dict[str, object]:
    return {
        "project": entry.project,
        "note": entry.note,
        "argv": list(entry.argv),
        "here": entry.folder == here.place.root,
        "at": entry.at,
    }
