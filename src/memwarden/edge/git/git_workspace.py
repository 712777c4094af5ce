"""The index and commits as workspaces: judged from blobs, without a checkout.

A listing is read once by one git process, contents through one ``cat-file``; both start only when they
are asked for.  Names are what git stores; bytes are what git stores, so no filter or line-ending
conversion stands between a verdict and what is being committed.
"""

from __future__ import annotations

import os
from bisect import bisect_left

from memwarden.core.paths import normal
from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.core.workspace import FILE, FOLDER, OTHER, Entry, Unreadable, passes
from memwarden.edge.git.objects import Objects
from memwarden.edge.git.plumbing import own_index, run
from memwarden.edge.git.revisions import EMPTY_TREES, resolve

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from memwarden.edge.place import Place

REGULAR = ("100644", "100755", "100664")
LINK = "120000"
SUBMODULE = "160000"
TREE = "40000"
CONFLICT = "conflict"  # no mode of git's
MOST_LINKS = 20
# The empty blob and the empty tree, in SHA-1 and in SHA-256 repositories.
EMPTY = (
    ("e69de29bb2d1d6434b8b29ae775ad8c2e48c5391", EMPTY_TREES[0]),
    ("473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813", EMPTY_TREES[1]),
)


class Item(NamedTuple):
    """One tracked path: git's mode and the blob (or commit) that it names."""

    mode: str
    blob: str


class BlobTree:
    """A workspace over tracked paths; subclasses say which path holds what."""

    def __init__(self, place: Place, name: str, objects: Objects | None = None) -> None:
        self._place = place
        self._name = name
        self._objects = objects or Objects(place)
        self._contents: dict[str, bytes | Unreadable] = {}

    @property
    def name(self) -> str:
        return self._name

    def item(self, path: str) -> Item | None:
        """What is tracked at exactly ``path``, links not followed; None where no file is."""
        raise Unreadable(f"nothing is known about {path}")

    def is_folder(self, path: str) -> bool:
        """Whether tracked files are below ``path``."""
        raise Unreadable(f"nothing is known about {path}")

    def entry(self, path: str) -> Entry | None:
        """What is at ``path``; the size of a file is 0, since git does not say without reading it."""
        real = self._resolved(path)
        if real is None:
            return Entry(OTHER, link=True)
        linked = real != path
        if real == "":
            return Entry(FOLDER, link=linked)
        item = self.item(real)
        if item is None:
            return Entry(FOLDER, link=linked) if self.is_folder(real) else None
        if item.mode in REGULAR:
            return Entry(FILE, 0, item.blob, linked)
        return Entry(OTHER, 0, item.blob, linked, item.mode == CONFLICT)

    def read(self, path: str) -> bytes:
        blob = self.blob(path)
        content = self._contents.get(blob)
        if content is None:
            return self._objects.read(blob)
        if isinstance(content, Unreadable):
            raise content
        return content

    def resolved(self, path: str) -> str:
        real = self._resolved(path)
        if real is None:
            raise Unreadable("leads out of the tree")
        return real

    def prefetch(self, paths: Iterable[str]) -> None:
        """Read many files in one go, so that :meth:`read` answers from memory."""
        items = [self.item(path) for path in paths]
        wanted = [item.blob for item in items if item is not None and item.mode in REGULAR]
        wanted = [blob for blob in dict.fromkeys(wanted) if blob not in self._contents]
        self._contents.update(zip(wanted, self._objects.read_many(wanted), strict=True))

    def blob(self, path: str) -> str:
        real = self._resolved(path)
        item = self.item(real) if real else None
        if item is None:
            found = real is not None and (real == "" or self.is_folder(real))
            raise Unreadable("a folder" if found else "no such file" if real else "leads out of the tree")
        if item.mode not in REGULAR:
            raise Unreadable("not a regular file")
        return item.blob

    def close(self) -> None:
        """End the git process that reads contents."""
        self._objects.close()

    def _resolved(self, path: str) -> str | None:
        """``path`` with every link on the way followed inside the tree.

        None where one leaves it or never ends, and where the path goes on inside a submodule.
        """
        refuse(path)
        done: list[str] = []
        rest = [part for part in path.split("/") if part]
        links = 0
        while rest:
            part = rest.pop(0)
            if part == ".":
                continue
            if part == "..":
                if not done:
                    return None
                done.pop()
                continue
            done.append(part)
            item = self.item("/".join(done))
            if item is not None and item.mode == SUBMODULE and rest:
                return None
            if item is None or item.mode != LINK:
                continue
            links += 1
            target = self._link(item.blob)
            if links > MOST_LINKS or not target or target.startswith("/"):
                return None
            done.pop()
            rest = target.split("/") + rest
            rest = [word for word in rest if word]
        real = "/".join(done)
        if links and real:
            there = self.item(real) is not None or self.is_folder(real)
            return real if there and ".git" not in done else None
        return real

    def _link(self, blob: str) -> str:
        try:
            return self._objects.read(blob).decode("utf-8", "surrogateescape")
        except Unreadable:
            return ""


class ListedTree(BlobTree):
    """A workspace over one listing of every tracked path."""

    def __init__(self, place: Place, name: str, objects: Objects | None = None) -> None:
        super().__init__(place, name, objects)
        self._items: Mapping[str, Item] | None = None
        self._sorted: list[str] = []
        self._has_only_files = False

    def listing(self) -> Mapping[str, Item]:
        """Every tracked path with its mode and blob, sorted by path."""
        if self._items is None:
            found = self._list()
            self._sorted = sorted(found)
            self._items = {path: found[path] for path in self._sorted}
            self._has_only_files = all(item.mode in REGULAR for item in found.values())
        return self._items

    def names(self) -> list[str]:
        """Every tracked path, sorted."""
        self.listing()
        return self._sorted

    def item(self, path: str) -> Item | None:
        return self.listing().get(path)

    def _resolved(self, path: str) -> str | None:
        self.listing()
        if self._has_only_files:  # no link and no submodule is anywhere on the way
            refuse(path)
            return normal(path)
        return super()._resolved(path)

    def is_folder(self, path: str) -> bool:
        names = self.names()
        at = bisect_left(names, path + "/")
        return at < len(names) and names[at].startswith(path + "/")

    def paths(self, under: str = "", passing: frozenset[str] = frozenset()) -> Iterator[str]:
        names = self.names()
        prefix = under.strip("/") + "/" if under.strip("/") else ""
        # What begins with "x/" stands together, before "x0": 0 is the character after the slash.
        start = bisect_left(names, prefix)
        end = bisect_left(names, prefix[:-1] + "0") if prefix else len(names)
        for path in names[start:end]:
            if not passing or not passes(path, passing, prefix):
                yield path

    def _list(self) -> dict[str, Item]:
        return {}


class IndexTree(ListedTree):
    """The staged content: what the commit being made will hold.

    A path only announced by ``git add -N`` is not there yet; one with a conflict has our side's blob
    in no stage 0, so it reads as neither file nor folder.  Sparse entries are served like all others.
    """

    def __init__(
        self, place: Place, env: Mapping[str, str] | None = None, objects: Objects | None = None
    ) -> None:
        super().__init__(place, "index", objects)
        self._env = env
        self.conflicted: tuple[str, ...] = ()
        self.skipped: frozenset[str] = frozenset()

    def _list(self) -> dict[str, Item]:
        out = run(self._place, "ls-files", "-s", "-t", "-z", env=self._env, index=True)
        items: dict[str, Item] = {}
        conflicted: dict[str, None] = {}
        skipped = []
        for record in out.split(b"\0")[:-1]:
            facts, _, name = record.partition(b"\t")
            tag, mode, blob, stage = facts.decode("ascii").split(" ")
            path = name.decode("utf-8", "surrogateescape")
            if stage != "0":
                conflicted[path] = None
                items[path] = Item(CONFLICT, blob)
                continue
            if tag.upper() == "S":
                skipped.append(path)
            items[path] = Item(mode, blob)
        self.conflicted = tuple(conflicted)
        self.skipped = frozenset(skipped)
        for empty, nothing in EMPTY:
            for path in self._only_announced([p for p, item in items.items() if item.blob == empty], nothing):
                del items[path]
        return items

    def _only_announced(self, empty: list[str], nothing: str) -> list[str]:
        """Of paths whose blob is the empty one, those that ``git add -N`` only announced.

        Only an index of version 3 or later can hold such entries; git's comparison of the index with
        nothing then leaves them out.
        """
        if not empty or not _has_extended_flags(self._place, self._env):
            return []
        out = run(
            self._place, "diff-index", "--cached", "--ita-invisible-in-index", "--name-only", "-z",
            "--no-renames", nothing, env=self._env, index=True,
        )  # fmt: skip
        there = set(out.split(b"\0"))
        return [path for path in empty if path.encode("utf-8", "surrogateescape") not in there]


class CommitTree(ListedTree):
    """The tree of one commit."""

    def __init__(self, place: Place, rev: str, objects: Objects | None = None) -> None:
        self.commit = resolve(place, rev)
        super().__init__(place, self.commit, objects)

    def _list(self) -> dict[str, Item]:
        out = run(self._place, "ls-tree", "-r", "-z", "--full-tree", self.commit)
        items = {}
        for record in out.split(b"\0")[:-1]:
            facts, _, name = record.partition(b"\t")
            mode, _, blob = facts.decode("ascii").split(" ")
            items[name.decode("utf-8", "surrogateescape")] = Item(mode, blob)
        return items


class PastTree(BlobTree):
    """The tree of one commit, walked only where a question leads: for a few paths of many commits.

    ``renames`` maps paths to those under which the same files stood at this commit.
    """

    def __init__(self, place: Place, commit: str, objects: Objects, renames: Mapping[str, str] = {}) -> None:
        super().__init__(place, commit, objects)
        self._folders: dict[str, dict[str, Item]] = {}
        self._renames = renames

    def item(self, path: str) -> Item | None:
        found = self._at(path)
        if found is None and path in self._renames:
            found = self._at(self._renames[path])
        return None if found is None or found.mode == TREE else found

    def is_folder(self, path: str) -> bool:
        found = self._at(path)
        return found is not None and found.mode == TREE

    def paths(self, under: str = "", passing: frozenset[str] = frozenset()) -> Iterator[str]:
        under = under.strip("/")
        inner = self._folder(under)
        # As whole paths sort: a folder's name counts with its slash.
        for name in sorted(inner, key=lambda name: name + "/" if inner[name].mode == TREE else name):
            path = f"{under}/{name}" if under else name
            if inner[name].mode == TREE:
                if name not in passing:
                    yield from self.paths(path, passing)
            else:
                yield path

    def _at(self, path: str) -> Item | None:
        folder, _, name = path.rpartition("/")
        if folder and not self.is_folder(folder):
            return None
        return self._folder(folder).get(name)

    def _folder(self, path: str) -> dict[str, Item]:
        if path not in self._folders:
            found = self._at(path) if path else None
            oid = found.blob if found is not None and found.mode == TREE else ""
            asked = oid if path else self.name + "^{tree}"
            listed = self._objects.read_tree(asked) if asked else []
            self._folders[path] = {name: Item(mode, blob) for mode, name, blob in listed}
        return self._folders[path]


class EmptyTree(ListedTree):
    """The workspace before the first commit: nothing is there."""

    def __init__(self, place: Place) -> None:
        super().__init__(place, "")


def _has_extended_flags(place: Place, env: Mapping[str, str] | None) -> bool:
    """Whether the index may hold announced or sparse entries: its version says so, without a process."""
    file = own_index(place, os.environ if env is None else env) or os.path.join(place.git_dir, "index")
    try:
        with open(file, "rb") as index:
            plain = index.read(8) == b"DIRC\0\0\0\2"
        return not plain or any(name.startswith("sharedindex.") for name in os.listdir(place.git_dir))
    except OSError:
        return True


def refuse(path: str) -> None:
    """Raise :class:`Unreadable` for a path that is not plainly below the top of the repository."""
    if (
        path[:1] != "/"
        and ".git" not in path.lower()
        and "\0" not in path
        and "\\" not in path
        and ".." not in path
    ):
        return
    parts = path.split("/")
    if path.startswith("/") or "\0" in path or "\\" in path or ".." in parts:
        raise Unreadable("a path that leaves the repository")
    if any(part.lower() == ".git" for part in parts):
        raise Unreadable("inside .git")
