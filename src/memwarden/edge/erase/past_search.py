"""Which commits still hold a topic, and what they are reached from: every stored object is looked at once.

Blobs and messages are searched; then trees say which of them hold a file with the text, with the note's
ID, or at the note's path; then the commits that hold such a tree are counted from every tip at once.  The
work is linear in the objects, and the number of git processes is constant.
"""

from __future__ import annotations

import gc
import re
from heapq import heapify, heappop, heappush

from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.core.workspace import MOST_BYTES
from memwarden.edge.erase.object_stream import contents, stored_objects
from memwarden.edge.erase.tips import REMOTES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memwarden.edge.erase.object_stream import Stored
    from memwarden.edge.erase.tips import Tip
    from memwarden.edge.place import Place
    from memwarden.edit.topic import Topic

_FOLDER = b"40000 "
_FEW = 4


class Commit(NamedTuple):
    """What the search needs of a commit; IDs are hexadecimal."""

    tree: bytes
    parents: tuple[bytes, ...]
    time: int


class Reach(NamedTuple):
    """One tip and the commits with the topic that it reaches: how many, the first and the last of them,
    how many a remote-tracking branch reaches too, and how many tell it in their message.  ``told``: the
    name itself, a tag's own message or a reflog's lines tell it."""

    kind: str
    name: str
    commits: int
    first: str
    last: str
    pushed: int
    messages: int
    told: bool


class Past(NamedTuple):
    """What the object store holds.  ``blobs`` are the IDs of contents with the topic; ``loose_commits``
    and ``loose_blobs`` those that nothing reaches; ``unsearched`` counts blobs that were too large;
    ``cut`` tells that a commit's tree or parent is not here."""

    reaches: tuple[Reach, ...]
    commits: int
    blobs: frozenset[str]
    loose_commits: tuple[str, ...]
    loose_blobs: tuple[str, ...]
    unsearched: int
    cut: bool


def search_past(place: Place, topic: Topic, tips: Sequence[Tip], staged: Iterable[str] = ()) -> Past:
    """Search everything that is stored; ``staged`` are the blobs that an index keeps alive."""
    collects = gc.isenabled()
    gc.disable()  # millions of small objects and no circles: looking for some takes a quarter of the time
    try:
        return _Search(place, topic).past(tips, {one.encode() for one in staged})
    finally:
        if collects:
            gc.enable()


class _Search:
    def __init__(self, place: Place, topic: Topic) -> None:
        self.topic = topic
        stored = stored_objects(place, MOST_BYTES)
        self.unsearched = len(stored.large)
        self.cut = False
        self.commits: dict[bytes, Commit] = {}
        self.telling: set[bytes] = set()
        self.tags: dict[bytes, bytes] = {}
        self.bad: set[bytes] = set()  # blobs, as the bytes that trees hold
        self.width = 20
        self.folders: set[bytes] = set()  # the entries of trees that are trees
        self.trees: set[bytes] = set()
        self.subtrees: dict[bytes, set[bytes]] = {}
        self.bad_trees: set[bytes] = set()
        self.holding: dict[bytes, set[bytes]] = {}
        steps = [path.rpartition("/")[2] for path in topic.paths]
        self.last_steps = {step.encode("utf-8", "surrogateescape") for step in steps}
        self.ends: dict[bytes, set[bytes]] = {}
        self.names: dict[bytes, bool] = {}
        self._read(place, stored)
        self._close()
        self.holders = self._holders()

    def past(self, tips: Sequence[Tip], staged: set[bytes]) -> Past:
        masks, order = self._masks(tips)
        loose = [oid for oid in order if oid in self.holders and not masks.get(oid)]
        kept = self._kept_blobs(tips, masks) | {bytes.fromhex(one.decode()) for one in staged}
        return Past(
            tuple(self._reaches(tips, masks, order)),
            len(self.commits),
            frozenset(one.hex() for one in self.bad),
            tuple(oid.decode() for oid in loose),
            tuple(sorted(one.hex() for one in self.bad - kept)),
            self.unsearched,
            self.cut,
        )

    def _read(self, place: Place, stored: Stored) -> None:
        topic = self.topic
        count = len(stored.commits) + len(stored.tags)
        for number, (oid, data) in enumerate(contents(place, [*stored.commits, *stored.tags, *stored.blobs])):
            if number >= count:
                if topic.is_in(data):
                    self.bad.add(bytes.fromhex(oid.decode()))
                continue
            if topic.in_content(data):
                self.telling.add(oid)
            if data.startswith(b"object "):
                self.tags[oid] = data[7 : data.index(b"\n")]
            else:
                self.commits[oid] = _commit(data)
        self._read_trees(place, stored.trees)

    def _read_trees(self, place: Place, trees: list[bytes]) -> None:
        """Look at each distinct entry once: from one commit to the next nearly all of them stay."""
        if not trees:
            return
        width = self.width = len(trees[0]) // 2
        entries = re.compile(rb"[0-7]+ [^\0]+\0.{%d}" % width, re.DOTALL).findall
        seen: set[bytes] = set()
        folders, special = self.folders, set[bytes]()
        for oid, data in contents(place, trees):
            found = entries(data)
            if not seen.issuperset(found):
                fresh = [entry for entry in found if entry not in seen]
                seen.update(fresh)
                folders.update(entry for entry in fresh if entry.startswith(_FOLDER))
                special.update(entry for entry in fresh if self._tells(entry) or self._ends(entry))
            # Most trees hold nothing of interest: a look at their bytes is cheaper than one at their entries.
            self.trees.add(oid)
            if _FOLDER in data:
                self.subtrees[oid] = folders.intersection(found)
            if special and (len(special) > _FEW or any(entry in data for entry in special)):
                self._note(oid, special.intersection(found))

    def _note(self, tree: bytes, entries: set[bytes]) -> None:
        for entry in entries:
            if self._tells(entry):
                self.bad_trees.add(tree)
                if self._holds(entry):
                    self.holding.setdefault(tree, set()).add(entry[-self.width :])
            if self._ends(entry):
                self.ends.setdefault(tree, set()).add(self._name(entry))

    def _tells(self, entry: bytes) -> bool:
        if self._holds(entry):
            return True
        name = self._name(entry)
        known = self.names.get(name)
        if known is None:
            known = self.names[name] = self.topic.in_name(name.decode("utf-8", "surrogateescape"))
        return known

    def _holds(self, entry: bytes) -> bool:
        return bool(self.bad) and entry[-self.width :] in self.bad and not entry.startswith(_FOLDER)

    def _ends(self, entry: bytes) -> bool:
        return bool(self.last_steps) and self._name(entry) in self.last_steps

    def _name(self, entry: bytes) -> bytes:
        return entry[entry.index(b" ") + 1 : -self.width - 1]

    def _close(self) -> None:
        """Let every tree count that holds the topic somewhere below it, one level after the other."""
        above: dict[bytes, list[bytes]] = {}
        for entry in self.folders:
            above.setdefault(entry[-self.width :], []).append(entry)
        fresh = self.bad_trees
        while fresh:
            leading = {entry for tree in fresh for entry in above.get(bytes.fromhex(tree.decode()), ())}
            fresh = {
                tree
                for tree, folders in self.subtrees.items()
                if tree not in self.bad_trees and not leading.isdisjoint(folders)
            }
            self.bad_trees |= fresh

    def _holders(self) -> set[bytes]:
        """The commits whose tree holds the topic."""
        roots: dict[bytes, bool] = {}
        found = set()
        for oid, commit in self.commits.items():
            hit = roots.get(commit.tree)
            if hit is None:
                if commit.tree not in self.trees:
                    self.cut = True
                hit = roots[commit.tree] = commit.tree in self.bad_trees or self._has_path(commit.tree)
            if hit:
                found.add(oid)
        return found

    def _has_path(self, root: bytes) -> bool:
        """Whether one of the note's own paths is in the tree of a commit."""
        return bool(self.ends) and any(self._leads(root, path) for path in self.topic.paths)

    def _leads(self, tree: bytes, path: str) -> bool:
        *folders, name = path.encode("utf-8", "surrogateescape").split(b"/")
        for folder in folders:
            inner = [entry for entry in self.subtrees.get(tree, ()) if self._name(entry) == folder]
            if not inner:
                return False
            tree = inner[0][-self.width :].hex().encode()
        return name in self.ends.get(tree, ())

    def _masks(self, tips: Sequence[Tip]) -> tuple[dict[bytes, int], list[bytes]]:
        """For each commit the tips that reach it, a bit each; and the commits, children before parents
        and the younger first."""
        masks: dict[bytes, int] = {}
        for number, tip in enumerate(tips):
            for oid in tip.oids:
                target = self._peeled(oid)
                masks[target] = masks.get(target, 0) | 1 << number
        children = dict.fromkeys(self.commits, 0)
        for commit in self.commits.values():
            for parent in commit.parents:
                if parent in children:
                    children[parent] += 1
                else:
                    self.cut = True
        ready = [(-self.commits[oid].time, oid) for oid, count in children.items() if not count]
        heapify(ready)
        order = []
        while ready:
            oid = heappop(ready)[1]
            order.append(oid)
            mask = masks.get(oid, 0)
            for parent in self.commits[oid].parents:
                if parent in children:
                    if mask:
                        masks[parent] = masks.get(parent, 0) | mask
                    children[parent] -= 1
                    if not children[parent]:
                        heappush(ready, (-self.commits[parent].time, parent))
        return masks, order

    def _reaches(self, tips: Sequence[Tip], masks: dict[bytes, int], order: list[bytes]) -> Iterable[Reach]:
        """What each tip reaches; commits with the same tips are counted together."""
        pushed = sum(1 << number for number, tip in enumerate(tips) if tip.kind == REMOTES)
        groups: dict[int, list[bytes]] = {}
        position = {oid: at for at, oid in enumerate(order)}
        for oid in order:
            mask = masks.get(oid, 0)
            if mask and (oid in self.holders or oid in self.telling):
                groups.setdefault(mask, []).append(oid)
        sums = {mask: self._sum(found) for mask, found in groups.items()}
        for number, tip in enumerate(tips):
            bit = 1 << number
            ours = [(mask, *found) for mask, found in sums.items() if mask & bit]
            held = [one for one in ours if one[1]]
            words = any(oid in self.telling for oid in tip.oids if oid in self.tags)
            yield Reach(
                tip.kind,
                tip.name,
                sum(one[1] for one in held),
                max((one[2] for one in held), key=position.__getitem__, default=b"").decode(),
                min((one[3] for one in held), key=position.__getitem__, default=b"").decode(),
                sum(one[1] for one in held if one[0] & pushed),
                sum(one[4] for one in ours),
                words or self.topic.in_text(tip.told) or self.topic.in_name(tip.name),
            )

    def _sum(self, found: list[bytes]) -> tuple[int, bytes, bytes, int]:
        """How many of these commits hold the topic, the first and the last, and how many tell it."""
        held = [oid for oid in found if oid in self.holders]
        first, last = (held[-1], held[0]) if held else (b"", b"")
        return len(held), first, last, sum(oid in self.telling for oid in found)

    def _peeled(self, oid: bytes) -> bytes:
        while oid in self.tags:
            oid = self.tags[oid]
        return oid

    def _kept_blobs(self, tips: Sequence[Tip], masks: dict[bytes, int]) -> set[bytes]:
        """The contents with the topic that some tip reaches."""
        kept: set[bytes] = set()
        pending = [self.commits[oid].tree for oid, mask in masks.items() if mask and oid in self.commits]
        for tip in tips:  # a tag may name a tree or a blob
            pending += [self._peeled(oid) for oid in tip.oids if self._peeled(oid) in self.trees]
            kept.update(bytes.fromhex(self._peeled(oid).decode()) for oid in tip.oids)
        seen: set[bytes] = set()
        while pending:
            tree = pending.pop()
            if tree in seen or tree not in self.bad_trees:
                continue
            seen.add(tree)
            kept |= self.holding.get(tree, set())
            pending += [entry[-self.width :].hex().encode() for entry in self.subtrees.get(tree, ())]
        return kept


def _commit(data: bytes) -> Commit:
    """The header of a commit."""
    tree, parents, time = b"", [], 0
    for line in data.split(b"\n"):
        if line.startswith(b"tree ") and not tree:
            tree = line[5:]
        elif line.startswith(b"parent "):
            parents.append(line[7:])
        elif line.startswith(b"committer "):
            words = line.split()
            time = int(words[-2]) if words[-2].isdigit() else 0
            break
        elif not line:
            break
    return Commit(tree, tuple(parents), time)
