"""The ledger of an agent session: what was said and done in it, in this worktree's private state.

The file's name is a digest of the session's ID, which may hold anything.  Subagents share their parent's
ledger.  A ledger that cannot be read is an empty one, and a line that was damaged is skipped.
"""

from __future__ import annotations

import os

from memwarden.core.record import TYPE_CHECKING
from memwarden.core.turn.session import (
    CHARGED,
    CLOSED,
    COMPACTED,
    COUNTED,
    EVENT,
    HIT,
    RAN,
    RETURNED,
    SEEN,
    TOLD,
    fold,
)
from memwarden.edge.turn.appending import LockedLines, forget_old
from memwarden.edge.turn.session_file import FOLDER, session_path
from memwarden.edge.turn.session_file import MOST_BYTES as MOST_BYTES
from memwarden.edge.turn.session_file import content_digest as content_digest
from memwarden.edge.turn.session_file import session_key as session_key

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memwarden.core.turn.lines import Line
    from memwarden.core.turn.session import Session
    from memwarden.edge.place import Place

MOST_FILES = 200
MOST_DAYS = 30
_LASTING = (TOLD, SEEN, CHARGED, COUNTED, CLOSED, COMPACTED, HIT, RAN, RETURNED)
_RECENT = 2000


class Ledger:
    """One session's open ledger, locked from the reading to the writing.  Use it as a context."""

    def __init__(self, place: Place, session: str) -> None:
        self._place = place
        self._file = LockedLines(ledger_path(place, session))
        self._lines: list[Line] = []
        self._is_open = False

    def __enter__(self) -> Ledger:
        if not self._is_open:
            self._open()
        return self

    def _open(self) -> None:
        self._file.__enter__()
        self._is_open = True
        lines = self._file.read()
        if self._file.size() > MOST_BYTES:
            lines = _shortened(lines)
            self._file.replace(lines)
        self.session: Session = fold(lines)

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        try:
            if kind is None:
                self.write()
        finally:
            self._file.__exit__()

    def now(self) -> int:
        """The file system's time."""
        return self._file.now()

    def add(self, *lines: Line) -> None:
        """Lines to be appended, in one write, when the ledger is closed."""
        self._lines += lines

    def write(self) -> None:
        """Append what was added so far, before something that depends on it is written elsewhere."""
        self._file.append(self._lines)
        self._lines = []

    def drop(self) -> None:
        """Forget what was added and not yet written."""
        self._lines = []

    def claim(self, agent: str, event: str, call: str) -> bool:
        """Whether this is the first time that this event of a tool call is seen; it then counts as
        processed.  An event without a call's ID is always the first."""
        if not call:
            return True
        key = (agent, event, call)
        if key in self.session.events:
            return False
        self.session.events.add(key)
        self.add((EVENT, *key))
        return True


def open_ledger(place: Place, session: str) -> Ledger | None:
    """The session's ledger, open; None without a session, and where private state cannot be written."""
    if not session:
        return None
    ledger = Ledger(place, session)
    try:
        return ledger.__enter__()
    except OSError:
        return None


def ledger_path(place: Place, session: str) -> str:
    return session_path(place.private, session)


def forget_old_ledgers(place: Place) -> None:
    """Remove the ledgers of sessions long gone."""
    forget_old(os.path.join(place.private, FOLDER), MOST_FILES, MOST_DAYS)


def note_compaction(place: Place, session: str, agent: str = "") -> None:
    """The host has compacted a context: warnings may be told again.  Without an agent the contexts of
    all of the session's agents count as compacted, since hosts do not say whose it was."""
    path = ledger_path(place, session)
    if session and os.path.exists(path):
        with Ledger(place, session) as ledger:
            ledger.add((COMPACTED, agent))


def note_returned(place: Place, session: str, notes: Iterable[str]) -> None:
    """The session was told that the payments of these notes no longer hold: the turn's close looks at
    them too."""
    ledger = open_ledger(place, session)
    if ledger is not None:
        with ledger:
            ledger.add(*((RETURNED, note) for note in notes if note not in ledger.session.returned))


def _shortened(lines: list[Line]) -> list[Line]:
    """What still matters of a ledger that has grown too long."""
    old, recent = lines[:-_RECENT], lines[-_RECENT:]
    kept = [line for line in old if line[0] in _LASTING] + recent
    return kept[-4 * _RECENT :]
