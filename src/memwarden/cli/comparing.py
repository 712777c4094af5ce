"""``mem diff`` tells what a branch does to the memory, in the memory's own words."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from memwarden.cli.app import command
from memwarden.cli.frame import common, ground, print_json, say, warn_unfinished, write
from memwarden.edge.review.between import difference, find_ends


class Format(StrEnum):
    """The faces of a difference."""

    text = "text"
    markdown = "markdown"
    json = "json"


def register(app: typer.Typer) -> None:
    """Add ``diff``."""
    command(app, "diff")(diff)


def diff(
    ctx: typer.Context,
    range: Annotated[
        str,
        typer.Argument(
            metavar="[A..B]",
            help="Two commits; A...B starts where B left A; A alone, or HEAD, against the working tree.",
            show_default=False,
        ),
    ] = "",
    format: Annotated[Format, typer.Option("--format", help="How to print the difference.")] = Format.text,
) -> None:
    """Tell what a branch does to the memory: notes, debts, owners, routes, and what each task would load."""
    here = ground(ctx, memory=False)  # a branch may have no memory yet, or no longer
    warn_unfinished(ctx, here.place)
    ends = find_ends(here.place, range)
    found = difference(here.place, ends, here.today)
    if found.nowhere and not ends.after.commit:
        ground(ctx)  # to look for a memory where none is, is wrong; to compare two commits is not
        found = found._replace(nowhere=False)
    if format is Format.json or common(ctx).json:
        from memwarden.render.difference_fields import fields

        print_json("diff", fields(found, ends))
    elif format is Format.markdown:
        from memwarden.render.difference_markdown import markdown

        write(markdown(found, ends.before.name, ends.after.name))
    else:
        from memwarden.render.difference_page import page

        write(page(found, ends.before.name, ends.after.name, here.common.color))
        if found.same:
            say(ctx, "neither side has a memory" if found.nowhere else "the memory says the same")
