"""Blobs by object ID through one long-lived ``git cat-file --batch``: a constant number of processes.

Bytes come as git stores them: no checkout, no filter, no line-ending conversion.
"""

from __future__ import annotations

import os

from memwarden.core.record import TYPE_CHECKING
from memwarden.core.workspace import MOST_BYTES, Unreadable
from memwarden.edge.git.plumbing import Child, clean_env, finish, spawn

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import BinaryIO

    from memwarden.edge.place import Place

# Requests written before the first answer is read: together smaller than any pipe's buffer.
AHEAD = 100
DRAIN = 1 << 20


class Objects:
    """The object store of one repository.  Use it as a context, or call :meth:`close`."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._child: Child | None = None
        self._answers: BinaryIO | None = None
        self._id_size = 20

    def read(self, oid: str) -> bytes:
        """The bytes of a blob of at most ``MOST_BYTES``; raises :class:`Unreadable`."""
        for content in self.read_many((oid,)):
            if isinstance(content, Unreadable):
                raise content
            return content
        raise Unreadable("git gave no answer")

    def read_many(self, oids: Iterable[str]) -> Iterator[bytes | Unreadable]:
        """The bytes of each blob, or why it cannot be read, in the order asked for."""
        batch: list[str] = []
        for oid in oids:
            batch.append(oid)
            if len(batch) == AHEAD:
                yield from self._ask(batch)
                batch = []
        yield from self._ask(batch)

    def read_tree(self, oid: str) -> list[tuple[str, str, str]]:
        """The entries of a tree object: mode, name, object ID.  Raises :class:`Unreadable`."""
        [content] = self._ask([oid], b"tree")
        if isinstance(content, Unreadable):
            raise content
        entries, at = [], 0
        size = self._id_size
        while at < len(content):
            space, end = content.index(b" ", at), content.index(b"\0", at)
            name = content[space + 1 : end].decode("utf-8", "surrogateescape")
            entries.append((content[at:space].decode("ascii"), name, content[end + 1 : end + 1 + size].hex()))
            at = end + 1 + size
        return entries

    def close(self) -> None:
        """End the git process."""
        child, answers = self._child, self._answers
        self._child = self._answers = None
        if child is None:
            return
        if _started.pop(child.pid, None) is None:
            return  # a copy of this process has let go of it
        os.close(child.stdin)
        if answers is not None:
            answers.close()
        os.close(child.stderr)
        finish(child.pid)

    def __enter__(self) -> Objects:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()

    def _ask(self, oids: list[str], kind: bytes = b"blob") -> list[bytes | Unreadable]:
        """One round; a git that died over an object that is not here is started anew for the rest."""
        found: list[bytes | Unreadable] = []
        while len(found) < len(oids):
            answers = self._start()
            rest = oids[len(found) :]
            try:
                assert self._child is not None
                os.write(self._child.stdin, "".join(oid + "\n" for oid in rest).encode("ascii", "replace"))
                for _ in rest:
                    found.append(self._answer(answers, kind))
            except (EOFError, BrokenPipeError):
                self.close()
                found.append(Unreadable("the object is not in this clone"))
        return found

    def _start(self) -> BinaryIO:
        if self._answers is None:
            self._child = spawn(self._place, ("cat-file", "--batch"), clean_env(self._place))
            self._answers = os.fdopen(self._child.stdout, "rb", 1 << 16)
            _started[self._child.pid] = self._child, self._answers
        return self._answers

    def _answer(self, answers: BinaryIO, wanted: bytes) -> bytes | Unreadable:
        """One answer; raises EOFError where git died before it was whole."""
        header = answers.readline()
        if not header.endswith(b"\n"):
            raise EOFError
        words = header.split()
        if len(words) != 3:
            return Unreadable("no such object in this clone")
        self._id_size = len(words[0]) // 2
        kind, size = words[1], int(words[2])
        if kind == wanted and size <= MOST_BYTES:
            content = answers.read(size)
            if len(content) < size or len(answers.read(1)) < 1:
                raise EOFError
            return content
        left = size + 1
        while left:
            piece = answers.read(min(left, DRAIN))
            if not piece:
                raise EOFError
            left -= len(piece)
        return Unreadable("not a file" if kind != wanted else "larger than 8 MiB")


# The gits of this process.  They end when nobody has their pipes any more, so a copy of it lets go of them:
# whoever waits for such an end would wait for the copy's as well.
_started: dict[int, tuple[Child, BinaryIO]] = {}


def _let_go() -> None:
    for child, answers in _started.values():
        os.close(child.stdin)
        answers.close()
        os.close(child.stderr)
    _started.clear()


os.register_at_fork(after_in_child=_let_go)
