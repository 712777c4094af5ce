"""After erasing: is it gone?  The managed files are searched as they lie on disk, names and contents."""

from __future__ import annotations

import os
import stat

from memwarden.core.record import TYPE_CHECKING
from memwarden.edit.erasure import told
from memwarden.edit.starter import AGENT_FILES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from memwarden.edge.place import Place
    from memwarden.edit.topic import Topic

MEMORY = "memory/"
# A link is not followed, and nobody waits for a pipe.
_OPEN = os.O_RDONLY | os.O_NONBLOCK | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)


def tree_residue(place: Place, topic: Topic) -> list[tuple[str, str]]:
    """The files below ``memory/`` and the agent files that still tell the topic: a path that does not
    repeat it, and why.  Every one is read again: nothing that was held or kept is trusted here."""
    managed = dict(_managed(place))
    names = {path.rpartition("/")[2] for path in managed if path.startswith(MEMORY)}
    told_names = topic.telling(names)
    found, rest = [], {}
    for path, full in managed.items():
        if path.startswith(MEMORY) and path.rpartition("/")[2] in told_names:
            found.append((path, "its name"))
        elif full:
            rest[path] = full
    for path, data in topic.sifted(_contents(rest, topic, found)):
        if topic.is_about(data):
            found.append((path, "it is the note, or an event of it"))
        elif topic.in_content(data):
            found.append((path, "its content"))
    return [(told(path, topic), why) for path, why in sorted(found)]


def remove_empty_folders(place: Place, paths: Iterable[str]) -> None:
    """Remove the folders that the removed files leave empty, for their names may tell the topic too;
    a folder right below ``memory/`` is the manifest's to keep."""
    for path in paths:
        folder = path.rpartition("/")[0]
        while folder.count("/") > 1:
            try:
                os.rmdir(os.path.join(place.root, folder))
            except OSError:
                break
            folder = folder.rpartition("/")[0]


def _managed(place: Place) -> Iterator[tuple[str, str]]:
    """Every path below ``memory/``, and the agent files that are there, each with where it lies; a folder
    with nowhere, for it has a name alone."""
    for name in AGENT_FILES.values():
        full = os.path.join(place.root, name)
        if os.path.lexists(full):
            yield name, full
    pending = ["memory"]
    while pending:
        folder = pending.pop()
        try:
            entries = list(os.scandir(f"{place.root}/{folder}"))
        except OSError:
            continue
        for entry in entries:
            path = f"{folder}/{entry.name}"
            if entry.is_dir(follow_symlinks=False):
                pending.append(path)
                yield path, ""
            else:
                yield path, entry.path


def _contents(
    files: Mapping[str, str], topic: Topic, found: list[tuple[str, str]]
) -> Iterator[tuple[str, bytes]]:
    """What is in files; ``found`` gets the links that tell the topic, and what cannot be read."""
    for path, full in files.items():
        try:
            try:
                handle = os.open(full, _OPEN)
            except OSError:
                mode = os.lstat(full).st_mode
                if not stat.S_ISLNK(mode):
                    if stat.S_ISREG(mode):
                        raise
                    continue
                if topic.in_name(os.readlink(full)):
                    found.append((path, "what it links to"))
                continue
            try:
                info = os.fstat(handle)
                if stat.S_ISREG(info.st_mode):
                    yield path, _whole(handle, info.st_size)
            finally:
                os.close(handle)
        except FileNotFoundError:
            continue
        except OSError:
            found.append((path, "it cannot be read"))


def _whole(handle: int, size: int) -> bytes:
    """All of a file, though somebody makes it longer meanwhile."""
    data = os.read(handle, size + 1)
    while len(data) > size or len(data) < size:
        more = os.read(handle, 1 << 16)
        if not more:
            break
        data += more
        size = len(data)
    return data
