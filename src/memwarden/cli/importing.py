"""``mem import``: another tool's memory taken over, with an account of what is not."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from typing import Annotated, Any

import typer

from memwarden.cli.app import Commands, command
from memwarden.cli.frame import common, ground, write
from memwarden.cli.mutating import TIMEOUT, Apply, LockTimeout, desk_of, run_mutation
from memwarden.cli.said import one_line
from memwarden.core.identity import mint_id
from memwarden.core.memory import Memory
from memwarden.core.visible import plain
from memwarden.edge.tree.given_path import given_path, wanted_paths
from memwarden.edge.tree.import_source import Source, read_files, read_folder, read_tracked
from memwarden.edge.writing.mutation import Built, surroundings_of
from memwarden.edit.importing import agentlore as agentlore_files
from memwarden.edit.importing import claude_topics, custodian, todo_comments, trigger_table
from memwarden.edit.importing.harvest import Harvest, as_mapping, safe
from memwarden.edit.propose.importing import Sorted, sort_out
from memwarden.errors import UsageError
from memwarden.render.imported import imported_fields, imported_page

Folder = Annotated[str, typer.Argument(metavar="DIR", help="The folder that holds it.", show_default=False)]


def register(app: typer.Typer) -> None:
    """Add ``import`` with a command a source."""
    group = typer.Typer(
        cls=Commands,
        name="import",
        help="Take over another tool's memory: a plan with an account of what is lost.",
        no_args_is_help=True,
    )
    command(group, "custodian")(from_custodian)
    command(group, "claude")(from_claude)
    command(group, "agentlore")(from_agentlore)
    command(group, "table")(from_table)
    command(group, "todo")(from_todo)
    app.add_typer(group)


def from_custodian(
    ctx: typer.Context, folder: Folder, apply: Apply = False, lock_timeout: LockTimeout = TIMEOUT
) -> None:
    """A MemoryCustodian tree, protocols 0.5 to 0.8.

    What its authoritative files hold becomes active on a person's word; its inbox stays candidates.
    """

    def gather() -> tuple[Source, Harvest]:
        source = read_folder(ground(ctx).place, folder, custodian.HOMES, custodian.MANIFEST)
        return source, custodian.read(source.texts, source.named[folder])

    _run(ctx, "custodian", gather, apply, lock_timeout)


def from_claude(
    ctx: typer.Context, folder: Folder, apply: Apply = False, lock_timeout: LockTimeout = TIMEOUT
) -> None:
    """Claude Code's memory folder: topic files with frontmatter and their index, as candidates."""

    def gather() -> tuple[Source, Harvest]:
        source = read_folder(ground(ctx).place, folder)
        return source, claude_topics.read(source.texts, source.named[folder])

    _run(ctx, "claude", gather, apply, lock_timeout)


def from_agentlore(
    ctx: typer.Context,
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Its files.", show_default=False)],
    apply: Apply = False,
    lock_timeout: LockTimeout = TIMEOUT,
) -> None:
    """agentlore's decisions, dead ends, conventions and hazards, as candidates."""

    def gather() -> tuple[Source, Harvest]:
        source = read_files(ground(ctx).place, files)
        return source, agentlore_files.read(source.texts, source.named)

    _run(ctx, "agentlore", gather, apply, lock_timeout)


def from_table(
    ctx: typer.Context,
    file: Annotated[str, typer.Argument(metavar="FILE", help="A Markdown page.", show_default=False)],
    apply: Apply = False,
    lock_timeout: LockTimeout = TIMEOUT,
) -> None:
    """A Markdown trigger table: rows that tie a path or a command to a sentence, as candidates.

    A row whose ID is struck through becomes a paid debt.
    """

    def gather() -> tuple[Source, Harvest]:
        source = read_files(ground(ctx).place, [file])
        return source, trigger_table.read(source.texts, source.named)

    _run(ctx, "table", gather, apply, lock_timeout)


def from_todo(
    ctx: typer.Context,
    paths: Annotated[
        list[str] | None,
        typer.Argument(metavar="[PATH...]", help="Only these files and folders.", show_default=False),
    ] = None,
    apply: Apply = False,
    lock_timeout: LockTimeout = TIMEOUT,
) -> None:
    """TODO, FIXME, XXX and HACK comments of files that git tracks or would add, as candidate debts.

    Where the words name a date, a version, a file or a tag, that is suggested as the condition.
    """

    def gather() -> tuple[Source, Harvest]:
        place = ground(ctx).place
        for path in paths or ():
            if not os.path.lexists(path) and not any(char in path for char in "*?["):
                why = f"{plain(path)} is not there" if path else "'' is empty"
                raise UsageError(why, "name a file or a folder of the repository")
            if os.path.lexists(path) and os.path.realpath(path) != os.path.realpath(place.root):
                given_path(place, path)  # raises for what lies outside
        source = read_tracked(place, wanted_paths(place, paths or ()), todo_comments.MARKERS)
        return source, todo_comments.read(source.texts)

    _run(ctx, "todo", gather, apply, lock_timeout)


def _run(
    ctx: typer.Context,
    name: str,
    gather: Callable[[], tuple[Source, Harvest]],
    apply: bool,
    lock_timeout: float,
) -> None:
    """Read the source once, decide against the memory, and end as every change does."""
    here = ground(ctx)
    source, harvest = gather()
    harvest = safe(harvest._replace(lost=(*source.lost, *harvest.lost)))
    desk = desk_of(here)
    decided: list[Sorted] = []
    told: list[bool] = []

    def make_intent(memory: Memory) -> dict[str, Any]:
        taken = {note.id for note in memory.notes} | set(memory.events)

        def mint() -> str:
            minted = mint_id(secrets.token_bytes, taken)
            taken.add(minted)
            return minted

        intent = {
            "command": "import",
            "source": name,
            "by": here.actor.kind,
            "name": one_line(here.actor.name, "the actor's name"),
            "date": here.today,
            "harvest": as_mapping(harvest, mint),
        }
        decided[:] = [sort_out(memory, intent, surroundings_of(desk))]
        return intent

    def page(built: Built) -> str:
        told.append(True)
        return imported_page(decided[0])

    run_mutation(
        ctx,
        "import",
        make_intent,
        apply=apply,
        lock_timeout=lock_timeout,
        more=lambda built: imported_fields(decided[0]),
        page=page,
    )
    if decided and not told and not common(ctx).json:
        write(imported_page(decided[0]))
