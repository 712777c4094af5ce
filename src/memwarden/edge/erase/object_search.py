"""Which stored objects tell a topic: contents, and the messages of commits and tags.

A sieve is laid over whole blocks, and only what it finds is looked at closely.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.core.workspace import MOST_BYTES
from memwarden.edge.erase.object_stream import blocks, stored_objects
from memwarden.edit.pattern import compiled_bytes
from memwarden.edit.sieve import COMPRESSED, escaped, is_compressed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from memwarden.edge.erase.asked import Asked
    from memwarden.edge.erase.object_stream import Block
    from memwarden.edge.place import Place
    from memwarden.edit.topic import Topic

_PACKED = b"(?:\\A|\\n)(?:" + b"|".join(map(escaped, COMPRESSED)) + b")"
_ENCODING = b"\nencoding "
_HEADER = re.compile(
    rb"tree ([0-9a-f]+)\n((?:parent [0-9a-f]+\n)*)author [^\n]*\ncommitter [^\n]* (\d+) [^ \n]+\n"
)


class Commit(NamedTuple):
    """What the search needs of a commit; IDs are hexadecimal."""

    tree: bytes
    parents: tuple[bytes, ...]
    time: int


class ObjectSearch:
    """The outcome, by hexadecimal IDs; ``bad`` are the blobs that hold the topic, ``telling`` the commits
    and tags that say it, ``trees`` and ``blobs`` those that are here at all, ``unsearched`` counts blobs
    too large, ``unread`` what git or we cannot read, ``packed`` are the blobs that are compressed in
    themselves.  ``clear`` are blobs that are known to hold nothing; ``asked`` is git's list of objects."""

    def __init__(self, place: Place, topic: Topic, clear: frozenset[bytes], asked: Asked) -> None:
        self.topic = topic
        self.commits: dict[bytes, Commit] = {}
        self.tags: dict[bytes, bytes] = {}
        self.telling: set[bytes] = set()
        self.bad: set[bytes] = set()
        stored = stored_objects(asked, MOST_BYTES, clear)
        self.listed_trees = stored.trees
        self.trees = frozenset(stored.trees.oids)
        self.blobs = stored.all_blobs
        self.unsearched = len(stored.large)
        self.unread = stored.broken
        self.packed: set[bytes] = set()
        parts = topic.sieve_parts
        self._sieve = None if parts is None else compiled_bytes(b"|".join([*parts, _PACKED]))
        self._place, self._stored = place, stored

    def read(self, all_named: Callable[[], None]) -> None:
        """Look at every object; ``all_named`` is called once every commit and tag was read, before the
        contents are."""
        stored, named = self._stored, False
        lists = (stored.commits, stored.tags, stored.blobs)
        for kind, block in blocks(self._place, lists, self.unread):
            oids = lists[kind].oids
            if lists[kind] is stored.blobs:
                if not named:
                    named = True
                    all_named()
                for number, data in self._found(block):
                    if is_compressed(data):
                        self.packed.add(oids[number])
                    if self.topic.is_in(data):
                        self.bad.add(oids[number])
                continue
            if lists[kind] is stored.commits:
                self._take_commits(oids, block)
            else:
                self.tags.update((oids[number], data.split(b"\n", 1)[0][7:]) for number, data in _each(block))
            found = self._found(block)
            self.telling.update(oids[number] for number, data in found if self.topic.in_content(data))
        if not named:
            all_named()

    def _take_commits(self, oids: list[bytes], block: Block) -> None:
        match, data = _HEADER.match, block.data
        for number, start in enumerate(block.starts, block.first):
            found = match(data, start)
            if found:
                tree, parents, time = found.groups()
                self.commits[oids[number]] = Commit(tree, tuple(parents.split()[1::2]), int(time))
            else:
                self.commits[oids[number]] = _odd_commit(data[start : block.ends[number - block.first]])
        if _ENCODING in data:
            self._take_encoded(oids, block)

    def _take_encoded(self, oids: list[bytes], block: Block) -> None:
        """Search those commits that say that they are not written in UTF-8."""
        for number, data in _each(block):
            header = data.partition(b"\n\n")[0]
            if _ENCODING not in header:
                continue
            encoding = header.partition(_ENCODING)[2].partition(b"\n")[0].decode("ascii", "replace")
            try:
                text = data.decode(encoding, "replace")
            except (LookupError, ValueError):
                self.unread.append(oids[number])
                continue
            if self.topic.in_content(text.encode("utf-8", "surrogatepass")):
                self.telling.add(oids[number])

    def _found(self, block: Block) -> Iterator[tuple[int, bytes]]:
        """The objects of a block that the sieve finds something in: their numbers and contents."""
        sieve = self._sieve
        if sieve is None:
            yield from _each(block)
            return
        data, starts, ends = block.data, block.starts, block.ends
        found = sieve.search(data)
        while found:
            # What begins in one object and ends in the next is of neither, and may hide what is of one.
            last = min(bisect_right(ends, found.end() - 1), len(ends) - 1)
            for at in range(min(bisect_right(ends, found.start()), last), last + 1):
                yield block.first + at, data[starts[at] : ends[at]]
            found = sieve.search(data, ends[last]) if last + 1 < len(ends) else None


def _each(block: Block) -> Iterator[tuple[int, bytes]]:
    for number, (start, end) in enumerate(zip(block.starts, block.ends, strict=True), block.first):
        yield number, block.data[start:end]


def _odd_commit(data: bytes) -> Commit:
    """The header of a commit that git did not write."""
    tree, parents, time = b"", [], 0
    for line in data.split(b"\n"):
        if line.startswith(b"tree ") and not tree:
            tree = line[5:]
        elif line.startswith(b"parent "):
            parents.append(line[7:])
        elif line.startswith(b"committer "):
            words = line.split()
            time = int(words[-2]) if len(words) > 2 and words[-2].isdigit() else 0
            break
        elif not line:
            break
    return Commit(tree, tuple(parents), time)
