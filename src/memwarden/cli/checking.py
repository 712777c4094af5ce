"""``mem check`` judges the memory; ``mem explain`` says what a code means."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from memwarden.cli.app import command
from memwarden.cli.check_request import Wanted, check_memory
from memwarden.cli.frame import common, print_json, write
from memwarden.rules import RULES, rule_of


class Format(StrEnum):
    """The faces of a report."""

    text = "text"
    json = "json"
    github = "github"
    sarif = "sarif"


def register(app: typer.Typer) -> None:
    """Add ``check`` and ``explain``."""
    command(app, "check")(check)
    command(app, "explain")(explain)


def check(
    ctx: typer.Context,
    paths: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PATH]...",
            help="Show what is found at these files, folders or globs.",
            show_default=False,
        ),
    ] = None,
    staged: Annotated[
        bool, typer.Option("--staged", help="Judge what the commit being made holds, against HEAD.")
    ] = False,
    at: Annotated[str, typer.Option("--at", metavar="REV", help="Judge a commit, against its parents.")] = "",
    range: Annotated[
        str, typer.Option("--range", metavar="A..B", help="Judge the end of a range, against its start.")
    ] = "",
    strict: Annotated[bool, typer.Option("--strict", help="Warnings are errors.")] = False,
    allow_commands: Annotated[
        bool, typer.Option("--allow-commands", help="Run command conditions: for CI, whose word this is.")
    ] = False,
    format: Annotated[Format, typer.Option("--format", help="How to print the findings.")] = Format.text,
) -> None:
    """Judge the memory: every rule, every finding with its place and what to do about it.

    Errors exit 1; warnings and notices exit 0. With --staged and --range, what was there before the change
    is shown as already there and does not count.
    """
    wanted = Wanted(paths or (), staged, at, range, strict, allow_commands, format)
    raise typer.Exit(check_memory(ctx, wanted))


def explain(
    ctx: typer.Context,
    code: Annotated[str, typer.Argument(help="A code, such as M301; none lists them all.")] = "",
) -> None:
    """Say what a rule forbids, why, and how to fix what it found."""
    rules = [rule_of(code)] if code else list(RULES)
    if common(ctx).json:
        told = [
            {"code": rule.code, "name": rule.name, "title": rule.title, "text": rule.text} for rule in rules
        ]
        print_json("explain", {"rules": told})
    elif code:
        write(f"{rules[0].code}: {rules[0].text}\n")
    else:
        write("".join(f"{rule.code}  {rule.title}\n" for rule in rules))
