"""The memory tree as a value: everything that one reading of ``memory/`` found."""

from __future__ import annotations

from memwarden.core.event import Event
from memwarden.core.manifest import Manifest, Settings
from memwarden.core.note import Note
from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.core.subject import Subject
from memwarden.errors import Finding

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memwarden.core.workspace import Workspace


class Memory(NamedTuple):
    """``notes`` are all readable notes, sorted by path; ``broken`` are the paths of note files, and
    of folders, that could not be read (each has an error in ``findings``).  ``manifest`` is None where
    it cannot be read.  ``events`` maps a note's ID to its events, sorted by (seq, at, path).
    ``findings`` is what the readers found, note by note; the rules add theirs.  Files are read again
    from ``workspace``.
    """

    workspace: Workspace
    manifest: Manifest | None = None
    notes: tuple[Note, ...] = ()
    broken: tuple[str, ...] = ()
    subjects: tuple[Subject, ...] = ()
    events: Mapping[str, tuple[Event, ...]] = {}
    findings: tuple[Finding, ...] = ()

    @property
    def settings(self) -> Settings:
        """What the manifest sets; the defaults where it cannot be read."""
        return self.manifest.settings if self.manifest is not None else Settings()

    @property
    def modules(self) -> tuple[str, ...]:
        """The modules that the manifest names; none where it cannot be read."""
        return self.manifest.modules() if self.manifest is not None else ()

    @property
    def project(self) -> str:
        """The ID of the project, or "" where the manifest cannot be read."""
        return self.manifest.project if self.manifest is not None else ""
