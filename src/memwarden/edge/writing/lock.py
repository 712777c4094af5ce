"""One writer a worktree: an operating system's lock, released by the death of its process.

The file is never removed and its presence means nothing.  What stands in it names the holder for the
message that others get; whether the lock is held is asked of the operating system alone.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager

from memwarden.core.secrets import redact
from memwarden.core.visible import plain
from memwarden.edge.place import Place
from memwarden.errors import LockHeld, Refused

DEFAULT_TIMEOUT = 10.0
FIRST_PAUSE, LONGEST_PAUSE = 0.002, 0.05
CANNOT_LOCK = (errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL)


@contextmanager
def locked(place: Place, command: str, now: str, timeout: float = DEFAULT_TIMEOUT) -> Iterator[None]:
    """Hold the worktree's lock for a while.

    ``command`` and ``now`` (the start) go into the file for the message.  Raises :class:`LockHeld`
    naming the holder when ``timeout`` seconds pass first, :class:`Refused` where the file system
    cannot lock or the private folder cannot be written.
    """
    descriptor = _open(place)
    try:
        _wait(descriptor, timeout)
        _sign(descriptor, command, now)
        yield
    finally:
        os.close(descriptor)  # and with the last descriptor the lock is gone


@contextmanager
def all_locked(
    places: Sequence[Place], command: str, now: str, timeout: float = DEFAULT_TIMEOUT
) -> Iterator[None]:
    """Hold the locks of several worktrees, taken in the order of their paths so that no two commands
    wait for each other in a circle."""
    with ExitStack() as held:
        for _, place in sorted({place.private: place for place in places}.items()):
            held.enter_context(locked(place, command, now, timeout))
        yield


def lock_file(place: Place) -> str:
    """The path of the worktree's lock file."""
    return os.path.join(place.private, "lock")


def _open(place: Place) -> int:
    flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | getattr(os, "O_NOFOLLOW", 0)
    try:
        os.makedirs(place.private, exist_ok=True)
        return os.open(lock_file(place), flags, 0o666)
    except OSError as error:
        raise Refused(
            f"cannot write in the git directory: {error.strerror}",
            "reading commands still work; writing ones need a writable repository",
        ) from None


def _wait(descriptor: int, timeout: float) -> None:
    deadline = time.monotonic() + (timeout if timeout > 0 else 0.0)  # no number is no time: nan never passes
    pause = FIRST_PAUSE
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except OSError as error:
            if error.errno in CANNOT_LOCK:
                raise Refused(
                    f"this file system cannot lock ({error.strerror}), so nothing is written",
                    "put the repository's git directory on a file system with locks",
                ) from None
            if error.errno not in (errno.EWOULDBLOCK, errno.EACCES, errno.EINTR):
                raise
        if time.monotonic() >= deadline:
            raise LockHeld(
                f"the memory is locked by {_holder(descriptor)}",
                "wait for it, or give --lock-timeout more seconds",
            )
        time.sleep(pause)
        pause = min(pause * 2, LONGEST_PAUSE)


def _sign(descriptor: int, command: str, now: str) -> None:
    """Write who holds the lock.  A full disk must not stop a command that may free some."""
    text = json.dumps(
        {"pid": os.getpid(), "host": os.uname().nodename, "command": redact(command), "since": now}
    )
    try:
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, text.encode() + b"\n", 0)
    except OSError:
        pass


def _holder(descriptor: int) -> str:
    """The holder in words; it may be writing its name at this moment."""
    try:
        found = json.loads(os.pread(descriptor, 4096, 0))
        words = f"mem {found['command']} (process {found['pid']} on {found['host']}, since {found['since']})"
    except (OSError, ValueError, TypeError, KeyError):
        return "another process"
    return plain(words)
