"""What a change found before it: the earlier versions of its notes and events, one for each parent.

Only what the change touched is read; whatever it left alone is its own earlier version.
"""

from __future__ import annotations

from memwarden.core.event import FOLDER as EVENTS
from memwarden.core.event import Event
from memwarden.core.manifest import PATH as MANIFEST
from memwarden.core.note import Note
from memwarden.core.record import TYPE_CHECKING
from memwarden.core.workspace import Unreadable, Workspace
from memwarden.edge.place import MEMORY
from memwarden.edit.memory_reader import SUBJECTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memwarden.edge.git.changes import Changes
    from memwarden.edge.git.objects import Objects


class Past:
    """The parents of a change; without any there was nothing before."""

    def __init__(self, changes: Sequence[Changes], objects: Objects) -> None:
        self._changes = changes
        self._objects = objects
        self._old = [self._notes(one) for one in changes]
        self._touched = frozenset(path for one in changes for path in one.before)

    def versions(self, note: Note) -> tuple[Note, ...]:
        """The note as each parent has it that has it, by ID wherever it lay, else by path."""
        if note.path not in self._touched:
            return (note,) * len(self._changes)
        found = []
        for change, old in zip(self._changes, self._old, strict=True):
            if note.path not in change.before:
                found.append(note)
                continue
            earlier = old.get(note.id) if note.id else None
            earlier = earlier or old.get(note.path)
            if earlier is not None and (not note.id or earlier.id in ("", note.id)):
                found.append(earlier)
        return tuple(found)

    def written(self) -> tuple[str, ...]:
        """The paths that the change gives a content of its own: one that no parent has."""
        if not self._changes:
            return ()
        first, *others = self._changes
        paths = (path for path, blob in first.after.items() if blob)
        return tuple(path for path in paths if all(path in other.before for other in others))

    def new_events(self) -> frozenset[str]:
        """The event files that no parent has."""
        return frozenset(
            path
            for path in self._event_paths()
            if all(change.before.get(path, "kept") == "" for change in self._changes)
        )

    def changed_events(self, workspace: Workspace) -> tuple[str, ...]:
        """The event files whose content is not the one that a parent has."""
        return tuple(path for path in self._event_paths() if self._is_changed(path, workspace))

    def removed_events(self) -> dict[str, tuple[Event, ...]]:
        """The events that some parent has and the change has not, by note."""
        blobs = {
            path: change.before[path]
            for change in self._changes
            for path in change.before
            if path.startswith(EVENTS) and change.before[path] and not change.after[path]
        }
        found: dict[str, tuple[Event, ...]] = {}
        for path, content in zip(blobs, self._objects.read_many(blobs.values()), strict=True):
            event = None if isinstance(content, Unreadable) else _read_event(path, content)[0]
            if event is not None:
                found[event.note] = (*found.get(event.note, ()), event)
        return found

    def _event_paths(self) -> list[str]:
        return sorted({path for one in self._changes for path in one.before if path.startswith(EVENTS)})

    def _is_changed(self, path: str, workspace: Workspace) -> bool:
        had = [change.before[path] for change in self._changes if path in change.before]
        if len(had) < len(self._changes) or not any(had):
            return False  # some parent has it just so, or none had it
        try:
            if workspace.blob(path) in had:
                return False
            now = _read_event(path, workspace.read(path))[0]
        except Unreadable:
            return False  # it is gone, or no file any more: others say so
        # Another layout of the same facts is no other event: the name's digest covers the facts alone.
        return all(now is None or now != self._event(path, blob) for blob in had if blob)

    def _event(self, path: str, blob: str) -> Event | None:
        try:
            return _read_event(path, self._objects.read(blob))[0]
        except Unreadable:
            return None

    def _notes(self, change: Changes) -> dict[str, Note]:
        """The notes that the change touched, as they were, by ID and by path."""
        blobs = {path: blob for path, blob in change.before.items() if blob and _is_note(path)}
        found: dict[str, Note] = {}
        if not blobs:
            return found
        from memwarden.edit.note_reader import read_note  # late: a change without notes needs no parser

        for path, content in zip(blobs, self._objects.read_many(blobs.values()), strict=True):
            note = None if isinstance(content, Unreadable) else read_note(path, content)[0]
            if note is not None:
                found[path] = note
                if note.id:
                    found.setdefault(note.id, note)
        return found


def _read_event(path: str, data: bytes) -> tuple[Event | None, object]:
    """What an event's file holds, as its reader says; most changes have none to read."""
    from memwarden.edit import event_reader

    return event_reader.read_event(path, data)


def _is_note(path: str) -> bool:
    return (
        path.startswith(MEMORY + "/")
        and path.endswith(".md")
        and path != MANIFEST
        and not path.startswith((SUBJECTS, EVENTS))
        and not path.endswith("/README.md")
    )
