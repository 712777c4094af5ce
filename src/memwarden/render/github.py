"""A check's report as GitHub workflow commands: annotations on the lines of a pull request.

The escapes are the ones that the runner undoes (actions/toolkit, ``command.ts``): ``%``, CR and LF in
the message; in a property also ``:`` and ``,``.
"""

from __future__ import annotations

from memwarden.core.visible import visible
from memwarden.errors import ERROR, NOTICE, WARNING, Finding
from memwarden.rules.report import Report

_COMMANDS = {ERROR: "error", WARNING: "warning", NOTICE: "notice"}


def commands(report: Report) -> str:
    """One workflow command a finding; what was there already is a notice, or nothing if it was one.

    A host shows ten annotations of a kind for a step: what is not news must not crowd out what is.
    """
    return "".join(
        _annotation(finding, old) + "\n"
        for finding, old in report.listed()
        if not old or finding.severity != NOTICE
    )


def _annotation(finding: Finding, old: bool) -> str:
    command = "notice" if old else _COMMANDS.get(finding.severity, "notice")
    properties = {
        "file": finding.path,
        "line": str(finding.line or 1),
        "col": str(finding.column or 1),
        "title": finding.code,
    }
    told = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    message = f"already there: {finding.message}" if old else finding.message
    if finding.fix:
        message += f"\nfix: {finding.fix}"
    return f"::{command} {told}::{_data(message)}"


def _data(text: str) -> str:
    return visible(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
