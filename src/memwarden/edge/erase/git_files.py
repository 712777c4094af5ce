"""What git keeps in words besides its objects: messages in writing, patches of a rebase, remembered
resolutions, configuration, hooks, large files of git-lfs, and what a killed git left among the objects."""

from __future__ import annotations

import os
import stat

from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.core.workspace import MOST_BYTES
from memwarden.edge.erase.hooks_folder import hook_files
from memwarden.edit.sieve import is_compressed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memwarden.edge.place import Place
    from memwarden.edit.topic import Topic

# These are searched in ways of their own: objects, refs, reflogs, indexes, other worktrees, our own state.
_ELSEWHERE = ("objects", "refs", "logs", "reftable", "packed-refs", "index", "worktrees", "modules", "mem")
_HEX = frozenset("0123456789abcdef")
_OBJECTS, _PACKS = "objects", "pack"
# What belongs to a pack and tells nothing in words.
_OF_PACKS = (".pack", ".idx", ".rev", ".bitmap", ".mtimes", ".midx")
_INDEXES = ("multi-pack-index", "commit-graph")


class Kept(NamedTuple):
    """The files that tell the topic, below the common git directory; ``unread`` counts those that could
    not be searched, ``packed`` are compressed in themselves."""

    files: tuple[str, ...]
    unread: int
    packed: tuple[str, ...] = ()


def git_files(places: Sequence[Place], topic: Topic) -> Kept:
    """Search the git directories of some worktrees, and their hooks wherever they are."""
    found: list[str] = []
    packed: list[str] = []
    unread = 0
    for path, full, name in _all_files(places):
        told = _tells(full, name, topic, path, packed) if full else None
        if told:
            found.append(path)
        unread += told is None
    return Kept(tuple(found), unread, tuple(packed))


def _all_files(places: Sequence[Place]) -> Iterator[tuple[str, str, str]]:
    """The name to tell of each file, where it is ("" where nobody can say), and the name that it has."""
    for place in places:
        for full in _files(place.git_dir):
            yield os.path.relpath(full, place.common_dir), full, os.path.relpath(full, place.git_dir)
        for name, full in hook_files(place):
            yield f"core.hooksPath/{name}", full, name
    for common in sorted({place.common_dir for place in places}):
        for full in _beside_objects(os.path.join(common, _OBJECTS)):
            yield os.path.relpath(full, common), full, os.path.relpath(full, common)


def _files(git_dir: str) -> Iterator[str]:
    for folder, folders, names in os.walk(git_dir):
        if folder == git_dir:
            folders[:] = [name for name in folders if name not in _ELSEWHERE]
            names = [name for name in names if name not in _ELSEWHERE]
        folders.sort()
        yield from (os.path.join(folder, name) for name in sorted(names))


def _beside_objects(top: str) -> Iterator[str]:
    """What lies among the objects and is none that git lists."""
    for folder, folders, names in os.walk(top):
        folders.sort()
        below = os.path.basename(folder) if os.path.dirname(folder) == top else ""
        if len(below) == 2 and _HEX.issuperset(below):
            names = [name for name in names if not (len(name) in (38, 62) and _HEX.issuperset(name))]
        elif below == _PACKS:
            names = [name for name in names if not (name.startswith("pack-") and name.endswith(_OF_PACKS))]
        yield from (os.path.join(folder, name) for name in sorted(names) if not name.startswith(_INDEXES))


def _tells(full: str, name: str, topic: Topic, path: str, packed: list[str]) -> bool | None:
    """None where it could not be searched."""
    if topic.in_name(name):
        return True
    try:
        facts = os.lstat(full)
        if not stat.S_ISREG(facts.st_mode):
            return stat.S_ISLNK(facts.st_mode) and topic.in_name(os.readlink(full))
        if facts.st_size > MOST_BYTES:
            return None
        with open(full, "rb") as file:
            data = file.read()
    except FileNotFoundError:
        return False
    except OSError:
        return None
    if topic.is_in(data):
        return True
    if is_compressed(data):
        packed.append(path)
    return False
