"""After erasing: is it gone?  The managed files are searched as they lie on disk, names and contents."""

from __future__ import annotations

import os
import stat

from memwarden.core.record import TYPE_CHECKING
from memwarden.edit.erasure import told
from memwarden.edit.starter import AGENT_FILES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memwarden.edge.place import Place
    from memwarden.edit.topic import Topic


def tree_residue(place: Place, topic: Topic) -> list[tuple[str, str]]:
    """The files below ``memory/`` and the agent files that still tell the topic: a path that does not
    repeat it, and why."""
    found = []
    for path, full in _managed(place):
        why = _why(path, full, topic)
        if why:
            found.append((told(path, topic), why))
    return found


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
    """Every path below ``memory/``, folders too, and the agent files that are there."""
    for name in AGENT_FILES.values():
        full = os.path.join(place.root, name)
        if os.path.lexists(full):
            yield name, full
    pending = ["memory"]
    while pending:
        folder = pending.pop()
        try:
            entries = list(os.scandir(os.path.join(place.root, folder)))
        except OSError:
            continue
        for entry in entries:
            path = f"{folder}/{entry.name}"
            if entry.is_dir(follow_symlinks=False):
                pending.append(path)
            yield path, entry.path


def _why(path: str, full: str, topic: Topic) -> str:
    if path.startswith("memory/") and topic.in_name(path.rpartition("/")[2]):
        return "its name"
    try:
        mode = os.lstat(full).st_mode
        if stat.S_ISLNK(mode):
            return "what it links to" if topic.in_name(os.readlink(full)) else ""
        if not stat.S_ISREG(mode):
            return ""
        with open(full, "rb") as file:
            data = file.read()
    except FileNotFoundError:
        return ""
    except OSError:
        return "it cannot be read"
    if topic.is_about(data):
        return "it is the note, or an event of it"
    return "its content" if topic.in_content(data) else ""
