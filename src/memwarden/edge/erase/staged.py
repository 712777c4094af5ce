"""What the index of a worktree has, asked of git once for as long as that index is the same file."""

from __future__ import annotations

import os
from contextlib import suppress

from memwarden.core.record import TYPE_CHECKING
from memwarden.edge.erase.asked import Asked
from memwarden.edge.place import Place
from memwarden.errors import MemError

if TYPE_CHECKING:
    from typing import TypeAlias

    # Mode, blob and path of what an index has.
    Staged: TypeAlias = tuple[str, str, str]


_MODE = 6


def ask_ahead(place: Place) -> None:
    """Let git begin to tell what a worktree's index has, for whoever asks soon."""
    global _asked
    if _asked is not None:
        _asked[2].leave()
        _asked = None
    mark = _mark_of(place)
    with suppress(MemError):
        if mark is not None and has_tree(place):
            _asked = place, mark, _ask(place)


def staged_files(place: Place) -> list[Staged]:
    """Everything in a worktree's index, which may be left over from a tree that is gone; raises
    :class:`MemError` where git refuses."""
    global _last, _asked
    mark = _mark_of(place)
    if mark is None and not has_tree(place):
        return []
    if _last is None or mark is None or _last[:2] != (place, mark):
        ahead, _asked = _asked, None
        if ahead is not None and ahead[:2] != (place, mark):
            ahead[2].leave()
            ahead = None
        _last = place, mark, _entries((_ask(place) if ahead is None else ahead[2]).heard())
    return _last[2]


_last: tuple[Place, tuple[int, ...] | None, list[Staged]] | None = None
# What git was asked ahead, and how the index stood before it was.
_asked: tuple[Place, tuple[int, ...], Asked] | None = None


def has_tree(place: Place) -> bool:
    """Whether there is a tree to look at, and not a bare repository or a folder that is gone."""
    return bool(place.root) and os.path.exists(os.path.join(place.root, ".git"))


def _mark_of(place: Place) -> tuple[int, ...] | None:
    """How the index stands; git puts a new file in its place whenever it changes."""
    try:
        found = os.stat(os.path.join(place.git_dir, "index"))
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def _ask(place: Place) -> Asked:
    if not has_tree(place):
        place = Place(place.git_dir, place.git_dir, place.common_dir)
    return Asked(place, "ls-files", "--stage", "-z")


def _entries(listed: bytes) -> list[Staged]:
    entries = os.fsdecode(listed).split("\0")[:-1]
    # Modes and blobs are as long in every entry: mode, blob, stage, and the path after a tab.
    end = entries[0].index("\t") if entries else 0
    return [(entry[:_MODE], entry[_MODE + 1 : end - 2], entry[end + 1 :]) for entry in entries]
