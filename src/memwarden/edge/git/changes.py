"""What a change touched against one commit before it: the index, the working tree, or a later commit.

One git process tells all of it, with the blob that stood at each path before.  A file that moved is one
that went and one that came.
"""

from __future__ import annotations

from contextlib import suppress

from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.edge.git.plumbing import answer, clean_env, run, spawn
from memwarden.edge.place import MEMORY
from memwarden.errors import MemError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from memwarden.edge.git.plumbing import Child
    from memwarden.edge.place import Place

RAW = ("--raw", "-z", "--no-abbrev", "--no-renames")
OF_FILES = (*RAW, "--ignore-submodules=all")
# Between trees a submodule is one line and costs nothing, whatever the configuration would pass over.
OF_TREES = (*RAW, "--ignore-submodules=none")
PLAIN = frozenset((b"100644", b"100755", b"000000"))
SUBMODULE = (b"160000", b"000000")


class Changes(NamedTuple):
    """The paths that differ from the commit ``base``, each with the blob that it had there ("": none)
    and with the blob that it has now ("": none, or only in the working tree).  ``plain``: no link, submodule
    or conflict is among what differs; a submodule is left out."""

    base: str
    before: Mapping[str, str]
    after: Mapping[str, str]
    plain: bool = True


def staged_changes(place: Place, base: str, env: Mapping[str, str] | None = None) -> Changes:
    """What the index changes."""
    options = ("--cached", "--ita-invisible-in-index", *OF_TREES)
    return _read(base, run(place, "diff-index", *options, base, "--", env=env, index=True))


def commit_changes(place: Place, base: str, commit: str) -> Changes:
    """What lies between two commits."""
    return _read(base, run(place, "diff-tree", "-r", *OF_TREES, base, commit, "--"))


class MemoryChanges:
    """What the working tree changes below ``memory/`` against some commits, asked of git while something else
    goes on.

    Whatever the working tree has and a commit has not is new, whether git tracks, ignores or has never seen
    it, so the commit's own list is asked for too.
    """

    def __init__(self, place: Place, bases: Sequence[str]) -> None:
        self._place = place
        self._bases = bases
        self._children: list[Child] = []

    def begin(self) -> None:
        """Let git look; to be told before anybody reads what is there."""
        env = clean_env(self._place)
        for base in () if self._children else self._bases:
            for words in (("diff-index", *OF_FILES), ("ls-tree", "-r", "-z", "--full-tree")):
                self._children.append(spawn(self._place, (*words, base, "--", MEMORY + "/"), env))

    def found(self, there: Iterable[str]) -> list[Changes]:
        """The changes against each commit; ``there`` are the files that the working tree has."""
        self.begin()
        now = set(there) if self._bases else set()
        return [self._against(base, now) for base in self._bases]

    def close(self) -> None:
        """Hear to their end those whom nobody asked any more."""
        while self._children:
            with suppress(MemError):
                answer(self._children.pop())

    def _against(self, base: str, now: set[str]) -> Changes:
        touched = _read(base, answer(self._children.pop(0)))
        before = dict.fromkeys(touched.before, "")
        new = now.copy()
        for path, blob in _listed(answer(self._children.pop(0))):
            new.discard(path)
            if path in before:
                before[path] = blob
        before |= dict.fromkeys(sorted(new), "")
        after = {path: ("?" if path in now else "") for path in before}
        return Changes(base, before, after)


def _listed(out: bytes) -> Iterator[tuple[str, str]]:
    """The paths of a listing with their blobs, one by one: together they would be much to hold."""
    start = 0
    while (end := out.find(b"\0", start)) >= 0:
        facts, _, name = out[start:end].partition(b"\t")
        yield _path(name), facts.split(b" ")[2].decode("ascii")
        start = end + 1


def memory_changes(place: Place, base: str, there: Iterable[str]) -> Changes:
    """What the working tree changes below ``memory/``; ``there`` are the files that it has."""
    asked = MemoryChanges(place, (base,))
    try:
        return asked.found(there)[0]
    finally:
        asked.close()


def parents_of(place: Place, commit: str) -> tuple[str, ...]:
    """The parents of a commit, the first one first."""
    out = run(place, "rev-list", "--parents", "-n", "1", commit, "--")
    return tuple(out.decode("ascii").split()[1:])


def _read(base: str, out: bytes) -> Changes:
    before: dict[str, str] = {}
    after: dict[str, str] = {}
    plain = True
    tokens = iter(out.split(b"\0"))
    for header in tokens:
        if not header:
            break
        words = header.lstrip(b":").split(b" ")
        path = _path(next(tokens))
        modes = words[:2]
        plain = plain and PLAIN.issuperset(modes) and words[4][:1] != b"U"
        if SUBMODULE[0] in modes and set(modes).issubset(SUBMODULE):
            continue
        before[path] = "" if words[4][:1] == b"A" else words[2].decode("ascii")
        after[path] = "" if words[4][:1] == b"D" else words[3].decode("ascii")
    return Changes(base, before, after, plain)


def _path(name: bytes) -> str:
    return name.decode("utf-8", "surrogateescape")
