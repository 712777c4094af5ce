"""``mem check`` judges the memory; ``mem explain`` says what a code means."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import Annotated

import typer

from memwarden.cli.app import command
from memwarden.cli.frame import common, ground, print_json, say, write
from memwarden.edge.checking import check_tree
from memwarden.edge.opening import open_memory
from memwarden.edge.recovery import require_finished
from memwarden.render.findings import fields, page, summary
from memwarden.rules import RULES, rule_of
from memwarden.rules.report import Report, strictly


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
    strict: Annotated[bool, typer.Option("--strict", help="Warnings are errors.")] = False,
    format: Annotated[Format, typer.Option("--format", help="How to print the findings.")] = Format.text,
) -> None:
    """Judge the memory: every rule, every finding with its place and what to do about it.

    Errors exit 1; warnings and notices exit 0.
    """
    here = ground(ctx)
    require_finished(here.place)
    report = check_tree(open_memory(here.place), here.today)
    report = strictly(report) if strict else report
    _show(ctx, report, format, here.common.color)
    raise typer.Exit(report.exit_code)


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


def _show(ctx: typer.Context, report: Report, format: Format, color: bool) -> None:
    if format is Format.json or common(ctx).json:
        print_json("check", fields(report))
    elif format is Format.sarif:
        from memwarden.render.sarif import log  # few runs want it

        write(json.dumps(log(report), indent=2, ensure_ascii=False) + "\n")
    elif format is Format.github:
        from memwarden.render.github import commands

        write(commands(report))
    else:
        write(page(report, color))
        say(ctx, summary(report))
