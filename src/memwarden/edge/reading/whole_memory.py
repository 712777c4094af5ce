"""The notes that a touch may bring up, out of a memory that was read whole; what is asked of any source."""

from __future__ import annotations

from memwarden.core.manifest import Settings
from memwarden.core.note import Note
from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.core.standing import Standing

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Protocol

    from memwarden.core.memory import Memory
else:
    Protocol = object


class Found(NamedTuple):
    """A note that may be delivered (never one that is unfit), with its standing."""

    note: Note
    standing: Standing


class NoteSource(Protocol):
    """What a touch and a turn's close ask of the memory."""

    @property
    def settings(self) -> Settings:
        """The manifest's settings, or the defaults where it cannot be read."""

    def matching(self, paths: Sequence[str], commands: Sequence[str]) -> Iterable[Found]:
        """Every note with an anchor that matches one of the repository-relative ``paths``, and every
        note with a command anchor where there are ``commands``; others may be among them."""

    def named(self, ids: Iterable[str]) -> dict[str, Found]:
        """The notes of these IDs, as far as they are there and fit."""

    def body(self, note: Note) -> str:
        """The note's text."""


class WholeMemory:
    """The plain source: everything was read."""

    def __init__(self, memory: Memory, today: str) -> None:
        from memwarden.core.fitness import unfit
        from memwarden.core.standing import standings

        bad = unfit(memory)
        standing = standings(memory, today)
        self.memory = memory
        self.settings = memory.settings
        self._found = [Found(note, standing[note.path]) for note in memory.notes if note.path not in bad]

    def matching(self, paths: Sequence[str], commands: Sequence[str]) -> Iterable[Found]:
        return self._found

    def all(self) -> Sequence[Found]:
        """Every note that may be delivered."""
        return self._found

    def named(self, ids: Iterable[str]) -> dict[str, Found]:
        wanted = set(ids)
        return {found.note.id: found for found in self._found if found.note.id in wanted}

    def body(self, note: Note) -> str:
        from memwarden.core.workspace import Unreadable
        from memwarden.edit.note_reader import body_of

        try:
            return body_of(self.memory.workspace.read(note.path))
        except Unreadable:
            return ""
