"""Single files written whole or not at all.

A new content is staged in a temporary file of a random name beside its target (opened exclusively,
never through a link), flushed, and put in place by one rename or link.  Many files together are the
journal's business; this room writes one.
"""

from __future__ import annotations

import os

from memwarden.errors import Refused

TEMPORARY = ".mem-"


def create_file(root: str, path: str, data: bytes) -> bool:
    """Write a file that must not be there yet; False, and nothing written, where something is.

    ``path`` is repository-relative; folders are made.  The mode follows the umask.  Raises
    :class:`Refused` where the path leaves the repository through a link, ``OSError`` where it cannot
    be written.
    """
    target = _inside(root, path)
    if os.path.lexists(target):
        return False
    os.makedirs(os.path.dirname(target), exist_ok=True)
    staged = _stage(target, data, 0o666)
    try:
        os.link(staged, target)  # fails where another process was first, unlike a rename
    except FileExistsError:
        return False
    finally:
        os.unlink(staged)
    return True


def replace_file(root: str, path: str, data: bytes) -> None:
    """Write a file's new content in one step, keeping its mode; a link inside the repository is
    written through.  Raises as :func:`create_file` does."""
    target = _inside(root, path)
    os.makedirs(os.path.dirname(target), exist_ok=True)
    try:
        mode = os.stat(target).st_mode & 0o7777
    except FileNotFoundError:
        mode = None
    staged = _stage(target, data, 0o666)
    try:
        if mode is not None:
            os.chmod(staged, mode)
        os.replace(staged, target)
    except BaseException:
        os.unlink(staged)
        raise


def _inside(root: str, path: str) -> str:
    """The real path of ``path``; raises :class:`Refused` where it is outside ``root`` or dangling."""
    full = os.path.join(root, path)
    real = os.path.realpath(full)
    top = os.path.realpath(root)
    if not real.startswith(top + os.sep) or _in_git(real, top):
        raise Refused(f"{path}: leads out of the repository through a link", "replace the link by a file")
    if os.path.islink(full) and not os.path.exists(full):
        raise Refused(f"{path}: a link that leads nowhere", "remove the link or restore what it names")
    return real


def _in_git(real: str, top: str) -> bool:
    return ".git" in os.path.relpath(real, top).split(os.sep)


def _stage(target: str, data: bytes, mode: int) -> str:
    staged = os.path.join(os.path.dirname(target), TEMPORARY + os.urandom(8).hex() + ".tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
    descriptor = os.open(staged, flags, mode)
    try:
        try:
            view = memoryview(data)
            while view:
                view = view[os.write(descriptor, view) :]
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except BaseException:
        os.unlink(staged)
        raise
    return staged
