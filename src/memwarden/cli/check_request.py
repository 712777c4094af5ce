"""What ``mem check`` does with the words it was given, whoever took them apart."""

from __future__ import annotations

import os

from memwarden.cli.stage import Ground, Running, common, ground, print_json, say, write
from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.edge.command.judging import Running as Trusting
from memwarden.edge.command.trust import Everyone, OwnWord
from memwarden.edge.place import has_memory
from memwarden.edge.review.checking import check_commit, check_range, check_staged, check_tree
from memwarden.edge.review.reporting import Asker
from memwarden.edge.tree.given_path import require_there, wanted_paths
from memwarden.errors import EXIT_DONE, MemError, NoMemory, UsageError
from memwarden.render.findings import fields, page, summary
from memwarden.rules.report import Report, narrowed

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

TEXT, JSON, GITHUB, SARIF = "text", "json", "github", "sarif"


class Wanted(NamedTuple):
    """Which state is judged (the working tree where none is named), how strictly, and how it is told."""

    paths: Sequence[str] = ()
    staged: bool = False
    at: str = ""
    range: str = ""
    strict: bool = False
    allow_commands: bool = False
    format: str = TEXT


def check_memory(ctx: Running, wanted: Wanted) -> int:
    """Judge the memory, print what was found, and give the exit code."""
    try:
        return _checked(ctx, wanted)
    except MemError as error:
        if wanted.format == SARIF and not common(ctx).json:
            from memwarden.render.sarif import failed_log

            _write_log(failed_log(error))  # whoever uploads it gets a log, and the reason in it
        raise


def _checked(ctx: Running, wanted: Wanted) -> int:
    if sum(map(bool, (wanted.staged, wanted.at, wanted.range))) > 1:
        raise UsageError(
            "--staged, --at and --range each choose a state; give one of them", "mem check --help"
        )
    of_tree = not (wanted.staged or wanted.at or wanted.range)
    try:
        here = ground(ctx, memory=of_tree)
    except NoMemory:
        if not wanted.staged:
            raise
        _show(ctx, Report(), wanted.format, False, nothing="")
        return EXIT_DONE
    if os.path.lexists(os.path.join(here.place.private, "journal")):
        from memwarden.edge.writing.recovery import require_finished  # only after a crash

        require_finished(here.place)
    counts = wanted_paths(here.place, wanted.paths)
    report = _report(here, wanted)
    if wanted.paths and of_tree:
        require_there(here.place, wanted.paths, {finding.path for finding in report.findings})
    report = narrowed(report, counts) if wanted.paths else report
    # A commit to a branch without a memory has nothing to hear about one.
    nothing = summary(Report()) if of_tree or has_memory(here.place) else ""
    _show(ctx, report, wanted.format, here.common.color, nothing)
    return report.exit_code


def _report(here: Ground, wanted: Wanted) -> Report:
    commands = wanted.allow_commands
    asker = Asker(here.place, here.today, here.env, _running(here, commands), commands, wanted.strict)
    if wanted.staged:
        return check_staged(asker)
    if wanted.at:
        return check_commit(asker, wanted.at)
    return check_range(asker, wanted.range) if wanted.range else check_tree(asker)


def _running(here: Ground, allow_commands: bool) -> Trusting:
    """Whose word counts for running a command."""
    return Trusting(Everyone() if allow_commands else OwnWord(here.env), here.env)


def _show(ctx: Running, report: Report, format: str, color: bool, nothing: str) -> None:
    if format == JSON or common(ctx).json:
        print_json("check", fields(report))
    elif format == SARIF:
        from memwarden.render.sarif import log  # few runs want it

        _write_log(log(report))
    elif format == GITHUB:
        from memwarden.render.github import commands

        write(commands(report))
    else:
        write(page(report, color))
        told = summary(report) if report.findings else nothing
        if told:
            say(ctx, told)


def _write_log(log: dict[str, Any]) -> None:
    import json

    write(json.dumps(log, indent=2, ensure_ascii=False) + "\n")
