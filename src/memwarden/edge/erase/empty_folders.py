"""Folders of the memory that hold nothing and whose names tell a topic: git knows none of them."""

from __future__ import annotations

import os
from contextlib import suppress

from memwarden.core.event import FOLDER as EVENTS
from memwarden.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memwarden.edge.place import Place
    from memwarden.edit.topic import Topic

MEMORY = "memory"


def telling_folders(place: Place, topic: Topic) -> list[str]:
    """The paths of those folders, the outermost where several lie in each other; events lie in folders
    that are named by note IDs."""
    return list(_telling(place, MEMORY, topic))


def remove_telling_folders(place: Place, topic: Topic) -> None:
    """Remove them, as far as they are still empty."""
    for path in telling_folders(place, topic):
        for folder, _, _ in os.walk(os.path.join(place.root, path), topdown=False):
            with suppress(OSError):  # it is found by the search afterwards, and told
                os.rmdir(folder)


def _telling(place: Place, folder: str, topic: Topic) -> Iterator[str]:
    for name in _folders(place, folder):
        path = f"{folder}/{name}"
        if path + "/" == EVENTS:
            continue
        if topic.in_name(path.partition("/")[2]) and _is_empty(os.path.join(place.root, path)):
            yield path
        else:
            yield from _telling(place, path, topic)


def _is_empty(folder: str) -> bool:
    """Whether a folder holds no file at any depth."""
    return not any(names for _, _, names in os.walk(folder))


def _folders(place: Place, folder: str) -> list[str]:
    try:
        with os.scandir(os.path.join(place.root, folder)) as found:
            return sorted(entry.name for entry in found if entry.is_dir(follow_symlinks=False))
    except OSError:
        return []
