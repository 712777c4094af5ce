"""The effects that an apply has on files, one method each.

One object stands for the disk, so that a test can stop the program, fill the disk or forbid a write at
any one of them.
"""

from __future__ import annotations

import os
from contextlib import suppress

from memwarden.errors import Refused

NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)


class Disk:
    """Files by their absolute paths.  Every method raises ``OSError`` as the system does."""

    def create(self, path: str, mode: int | None, like: os.stat_result | None = None) -> int:
        """Open a new file for writing, never through a link and never one that is there.

        Without ``mode`` the umask decides; ``like`` gives the group to keep where it may be given.
        """
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | NO_FOLLOW, 0o666)
        if like is not None and like.st_gid != os.fstat(descriptor).st_gid:
            with suppress(OSError):  # a group that we are not in cannot be kept: no reason to stop
                os.fchown(descriptor, -1, like.st_gid)
        if mode is not None:
            os.fchmod(descriptor, mode)
        return descriptor

    def write(self, descriptor: int, data: bytes) -> None:
        """Write all of ``data``; a disk that takes only a part of it and then nothing is full."""
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(descriptor, rest) :]

    def flush(self, descriptor: int) -> None:
        """Have the content survive a loss of power."""
        os.fsync(descriptor)

    def close(self, descriptor: int) -> None:
        os.close(descriptor)

    def replace(self, staged: str, target: str) -> None:
        """Put a staged file in its place in one step."""
        os.replace(staged, target)

    def remove(self, path: str) -> None:
        os.unlink(path)

    def make_folder(self, path: str) -> None:
        os.mkdir(path)

    def remove_folder(self, path: str) -> None:
        """Remove a folder that is empty."""
        os.rmdir(path)

    def flush_folder(self, path: str) -> None:
        """Have a folder's names survive a loss of power."""
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            self.flush(descriptor)
        finally:
            os.close(descriptor)

    def write_file(self, path: str, data: bytes, mode: int | None = None) -> None:
        """A new file, whole and flushed; nothing is left of one that could not be written."""
        descriptor = self.create(path, mode)
        try:
            try:
                self.write(descriptor, data)
                self.flush(descriptor)
            finally:
                self.close(descriptor)
        except OSError:
            self.remove(path)
            raise


def content_at(path: str) -> bytes | None:
    """The bytes of the regular file at an absolute path, not through a link; None where nothing is.

    Raises ``OSError`` for anything else.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | NO_FOLLOW)
    except (FileNotFoundError, NotADirectoryError):
        return None
    with os.fdopen(descriptor, "rb") as file:
        return file.read()


def real_path(root: str, path: str) -> str:
    """Where a write to the repository-relative ``path`` lands, repository-relative too.

    Links inside the repository are followed, so that a link stays a link.  Raises :class:`Refused`
    where the path leaves the repository, enters ``.git``, or is a link that leads nowhere.
    """
    top = os.path.realpath(root)
    full = os.path.join(top, path)
    real = os.path.realpath(full)
    inside = os.path.relpath(real, top)
    if not real.startswith(top + os.sep) or ".git" in inside.split(os.sep):
        raise Refused(f"{path}: leads out of the repository through a link", "replace the link by a file")
    if os.path.islink(full) and not os.path.exists(full):
        raise Refused(f"{path}: a link that leads nowhere", "remove the link, or restore what it names")
    return inside.replace(os.sep, "/")
