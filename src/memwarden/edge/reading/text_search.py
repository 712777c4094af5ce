"""Which notes contain a text, out of the index and the files: most bodies are passed by in large pieces.

What a note says beside its body is in the index as it is compared.  Bodies are read, and joined: where a
run of the text's letters is not in the whole piece, no body in it has the text.  Only a note that the run is
in is taken apart.
"""

from __future__ import annotations

import os
from bisect import bisect_right

from memwarden.core.containing import compared
from memwarden.core.record import TYPE_CHECKING
from memwarden.edge.index_read import Damaged
from memwarden.edge.reading.index_codec import HEADS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from memwarden.edge.index_read import IndexReader, Row

    # Where in joined contents something may be, in order.
    Places = Callable[[bytes], Iterator[int]]

PIECE = 1 << 20
FIRST_READ = 1 << 15
FLAGS = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
# Fewer bytes beyond ASCII are sooner compared one by one than a sieve for them is made.
WORTH_A_SIEVE = 1 << 17


def rows_with(reader: IndexReader, root: str, text: str) -> list[Row]:
    """The notes that contain ``text``, which is as it is compared, by path; raises :class:`Damaged` where the
    index or a file cannot say."""
    found: list[int] = []
    search = _Bodies(text)
    lead = "" if os.getcwd() == root else root + "/"
    for start in range(0, reader.head["notes"], HEADS):
        heads, paths = reader.file.get(f"heads {start // HEADS}")
        for number, head in enumerate(heads.split("\n"), start):
            if text in head:
                found.append(number)
            else:
                search.add(number, _read(lead + paths[number - start]))
    rows = reader.rows(sorted(found + search.found()))
    if rows is None:
        raise Damaged
    return rows


def _read(path: str) -> bytes:
    """A file's content; its folders are no links, for of such a memory there is no index."""
    try:
        fd = os.open(path, FLAGS)
        try:
            data = part = os.read(fd, FIRST_READ)
            while len(part) == FIRST_READ:
                part = os.read(fd, FIRST_READ)
                data += part
            return data
        finally:
            os.close(fd)
    except OSError:
        raise Damaged from None


class _Bodies:
    """Contents that are looked through in pieces, those in ASCII apart from the others."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._run = max(text.split(), key=len) if text.isascii() else ""
        self._found: list[int] = []
        self._plain = _Piece()
        self._other = _Piece()
        self._sieve: Sieve | None = None

    def add(self, number: int, data: bytes) -> None:
        if not data.isascii():
            self._other.add(number, data)
            if self._other.size >= PIECE:
                self._look(self._other, self._other_places())
                self._other = _Piece()
        elif self._run:  # a text beyond ASCII is in none of these
            self._plain.add(number, data)
            if self._plain.size >= PIECE:
                self._look(self._plain, self._places)
                self._plain = _Piece()

    def found(self) -> list[int]:
        """The numbers of all that contain the text."""
        self._look(self._plain, self._places)
        few = self._sieve is None and self._other.size < WORTH_A_SIEVE
        self._look(self._other, None if few else self._other_places())
        return self._found

    def _look(self, piece: _Piece, places: Places | None) -> None:
        for number, data in piece.at(places):
            from memwarden.edit.fence import split

            parts = split(data)
            if not parts.fault and self._text in compared(parts.text[parts.body :]):
                self._found.append(number)

    def _places(self, data: bytes) -> Iterator[int]:
        """Where in ASCII the run stands."""
        run, data = self._run.encode(), data.lower()
        at = data.find(run)
        while at >= 0:
            yield at
            at = data.find(run, at + 1)

    def _other_places(self) -> Places | None:
        if self._sieve is None:
            self._sieve = Sieve(self._text)
        return self._sieve.places


class Sieve:
    """Where perhaps some spelling of a text stands beyond ASCII; ``places`` is None where that may be
    anywhere."""

    def __init__(self, text: str) -> None:
        from memwarden.edit.pattern import compiled_bytes
        from memwarden.edit.sieve import sieve_parts

        parts = sieve_parts([text], ())
        self._pattern = compiled_bytes(b"|".join(parts or ()))
        self.places: Places | None = self._places if parts else None

    def _places(self, data: bytes) -> Iterator[int]:
        return (match.start() for match in self._pattern.finditer(data))


class _Piece:
    """Contents side by side."""

    def __init__(self) -> None:
        self.size = 0
        self._numbers: list[int] = []
        self._contents: list[bytes] = []

    def add(self, number: int, data: bytes) -> None:
        self._numbers.append(number)
        self._contents.append(data)
        self.size += len(data) + 1

    def at(self, places: Places | None) -> Iterator[tuple[int, bytes]]:
        """Each content that one of the places lies in; all of them where nobody says which."""
        if places is None:
            yield from zip(self._numbers, self._contents, strict=True)
            return
        starts: list[int] = []
        last = -1
        for place in places(b"\n".join(self._contents)):
            if not starts:
                end = 0
                for data in self._contents:
                    starts.append(end)
                    end += len(data) + 1
            index = bisect_right(starts, place) - 1
            if index > last:
                last = index
                yield self._numbers[index], self._contents[index]
