"""After erasing: is it gone?  The managed files are searched as they lie on disk, names and contents.

Every one is listed and read again: nothing that was held, kept or known is trusted here.  In a large memory
copies of this process read too, while this one goes on with what it has to do: whoever is free takes the
next share, and what no copy answers for is read here.
"""

from __future__ import annotations

import marshal
import os
import stat

from memwarden.core.record import TYPE_CHECKING
from memwarden.edge.reading.copies import give, processors
from memwarden.edit.erasure import told
from memwarden.edit.starter import AGENT_FILES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import TypeAlias

    from memwarden.edge.place import Place
    from memwarden.edit.topic import Topic

    # A path, and why it counts.
    Trace: TypeAlias = tuple[str, str]

# A link is not followed, and nobody waits for a pipe.
_OPEN = os.O_RDONLY | os.O_NONBLOCK | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
# A share has no fewer files, and a process is copied for no fewer shares: it is heard no sooner than they are
# read.
_LEAST = 500
_SHARES_EACH = 4
_MOST_SHARES = 128


class Residue:
    """A search of the files below ``memory/`` and of the agent files, begun when it is made; it must be
    ended by :meth:`found` or :meth:`leave`."""

    def __init__(self, place: Place, topic: Topic, least: int = _LEAST) -> None:
        self._topic = topic
        self._lead = place.root + "/"  # the folder that we are in may be gone by now
        files, folders, self._told = _listed(place.root)
        telling = topic.telling({path.rpartition("/")[2] for path in (*files, *folders)})
        if telling:
            named = {path for path in (*files, *folders) if path.rpartition("/")[2] in telling}
            self._told += [(path, "its name") for path in named]
            files = [path for path in files if path not in named]
        files += [name for name in AGENT_FILES.values() if os.path.lexists(self._lead + name)]
        count = max(1, min(len(files) // least, _MOST_SHARES))
        self._shares = [files[number::count] for number in range(count)]
        self._todo, end = os.pipe()
        os.write(end, bytes(range(count)))
        os.close(end)
        helpers = min(processors(), count // _SHARES_EACH) - 1
        _ = topic.sieve if helpers > 0 else None  # made once, before the copies
        self._copies = [copy for copy in (give(self._copied) for _ in range(helpers)) if copy is not None]

    def found(self) -> list[Trace]:
        """What still tells the topic: a path that does not repeat it, and why."""
        try:
            rows = self._take_part()
            while self._copies:
                rows.update(_answer(self._copies[0].result()))
                del self._copies[0]
        finally:
            self.leave()
        left = list(self._told)
        for number, share in enumerate(self._shares):
            left += rows[number] if number in rows else self._search(share)
        return [(told(path, self._topic), why) for path, why in sorted(left)]

    def leave(self) -> None:
        """Leave no share to take and no copy behind."""
        if self._todo >= 0:
            os.close(self._todo)
            self._todo = -1
        while self._copies:
            self._copies.pop().end()

    def _copied(self) -> bytes:
        return marshal.dumps(self._take_part())

    def _take_part(self) -> dict[int, list[Trace]]:
        """Search one share after the other, as long as there are any."""
        rows = {}
        while one := os.read(self._todo, 1):
            rows[one[0]] = self._search(self._shares[one[0]])
        return rows

    def _search(self, paths: Sequence[str]) -> list[Trace]:
        topic, found = self._topic, list[tuple[str, str]]()
        for path, data in topic.sifted(_contents(self._lead, paths, topic, found)):
            if topic.is_about(data):
                found.append((path, "it is the note, or an event of it"))
            elif topic.in_content(data):
                found.append((path, "its content"))
        return found


def tree_residue(place: Place, topic: Topic) -> list[Trace]:
    """The whole search at once."""
    return Residue(place, topic).found()


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


def _answer(data: bytes) -> dict[int, list[Trace]]:
    """What a copy found; nothing where it did not live to say."""
    try:
        rows: dict[int, list[Trace]] = marshal.loads(data)  # noqa: S302  (from a copy of ourselves)
    except (EOFError, ValueError, TypeError):
        return {}
    return rows


def _listed(root: str) -> tuple[list[str], list[str], list[Trace]]:
    """The files below ``memory/``, the folders there, which have a name alone, and what cannot be listed."""
    files, folders, closed = list[str](), list[str](), list[tuple[str, str]]()
    pending = ["memory"]
    while pending:
        folder = pending.pop()
        try:
            with os.scandir(f"{root}/{folder}") as entries:
                for entry in entries:
                    path = f"{folder}/{entry.name}"
                    if entry.is_dir(follow_symlinks=False):
                        pending.append(path)
                        folders.append(path)
                    else:
                        files.append(path)
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError:
            closed.append((folder, "it cannot be read"))
    return files, folders, closed


def _contents(
    lead: str, paths: Iterable[str], topic: Topic, found: list[Trace]
) -> Iterator[tuple[str, bytes]]:
    """What is in files; ``found`` gets the links that tell the topic, and what cannot be read."""
    for path in paths:
        try:
            try:
                handle = os.open(lead + path, _OPEN)
            except OSError:
                mode = os.lstat(lead + path).st_mode
                if not stat.S_ISLNK(mode):
                    if stat.S_ISREG(mode):
                        raise
                    continue
                if topic.in_name(os.readlink(lead + path)):
                    found.append((path, "what it links to"))
                continue
            try:
                info = os.fstat(handle)
                if stat.S_ISREG(info.st_mode):
                    size = info.st_size
                    data = os.read(handle, size + 1)
                    yield path, data if len(data) == size else _rest(handle, data)
            finally:
                os.close(handle)
        except FileNotFoundError:
            continue
        except OSError:
            found.append((path, "it cannot be read"))


def _rest(handle: int, data: bytes) -> bytes:
    """All of a file that is not as long as it was said to be, for somebody writes it meanwhile."""
    while more := os.read(handle, 1 << 16):
        data += more
    return data
