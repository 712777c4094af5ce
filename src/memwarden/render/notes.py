"""Notes on a screen: the table of ``list``, the page of ``show``, the summary of ``status``."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from memwarden.core.note import Note
from memwarden.core.standing import Standing
from memwarden.core.visible import plain, visible
from memwarden.errors import Finding
from memwarden.render.screen import many, styled
from memwarden.render.table import Column, table

STYLES = {
    "active": "green",
    "owed": "yellow",
    "paid": "cyan",
    "candidate": "magenta",
    "revoked": "red",
    "rejected": "red",
}
LABELS = ("path", "subject", "facet", "scope", "lifecycle", "created", "not_before", "expires")


def note_table(
    notes: Iterable[Note],
    standings: Mapping[str, Standing],
    color: bool,
    untold: Mapping[str, Sequence[Finding]] = {},
) -> str:
    """One line a note: its ID, standing, title, and where it lives; below, which of those that count as live
    are ``untold``, and by which error."""
    columns = (
        Column("id", "bold"),
        Column("standing", styles=STYLES),
        Column("lifecycle", spare=True),
        Column("title", flexible=True),
        Column("path", "dim", flexible=True, tail=True, spare=True),
    )
    notes = tuple(notes)
    rows = [
        (note.id or "-", standings[note.path].name, note.lifecycle, note.title, note.path) for note in notes
    ]
    silent = [note for note in notes if note.path in untold and standings[note.path].live]
    told = [f"not told: {plain(note.name)} ({untold[note.path][0].code})\n" for note in silent]
    return table(columns, rows, color) + "".join(told)


def note_page(fields: Mapping[str, Any], color: bool) -> str:
    """Everything about one note: what it governs, its evidence, its history, its body."""
    head = f"{fields['id'] or '-'}  {plain(fields['title'])}"
    state = styled(fields["standing"], STYLES.get(fields["standing"], ""), color)
    lines = [styled(head, "bold", color), f"  standing    {state}{_aside(fields)}"]
    lines += [f"  {label:<11} {plain(str(fields[label]))}" for label in LABELS if fields.get(label)]
    lines += _listed("invalid", [f"{one['code']} {one['message']}" for one in fields["faults"]])
    lines += _listed("remark", [f"{one['code']} {one['message']}" for one in fields["remarks"]])
    for label in ("condition", "verify"):
        if fields[label] is not None:
            lines.append(f"  {label:<11} {plain(json.dumps(fields[label], ensure_ascii=False))}")
    if fields["lifecycle"] == "debt" and fields["condition"] is None and not fields["faults"]:
        lines.append("  condition   none: paid by declaration (mem pay)")
    lines += _listed("anchors", [_anchor(anchor) for anchor in fields["anchors"]])
    lines += _listed("evidence", [f"{k}: {v}" for item in fields["evidence"] for k, v in item.items()])
    lines += _listed("supersedes", fields["supersedes"])
    lines += _listed("exception", [fields["exception_to"]] if fields["exception_to"] else [])
    lines += _listed("tags", [", ".join(fields["tags"])] if fields["tags"] else [])
    if fields["lifecycle"] == "debt":
        lines.append(f"  misses      {fields['misses']}")
    lines += _listed("events", [_event(event) for event in fields["events"]])
    body = visible(fields["body"]).strip("\n")
    return "\n".join(lines) + "\n" + (f"\n{body}\n" if body else "")


def _aside(fields: Mapping[str, Any]) -> str:
    return f" ({plain(fields['reason'])})" if fields.get("reason") else ""


def _anchor(anchor: str | Mapping[str, str]) -> str:
    return anchor if isinstance(anchor, str) else f"command: {anchor['command']}"


def _event(event: Mapping[str, Any]) -> str:
    words = [event["at"], event["kind"], f"by {event['actor']['kind']} {event['actor']['name']}"]
    if event["commit"]:
        words.append(f"at {event['commit'][:10]}{' (with uncommitted changes)' if event['dirty'] else ''}")
    if event.get("reason"):
        words.append(f"because {event['reason']}")
    return " ".join(words)


def _listed(label: str, values: list[str]) -> list[str]:
    return [f"  {label if i == 0 else '':<11} {plain(value)}" for i, value in enumerate(values)]


def status_page(counts: Mapping[str, Any], color: bool) -> str:
    """How the memory stands, a line each, with the command that says more."""
    identity = f" ({plain(counts['project'])})" if counts["project"] else ""
    lines = [styled(f"memory of {plain(counts['name'])}{identity}", "bold", color)]
    for name, count in counts["standings"].items():
        lines.append(f"  {styled(f'{name:<11}', STYLES.get(name, ''), color)} {count:>6}")
    if counts["broken"]:
        lines.append(f"  unreadable  {counts['broken']:>6}   mem check")
    if counts["untold"]:
        lines.append(f"  not told    {counts['untold']:>6}   mem list, mem check")
    if counts["inbox"]:
        lines.append(f"  {counts['inbox']} waiting in the inbox: mem inbox")
    if counts["errors"] or counts["warnings"]:
        lines.append(f"  {many(counts['errors'], 'error')}, {many(counts['warnings'], 'warning')}: mem check")
    else:
        lines.append("  check is clean")
    return "\n".join(lines) + "\n"
