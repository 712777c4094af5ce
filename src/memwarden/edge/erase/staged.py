"""What the index of a worktree has, asked of git once for as long as that index is the same file."""

from __future__ import annotations

import os

from memwarden.core.record import TYPE_CHECKING
from memwarden.edge.git.plumbing import run
from memwarden.edge.place import Place

if TYPE_CHECKING:
    from typing import TypeAlias

    # Mode, blob and path of what an index has.
    Staged: TypeAlias = tuple[str, str, str]


_MODE = 6


def staged_files(place: Place) -> list[Staged]:
    """Everything in a worktree's index, which may be left over from a tree that is gone; raises
    :class:`MemError` where git refuses."""
    global _last
    mark = _mark_of(place)
    if mark is None and not has_tree(place):
        return []
    if _last is None or mark is None or _last[:2] != (place, mark):
        _last = place, mark, _listed(place)
    return _last[2]


_last: tuple[Place, tuple[int, ...] | None, list[Staged]] | None = None


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


def _listed(place: Place) -> list[Staged]:
    if not has_tree(place):
        place = Place(place.git_dir, place.git_dir, place.common_dir)
    out = run(place, "ls-files", "--stage", "-z")
    entries = os.fsdecode(out).split("\0")[:-1]
    # Modes and blobs are as long in every entry: mode, blob, stage, and the path after a tab.
    end = entries[0].index("\t") if entries else 0
    return [(entry[:_MODE], entry[_MODE + 1 : end - 2], entry[end + 1 :]) for entry in entries]
