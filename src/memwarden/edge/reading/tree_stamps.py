"""How every file and folder of ``memory/`` stands, as stat tells, and from which moment that can be trusted.

A change that falls into the same tick of the file system's clock as the look before it would leave the
same times behind.  So, as in git's index, a stamp that is not older than the beginning of the look is not
trusted, and its file is looked at again next time.  The beginning is taken from the file system itself:
the time of a file made there at that moment.
"""

from __future__ import annotations

import marshal
import os
import stat

from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.edge.index_read import stamp_at, stamp_of
from memwarden.edge.reading.full_look import FIELDS

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TypeAlias

    from memwarden.edge.index_read import IndexReader, Stamp

    # The names of some paths, and their stamps in the same order.
    Share: TypeAlias = tuple[bytes, list[Stamp | None]]

MEMORY = "memory"
# What one process looks at before it asks for more; an index has no more shares than a byte can number.
SHARE = 512
MOST_SHARES = 250
# Two file systems may count time in different steps; the coarsest in use has steps of two seconds.
COARSE = 2_000_000_000


class Tree(NamedTuple):
    """Every path below ``memory/`` (and itself) in walking order, with its stamp; a folder's stamp stands
    for the list of its names.  ``linked``: there is a symbolic link somewhere, whose target has times of
    its own.  ``device`` is the file system's number."""

    paths: list[str]
    stamps: list[Stamp | None]
    folders: list[str]
    linked: bool = False
    device: int = 0


def look(root: str) -> Tree:
    """Stat everything under ``memory/``; links are not followed."""
    tree = Tree([], [], [])
    linked = False
    device = 0
    waiting = [MEMORY]
    while waiting:
        folder = waiting.pop()
        where = f"{root}/{folder}"
        tree.folders.append(folder)
        tree.paths.append(folder)
        try:
            # The folder first: a name that is added after this look changes its times again.
            info = os.lstat(where)
            if not stat.S_ISDIR(info.st_mode):
                raise NotADirectoryError
            with os.scandir(where) as listing:
                entries = list(listing)
        except OSError:
            tree.stamps.append(None)
            linked = True
            continue
        tree.stamps.append(stamp_of(info))
        device = device or info.st_dev
        folders = sorted(entry.name for entry in entries if entry.is_dir(follow_symlinks=False))
        waiting += [f"{folder}/{name}" for name in folders]
        apart = set(folders)
        files = sorted(entry.name for entry in entries if entry.name not in apart)
        linked = linked or any(entry.is_symlink() for entry in entries)
        tree.paths.extend([f"{folder}/{name}" for name in files])
        tree.stamps.extend(_stamps([f"{where}/{name}" for name in files]))
    return tree._replace(linked=linked, device=device)


def _stamps(places: list[str]) -> list[Stamp | None]:
    try:
        return list(map(FIELDS, map(os.lstat, places)))
    except OSError:  # something went away in between
        return [stamp_at(place) for place in places]


def pack_stamps(stamps: list[Stamp | None]) -> bytes:
    """The stamps as they are kept while something else is held: single they take five times as much."""
    return marshal.dumps(stamps)


def unpack_stamps(data: bytes) -> list[Stamp | None]:
    found: list[Stamp | None] = marshal.loads(data)  # noqa: S302  (our own)
    return found


def trusted(stamps: list[Stamp | None], since: int) -> list[Stamp | None]:
    """The stamps that are older than the moment ``since``; None in place of the others."""
    return [stamp if stamp and stamp[0] < since and stamp[1] < since else None for stamp in stamps]


def beginning(fd: int, tree: Tree) -> int:
    """The moment from which on stamps are not trusted: when the file ``fd`` was made."""
    info = os.fstat(fd)
    return info.st_mtime_ns - (0 if info.st_dev == tree.device else COARSE)


def shares(stamps: Mapping[str, Stamp | None]) -> list[Share]:
    """The stamps as the full look takes them from the index: in shares, names as the system has them."""
    size = max(SHARE, -(-len(stamps) // MOST_SHARES))
    paths, found = list(stamps), list(stamps.values())
    return [
        (b"\0".join(map(os.fsencode, paths[at : at + size])), found[at : at + size])
        for at in range(0, len(paths), size)
    ]


def stamps_of(reader: IndexReader) -> dict[str, Stamp | None]:
    """Every path with its stamp, as :func:`shares` put them; raises :class:`Damaged`."""
    found: dict[str, Stamp | None] = {}
    for number in range(reader.head["looks"]):
        names, stamps = reader.file.get(f"look {number}")
        found.update(zip(map(os.fsdecode, names.split(b"\0")), stamps, strict=True))
    return found
