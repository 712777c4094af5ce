"""The working tree as a workspace: the files on disk, and never a step outside the repository.

What is on disk is untrusted: a link may lead to a private file, a FIFO may never answer, a folder may be
another repository.  A link is followed as long as it ends at a file or folder inside the repository;
everything else is :class:`Unreadable`, or an entry of kind ``other``.
"""

from __future__ import annotations

import os
import stat

from memwarden.core.paths import GIT_NAMES, normal
from memwarden.core.record import TYPE_CHECKING
from memwarden.core.workspace import FILE, FOLDER, MOST_BYTES, OTHER, Entry, Unreadable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_OPEN = (
    os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
)
_NEEDS_CARE = (*"./gG\\", "")  # what the last part of .git, .., or an unfinished path begins with
_ABSENT = (FileNotFoundError, NotADirectoryError)


class WorkingTree:
    """The files below ``root``, the top of a git working tree."""

    name = "working tree"
    # Told of every path that is asked for, before it is (``edge.reading.witness``); True: only whether it is
    # a plain folder matters, not what is in it.
    watcher: Callable[[str, bool], None] | None = None

    def __init__(self, root: str) -> None:
        self._root = root
        self._real = os.path.realpath(root)
        self._own: dict[str, bool] = {"": True}  # plain folders seen: are they this repository's?
        self._straight: dict[str, bool] = {}  # folders: is there no link on the way?
        # The names in each folder as one text, with a sign before each: single they would be much to keep.
        self._listed: dict[str, str | None] | None = None

    def list_once(self) -> None:
        """From here on each folder is listed once: for a command that only reads, and asks again and again
        which paths there are."""
        self._listed = {}

    def entry(self, path: str) -> Entry | None:
        """What is at ``path``, or None; raises :class:`Unreadable` where that may not be asked."""
        try:
            found = os.lstat(self._watched(self._place(path)))
            if not stat.S_ISLNK(found.st_mode):
                return self._entry(path, found)
        except _ABSENT:
            return None
        except (OSError, ValueError) as error:
            raise Unreadable(_reason(error)) from None
        try:
            target = os.stat(self._inside(path))
        except (OSError, Unreadable):
            return Entry(OTHER, 0, _stamp(found), True)
        return Entry(_kind(target), target.st_size, f"{_stamp(found)}>{_stamp(target)}", True)

    def read(self, path: str) -> bytes:
        """The bytes of a file; raises :class:`Unreadable`."""
        try:
            place = self._place(path)
            try:
                handle = os.open(place, _OPEN)
            except OSError:
                if not os.path.islink(place):
                    raise
                handle = os.open(self._inside(path), _OPEN)
            try:
                return _read_all(handle)
            finally:
                os.close(handle)
        except _ABSENT:
            raise Unreadable("no such file") from None
        except (OSError, ValueError) as error:
            raise Unreadable(_reason(error)) from None

    def paths(self, under: str = "", passing: frozenset[str] = frozenset()) -> Iterator[str]:
        """Every path below ``under`` that is not a folder, sorted.  A link to a folder, another
        repository, a folder that cannot be listed and an empty one with a file's name (``x.md``) are
        such paths too: nothing is listed behind them."""
        under = normal(under)
        try:
            entry = self.entry(under) if under else Entry(FOLDER)
        except Unreadable:
            return
        if entry is None or entry.kind != FOLDER:
            return
        prefix = under + "/" if under else ""
        pending = [(prefix + name, folder) for name, folder in reversed(self._listing(under) or [])]
        while pending:
            path, folder = pending.pop()
            if not folder:
                yield path
                continue
            if path.rpartition("/")[2] in passing:
                continue
            inner = self._listing(path)
            if inner is None or (not inner and path.endswith(".md")):
                yield path
            else:
                pending += [(f"{path}/{name}", below) for name, below in reversed(inner)]

    def stamps(self, under: str = "") -> dict[str, str]:
        """The stamp of every path below ``under`` that is no folder, as :meth:`entry` gives it: one
        full stat pass."""
        found: dict[str, str] = {}
        folders = [normal(under)]
        while folders:
            folder = folders.pop()
            prefix = folder + "/" if folder else ""
            for name, is_folder in self._listing(folder) or ():
                path = prefix + name
                if is_folder:
                    folders.append(path)
                    continue
                try:
                    status = os.lstat(f"{self._root}/{path}")
                    if stat.S_ISLNK(status.st_mode):
                        entry = self.entry(path)
                        found[path] = entry.stamp if entry else ""
                    else:
                        found[path] = _stamp(status)
                except (OSError, Unreadable):
                    found[path] = ""
        return found

    def resolved(self, path: str) -> str:
        """The path that ``path`` means once every link on the way is followed."""
        place = self._place(path)
        plain = normal(path)
        if plain and self._is_straight(plain.rpartition("/")[0]) and not os.path.islink(place):
            return plain
        real = os.path.realpath(os.path.join(self._root, path))
        if real == self._real:
            return ""
        self._inside(path)
        return os.path.relpath(real, self._real).replace(os.sep, "/")

    def blob(self, path: str) -> str:
        """The git blob ID of the file's bytes as git would store them: where git keeps line ends as
        LF (``core.autocrlf``, or a ``text`` attribute) CRLF counts as LF."""
        from hashlib import sha1  # asked for when something is recorded, not on every read

        content = self.read(path)
        if b"\r\n" in content and b"\0" not in content[:8000] and self._stores_lf(path):
            content = content.replace(b"\r\n", b"\n")
        return sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()

    def _stores_lf(self, path: str) -> bool:
        from memwarden.edge.git.attributes import stores_lf  # only files with CRLF come here

        return stores_lf(self, self._root, normal(path))

    def _entry(self, path: str, found: os.stat_result) -> Entry:
        kind = _kind(found)
        if kind == FOLDER and not self._is_own(normal(path)):
            return Entry(OTHER)
        return Entry(kind, found.st_size, _stamp(found))

    def _listing(self, folder: str) -> list[tuple[str, bool]] | None:
        """Names in a folder and whether each is a folder, in the order that makes whole paths sorted;
        None where there is nothing of ours to list."""
        if self._listed is None:
            return self._list(folder)
        if folder not in self._listed:
            found = self._list(folder)
            packed = None if found is None else "/".join([("+" if inner else "-") + n for n, inner in found])
            self._listed[folder] = packed
            return found
        known = self._listed[folder]
        if not known:
            return None if known is None else []
        return [(name[1:], name[0] == "+") for name in known.split("/")]

    def _list(self, folder: str) -> list[tuple[str, bool]] | None:
        try:
            with os.scandir(os.path.join(self._root, folder)) as listing:
                found = [(item.name, item.is_dir(follow_symlinks=False)) for item in listing]
        except OSError:
            return None
        names = [(name, is_folder) for name, is_folder in found if name.lower() != ".git"]
        if folder and len(names) < len(found):
            return None  # another repository, or a submodule
        return sorted(names, key=lambda pair: pair[0] + "/" if pair[1] else pair[0])

    def _place(self, path: str) -> str:
        """The absolute path of ``path`` with every folder on the way checked; the last part is not."""
        known, _, name = path.rpartition("/")
        if name[:1] not in _NEEDS_CARE and self._own.get(known):
            return f"{self._root}/{path}"  # below a folder that was checked before
        if path in ("", "."):
            return self._root
        if "\0" in path or path.startswith("/") or ("\\" in path and os.sep == "\\"):
            raise Unreadable("outside the repository")
        parts = normal(path).split("/")
        if ".." in parts:
            raise Unreadable("outside the repository")
        if any(part[:1] in ".gG" and part.lower().rstrip(". ") in GIT_NAMES for part in parts):
            raise Unreadable("inside .git")
        folder = "/".join(parts[:-1])
        if not self._is_own(folder):
            raise Unreadable("inside another repository")
        return os.path.join(self._root, *parts)

    def _is_own(self, folder: str) -> bool:
        """Whether a folder is this repository's: raises where it, or a link on the way, leads out."""
        known = self._own.get(folder)
        if known is not None:
            return known
        if not self._is_own(folder.rpartition("/")[0]):
            own = False
        else:
            place = os.path.join(self._root, folder)
            try:
                is_link = stat.S_ISLNK(os.lstat(self._watched(place, True)).st_mode)
            except _ABSENT:
                return True
            if is_link:
                self._inside(folder)
                own = True
            else:
                own = not os.path.lexists(self._watched(os.path.join(place, ".git")))
        self._own[folder] = own
        return own

    def _is_straight(self, folder: str) -> bool:
        """Whether no link is on the way to a folder; asked once for each, like :meth:`_is_own`."""
        known = self._straight.get(folder)
        if known is None:
            real = os.path.realpath(os.path.join(self._root, folder))
            known = self._straight[folder] = real == os.path.join(self._real, folder).rstrip(os.sep)
        return known

    def _watched(self, place: str, as_folder: bool = False) -> str:
        watcher = WorkingTree.watcher
        if watcher is not None:
            watcher(place, as_folder)
        return place

    def _inside(self, path: str) -> str:
        """Where a link really leads, if that is inside the repository and not in any ``.git``."""
        real = os.path.realpath(os.path.join(self._root, path))
        if not real.startswith(self._real.rstrip(os.sep) + os.sep):
            raise Unreadable("a link that leaves the repository")
        inner = os.path.relpath(real, self._real).replace(os.sep, "/")
        self._place(inner)
        return real


def _read_all(handle: int) -> bytes:
    found = os.fstat(handle)
    if not stat.S_ISREG(found.st_mode):
        raise Unreadable("a folder" if stat.S_ISDIR(found.st_mode) else "not a regular file")
    if found.st_size > MOST_BYTES:
        raise Unreadable("larger than 8 MiB")
    data = os.read(handle, found.st_size + 1)
    if len(data) == found.st_size:
        return data
    chunks = [data]
    total = len(data)
    while chunks[-1] and total != found.st_size:
        chunks.append(os.read(handle, 1 << 16))
        total += len(chunks[-1])
        if total > MOST_BYTES:
            raise Unreadable("larger than 8 MiB")
    return b"".join(chunks)


def _kind(found: os.stat_result) -> str:
    if stat.S_ISREG(found.st_mode):
        return FILE
    return FOLDER if stat.S_ISDIR(found.st_mode) else OTHER


def _stamp(found: os.stat_result) -> str:
    """Changes whenever the content may have: times, size, identity and mode."""
    return f"{found.st_mtime_ns}.{found.st_size}.{found.st_ino}.{found.st_ctime_ns}.{found.st_mode}"


def _reason(error: OSError | ValueError) -> str:
    if isinstance(error, PermissionError):
        return "permission denied"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror[0].lower() + error.strerror[1:]
    return "not a usable path"
