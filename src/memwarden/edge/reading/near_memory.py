"""The part of the memory that one change can put in another light, out of a fresh index, as it turns out.

What the law says of a change depends on the notes that share a bond with it, and on those that share one
with these (``core.neighbours``).  The index files every note under its bonds, so a change of one note looks
at its neighbours alone, whatever else there is.  What is here is always whole: with a note come all those
that are bound to it, on and on, and the events of every ID that they name.
"""

from __future__ import annotations

from memwarden.core.event import FOLDER as EVENTS
from memwarden.core.memory import Memory
from memwarden.core.neighbours import bond_of_id, bonds, linked_ids, registry_of
from memwarden.core.record import TYPE_CHECKING
from memwarden.edge.index_read import Damaged
from memwarden.edge.reading.changed_files import changed_files
from memwarden.edge.reading.full_look import begin
from memwarden.edge.reading.index_codec import (
    crate_of,
    unpack_event,
    unpack_finding,
    unpack_manifest,
    unpack_note,
    unpack_subject,
)
from memwarden.edge.tree.checkout import working_tree
from memwarden.edge.tree.worktree import WorkingTree
from memwarden.edit.memory_reader import load_paths
from memwarden.edit.snapshot import joined

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from memwarden.core.event import Event
    from memwarden.core.note import Note
    from memwarden.edge.place import Place
    from memwarden.edge.reading.full_look import FullLook


class NearMemory:
    """The memory around a change that is being made, as an index has it: whether it is still the memory,
    :meth:`catch_up` tells in the end.  Everything raises :class:`Damaged` where the index turns out not to
    be what was written, or too much has changed since."""

    def __init__(self, look: FullLook, workspace: WorkingTree) -> None:
        get = look.reader.file.get
        self._reader = look.reader
        self._look: FullLook | None = look
        self._changed: set[str] = set()
        self._read = Memory(workspace)
        self.close = look.close
        self._notes: dict[int, Note] = {}
        self._events: dict[str, tuple[Event, ...]] = {}
        self._bonds: set[str] = set()
        self._asked: set[str] = set()
        self._crates: dict[str, dict[str, Any]] = {}
        self._bare = Memory(
            workspace,
            unpack_manifest(get("manifest")),
            broken=get("broken"),
            subjects=tuple(map(unpack_subject, get("subjects"))),
            findings=tuple(map(unpack_finding, get("findings"))),
        )

    def memory(self) -> Memory:
        """What is near by now, as a memory: the manifest, all subjects, and these notes and events."""
        found = self._bare._replace(
            notes=tuple([self._notes[number] for number in sorted(self._notes)]),
            events=dict(sorted(self._events.items())),
        )
        return joined(found, self._read, self._changed) if self._changed else found

    def catch_up(self) -> bool:
        """Wait for the look at all files, and take in those that are not as they were; False where
        everything stands, or this was done before."""
        look, self._look = self._look, None
        if look is None:
            return False
        names = look.changed()
        changed = None if names is None else changed_files(look, names)
        if changed is None:
            raise Damaged
        if changed:
            self._changed = changed
            self._read = load_paths(self._bare.workspace, sorted(changed))
            self.take_in(self._read.notes)
            for path in changed:
                if path.startswith(EVENTS):
                    self._recall(path.split("/")[2])
        return bool(changed)

    def is_taken(self, note_id: str) -> bool:
        """Whether a note, one that is there or was, has this ID, or some note names it."""
        bond = bond_of_id(note_id)
        if note_id in self._crate("events", note_id) or bond in self._crate("bonds", bond):
            return True
        return note_id in self._read.events or any(note_id in linked_ids(note) for note in self._read.notes)

    def take_in(self, notes: Iterable[Note]) -> bool:
        """Let everything be near that is bound to these notes; False where it was already."""
        before = len(self._notes), len(self._events)
        registry = registry_of(self._bare)
        waiting = list(notes)
        while waiting:
            note = waiting.pop()
            for one in linked_ids(note):
                self._recall(one)
            for bond in bonds(note, registry):
                if bond not in self._bonds:
                    self._bonds.add(bond)
                    waiting += self._bound(bond)
        return before != (len(self._notes), len(self._events))

    def _bound(self, bond: str) -> list[Note]:
        """The notes under a bond that were not near before."""
        found = []
        for number in self._crate("bonds", bond).get(bond, ()):
            if number not in self._notes:
                rows = self._reader.rows((number,))
                if rows is None:
                    raise Damaged
                found.append(unpack_note(rows[0][2]))
                self._notes[number] = found[-1]
        return found

    def _recall(self, note_id: str) -> None:
        if note_id not in self._asked:
            self._asked.add(note_id)
            events = self._crate("events", note_id).get(note_id)
            if events:
                self._events[note_id] = tuple(map(unpack_event, events))

    def _crate(self, kind: str, name: str) -> dict[str, Any]:
        key = f"{kind} {crate_of(name, self._reader.head['crates'])}"
        if key not in self._crates:
            self._crates[key] = self._reader.file.get(key) or {}
        return self._crates[key]


def near_memory(place: Place) -> NearMemory | None:
    """The memory with nothing near yet; None where the index is missing or damaged, or the memory is one
    that a whole reading has more to say about.

    Every file is looked at meanwhile: what is built upon it counts once it has caught up."""
    workspace = working_tree(place)
    if type(workspace) is not WorkingTree:
        return None
    look = begin(place.root, place.private, to_the_end=True)
    if look is None:
        return None
    try:
        # The shelf is kept of a memory only whose manifest routes.
        if look.reader.file.get("shelf") is not None:
            return NearMemory(look, workspace)
    except Damaged:
        pass
    look.close()
    return None
