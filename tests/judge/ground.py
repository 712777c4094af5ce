"""A workspace in memory, for judges that need no repository."""

from __future__ import annotations

from memwarden.core.workspace import Overlay, Unreadable


class Nothing:
    name = "nothing"

    def entry(self, path):
        return None

    def read(self, path):
        raise Unreadable("no such file")

    def paths(self, under="", passing=frozenset()):
        return iter(())

    def resolved(self, path):
        return path

    blob = read


def Files(files):
    """The workspace that holds exactly ``files``: bytes, or text, by path."""
    return Overlay(
        Nothing(), {path: text.encode() if isinstance(text, str) else text for path, text in files.items()}
    )
