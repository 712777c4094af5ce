"""What lies between two states of a memory, in the memory's own words.

These are the records; :mod:`core.compare.comparing` fills them.  ``before`` and ``after`` are always the
same two states, and a note is the same note as long as it keeps its ID, wherever its file lies.
"""

from __future__ import annotations

from memwarden.core.memory import Memory
from memwarden.core.record import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memwarden.core.event import Event
    from memwarden.core.note import Note
    from memwarden.core.standing import Standing
    from memwarden.core.subject import Subject

# What may happen to any note, in the order in which it is told.
ADDED = "added"
ADMITTED = "admitted"
REWORDED = "reworded"
MOVED = "moved"
SUPERSEDED = "superseded"
REVOKED = "revoked"
REJECTED = "rejected"
SILENCED = "silenced"
BACK = "back"
REMOVED = "removed"
# What may happen to a debt.
OPENED = "opened"
PAID = "paid"
MISSED = "missed"
REINSTATED = "reinstated"
REOPENED = "reopened"
DEBT_WORDS = (OPENED, PAID, MISSED, REINSTATED, REOPENED)
NOTE_WORDS = (
    ADDED,
    ADMITTED,
    REWORDED,
    MOVED,
    SUPERSEDED,
    REVOKED,
    REJECTED,
    SILENCED,
    BACK,
    REMOVED,
)


class Side(NamedTuple):
    """One of the two states: a memory, and how each of its notes stands."""

    memory: Memory
    standings: Mapping[str, Standing]


class NoteChange(NamedTuple):
    """One thing that happened to one note.

    ``note`` is the note after the change, or before it where it is gone; ``was`` is the note before it,
    None where it was not there.  ``before`` and ``after`` are the names of its standings ("" where it is
    not there).  ``event`` is the event that says so, ``misses`` those that it adds, ``by`` the ID of its
    successor, ``fields`` what was reworded, ``reason`` a reason that no event of this change gives.
    ``beside`` is the path of the note's own file, where this is a second file with the same ID.
    """

    word: str
    note: Note
    was: Note | None = None
    before: str = ""
    after: str = ""
    event: Event | None = None
    misses: int = 0
    by: str = ""
    fields: tuple[str, ...] = ()
    reason: str = ""
    beside: str = ""

    @property
    def why(self) -> str:
        """What the memory says of this change itself, or else the reason that somebody gave for it."""
        given = self.event.facts.get("reason") if self.event is not None else ""
        return self.reason or str(given or "")


class OwnerChange(NamedTuple):
    """A key that is owned otherwise than before: by another note, by nobody, by several that contest it, or
    again by a note that was there.  That a new note owns what nobody did goes without saying."""

    scope: str
    subject: str
    facet: str
    before: tuple[Note, ...]
    after: tuple[Note, ...]


class ManifestChange(NamedTuple):
    """One line of the manifest in words: ``what`` is ``always``, ``task``, ``alias``, ``area``,
    ``profile``, ``explicit``, ``budget``, ``setting``, ``project`` or ``protocol``; ``name`` says which.
    None stands for "not there"."""

    what: str
    name: str
    before: tuple[str, ...] | None
    after: tuple[str, ...] | None


class SubjectChange(NamedTuple):
    """A subject that came, went or changed; either side may be None."""

    id: str
    before: Subject | None
    after: Subject | None


class Carried(NamedTuple):
    """A note that a task loads on one side alone; ``reason`` is why it is loaded, or no longer is."""

    note: Note
    tokens: int
    reason: str


class TaskChange(NamedTuple):
    """What a task would load that it did not, and what it would no longer load.

    ``before`` and ``after`` are the tokens of the whole pack; None where there is no such task.
    """

    task: str
    loads: tuple[Carried, ...] = ()
    drops: tuple[Carried, ...] = ()
    before: int | None = None
    after: int | None = None


class Difference(NamedTuple):
    """Everything between two states.  ``broken`` are note files that can no longer be read, ``mended``
    those that can be read again; ``unrouted`` says why the tasks could not be compared; ``nowhere`` that
    neither side has a memory."""

    notes: tuple[NoteChange, ...] = ()
    owners: tuple[OwnerChange, ...] = ()
    manifest: tuple[ManifestChange, ...] = ()
    subjects: tuple[SubjectChange, ...] = ()
    tasks: tuple[TaskChange, ...] = ()
    broken: tuple[str, ...] = ()
    mended: tuple[str, ...] = ()
    unrouted: str = ""
    nowhere: bool = False

    @property
    def same(self) -> bool:
        """Whether the memory says the same on both sides."""
        told = (self.notes, self.owners, self.manifest, self.subjects, self.tasks, self.broken, self.mended)
        return not any(told) and not self.unrouted
