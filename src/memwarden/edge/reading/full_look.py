"""Whether every file and folder of ``memory/`` still stands as the index says: the full look.

One ``lstat`` of each is the price of seeing a file that was edited in place, and most of what a command
with a fresh index costs.  So Python spends next to nothing of its own on each, and in a large memory copies
of this process look too, on the other processors, while this one goes on with what it has to do: whoever
is free takes the next share, and the last word is :meth:`FullLook.holds`.
"""

import os
from operator import attrgetter, eq

from memwarden.edge.index_read import Damaged, IndexReader, open_index, stamp_at

FIELDS = attrgetter("st_mtime_ns", "st_ctime_ns", "st_size", "st_ino")
# A copy of this process costs as much as a share or less, and pays from two shares on.
SHARES_EACH = 2
MOST_PROCESSES = 8
# How a copy ends.
STANDS, DIFFERS, DIED = 0, 1, 2
ENDS = tuple(code << 8 for code in (STANDS, DIFFERS))


def begin(root: str, private: str, to_the_end: bool = False) -> "FullLook | None":
    """A look that goes on beside this process, or None where there is no index to compare with."""
    reader = open_index(private)
    return None if reader is None else FullLook(reader, root, to_the_end)


def is_unchanged(reader: IndexReader, root: str) -> bool:
    """Whether every file and folder of ``memory/`` stands as it did when the index was written."""
    return FullLook(reader, root).holds()


class FullLook:
    """One look at everything, begun when it is made.  It ends with the first change, or goes ``to_the_end``
    for whoever asks what :meth:`changed`."""

    def __init__(self, reader: IndexReader, root: str, to_the_end: bool = False) -> None:
        self.reader = reader
        self._to_the_end = to_the_end
        self.lead = b"" if os.getcwd() == root else os.fsencode(root) + b"/"
        self._shares: int = reader.head["looks"]
        self._helpers: list[int] = []
        self._ended: list[int | None] = []
        self._differing = b""
        self._todo, end = os.pipe()
        os.write(end, bytes(range(self._shares)))
        os.close(end)
        self._heard, self._told = os.pipe()
        for _ in range(1, min(_processors(), MOST_PROCESSES, self._shares // SHARES_EACH)):
            self._start()

    def holds(self) -> bool:
        """Whether all stands: take part in what is left to look at, and wait for the others."""
        found = self._take_part()
        self.close()
        if not found or None not in self._ended:
            return found and not any(self._ended)
        # Somebody above us has children reaped unheard: what they found is not known.
        return all(map(self._stands, range(self._shares)))

    def changed(self) -> list[bytes] | None:
        """The paths that do not stand as the index says, of those that it knows; None where nobody can
        tell.  For a look that goes to the end."""
        self._take_part()
        self.close()
        if not self._to_the_end or any(code is None or code not in ENDS for code in self._ended):
            return None
        try:
            return [name for share in self._differing for name in self._changed_of(share)]
        except Damaged:
            return None

    def close(self) -> None:
        """Leave no share to take and no copy behind."""
        if self._todo < 0:
            return
        os.read(self._todo, self._shares)
        os.close(self._todo)
        os.close(self._told)
        self._todo = self._told = -1
        self._ended = list(map(_end_of, self._helpers))
        self._differing = os.read(self._heard, self._shares)
        os.close(self._heard)

    def _take_part(self) -> bool:
        """Look at one share after the other, as long as there are any; False where one has changed, and
        but for a look to the end there are none for the others either then."""
        found = True
        while share := os.read(self._todo, 1):
            if not self._stands(share[0]):
                found = False
                os.write(self._told, share)
                if not self._to_the_end:
                    os.read(self._todo, self._shares)
        return found

    def _stands(self, share: int) -> bool:
        try:
            told, stamps = self.reader.file.get(f"look {share}")
            names = told.split(b"\0")
            if self.lead:
                names = [self.lead + name for name in names]
            return all(map(eq, map(FIELDS, map(os.lstat, names)), stamps))
        except (OSError, ValueError, TypeError, Damaged):
            return False

    def _changed_of(self, share: int) -> list[bytes]:
        names, stamps = self.reader.file.get(f"look {share}")
        pairs = zip(names.split(b"\0"), stamps, strict=True)
        return [name for name, stamp in pairs if stamp is None or stamp_at(self.lead + name) != stamp]

    def _start(self) -> None:
        """One copy of this process at work on the shares; none where none can be had."""
        try:
            pid = os.fork()
        except OSError:
            return
        if pid:
            self._helpers.append(pid)
            return
        code = DIED
        try:
            code = STANDS if self._take_part() else DIFFERS
        finally:
            os._exit(code)


def _end_of(pid: int) -> int | None:
    """How a copy ended: 0 where all that it saw stands; None where nobody can tell any more."""
    try:
        return os.waitpid(pid, 0)[1]
    except ChildProcessError:
        return None


def _processors() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on macOS
        return os.cpu_count() or 1
