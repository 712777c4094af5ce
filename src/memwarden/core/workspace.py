"""A workspace: the files of a repository as they stand somewhere.

The same question can be asked of the working tree, of the index (staged content) or of any commit.
Whoever reads files asks a workspace; the implementations live in ``edge``.
"""

from __future__ import annotations

from memwarden.core.record import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Protocol
else:
    Protocol = object

FILE = "file"
FOLDER = "folder"
OTHER = "other"

MOST_BYTES = 8 * 1024 * 1024


class Unreadable(Exception):
    """A path could not be read; the text says why, in a few words, without an absolute path."""


class Entry(NamedTuple):
    """What is at a path: ``kind`` is ``file`` (also through a link that stays inside), ``folder``, or
    ``other`` (device, FIFO, submodule, a link that leaves the repository or dangles).  ``stamp``
    changes whenever the content may have: a blob ID, or what stat says.  ``unmerged`` is a path of the
    index with versions that git has not merged yet, and none of its own: ``other``, too."""

    kind: str
    size: int = 0
    stamp: str = ""
    link: bool = False
    unmerged: bool = False


class Workspace(Protocol):
    """Read-only view of repository-relative POSIX paths.  A path that leaves the repository or enters
    ``.git`` is :class:`Unreadable`; odd bytes in names are kept by surrogate escapes."""

    @property
    def name(self) -> str:
        """``working tree``, ``index``, or the commit's object ID."""

    def entry(self, path: str) -> Entry | None:
        """What is at ``path``, or None where nothing is."""

    def read(self, path: str) -> bytes:
        """The bytes of a file of at most ``MOST_BYTES``; raises :class:`Unreadable`."""

    def paths(self, under: str = "", passing: frozenset[str] = frozenset()) -> Iterator[str]:
        """Every path below the folder ``under`` that is not a folder, sorted; "" is the whole tree.
        Folders of the names in ``passing`` are passed by."""

    def resolved(self, path: str) -> str:
        """The path that ``path`` means once every link on the way is followed; itself where there is
        none.  Raises :class:`Unreadable` where a link leaves the repository."""

    def blob(self, path: str) -> str:
        """The git blob ID (40 hex) of what :meth:`read` gives, after the repository's own filters."""


def passes(path: str, passing: frozenset[str], prefix: str = "") -> bool:
    """Whether a path below ``prefix`` lies in a folder of one of these names."""
    return bool(passing) and not passing.isdisjoint(path[len(prefix) :].split("/")[:-1])


class Steady:
    """A workspace that is asked each question once: for one judgement over many notes, which is of one
    moment.  Contents are read anew; whoever reads many keeps them himself."""

    def __init__(self, base: Workspace) -> None:
        self._base = base
        self._entries: dict[str, Entry | Unreadable | None] = {}
        self._resolved: dict[str, str | Unreadable] = {}
        self._listed: dict[tuple[str, frozenset[str]], tuple[str, ...]] = {}
        # What each glob matched, for whoever has matched it.
        self.matched: dict[str, list[str]] = {}

    @property
    def name(self) -> str:
        return self._base.name

    def entry(self, path: str) -> Entry | None:
        if path not in self._entries:
            try:
                self._entries[path] = self._base.entry(path)
            except Unreadable as reason:
                self._entries[path] = reason
        found = self._entries[path]
        if isinstance(found, Unreadable):
            raise found
        return found

    def read(self, path: str) -> bytes:
        return self._base.read(path)

    def paths(self, under: str = "", passing: frozenset[str] = frozenset()) -> Iterator[str]:
        key = under, passing
        if key not in self._listed:
            self._listed[key] = tuple(self._base.paths(under, passing))
        return iter(self._listed[key])

    def resolved(self, path: str) -> str:
        if path not in self._resolved:
            try:
                self._resolved[path] = self._base.resolved(path)
            except Unreadable as reason:
                self._resolved[path] = reason
        found = self._resolved[path]
        if isinstance(found, Unreadable):
            raise found
        return found

    def blob(self, path: str) -> str:
        return self._base.blob(path)


class Overlay:
    """A workspace with some files changed: the tree that a plan would leave behind."""

    def __init__(self, base: Workspace, changes: Mapping[str, bytes | None]) -> None:
        self._base = base
        self._changes = dict(changes)

    @property
    def name(self) -> str:
        return self._base.name

    def entry(self, path: str) -> Entry | None:
        if path in self._changes:
            content = self._changes[path]
            return None if content is None else Entry(FILE, len(content), "")
        if any(changed.startswith(path + "/") for changed, new in self._changes.items() if new is not None):
            return Entry(FOLDER)
        return self._base.entry(path)

    def read(self, path: str) -> bytes:
        if path in self._changes:
            content = self._changes[path]
            if content is None:
                raise Unreadable("no such file")
            return content
        return self._base.read(path)

    def paths(self, under: str = "", passing: frozenset[str] = frozenset()) -> Iterator[str]:
        prefix = under.rstrip("/") + "/" if under else ""
        found = {path for path in self._base.paths(under, passing) if path not in self._changes}
        new = [p for p, content in self._changes.items() if content is not None and p.startswith(prefix)]
        found.update(p for p in new if not passes(p, passing, prefix))
        return iter(sorted(found))

    def resolved(self, path: str) -> str:
        return path if path in self._changes else self._base.resolved(path)

    def blob(self, path: str) -> str:
        if path in self._changes:
            from hashlib import sha1  # only a preview comes here

            content = self.read(path)
            return sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()
        return self._base.blob(path)
