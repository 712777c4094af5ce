"""Work given to a copy of this process, while this one goes on: with all that it has loaded (``fork``).

What a copy finds comes back as bytes.  One that cannot be had, or dies, gives none, so nothing may depend on
it but time.
"""

from __future__ import annotations

import os
from contextlib import suppress

from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.edge.reading import witness

if TYPE_CHECKING:
    from collections.abc import Callable

MOST_PROCESSES = 8


class Copy(NamedTuple):
    """A copy at work: its process, and the pipe on which its bytes come."""

    pid: int
    pipe: int

    def result(self) -> bytes:
        """What it found, once it has; nothing where it died.  To be asked once."""
        with os.fdopen(self.pipe, "rb") as file:
            data = file.read()
        os.waitpid(self.pid, 0)
        return data

    def end(self) -> None:
        """End it where nobody will ask any more."""
        from signal import SIGKILL  # rare

        with suppress(OSError):
            os.kill(self.pid, SIGKILL)
            os.waitpid(self.pid, 0)


def give(work: Callable[[], bytes]) -> Copy | None:
    """A copy of this process at ``work``; None where none can be had."""
    ours, theirs = os.pipe()
    try:
        with witness.not_looking():
            pid = os.fork()
    except OSError:
        os.close(ours)
        os.close(theirs)
        return None
    if pid:
        os.close(theirs)
        return Copy(pid, ours)
    try:
        witness.rest()
        os.close(ours)
        with os.fdopen(theirs, "wb") as pipe:
            pipe.write(work())
    finally:
        os._exit(0)


def processors() -> int:
    """How many of them there are for us."""
    try:
        return min(len(os.sched_getaffinity(0)), MOST_PROCESSES)
    except AttributeError:  # not on macOS
        return min(os.cpu_count() or 1, MOST_PROCESSES)
