"""From one snapshot of the memory to the next: only the files that change are read again."""

from __future__ import annotations

from memwarden.core.manifest import PATH as MANIFEST
from memwarden.core.memory import Memory
from memwarden.core.record import TYPE_CHECKING
from memwarden.core.workspace import Overlay
from memwarden.edit.memory_reader import load_paths

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from memwarden.core.event import Event
    from memwarden.core.workspace import Workspace

BELOW = "memory/"


def changed_memory(memory: Memory, changes: Mapping[str, bytes | None]) -> Memory:
    """The memory that the changes would leave behind, equal to what reading it whole would give
    (but for names that collide on some systems, which the check finds)."""
    return with_files(memory, Overlay(memory.workspace, changes), changes)


def with_files(memory: Memory, workspace: Workspace, changed: Iterable[str]) -> Memory:
    """The memory of another workspace that differs in the ``changed`` files only."""
    paths = {path for path in changed if path.startswith(BELOW)}
    return joined(memory, load_paths(workspace, sorted(paths)), paths)


def joined(memory: Memory, new: Memory, paths: set[str]) -> Memory:
    """The memory with what ``new`` holds in place of what it has at these paths, in ``new``'s workspace."""
    notes = [note for note in memory.notes if note.path not in paths] + list(new.notes)
    subjects = [one for one in memory.subjects if one.path not in paths] + list(new.subjects)
    subjects_change = bool(new.subjects) or any(one.path in paths for one in memory.subjects)
    broken = [path for path in memory.broken if path not in paths] + list(new.broken)
    findings = [found for found in memory.findings if found.path not in paths] + list(new.findings)
    return Memory(
        new.workspace,
        new.manifest if MANIFEST in paths else memory.manifest,
        tuple(sorted(notes, key=lambda note: note.path)),
        tuple(sorted(broken)),
        tuple(sorted(subjects, key=lambda subject: subject.path)) if subjects_change else memory.subjects,
        _events(memory.events, new.events, paths),
        tuple(sorted(findings, key=lambda found: (found.path, found.line, found.column, found.code))),
    )


def _events(
    before: Mapping[str, tuple[Event, ...]], new: Mapping[str, tuple[Event, ...]], paths: set[str]
) -> dict[str, tuple[Event, ...]]:
    found = dict(before)
    about = {path.split("/")[2] for path in paths if path.startswith("memory/events/")}
    for note in about | set(new):
        kept = [event for event in before.get(note, ()) if event.path not in paths] + list(new.get(note, ()))
        if kept:
            found[note] = tuple(sorted(kept, key=lambda event: (event.seq, event.at, event.path)))
        else:
            found.pop(note, None)
    return dict(sorted(found.items()))
