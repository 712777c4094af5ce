"""The line and column of a finding that names a key: read again, for the few files that have one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from memwarden.core.workspace import Unreadable, Workspace
from memwarden.errors import Finding


def located(findings: Iterable[Finding], workspace: Workspace) -> Iterator[Finding]:
    """The findings, each with the line of its key where the file's frontmatter has it."""
    known: dict[str, object] = {}
    for finding in findings:
        if finding.line or not finding.key or not finding.path.endswith(".md"):
            yield finding
            continue
        if finding.path not in known:
            known[finding.path] = _fields(workspace, finding.path)
        place = getattr(known[finding.path], "place", None)
        line, column = place(finding.key) if place else (0, 0)
        yield finding._replace(line=line, column=column)


def _fields(workspace: Workspace, path: str) -> object:
    """The file's parsed frontmatter, or None where it has none."""
    from memwarden.edit.fence import Unsound, split  # only findings pay for it
    from memwarden.edit.fields import read_fields

    try:
        parts = split(workspace.read(path))
        return None if parts.fault else read_fields(parts)
    except (Unreadable, Unsound):
        return None
