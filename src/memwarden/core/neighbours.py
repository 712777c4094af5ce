"""The part of a memory that one change can put in another light.

What is wrong with a note depends on the note, on the registry and the manifest, and on those it shares
something with: its ID, the subject and facet that it governs, or a link of ``supersedes`` or
``exception_to``.  So where a change leaves manifest and registry alone, the law need not look at all the
other notes, and costs the same in a memory of any size.
"""

from __future__ import annotations

from memwarden.core.event import FOLDER as EVENTS
from memwarden.core.manifest import PATH as MANIFEST
from memwarden.core.record import TYPE_CHECKING
from memwarden.core.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from memwarden.core.memory import Memory
    from memwarden.core.note import Note
    from memwarden.core.subject import Subject

SUBJECTS = "memory/subjects/"


def neighbourhood(before: Memory, after: Memory, changed: Iterable[str]) -> tuple[Memory, Memory]:
    """Both memories cut down to the changed files and the notes that these may put in another light;
    whole where the manifest or a subject changes."""
    paths = frozenset(changed)
    if any(path == MANIFEST or path.startswith(SUBJECTS) for path in paths):
        return before, after
    registry = registry_of(after)
    by_path = {note.path: _tokens(note, registry) for note in before.notes}
    new = {note.path: _tokens(note, registry) for note in after.notes if note.path in paths}
    reached = _reached(by_path, new, paths)
    return _cut(before, paths, by_path, reached), _cut(after, paths, by_path | new, reached)


def registry_of(memory: Memory) -> Registry:
    """The registry of a memory; asked again for the same subjects it is the same one, with what it has
    resolved so far."""
    global _last
    if _last is None or _last[0] is not memory.subjects:
        _last = (memory.subjects, Registry(memory.subjects))
    return _last[1]


_last: tuple[tuple[Subject, ...], Registry] | None = None


def _reached(
    before: Mapping[str, list[str]], new: Mapping[str, list[str]], paths: frozenset[str]
) -> set[str]:
    """Every token (an ID, or a subject with its facet) that leads from the changed files on and on."""
    holders: dict[str, list[list[str]]] = {}
    for tokens in (*before.values(), *new.values()):
        for token in tokens:
            holders.setdefault(token, []).append(tokens)
    waiting = [path.split("/")[2] for path in paths if path.startswith(EVENTS)]
    for path in paths:
        waiting += [*before.get(path, ()), *new.get(path, ())]
    seen: set[str] = set()
    while waiting:
        token = waiting.pop()
        if token not in seen:
            seen.add(token)
            for tokens in holders.get(token, ()):
                waiting += tokens
    return seen


def _tokens(note: Note, registry: Registry) -> list[str]:
    found = list(note.supersedes)
    if note.id:
        found.append(note.id)
    if note.exception_to:
        found.append(note.exception_to)
    if note.subject and note.facet:
        found.append(f"{registry.canonical(note.subject) or note.subject}\0{note.facet}")
    return found


def _cut(memory: Memory, paths: frozenset[str], tokens: Mapping[str, list[str]], reached: set[str]) -> Memory:
    notes = tuple(
        note
        for note in memory.notes
        if note.path in paths or not reached.isdisjoint(tokens.get(note.path, ()))
    )
    kept = paths | {note.path for note in notes}
    return memory._replace(
        notes=notes,
        broken=tuple(path for path in memory.broken if path in paths),
        events={note.id: memory.events[note.id] for note in notes if note.id in memory.events},
        findings=tuple(finding for finding in memory.findings if finding.path in kept),
    )
