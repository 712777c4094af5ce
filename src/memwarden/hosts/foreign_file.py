"""Files that belong to others: a host's settings, git's hooks.  Read whole, replaced in one step.

They may lie outside the repository, so this is not the store's business; a link is written through, because
people keep their settings in one place and link to them.
"""

from __future__ import annotations

import os
import secrets

from memwarden.errors import Refused


def read(path: str) -> bytes | None:
    """The file's bytes, or None where there is none.  Raises :class:`Refused` where it cannot be read."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _refused("read", path, error) from None


def replace(path: str, data: bytes, executable: bool = False) -> None:
    """Put new bytes in place of the file's, keeping its mode; ``executable`` is for a file that is new.

    Raises :class:`Refused`, with the old bytes in place, where it cannot be written.
    """
    target = os.path.realpath(path)
    staged = f"{target}.mem-{secrets.token_hex(8)}"
    try:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        mode = os.stat(target).st_mode & 0o7777 if os.path.exists(target) else None
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
        descriptor = os.open(staged, flags, 0o777 if executable else 0o666)
        with os.fdopen(descriptor, "wb") as file:
            if mode is not None:
                os.fchmod(descriptor, mode)
            file.write(data)
            file.flush()
            os.fsync(descriptor)
        os.replace(staged, target)
    except OSError as error:
        if os.path.lexists(staged):
            os.unlink(staged)
        raise _refused("write", path, error) from None


def missing_folders(path: str) -> int:
    """How many of the folders above a file are not there yet."""
    count, folder = 0, os.path.dirname(os.path.realpath(path))
    while not os.path.isdir(folder) and folder != os.path.dirname(folder):
        count, folder = count + 1, os.path.dirname(folder)
    return count


def remove(path: str, folders: int = 1) -> None:
    """Remove a file, and as many of the folders above it as hold nothing else, up to ``folders``."""
    try:
        os.unlink(path)
    except OSError as error:
        raise _refused("remove", path, error) from None
    for _ in range(folders):
        path = os.path.dirname(path)
        try:
            os.rmdir(path)
        except OSError:
            return


def _refused(what: str, path: str, error: OSError) -> Refused:
    return Refused(f"cannot {what} {path}: {error.strerror or error}", "nothing was changed")
