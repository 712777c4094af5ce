"""A check's report for people and for scripts: aligned lines, or one JSON object."""

from __future__ import annotations

from collections import Counter

from memwarden.core.record import TYPE_CHECKING
from memwarden.core.visible import plain
from memwarden.errors import ERROR, NOTICE, WARNING, Finding
from memwarden.render.lines import with_paths, wrapped
from memwarden.render.screen import cell_width, many, styled
from memwarden.rules.report import Report

if TYPE_CHECKING:
    from typing import Any

_STYLES = {ERROR: "bold red", WARNING: "yellow", NOTICE: "cyan"}
MOST_NOTICES = 3
_WIDEST = max(map(len, _STYLES))


def page(report: Report, color: bool) -> str:
    """``path:line:col: CODE severity message``, the fix below it, aligned file by file."""
    lines = []
    margin: dict[str, int] = {}
    shown, left = _shown(report)
    for finding, _ in shown:
        margin[finding.path] = max(margin.get(finding.path, 0), cell_width(place(finding)))
    for finding, old in shown:
        where = place(finding)
        gap = " " * (margin[finding.path] - cell_width(where))
        severity = styled(finding.severity.ljust(_WIDEST), _STYLES.get(finding.severity, ""), color)
        mark = styled("  (already there)", "dim", color) if old else ""
        lead = " " * (margin[finding.path] + len(f" {finding.code} ") + _WIDEST + 1)
        message = wrapped(with_paths(plain(finding.message)), lead, "    ")[len(lead) :]
        lines.append(f"{styled(where, 'bold', color)}{gap} {finding.code} {severity} {message}{mark}")
        if finding.fix:
            fix = wrapped(with_paths(f"fix: {plain(finding.fix)}"), "    ", " " * 9)
            lines.append(styled(fix, "dim", color))
    if left:
        told = ", ".join(f"{count} more of {code}" for code, count in sorted(left.items()))
        lines.append(wrapped(f"and {told}: mem check --json lists them", later="  "))
    if report.paid:
        lines += [*([""] if lines else []), styled("paid by this commit", "bold green", color)]
        lines += [f"  {one.note}  {plain(one.title)}" + _because(one.why) for one in report.paid]
    return "".join(line + "\n" for line in lines)


def _shown(report: Report) -> tuple[list[tuple[Finding, bool]], dict[str, int]]:
    """The findings that a person reads, and how many of each code are left out: of the notices of one code
    the first few tell what there is to know."""
    seen: Counter[str] = Counter()
    shown = []
    for finding, old in report.listed():
        seen[finding.code] += finding.severity == NOTICE
        if finding.severity != NOTICE or seen[finding.code] <= MOST_NOTICES:
            shown.append((finding, old))
    return shown, {code: count - MOST_NOTICES for code, count in seen.items() if count > MOST_NOTICES}


def summary(report: Report) -> str:
    """One line that says how much was found."""
    counts = report.counts()
    spoken = [many(counts[severity], severity) for severity in (ERROR, WARNING, NOTICE) if counts[severity]]
    if not spoken:
        return "the memory is in order"
    old = counts["already_there"]
    return ", ".join(spoken) + (f" ({old} already there)" if old else "")


def fields(report: Report) -> dict[str, Any]:
    """The shape that outside scripts rely on."""
    return {
        "findings": [
            {
                "code": finding.code,
                "severity": finding.severity,
                "path": finding.path,
                "line": finding.line,
                "column": finding.column,
                "key": finding.key or None,
                "note": finding.note or None,
                "message": finding.message,
                "fix": finding.fix or None,
                "already_there": old,
            }
            for finding, old in report.listed()
        ],
        "paid_by_this_commit": [one.note for one in report.paid],
        "counts": report.counts(),
    }


def place(finding: Finding) -> str:
    """``path:line:col:``; a finding about a whole file points at its first character."""
    return f"{plain(finding.path)}:{finding.line or 1}:{finding.column or 1}:"


def _because(why: str) -> str:
    return f" ({plain(why)})" if why else ""
