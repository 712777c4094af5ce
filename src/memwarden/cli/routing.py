"""``mem route`` builds the pack for a task; ``mem why`` explains one note."""

from __future__ import annotations

from typing import Annotated

import typer

from memwarden.cli.app import command
from memwarden.cli.arguments import NoteArgument
from memwarden.cli.frame import Ground, common, ground, print_json, write
from memwarden.core.lookup import find_note
from memwarden.core.route.request import Request, require_manifest
from memwarden.core.route.serving import serve
from memwarden.core.route.why import why as why_of
from memwarden.core.standing import standings
from memwarden.edge.reading.opening import open_memory
from memwarden.edge.tree.given_path import given_path
from memwarden.errors import UsageError
from memwarden.render.routed import explained, fields
from memwarden.render.why import why_fields, why_page


def register(app: typer.Typer) -> None:
    """Add ``route`` and ``why``."""
    command(app, "route")(route)
    command(app, "why")(why)


Task = Annotated[str, typer.Option(help="A task of the manifest, or one of its other names.")]


def route(
    ctx: typer.Context,
    task: Task = "",
    area: Annotated[list[str], typer.Option(help="Load this area too.", metavar="NAME")] = [],
    profile: Annotated[list[str], typer.Option(help="Load this profile too.", metavar="NAME")] = [],
    path: Annotated[
        list[str],
        typer.Option(help="A file at hand: loads its area and what is anchored to it.", metavar="FILE"),
    ] = [],
    include: Annotated[list[str], typer.Option(help="Load this module too.", metavar="MODULE")] = [],
    budget: Annotated[
        int | None, typer.Option(min=0, help="Tokens in all; lifts the modules' own budgets.")
    ] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Print reasons in place of the pack.")] = False,
) -> None:
    """Print the project's memory for a task, as Markdown for an agent."""
    here = ground(ctx)
    memory = open_memory(here.place)
    if not task:
        names = ", ".join(one.name for one in require_manifest(memory).tasks)
        raise UsageError("route needs a task", f"name one with --task: {names}")
    paths = tuple(_given(here, text) for text in path)
    request = Request(task, tuple(area), tuple(profile), paths, tuple(include), budget)
    served = serve(memory, standings(memory, here.today), request, here.today)
    if common(ctx).json:
        print_json("route", fields(served))
    elif explain:
        write(explained(served, here.common.color))
    else:
        write(served.text)


def why(
    ctx: typer.Context,
    note: NoteArgument,
    task: Task = "",
) -> None:
    """Explain a note: why it was admitted, what it governs, who loads it, when it stops applying."""
    here = ground(ctx)
    memory = open_memory(here.place)
    answer = why_of(memory, standings(memory, here.today), find_note(memory, note), here.today, task)
    if common(ctx).json:
        print_json("why", why_fields(answer))
    else:
        write(why_page(answer, here.common.color))


def _given(here: Ground, text: str) -> str:
    slash = "/" if text.endswith("/") else ""
    return given_path(here.place, text) + slash
