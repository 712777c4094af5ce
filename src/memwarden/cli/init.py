"""``mem init``: start a memory, and tell agents where it is."""

from __future__ import annotations

import os
import secrets
from typing import Annotated

import typer

from memwarden.cli.app import command
from memwarden.cli.frame import Ground, common, ground, print_json, say, write
from memwarden.core.event import ADMITTED
from memwarden.core.identity import mint_id
from memwarden.core.manifest import PATH as MANIFEST_PATH
from memwarden.edge.place import MEMORY, require_protocol
from memwarden.edge.tree.given_path import inside
from memwarden.edge.tree.missing import missing_memory, out_of_sight
from memwarden.edge.writing.interrupts import held_back
from memwarden.edge.writing.lock import locked
from memwarden.edge.writing.recording import stamp_for
from memwarden.edge.writing.store import create_file, replace_file
from memwarden.edit.agent_block import put_block
from memwarden.edit.event_writer import draft, event_file
from memwarden.edit.starter import AGENT_BLOCK, AGENT_FILES, ATTRIBUTES, BRIEF, MANIFEST
from memwarden.errors import Refused, UsageError

BRIEF_PATH = f"{MEMORY}/brief.md"


def register(app: typer.Typer) -> None:
    """Add ``init``."""
    command(app, "init")(init)


def init(
    ctx: typer.Context,
    agent: Annotated[
        list[str] | None,
        typer.Option(help="Also write a short block into this agent's file: claude, codex, gemini."),
    ] = None,
    lock_timeout: Annotated[float, typer.Option(help="Seconds to wait for the lock.")] = 10.0,
) -> None:
    """Start a memory in this repository: a manifest, a brief, nothing else.

    Files that exist are never overwritten; a second run says so and changes nothing.
    """
    here = ground(ctx, memory=False)
    _require_folder(here)
    require_protocol(here.place)
    agents = _agents(agent or [])
    with locked(here.place, "init", here.now, lock_timeout):
        blocks = [(path, _with_block(here, path)) for path in agents]  # refuses before anything is written
        starters = _starters(here)
        with held_back():
            created = [path for path, text in starters if _create(here, path, text)]
            changed = [path for path, text in blocks if text is not None and _put(here, path, text)]
    _report(ctx, here, created, changed)


def _require_folder(here: Ground) -> None:
    """A file, or a link that leads out of the repository, in the memory's place is not begun in; nor is a
    memory begun anew that git has and that only this working tree does not show."""
    full = os.path.join(here.place.root, MEMORY)
    if not os.path.isdir(full):
        missing = missing_memory(here.place)
        if missing is not None and not missing.elsewhere:
            raise Refused(missing.why, missing.next_step)
        return
    top = os.path.realpath(here.place.root)
    if not os.path.realpath(full).startswith(top + os.sep):
        raise Refused(f"{MEMORY}: leads out of the repository through a link", "replace the link by a folder")
    if not os.path.lexists(os.path.join(here.place.root, MANIFEST_PATH)):
        gone = out_of_sight(here.place, MANIFEST_PATH)
        if gone is not None:
            raise Refused(gone.why, gone.next_step)


def _agents(named: list[str]) -> list[str]:
    names = [name.strip().lower() for part in named for name in part.split(",") if name.strip()]
    unknown = [name for name in names if name not in AGENT_FILES]
    if unknown:
        raise UsageError(
            f"--agent {unknown[0]}: not an agent that mem init knows",
            "the known ones are " + ", ".join(AGENT_FILES),
        )
    return list(dict.fromkeys(AGENT_FILES[name] for name in names))


def _starters(here: Ground) -> list[tuple[str, str]]:
    """What a new memory starts with; a memory that has a manifest already is left alone, and so is a brief
    that is there without one, of which no record is ours to make."""
    if os.path.lexists(os.path.join(here.place.root, MANIFEST_PATH)):
        return []
    project = "p-" + mint_id(secrets.token_bytes, frozenset())[2:]
    first, last = (f"{MEMORY}/.gitattributes", ATTRIBUTES), (MANIFEST_PATH, MANIFEST.format(project=project))
    if os.path.lexists(os.path.join(here.place.root, BRIEF_PATH)):
        return [first, last]
    name = os.path.basename(here.place.root)
    note = mint_id(secrets.token_bytes, frozenset())
    brief = BRIEF.format(id=note, date=here.today, name=_title(name))
    admitted = draft(note, ADMITTED, (), {"evidence": [{"user": f"mem init, {here.today}"}]})
    event, content = event_file(admitted, stamp_for(here.place, here.now, here.actor, [admitted]))
    return [first, (BRIEF_PATH, brief), (event, content.decode()), last]


def _title(name: str) -> str:
    """The folder's name as a heading that Markdown reads as plain text."""
    kept = "".join(char if char.isalnum() or char in " -_." else " " for char in name)
    return " ".join(kept.split()) or "This project"


def _create(here: Ground, path: str, text: str) -> bool:
    return create_file(here.place.root, path, text.encode())


def _with_block(here: Ground, path: str) -> bytes | None:
    """The agent file with our block in it, or None where it is there already."""
    full = os.path.join(here.place.root, path)
    before = b""
    if os.path.lexists(full):
        with open(full, "rb") as file:
            before = file.read()
    after = put_block(before, AGENT_BLOCK, path)
    return None if after == before else after


def _put(here: Ground, path: str, text: bytes) -> bool:
    replace_file(here.place.root, path, text)
    return True


def _report(ctx: typer.Context, here: Ground, created: list[str], changed: list[str]) -> None:
    if common(ctx).json:
        print_json("init", {"created": created, "changed": changed, "applied": bool(created or changed)})
        return
    for path in created:
        write(f"created  {path}\n")
    for path in changed:
        write(f"wrote    {path}\n")
    if not created:
        say(ctx, f"{MEMORY}/ is here already; no file of it was overwritten")
    else:
        if inside(here.place, "."):
            say(ctx, "these lie at the top of the repository: a repository has one memory, and areas in it")
        say(ctx, "next: say in memory/brief.md what this project is, then mem add and mem route --task plan")
