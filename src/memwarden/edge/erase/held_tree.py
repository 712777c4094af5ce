"""The whole memory, read once: each file is opened, compared with what the index says of it, and kept.

Whoever forgets looks into every file anyway.  So the look that tells whether the index still holds is taken
through the open file, and nothing is listed, looked at or read for a second time.
"""

from __future__ import annotations

import os
import stat

from memwarden.core.manifest import PROTOCOL
from memwarden.core.record import TYPE_CHECKING
from memwarden.core.workspace import MOST_BYTES
from memwarden.edge.erase.staged import ask_ahead
from memwarden.edge.index_read import Damaged, open_index
from memwarden.edge.reading.full_look import FIELDS
from memwarden.edge.reading.index import memory_of
from memwarden.edge.tree.checkout import working_tree
from memwarden.edge.tree.worktree import WorkingTree

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memwarden.core.memory import Memory
    from memwarden.edge.index_read import IndexReader
    from memwarden.edge.place import Place

MEMORY = "memory"
# A memory of more bytes is not held.
MOST_HELD = 64 * 1024 * 1024
_OPEN = os.O_RDONLY | os.O_NONBLOCK | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
# Names that make a folder another repository, or that git takes for its own.
_ODD = tuple(b"/%b%b" % (name, end) for name in (b".git", b"git~1") for end in (b"/", b"\0", b".", b" "))


class HeldTree(WorkingTree):
    """The working tree, with the files of ``memory/`` as they were read at one moment."""

    def __init__(self, root: str, held: dict[str, bytes]) -> None:
        super().__init__(root)
        self._held = held
        self._paths = tuple(sorted(held))

    def read(self, path: str) -> bytes:
        found = self._held.get(path)
        return super().read(path) if found is None else found

    def paths(self, under: str = "", passing: frozenset[str] = frozenset()) -> Iterator[str]:
        return iter(self._paths) if under == MEMORY and not passing else super().paths(under, passing)


def held_memory(place: Place) -> Memory | None:
    """The memory out of the index, with every file's content at hand; None where the index does not hold
    for all of it, or it is too large to be held."""
    if type(working_tree(place)) is not WorkingTree:
        return None
    ask_ahead(place)  # whoever forgets wants to know what is staged too
    reader = open_index(place.private)
    if reader is None:
        return None
    try:
        held = _read(reader, b"" if os.getcwd() == place.root else os.fsencode(place.root) + b"/")
        memory = None if held is None else memory_of(reader, HeldTree(place.root, held))
    except (OSError, ValueError, TypeError, Damaged):
        return None
    manifest = memory.manifest if memory is not None else None
    return None if manifest is None or manifest.protocol > PROTOCOL else memory


def _read(reader: IndexReader, lead: bytes) -> dict[str, bytes] | None:
    """Every file of ``memory/`` by its path; None where one thing is not as the index says."""
    held: dict[str, bytes] = {}
    total = 0
    for number in range(reader.head["looks"]):
        names, stamps = reader.file.get(f"look {number}")
        low = names.lower() + b"\0"
        if any(odd in low for odd in _ODD):
            return None
        paths = os.fsdecode(names).split("\0")
        for path, name, stamp in zip(paths, names.split(b"\0"), stamps, strict=True):
            handle = os.open(lead + name, _OPEN)
            try:
                info = os.fstat(handle)
                if FIELDS(info) != stamp:
                    return None
                if stat.S_ISREG(info.st_mode):
                    size = info.st_size
                    if size > MOST_BYTES:
                        return None
                    data = os.read(handle, size + 1)
                    if len(data) != size:
                        return None
                    held[path] = data
                    total += size
                elif name.endswith(b".md") or not stat.S_ISDIR(info.st_mode):
                    return None  # a folder with a file's name is one of the paths
            finally:
                os.close(handle)
        if total > MOST_HELD:
            return None
    return held
