"""What changed from one tree to the next, asked of git for many pairs of trees at once.

Whether a commit holds something follows from whether its parent does and from what changed between them.
That is a hundredth of what all their trees list.
"""

from __future__ import annotations

import os
import threading

from memwarden.core.record import TYPE_CHECKING
from memwarden.edge.erase.asked import widen
from memwarden.edge.erase.object_stream import ask
from memwarden.edge.git.git_workspace import EMPTY
from memwarden.edge.git.plumbing import clean_env, finish, refusal, spawn

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence

    from memwarden.edge.place import Place

EMPTY_TREES = {len(tree): tree.encode() for _, tree in EMPTY}
EMPTY_BLOBS = {
    40: b"e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
    64: b"473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
}
_CHUNK = 1 << 20
_FOLDER = b"040000"
_GITLINK = b"160000"
_COLON = 0x3A
_ARGUMENTS = (
    "diff-tree", "--stdin", "-r", "-t", "-z", "--no-renames", "--no-abbrev", "--ignore-submodules=none"
)  # fmt: skip
# git ends at a tree that is not here, and is asked again about the rest, but not for ever.
_MOST_ENDS = 20
# So many bytes are held while nobody asks for them.
_MOST_HELD = 64 << 20

# So many files are looked at together, whether one of them may matter at all; where one does, a part of them
# each, down to so few.
_BATCH = 512
_PARTS = 8
_SINGLE = 8

# A pair of trees as git is told it, the blob before, the blob after (zeros where there is none), the path.
Change = tuple[bytes, bytes, bytes, bytes]


def tree_changes(
    place: Place,
    pairs: Sequence[bytes],
    cut: Callable[[], None],
    named: set[bytes],
    matters: Callable[[bytes, bytes], bool],
    asked: Comparing | None = None,
) -> Iterator[Change]:
    """Every file that differs in a pair (two IDs and a blank between them), and may matter.  ``cut`` is
    called where a tree is not here; ``named`` gets the IDs of what differs and is in the second ones, and
    zeros; ``matters`` is asked of many files at once: what git says of them, and their paths a line each.
    ``asked`` is a git that was asked about all of the pairs before."""
    rest = list(pairs)
    for _ in range(_MOST_ENDS):
        if not rest:
            return
        seen: list[bytes] = []
        status, told = yield from _read(asked or Comparing(place, rest), seen, named, matters)
        asked = None
        if len(seen) < len(rest):
            cut()
        if not status:
            return
        # The last one that it began with is the one that it could not finish.
        rest = rest[rest.index(seen[-1]) + 1 :] if seen else rest[1:]
        cut()
    raise refusal(status, told)


class Comparing:
    """git at work on some pairs from now on: what it says is held until it is asked for, up to a limit."""

    def __init__(self, place: Place, pairs: Sequence[bytes]) -> None:
        self._child = spawn(place, _ARGUMENTS, {**clean_env(place), "GIT_NO_REPLACE_OBJECTS": "1"})
        widen(self._child.stdout)
        self._pieces: list[bytes] = []
        self._size = 0
        self._ended = self._left = False
        self._turn = threading.Condition()
        self._threads = (
            threading.Thread(target=ask, args=(self._child.stdin, pairs), daemon=True),
            threading.Thread(target=self._listen, daemon=True),
        )
        for thread in self._threads:
            thread.start()

    def _listen(self) -> None:
        while True:
            piece = os.read(self._child.stdout, _CHUNK)
            with self._turn:
                self._pieces.append(piece)
                self._size += len(piece)
                self._ended = not piece
                self._turn.notify()
                self._turn.wait_for(lambda: self._size < _MOST_HELD or self._left)
                if self._ended or self._left:
                    return

    def pieces(self) -> Iterator[bytes]:
        """What git says, as it comes."""
        ended = False
        while not ended:
            with self._turn:
                self._turn.wait_for(lambda: self._pieces)
                said, ended = b"".join(self._pieces), self._ended
                self._pieces, self._size = [], 0
                self._turn.notify()
            for start in range(0, len(said), _CHUNK):
                yield said[start : start + _CHUNK]

    def end(self) -> tuple[int, bytes]:
        """Wait for git's end, or leave it where not all was heard: its exit code and complaint."""
        with self._turn:
            self._left = True
            self._turn.notify()
        self._threads[1].join()
        os.close(self._child.stdout)
        self._threads[0].join()
        with os.fdopen(self._child.stderr, "rb") as complaints:
            told = complaints.read()
        return finish(self._child.pid), told


def _read(
    asked: Comparing,
    seen: list[bytes],
    named: set[bytes],
    matters: Callable[[bytes, bytes], bool],
) -> Generator[Change, None, tuple[int, bytes]]:
    fields = [b""]
    try:
        for piece in asked.pieces():
            fields += (fields.pop() + piece).split(b"\0")
            count = (len(fields) - 1) // 2 * 2
            for start in range(0, count, 2 * _BATCH):
                stop = min(start + 2 * _BATCH, count)
                facts = fields[start:stop:2]
                said = b" ".join(facts)
                _note(facts, said, named)
                yield from _batch(facts, fields[start + 1 : stop : 2], seen, matters, said)
            del fields[:count]
    finally:
        status, told = asked.end()
    seen += b"".join(fields).split(b"\n")[:-1]
    return status, told


def _note(facts: list[bytes], said: bytes, named: set[bytes]) -> None:
    """Keep what the second trees have; a commit of another repository is nothing that we have to have."""
    if _GITLINK not in said:
        # The ID stands before a blank and one letter, behind another blank.
        start = facts[-1].rindex(b" ", 0, -2) + 1 - len(facts[-1]) if facts else 0
        named.update([fact[start:-2] for fact in facts])
        return
    for fact in facts:
        _, after, _, new, _ = fact.rpartition(b"\n")[2].split(b" ")
        if after != _GITLINK:
            named.add(new)


def _batch(
    facts: list[bytes],
    paths: list[bytes],
    seen: list[bytes],
    matters: Callable[[bytes, bytes], bool],
    said: bytes = b"",
) -> Iterator[Change]:
    """The changes of some files; where none of them matters, only the pairs are noted."""
    if not matters(said or b" ".join(facts), b"\n".join(paths)):
        for heads in [fact for fact in facts if fact[0] != _COLON]:
            seen += heads.split(b"\n")[:-1]
        return
    if len(facts) > _SINGLE:
        size = -(-len(facts) // _PARTS)
        for start in range(0, len(facts), size):
            stop = start + size
            yield from _batch(facts[start:stop], paths[start:stop], seen, matters)
        return
    for fact, path in zip(facts, paths, strict=True):
        if fact[0] != _COLON:
            heads, _, fact = fact.rpartition(b"\n")
            seen += heads.split(b"\n")
        before, after, old, new, _ = fact.split(b" ")
        if _FOLDER not in (before[1:], after):
            yield seen[-1], old, new, path


def tree_entries(data: bytes, width: int) -> Iterator[tuple[bytes, bytes]]:
    """The names in a tree and the hexadecimal IDs of what they name; IDs are ``width`` bytes long."""
    at = 0
    while at < len(data):
        space, end = data.index(b" ", at), data.index(b"\0", at)
        at = end + 1 + width
        yield data[space + 1 : end], data[end + 1 : at].hex().encode()
