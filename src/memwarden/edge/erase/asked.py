"""git asked before its answer is wanted: it is at work while something else is done here."""

from __future__ import annotations

import fcntl
import os
from contextlib import suppress

from memwarden.core.record import TYPE_CHECKING
from memwarden.edge.git.plumbing import answer, clean_env, finish, spawn

if TYPE_CHECKING:
    from memwarden.edge.place import Place

# So much it may say ahead of us, where the system allows it; then it waits.
AHEAD = 1 << 20


class Asked:
    """git at work on one question; it must be ended by :meth:`heard` or :meth:`leave`."""

    def __init__(self, place: Place, *arguments: str) -> None:
        self._child = spawn(place, arguments, clean_env(place))
        self._open = True
        widen(self._child.stdout)

    def heard(self) -> bytes:
        """What it says, to be asked once; raises as :func:`plumbing.run` does."""
        self._open = False
        return answer(self._child)

    def leave(self) -> None:
        """Leave it where nobody asked what it says."""
        if self._open:
            self._open = False
            for end in (self._child.stdin, self._child.stdout, self._child.stderr):
                os.close(end)
            finish(self._child.pid)


def widen(pipe: int) -> None:
    """Let git write ahead of us, where the system allows it."""
    wider = getattr(fcntl, "F_SETPIPE_SZ", None)
    if wider is not None:
        with suppress(OSError):
            fcntl.fcntl(pipe, wider, AHEAD)
