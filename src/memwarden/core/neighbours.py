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
    from collections.abc import Iterable

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
    new = [note for note in after.notes if note.path in paths]
    reached = paths | _reached([*before.notes, *new], paths, registry_of(after))
    # Also of what is only linked to: a note that was erased has nothing but its last event.
    about = {path.split("/")[2] for path in paths if path.startswith(EVENTS)}
    about.update(one for note in (*before.notes, *new) if note.path in reached for one in linked_ids(note))
    return _cut(before, paths, reached, about), _cut(after, paths, reached, about)


def registry_of(memory: Memory) -> Registry:
    """The registry of a memory; asked again for the same subjects it is the same one, with what it has
    resolved so far."""
    global _last
    if _last is None or _last[0] is not memory.subjects:
        _last = (memory.subjects, Registry(memory.subjects))
    return _last[1]


_last: tuple[tuple[Subject, ...], Registry] | None = None


def bonds(note: Note, registry: Registry) -> list[str]:
    """What a note shares with those that it may put in another light: two notes with a bond in common are
    neighbours.  For whoever files notes instead of walking over them."""
    found = [bond_of_id(one) for one in linked_ids(note)]
    if note.subject and note.facet:
        found.append(f"key {note.facet} {registry.canonical(note.subject) or note.subject}")
    return found


def bond_of_id(note_id: str) -> str:
    """The bond of every note that has this ID, or is linked to it."""
    return "id " + note_id


def _reached(notes: list[Note], paths: frozenset[str], registry: Registry) -> set[str]:
    """The paths of all notes to which something leads from the changed files, on and on."""
    linked: dict[str, list[Note]] = {}
    for note in notes:
        # Most name no other note, and a large memory has many.
        if note.supersedes or note.exception_to:
            for token in linked_ids(note):
                linked.setdefault(token, []).append(note)
        elif note.id:
            linked.setdefault(note.id, []).append(note)
    waiting = [note for note in notes if note.path in paths]
    for path in paths:
        if path.startswith(EVENTS):
            waiting += linked.get(path.split("/")[2], ())
    sharing: dict[str, dict[str, list[Note]]] = {}
    seen: set[int] = set()
    reached: set[str] = set()
    while waiting:
        note = waiting.pop()
        if id(note) in seen:
            continue
        seen.add(id(note))
        reached.add(note.path)
        for token in linked_ids(note):
            waiting += linked.get(token, ())
        if note.subject and note.facet:
            # Spelling out subjects is what costs: only those of a facet that matters are looked at.
            if note.facet not in sharing:
                same = [one for one in notes if one.facet == note.facet and one.subject]
                sharing[note.facet] = _by_subject(same, registry)
            waiting += sharing[note.facet][registry.canonical(note.subject) or note.subject]
    return reached


def _by_subject(notes: list[Note], registry: Registry) -> dict[str, list[Note]]:
    found: dict[str, list[Note]] = {}
    for note in notes:
        found.setdefault(registry.canonical(note.subject) or note.subject, []).append(note)
    return found


def linked_ids(note: Note) -> list[str]:
    """The note's own ID and those that it names."""
    found = [note.id] if note.id else []
    if note.supersedes:
        found += note.supersedes
    if note.exception_to:
        found.append(note.exception_to)
    return found


def _cut(memory: Memory, paths: frozenset[str], kept: frozenset[str], about: set[str]) -> Memory:
    return memory._replace(
        notes=tuple([note for note in memory.notes if note.path in kept]),
        broken=tuple(path for path in memory.broken if path in paths),
        events={one: memory.events[one] for one in sorted(about) if one in memory.events},
        findings=tuple(finding for finding in memory.findings if finding.path in kept),
    )
