"""Two kinds of trouble: wrong data, which is returned, and impossible requests, which are raised.

A :class:`Finding` is wrong data.  Readers and rules return every one of them, never only the first.
A :class:`MemError` is a request that cannot be done.  It carries the exit code of the program and the
next step for the person, and is caught in one place, at the top of the command line.
"""

from __future__ import annotations

from memwarden.core.record import NamedTuple

ERROR = "error"
WARNING = "warning"
NOTICE = "notice"

EXIT_DONE = 0
EXIT_REFUSED = 1
EXIT_USAGE = 2
EXIT_STALE = 3
EXIT_LOCKED = 4
EXIT_NO_MEMORY = 5


class Finding(NamedTuple):
    """One thing that is wrong, with the place to look and what to do about it.

    ``line`` and ``column`` count from 1; 0 means the whole file.  ``path`` is relative to the
    repository.  ``key`` is the key path inside the frontmatter (``condition.all[1].path``).
    """

    code: str
    severity: str
    message: str
    path: str = ""
    line: int = 0
    column: int = 0
    key: str = ""
    note: str = ""
    fix: str = ""


class MemError(Exception):
    """A request that cannot be carried out.

    ``message`` says what is wrong and names the file, line or key; ``next_step`` says what to do.
    """

    exit_code = EXIT_USAGE

    def __init__(self, message: str, next_step: str = "", findings: tuple[Finding, ...] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.next_step = next_step
        self.findings = findings


class Refused(MemError):
    """A rule of the memory forbids it; the message names the rule."""

    exit_code = EXIT_REFUSED


class UsageError(MemError):
    """The command line or an input file is wrong, or a plan is unknown."""

    exit_code = EXIT_USAGE


class NewerProtocol(UsageError):
    """The memory is of a later protocol than this program reads."""


class StalePlan(MemError):
    """The state changed after the preview; nothing was written."""

    exit_code = EXIT_STALE


class LockHeld(MemError):
    """Another process holds the lock; the message names it."""

    exit_code = EXIT_LOCKED


class NoMemory(MemError):
    """Not a git repository, or no memory in it."""

    exit_code = EXIT_NO_MEMORY


class NeedsRecovery(MemError):
    """An apply was cut short, or private state is damaged: ``mem recover``."""

    exit_code = EXIT_NO_MEMORY
