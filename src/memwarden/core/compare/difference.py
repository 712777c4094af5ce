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


class OwnerChange(NamedTuple):
    """A key that an active rule owned before and that is now owned otherwise: by another note, by
    nobody, or by several that contest it."""

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
    those that can be read again; ``unrouted`` says why the tasks could not be compared."""

    notes: tuple[NoteChange, ...] = ()
    owners: tuple[OwnerChange, ...] = ()
    manifest: tuple[ManifestChange, ...] = ()
    subjects: tuple[SubjectChange, ...] = ()
    tasks: tuple[TaskChange, ...] = ()
    broken: tuple[str, ...] = ()
    mended: tuple[str, ...] = ()
    unrouted: str = ""

    @property
    def empty(self) -> bool:
        """Whether the memory says the same on both sides."""
        return not any((*self[:-1],))
