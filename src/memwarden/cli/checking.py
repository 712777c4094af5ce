"""``mem check`` judges the memory; ``mem explain`` says what a code means."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import Annotated

import typer

from memwarden.cli.app import command
from memwarden.cli.frame import Ground, common, ground, print_json, say, write
from memwarden.edge.command.judging import Running
from memwarden.edge.command.trust import Everyone, TrustStore, trust_folder
from memwarden.edge.review.checking import Asker, check_commit, check_range, check_staged, check_tree
from memwarden.edge.tree.given_path import require_there, wanted_paths
from memwarden.edge.writing.recovery import require_finished
from memwarden.errors import NoMemory, UsageError
from memwarden.render.findings import fields, page, summary
from memwarden.rules import RULES, rule_of
from memwarden.rules.report import Report, narrowed


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
        list[str] | None, typer.Argument(help="Show what is found at these files, folders or globs.")
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
    if sum(map(bool, (staged, at, range))) > 1:
        raise UsageError(
            "--staged, --at and --range each choose a state; give one of them", "mem check --help"
        )
    try:
        here = ground(ctx, memory=not (staged or at or range))
    except NoMemory:
        if not staged:
            raise
        _show(ctx, Report(), format, False)  # nothing is committed to a memory here
        return
    require_finished(here.place)
    wanted = wanted_paths(here.place, paths or [])
    asker = Asker(here.place, here.today, here.env, _running(here, allow_commands), allow_commands, strict)
    report = _check(asker, staged, at, range)
    if paths and not (staged or at or range):
        require_there(here.place, paths, {finding.path for finding in report.findings})
    report = narrowed(report, wanted) if paths else report
    _show(ctx, report, format, here.common.color)
    raise typer.Exit(report.exit_code)


def _check(asker: Asker, staged: bool, at: str, range: str) -> Report:
    if staged:
        return check_staged(asker)
    if at:
        return check_commit(asker, at)
    return check_range(asker, range) if range else check_tree(asker)


def _running(here: Ground, allow_commands: bool) -> Running:
    """Whose word counts for running a command."""
    return Running(Everyone() if allow_commands else TrustStore(trust_folder(here.env)), here.env)


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
