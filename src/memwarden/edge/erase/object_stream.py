"""Every object that the repository stores, in two passes of one git process each.

Reachable or not: what nothing names any more is still there until git prunes it.  The first pass lists
objects as they lie in the packs, and the second one gives contents in that order, which spares git most
of its work.  They come as large blocks with a table of where each object is, for a look at a whole block
costs a hundredth of one at each object.  Nothing that is searched for is ever told to git.
"""

from __future__ import annotations

import os
import threading
from contextlib import suppress

from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.edge.erase.asked import AHEAD, Asked, widen
from memwarden.edge.git.plumbing import clean_env, finish, refusal, spawn

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Sequence
    from typing import BinaryIO

    from memwarden.edge.place import Place
    from memwarden.errors import MemError

COMMIT, TREE, BLOB, TAG = b"commit", b"tree", b"blob", b"tag"
_CHUNK = AHEAD
_MISSING = b" missing\n"
# git ends at a content that it cannot read to the end, and is asked again about the rest.
_MOST_ENDS = 20


class Listed(NamedTuple):
    """Objects of one type in the order of storage: hexadecimal IDs, and the size of each."""

    oids: list[bytes]
    sizes: list[int]


class Stored(NamedTuple):
    """The objects of each type; ``large`` are blobs beyond the size that was asked for, and none of those
    that need not be looked at is among the others.  ``all_blobs`` has every one of them; of the ``broken``
    git cannot even say what they are."""

    commits: Listed
    trees: Listed
    blobs: Listed
    tags: Listed
    large: list[bytes]
    all_blobs: frozenset[bytes]
    broken: list[bytes]


class Block(NamedTuple):
    """The contents of objects that follow each other: the number of the first, and where in ``data``
    each of them starts and ends."""

    data: bytes
    first: int
    starts: Sequence[int]
    ends: Sequence[int]


def all_objects(place: Place) -> Asked:
    """git at work on the list of everything that is stored; a partial clone is never completed for it."""
    what = "--batch-check=%(objecttype) %(objectsize) %(objectname)"
    return Asked(place, "cat-file", what, "--batch-all-objects", "--unordered")


def stored_objects(asked: Asked, most_bytes: int, known: frozenset[bytes] = frozenset()) -> Stored:
    """Everything in the object store, as git was asked for it, but the ``known`` blobs."""
    out = asked.heard()
    found = {kind: Listed([], []) for kind in (COMMIT, TREE, BLOB, TAG)}
    broken = []
    if _MISSING in out:  # so git calls what it finds and cannot read
        lines = out.splitlines(keepends=True)
        broken = [line.split()[0] for line in lines if line.endswith(_MISSING)]
        out = b"".join(line for line in lines if not line.endswith(_MISSING))
    words = out.split()
    for kind, size, oid in zip(words[0::3], words[1::3], words[2::3], strict=True):
        oids, sizes = found[kind]
        oids.append(oid)
        sizes.append(int(size))
    blobs = found[BLOB]
    all_blobs = frozenset(blobs.oids)
    large = [oid for oid, size in zip(*blobs, strict=True) if size > most_bytes]
    if large or known:
        pairs = zip(*blobs, strict=True)
        rest = [(oid, size) for oid, size in pairs if size <= most_bytes and oid not in known]
        blobs = Listed([oid for oid, _ in rest], [size for _, size in rest])
    return Stored(found[COMMIT], found[TREE], blobs, found[TAG], large, all_blobs, broken)


def blocks(place: Place, lists: Sequence[Listed], unread: list[bytes]) -> Iterator[tuple[int, Block]]:
    """The contents of all objects of some lists, each with the number of its list; one git process, and
    one more for each object that git ends at, but not for ever.  An object that cannot be read is added
    to ``unread``."""
    answered = [0] * len(lists)
    refused: MemError | None = None
    for _ in range(_MOST_ENDS):
        refused = yield from _asked(place, lists, answered, unread)
        if refused is None:
            return
        # git ended at the first one that it did not answer.
        at = next(at for at, listed in enumerate(lists) if answered[at] < len(listed.oids))
        unread.append(lists[at].oids[answered[at]])
        answered[at] += 1
    if refused is not None:
        raise refused


def _asked(
    place: Place, lists: Sequence[Listed], answered: list[int], unread: list[bytes]
) -> Generator[tuple[int, Block], None, MemError | None]:
    """What git says of the objects that are not ``answered`` yet: how many that are of each list is kept
    there.  The result is why git ended too soon."""
    oids = [oid for listed, at in zip(lists, answered, strict=True) for oid in listed.oids[at:]]
    if not oids:
        return None
    # What was replaced is stored all the same, and the size of what it really is was listed.
    env = {**clean_env(place), "GIT_NO_REPLACE_OBJECTS": "1"}
    child = spawn(place, ("cat-file", "--batch=%(objectsize)", "--buffer"), env)
    widen(child.stdout)
    writer = threading.Thread(target=ask, args=(child.stdin, oids), daemon=True)
    writer.start()
    ended = False
    try:
        with os.fdopen(child.stdout, "rb", _CHUNK) as file:
            answers = _Answers(file)
            for number in range(len(lists)):
                for block in _blocks(answers, lists[number], answered, number, unread):
                    yield number, block
    except EOFError:
        ended = True
    finally:
        writer.join()
        with os.fdopen(child.stderr, "rb") as complaints:
            told = complaints.read()
        status = finish(child.pid)
    return refusal(status, told) if ended else None


def _blocks(
    answers: _Answers, listed: Listed, answered: list[int], at: int, unread: list[bytes]
) -> Iterator[Block]:
    """The answers about the objects of a list, a good megabyte at a time."""
    sizes = listed.sizes
    while answered[at] < len(sizes):
        first = answered[at]
        stop, total = first, 0
        starts, ends = [], []
        while stop < len(sizes) and total < _CHUNK:
            size = sizes[stop]
            total += len(str(size)) + 1
            starts.append(total)
            total += size
            ends.append(total)
            total += 1
            stop += 1
        data = answers.take(total)
        if len(data) == total and _MISSING not in data and data[ends[-1] :] == b"\n":
            answered[at] = stop
            yield Block(data, first, starts, ends)
            continue
        answers.put_back(data)  # one of them is gone, or says so in its text
        for number in range(first, stop):
            content = answers.next()
            answered[at] += 1
            if content is None:
                unread.append(listed.oids[number])
            else:
                yield Block(content, number, (0,), (len(content),))


class _Answers:
    """What git says of one object after the other: the size and a line's end, the content, a line's end."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._ahead = b""
        self._at = 0

    def take(self, size: int) -> bytes:
        """As many bytes as were asked for; fewer where there are no more."""
        start, self._at = self._at, min(self._at + size, len(self._ahead))
        ahead = self._ahead[start : self._at]
        return ahead + self._file.read(size - len(ahead)) if len(ahead) < size else ahead

    def put_back(self, data: bytes) -> None:
        """Let these bytes come again before all others."""
        self._ahead, self._at = data + self._ahead[self._at :], 0

    def next(self) -> bytes | None:
        """The content of the next object, None where it is missing; raises EOFError where git ended."""
        end = self._ahead.find(b"\n", self._at)
        header = (
            self.take(end + 1 - self._at) if end >= 0 else self.take(len(self._ahead)) + self._file.readline()
        )
        if not header.endswith(b"\n"):
            raise EOFError
        if not header[:-1].isdigit():
            return None
        content = self.take(int(header) + 1)
        if not content.endswith(b"\n") or len(content) <= int(header):
            raise EOFError
        return content[:-1]


def ask(stdin: int, lines: Iterable[bytes]) -> None:
    """Write what git is asked; it may be gone before the last line is written."""
    with suppress(BrokenPipeError), os.fdopen(stdin, "wb", _CHUNK) as asked:
        asked.write(b"\n".join(lines) + b"\n")
