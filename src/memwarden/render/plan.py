"""A plan as people and programs see it: a diff of every file, what it adds, and how to apply it."""

from __future__ import annotations

import json

from memwarden.core.change import FileChange, digest_of
from memwarden.core.event import FOLDER
from memwarden.core.record import TYPE_CHECKING
from memwarden.core.visible import plain, visible
from memwarden.edit.plan import Plan
from memwarden.errors import Finding
from memwarden.render.recorded import event_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from memwarden.edit.event_writer import EventDraft

CREATE, CHANGE, REMOVE = "create", "change", "remove"
SIGNS = {CREATE: "+", CHANGE: "~", REMOVE: "-"}


def plan_fields(
    plan: Plan, findings: Iterable[Finding], written: Sequence[FileChange] | None = None
) -> dict[str, Any]:
    """The ``plan`` object of ``--json``.  ``written`` are the files as they were written; before that
    an event's name ends in ``*``, for it holds the moment of its writing."""
    return {
        "id": plan.id,
        "command": plan.command,
        "changes": [
            {
                "path": visible(path),
                "action": action,
                "before": _digest(before),
                "after": _digest(after),
            }
            for path, action, before, after in _rows(plan, written)
        ],
        "findings": [finding._asdict() for finding in findings],
        "diff": diff_of(plan),
    }


def plan_page(plan: Plan, findings: Sequence[Finding], *, short: bool = False) -> str:
    """The preview as plain text: the difference of every file, or with ``short`` one line a file, and one
    line an event; the last line says how to apply it."""
    if short:
        changes = [(SIGNS[_action(change)], plain(change.path)) for change in plan.changes]
        lines = [f"{sign} {path}\n" for sign, path in changes]
    else:
        lines = [_diff(change.path, change.before, change.after) for change in plan.changes]
    lines += [event_line(event) + "\n" for event in plan.events]
    lines += _said(plan, findings)
    lines.append(f"plan {plan.id}: nothing is written yet; apply it with: mem apply {plan.id}\n")
    return "".join(lines)


def written_page(
    plan: Plan, findings: Sequence[Finding], written: Sequence[FileChange], *, said: bool = False
) -> str:
    """What was written, one line a file; ``said``: a preview has told the rest already."""
    lines = [f"{SIGNS[action]} {plain(path)}\n" for path, action, _, _ in _rows(plan, written)]
    return "".join(lines if said else lines + _said(plan, findings))


def _said(plan: Plan, findings: Iterable[Finding]) -> list[str]:
    """What a change has to say beside its files; the same remark once."""
    return [f"{plain(remark)}\n" for remark in dict.fromkeys(plan.remarks)] + [
        finding_line(finding) + "\n" for finding in findings
    ]


def diff_of(plan: Plan) -> str:
    """A unified diff of every file that the plan creates, changes or removes, safe to show."""
    parts = [_diff(change.path, change.before, change.after) for change in plan.changes]
    parts += [_diff(event_name(event), None, _event_text(event)) for event in plan.events]
    return "".join(parts)


def event_name(event: EventDraft) -> str:
    """The path of an event that is not written yet."""
    return f"{FOLDER}{event.note}/{event.seq:04d}-{event.kind}-*.json"


def finding_line(finding: Finding) -> str:
    """One finding in one line, and what to do about it below."""
    place = (
        f"{finding.path}:{finding.line}: " if finding.line else f"{finding.path}: " if finding.path else ""
    )
    fix = f"\n    fix: {plain(finding.fix)}" if finding.fix else ""
    return f"{plain(place)}{finding.severity} {finding.code}: {plain(finding.message)}{fix}"


def _rows(
    plan: Plan, written: Sequence[FileChange] | None
) -> list[tuple[str, str, bytes | None, bytes | None]]:
    rows = [
        (change.path, _action(change), change.before, change.after)
        for change in (plan.changes if written is None else written)
    ]
    if written is None:
        rows += [(event_name(event), CREATE, None, None) for event in plan.events]
    return sorted(rows, key=lambda row: row[0])


def _action(change: FileChange) -> str:
    if change.before is None:
        return CREATE
    return REMOVE if change.after is None else CHANGE


def _digest(data: bytes | None) -> str | None:
    return None if data is None else digest_of(data)


def _event_text(event: EventDraft) -> bytes:
    return (json.dumps(event.as_mapping(), indent=2, sort_keys=True, ensure_ascii=False) + "\n").encode()


def _diff(path: str, before: bytes | None, after: bytes | None) -> str:
    from difflib import unified_diff  # what is written at once is not shown as a diff

    shown = plain(path)
    old, new = _lines(before), _lines(after)
    names = ("/dev/null" if before is None else f"a/{shown}", "/dev/null" if after is None else f"b/{shown}")
    body = "".join(unified_diff(old, new, *names))
    if not body:  # an empty file comes or goes
        return f"--- {names[0]}\n+++ {names[1]}\n"
    return body


def _lines(data: bytes | None) -> list[str]:
    """Lines that can be shown; a last line without its end is told as diff tells it."""
    if not data:
        return []
    text = data.decode("utf-8", "backslashreplace")
    lines = [visible(line.removesuffix("\n")) + "\n" for line in text.split("\n")]
    if text.endswith("\n"):
        return lines[:-1]
    return [*lines[:-1], lines[-1] + "\\ No newline at end of file\n"]
