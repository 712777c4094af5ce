"""Texts that a person wrote and that could not be taken: kept in private state until they are."""

from __future__ import annotations

import os
from contextlib import suppress

from memwarden.edge.place import Place

FOLDER = "edits"


def keep_edit(place: Place, name: str, data: bytes) -> str:
    """Keep a text; the result is its path as seen from the current folder, "" where it cannot be kept."""
    path = _path(place, name)
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
        with open(handle, "wb") as file:
            file.write(data)
    except OSError:
        return ""
    return os.path.relpath(path)


def drop_edit(place: Place, name: str) -> None:
    """Forget a kept text: it is taken now."""
    with suppress(OSError):
        os.unlink(_path(place, name))


def _path(place: Place, name: str) -> str:
    return os.path.join(place.private, FOLDER, name)
