"""Which commits still hold a topic, and what they are reached from: every stored object is looked at once.

Contents and messages are searched; then what changed from each commit to the next says which of them hold
a file with the text, with the note's ID, or at the note's path; then those commits are counted from every
tip at once.  The work is linear in the objects, and the number of git processes is constant.
"""

from __future__ import annotations

import gc
from heapq import heapify, heappop, heappush

from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.edge.erase.object_search import ObjectSearch
from memwarden.edge.erase.object_stream import Listed, all_objects, blocks
from memwarden.edge.erase.tips import REMOTES, is_ref
from memwarden.edge.erase.tree_changes import EMPTY_BLOBS, EMPTY_TREES, Comparing, tree_changes, tree_entries

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from memwarden.edge.erase.asked import Asked
    from memwarden.edge.erase.object_search import Commit
    from memwarden.edge.erase.tips import Tip
    from memwarden.edge.place import Place
    from memwarden.edit.topic import Topic


# So many IDs are sooner looked for one by one than among all words.
_FEW = 16


class Reach(NamedTuple):
    """One tip and the commits with the topic that it reaches: how many, the first and the last of them,
    how many a remote-tracking branch reaches too, and how many tell it in their message.  ``told``: the
    name itself, a tag's own message or a reflog's lines tell it.  ``contents`` counts what the name leads to
    without a commit: a content, or files of a tree."""

    kind: str
    name: str
    commits: int
    first: str
    last: str
    pushed: int
    messages: int
    told: bool
    contents: int


class Past(NamedTuple):
    """What the object store holds.  ``blobs`` are the IDs of contents with the topic; of what some name
    reaches, ``held`` counts the commits whose tree has it and ``told`` those that say it; the loose objects
    are those with it that nothing reaches; ``unsearched`` counts blobs that were too large and ``unread``
    what is there and cannot be read, ``packed`` are the blobs that are compressed in themselves; ``cut``
    tells that something that is named is not here."""

    reaches: tuple[Reach, ...]
    commits: int
    blobs: frozenset[str]
    held: int
    told: int
    loose_commits: tuple[str, ...]
    loose_blobs: tuple[str, ...]
    loose_tags: tuple[str, ...]
    loose_trees: tuple[str, ...]
    unsearched: int
    unread: int
    packed: frozenset[str]
    cut: bool


def search_past(
    place: Place,
    topic: Topic,
    tips: Sequence[Tip],
    staged: Iterable[str] = (),
    clear: frozenset[bytes] = frozenset(),
    asked: Asked | None = None,
) -> Past:
    """Search everything that is stored; ``staged`` are the blobs that an index keeps alive, ``clear`` those
    that are known to hold nothing.  ``asked`` is git's list of objects, asked for after the ``tips``."""
    collects = gc.isenabled()
    gc.disable()  # millions of small objects and no circles: looking for some takes a quarter of the time
    try:
        return _Search(place, topic, tips, clear, asked or all_objects(place)).past(place, tips, staged)
    finally:
        if collects:
            gc.enable()


class _Search:
    def __init__(
        self, place: Place, topic: Topic, tips: Sequence[Tip], clear: frozenset[bytes], asked: Asked
    ) -> None:
        self.topic = topic
        self.found = ObjectSearch(place, topic, clear, asked)
        self.commits, self.tags, self.bad = self.found.commits, self.found.tags, self.found.bad
        self.cut = False
        # How many files more than the first of a pair of trees the second one has that tell the topic;
        # and the contents among them.
        self.more: dict[bytes, int] = {}
        self.brought: dict[bytes, set[bytes]] = {}
        # Folders and files that some commit or tag has, but for the topmost folders.
        self.named: set[bytes] = set()
        self._told: dict[bytes, bool] = {}
        self._paths = {path.encode("utf-8", "surrogateescape") for path in topic.paths}
        self._depths = {path.count(b"/") + 1 for path in self._paths}
        self._runs = [run.encode() for run in topic.name_runs]
        self.empty = EMPTY_TREES[40]
        self.pairs: list[bytes] = []
        self._comparing: list[Comparing] = []
        try:
            self.found.read(lambda: self._begin_to_compare(place, tips))
        except BaseException:
            for one in self._comparing:
                one.end()
            raise
        self.order = self._order()
        self._weigh(place)
        self.holders = self._holders()

    def past(self, place: Place, tips: Sequence[Tip], staged: Iterable[str]) -> Past:
        masks, order = self._masks(tips), self.order
        held, told = self.holders, self.found.telling & self.commits.keys()
        loose = [oid for oid in order if not masks.get(oid) and (oid in held or oid in told)]
        indexed = set("\n".join(staged).encode().split())
        kept = self._kept_blobs(tips, masks) | (self.bad & indexed)
        lost = self._loose_trees(place, tips)
        self.cut = self.cut or self._lacks(tips, indexed)
        return Past(
            tuple(self._reaches(tips, masks, order)),
            len(self.commits),
            frozenset(one.decode() for one in self.bad),
            len(held.difference(loose)),
            len(told.difference(loose)),
            tuple(oid.decode() for oid in loose),
            _shown(self.bad - kept),
            _shown((self.tags.keys() & self.found.telling) - self._named_tags(tips)),
            _shown(lost),
            self.found.unsearched,
            len(self.found.unread),
            frozenset(one.decode() for one in self.found.packed),
            self.cut,
        )

    def _lacks(self, tips: Sequence[Tip], staged: set[bytes]) -> bool:
        """Whether something that a commit, a ref or an index names is not here."""
        wanted = self.named | staged
        wanted.update(self._peeled(oid) for tip in tips if is_ref(tip) for oid in tip.oids)
        wanted -= self.found.trees
        wanted -= self.found.blobs
        wanted -= {b"0" * len(self.empty), self.empty, *EMPTY_BLOBS.values()}
        return not wanted <= self.commits.keys()

    def _before(self, commit: Commit) -> bytes:
        """The tree that a commit's is compared with: its first parent's, or the empty one."""
        parent = self.commits.get(commit.parents[0]) if commit.parents else None
        return parent.tree if parent and parent.tree in self.found.trees else self.empty

    def _pair(self, commit: Commit) -> bytes:
        """A commit's tree after the one that it is compared with."""
        return b"%s %s" % (self._before(commit), commit.tree)

    def _begin_to_compare(self, place: Place, tips: Sequence[Tip]) -> None:
        """Let git compare each commit's tree with its first parent's, and list each tree that a tag names,
        while the contents are looked at."""
        self.empty = EMPTY_TREES[len(next(iter(self.commits or self.found.trees), b"")) or 40]
        there = [commit for commit in self.commits.values() if self._is_here(commit.tree)]
        pairs = dict.fromkeys(map(self._pair, there))
        for tree in {commit.tree for commit in there}:  # nothing is between a tree and itself
            pairs.pop(b"%s %s" % (tree, tree), None)
        pairs |= dict.fromkeys(b"%s %s" % (self.empty, tree) for tree in self._tagged_trees(tips))
        if len(there) < len(self.commits):
            self.cut = True
        self.pairs = list(pairs)
        if pairs:
            self._comparing.append(Comparing(place, self.pairs))

    def _weigh(self, place: Place) -> None:
        """Weigh every change that git finds."""

        def cut() -> None:
            self.cut = True

        bad, more = self.bad, self.more
        asked = self._comparing.pop() if self._comparing else None
        changes = tree_changes(place, self.pairs, cut, self.named, self._may_matter, asked)
        for pair, before, after, path in changes:
            told = self._tells(path)
            count = self._counts(after, told) - self._counts(before, told)
            if count:
                more[pair] = more.get(pair, 0) + count
            if after in bad:
                self.brought.setdefault(pair, set()).add(after)

    def _may_matter(self, facts: bytes, paths: bytes) -> bool:
        """Whether one of many files may hold the topic or tell it: a look at all of them at once."""
        ours, bad = self._paths, self.bad
        if not self._is_plain(paths) or len(ours) > _FEW or any(path in paths for path in ours):
            return True
        return any(oid in facts for oid in bad) if len(bad) <= _FEW else not bad.isdisjoint(facts.split())

    def _counts(self, blob: bytes, told: bool) -> int:
        return blob in self.bad or (told and bool(blob.strip(b"0")))

    def _tells(self, path: bytes) -> bool:
        """Whether a path tells the topic, or is one of the note's own or in it."""
        if self._is_plain(path):
            return bool(self._paths) and self._is_ours(path.split(b"/"))
        known = self._told.get(path)
        if known is None:
            known = self.topic.in_name(path.decode("utf-8", "surrogateescape"))
            known = self._told[path] = known or self._is_ours(path.split(b"/"))
        return known

    def _is_plain(self, name: bytes) -> bool:
        """Whether a look at the letters shows that a name or path tells no text."""
        if not self._runs or not name.isascii():
            return not self.topic.marks
        low = name.lower()
        return not any(run in low for run in self._runs)

    def _is_ours(self, steps: list[bytes]) -> bool:
        return any(b"/".join(steps[:end]) in self._paths for end in self._depths if end <= len(steps))

    def _holders(self) -> set[bytes]:
        """The commits whose tree holds the topic: parents come first."""
        held: dict[bytes, int] = {}
        for oid in reversed(self.order):
            commit = self.commits[oid]
            if not self._is_here(commit.tree):
                continue
            pair = self._pair(commit)
            held[oid] = self.more.get(pair, 0)
            if not pair.startswith(self.empty):
                held[oid] += held.get(commit.parents[0], 0)
        return {oid for oid, count in held.items() if count}

    def _is_here(self, tree: bytes) -> bool:
        return tree in self.found.trees or tree == self.empty

    def _order(self) -> list[bytes]:
        """The commits, children before parents and the younger first."""
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
            for parent in self.commits[oid].parents:
                if parent in children:
                    children[parent] -= 1
                    if not children[parent]:
                        heappush(ready, (-self.commits[parent].time, parent))
        return order

    def _masks(self, tips: Sequence[Tip]) -> dict[bytes, int]:
        """For each commit the tips that reach it, a bit each."""
        masks: dict[bytes, int] = {}
        for number, tip in enumerate(tips):
            for oid in tip.oids:
                target = self._peeled(oid)
                masks[target] = masks.get(target, 0) | 1 << number
        for oid in self.order:
            mask = masks.get(oid, 0)
            if mask:
                for parent in self.commits[oid].parents:
                    masks[parent] = masks.get(parent, 0) | mask
        return masks

    def _reaches(self, tips: Sequence[Tip], masks: dict[bytes, int], order: list[bytes]) -> Iterable[Reach]:
        """What each tip reaches; commits with the same tips are counted together."""
        pushed = sum(1 << number for number, tip in enumerate(tips) if tip.kind == REMOTES)
        groups: dict[int, list[bytes]] = {}
        position = {oid: at for at, oid in enumerate(order)}
        for oid in order:
            mask = masks.get(oid, 0)
            if mask and (oid in self.holders or oid in self.found.telling):
                groups.setdefault(mask, []).append(oid)
        sums = {mask: self._sum(found) for mask, found in groups.items()}
        for number, tip in enumerate(tips):
            bit = 1 << number
            ours = [(mask, *found) for mask, found in sums.items() if mask & bit]
            held = [one for one in ours if one[1]]
            words = any(tag in self.found.telling for oid in tip.oids for tag in self._tags_of(oid))
            yield Reach(
                tip.kind,
                tip.name,
                sum(one[1] for one in held),
                max((one[2] for one in held), key=position.__getitem__, default=b"").decode(),
                min((one[3] for one in held), key=position.__getitem__, default=b"").decode(),
                sum(one[1] for one in held if one[0] & pushed),
                sum(one[4] for one in ours),
                words or self.topic.in_text(tip.told) or self.topic.in_name(tip.name),
                sum(map(self._without_commit, {self._peeled(oid) for oid in tip.oids})),
            )

    def _sum(self, found: list[bytes]) -> tuple[int, bytes, bytes, int]:
        """How many of these commits hold the topic, the first and the last, and how many tell it."""
        held = [oid for oid in found if oid in self.holders]
        first, last = (held[-1], held[0]) if held else (b"", b"")
        return len(held), first, last, sum(oid in self.found.telling for oid in found)

    def _without_commit(self, target: bytes) -> int:
        """How often the topic is in what is no commit: a content, or the files of a tree."""
        return target in self.bad or self.more.get(b"%s %s" % (self.empty, target), 0)

    def _tags_of(self, oid: bytes) -> Iterator[bytes]:
        """A tag, and those inside of it."""
        while oid in self.tags:
            yield oid
            oid = self.tags[oid]

    def _peeled(self, oid: bytes) -> bytes:
        while oid in self.tags:
            oid = self.tags[oid]
        return oid

    def _named_tags(self, tips: Sequence[Tip]) -> set[bytes]:
        return {tag for tip in tips for oid in tip.oids for tag in self._tags_of(oid)}

    def _loose_trees(self, place: Place, tips: Sequence[Tip]) -> set[bytes]:
        """The trees that no commit has and no name points at, but that tell the topic."""
        gone = self.found.trees - self.named - self._tagged_trees(tips)
        gone = gone.difference(one.tree for one in self.commits.values())
        rest = [one for one in zip(*self.found.listed_trees, strict=True) if one[0] in gone] if gone else []
        lost = Listed([oid for oid, _ in rest], [size for _, size in rest])
        found = set()
        for _, block in blocks(place, [lost], self.found.unread):
            for number, (start, end) in enumerate(zip(block.starts, block.ends, strict=True), block.first):
                entries = tree_entries(block.data[start:end], len(self.empty) // 2)
                if any(self._tells(name) or oid in self.bad for name, oid in entries):
                    found.add(lost.oids[number])
        if self.topic.spans and lost.oids:  # what only several names in a row tell
            pairs = [b"%s %s" % (self.empty, oid) for oid in lost.oids if oid not in found]
            changes = tree_changes(place, pairs, lambda: None, set(), self._may_matter)
            found |= {pair.split()[1] for pair, _, _, path in changes if self._tells(path)}
        return found

    def _tagged_trees(self, tips: Sequence[Tip]) -> set[bytes]:
        """The trees that a tag or another name points at without a commit."""
        return {
            target for tip in tips for oid in tip.oids if (target := self._peeled(oid)) in self.found.trees
        }

    def _kept_blobs(self, tips: Sequence[Tip], masks: dict[bytes, int]) -> set[bytes]:
        """The contents with the topic that some tip reaches: some commit on the way brought them."""
        kept = {self._peeled(oid) for tip in tips for oid in tip.oids}
        pairs = [self._pair(commit) for oid, commit in self.commits.items() if masks.get(oid)]
        pairs += [b"%s %s" % (self.empty, tree) for tree in self._tagged_trees(tips)]
        return kept.union(*(self.brought.get(pair, ()) for pair in pairs))


def _shown(oids: Iterable[bytes]) -> tuple[str, ...]:
    return tuple(sorted(oid.decode() for oid in oids))
