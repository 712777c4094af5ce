"""What git keeps in words besides its objects: messages in writing, patches of a rebase, remembered
resolutions, configuration, hooks, large files of git-lfs."""

from __future__ import annotations

import os
import stat

from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.core.workspace import MOST_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memwarden.edge.place import Place
    from memwarden.edit.topic import Topic

# These are searched in ways of their own: objects, refs, reflogs, indexes, other worktrees, our own state.
_ELSEWHERE = ("objects", "refs", "logs", "reftable", "packed-refs", "index", "worktrees", "modules", "mem")


class Kept(NamedTuple):
    """The files that tell the topic, below the common git directory; ``unread`` counts those that could
    not be searched."""

    files: tuple[str, ...]
    unread: int


def git_files(places: Sequence[Place], topic: Topic) -> Kept:
    """Search the git directories of some worktrees."""
    found, unread = [], 0
    for place in places:
        for full in _files(place.git_dir):
            path = os.path.relpath(full, place.common_dir)
            told = _tells(full, os.path.relpath(full, place.git_dir), topic)
            if told:
                found.append(path)
            unread += told is None
    return Kept(tuple(found), unread)


def _files(git_dir: str) -> Iterator[str]:
    for folder, folders, names in os.walk(git_dir):
        if folder == git_dir:
            folders[:] = [name for name in folders if name not in _ELSEWHERE]
            names = [name for name in names if name not in _ELSEWHERE]
        folders.sort()
        yield from (os.path.join(folder, name) for name in sorted(names))


def _tells(full: str, path: str, topic: Topic) -> bool | None:
    """None where it could not be searched."""
    if any(map(topic.in_name, path.split(os.sep))):
        return True
    try:
        facts = os.lstat(full)
        if not stat.S_ISREG(facts.st_mode):
            return stat.S_ISLNK(facts.st_mode) and topic.in_name(os.readlink(full))
        if facts.st_size > MOST_BYTES:
            return None
        with open(full, "rb") as file:
            return topic.is_in(file.read())
    except FileNotFoundError:
        return False
    except OSError:
        return None
