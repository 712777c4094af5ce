"""A condition judged along a history by what changes: each blob is read once, whatever the commits.

Conditions on files count the files that satisfy, fail or block them, and a commit moves the counts by its
changes alone.  Conditions on data and versions keep the few files that they read.
"""

from __future__ import annotations

from memwarden.core.condition import (
    CANNOT_TELL,
    FAILS,
    HOLDS,
    Combined,
    DataTest,
    PathTest,
    TextTest,
    VersionTest,
)
from memwarden.core.condition_parts import simple_parts
from memwarden.core.glob import matches
from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.core.workspace import Unreadable
from memwarden.edge.git.git_workspace import REGULAR, Item, ListedTree
from memwarden.edge.git.history import ABSENT
from memwarden.judge.files import finder
from memwarden.judge.judge import OPPOSITE, judge, paths_of
from memwarden.judge.reader import decode, is_glob, never_counts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import TypeAlias

    from memwarden.core.condition import Condition
    from memwarden.edge.git.history import Change
    from memwarden.edge.git.objects import Objects
    from memwarden.edge.place import Place

    # How many files satisfy, fail and block a leaf, or the files that it reads; never changed in place,
    # so that commits can share it.
    Counts: TypeAlias = tuple[int, int, int]
    Known: TypeAlias = tuple[Counts | dict[str, Item], ...]

YES, NO, BLOCKED = range(3)
NONE: Counts = (0, 0, 0)


class Renamed(NamedTuple):
    """The path that a file had later, and the last step at which it had the old one."""

    later: str
    last: int


class Tally:
    """One condition over one history.  :meth:`learn` first, then :meth:`move` from :attr:`start`."""

    def __init__(
        self, place: Place, condition: Condition, objects: Objects, renames: Mapping[str, Renamed]
    ) -> None:
        self._place = place
        self._objects = objects
        self._condition = condition
        self._renames = renames
        self._leaves = tuple(simple_parts(condition))
        self._found: dict[tuple[Condition, str], int] = {}
        self._judged: dict[tuple[int, frozenset[tuple[str, Item]]], str] = {}
        self.start: Known = tuple({} if _keeps(leaf) else NONE for leaf in self._leaves)

    def learn(self, changes: Iterable[Change]) -> None:
        """Read every blob that a text condition may ask about, once, in one go."""
        wanted: dict[str, set[TextTest]] = {}
        for change in changes:
            for path in self._meant(change.path, 0):
                for leaf in self._leaves:
                    if isinstance(leaf, TextTest) and _is_meant(leaf, path):
                        for mode, blob in ((change.old_mode, change.old_blob), (change.mode, change.blob)):
                            if mode in REGULAR:
                                wanted.setdefault(blob, set()).add(leaf)
        for blob, content in zip(wanted, self._objects.read_many(wanted), strict=True):
            try:
                if isinstance(content, Unreadable):
                    raise content
                text = decode(content)
            except Unreadable:
                continue
            for leaf in wanted[blob]:
                try:
                    hit = finder(leaf.pattern, leaf.literal)(text) is not None
                    self._found[leaf, blob] = YES if hit else NO
                except Unreadable:
                    continue

    def move(self, known: Known, changes: Iterable[Change], step: int) -> Known:
        """What is known after a commit that made ``changes``; ``known`` itself where nothing counts."""
        moved = list(known)
        for change in changes:
            for path in self._meant(change.path, step):
                for at, leaf in enumerate(self._leaves):
                    if _is_meant(leaf, path):
                        moved[at] = self._moved(moved[at], known[at], leaf, path, change)
        return tuple(moved)

    def state(self, known: Known) -> str:
        """The verdict that follows from what is known."""
        states = [self._leaf_state(at, leaf, known[at]) for at, leaf in enumerate(self._leaves)]
        return _combined(self._condition, iter(states))

    def _meant(self, path: str, step: int) -> tuple[str, ...]:
        """The paths that a change counts for: its own, and the one that the file was renamed to later."""
        names = [path]
        while names[-1] in self._renames:
            later, last = self._renames[names[-1]]
            if step > last or later in names:  # renamed there and back
                break
            names.append(later)
        return tuple(names)

    def _moved(
        self,
        now: Counts | dict[str, Item],
        before: Counts | dict[str, Item],
        leaf: Condition,
        path: str,
        change: Change,
    ) -> Counts | dict[str, Item]:
        if isinstance(now, dict):
            kept = dict(now) if now is before else now
            if change.mode == ABSENT:
                kept.pop(path, None)
            else:
                kept[path] = Item(change.mode, change.blob)
            return kept
        counts = list(now)
        if change.old_mode != ABSENT:
            counts[self._class(leaf, path, change.old_mode, change.old_blob)] -= 1
        if change.mode != ABSENT:
            counts[self._class(leaf, path, change.mode, change.blob)] += 1
        return counts[0], counts[1], counts[2]

    def _class(self, leaf: Condition, path: str, mode: str, blob: str) -> int:
        if mode not in REGULAR:
            return BLOCKED  # a link is not followed through history
        if isinstance(leaf, TextTest):
            below_it = not is_glob(leaf.path) and path != leaf.path.rstrip("/")
            return BLOCKED if below_it else self._found.get((leaf, blob), BLOCKED)
        return YES

    def _leaf_state(self, at: int, leaf: Condition, known: Counts | dict[str, Item]) -> str:
        if isinstance(known, dict):
            key = (at, frozenset(known.items()))
            if key not in self._judged:
                tree = KeptTree(self._place, known, self._objects)
                self._judged[key] = judge(leaf, tree).state
            return self._judged[key]
        yes, no, blocked = known
        if isinstance(leaf, TextTest):
            return _text_state(leaf.kind == "file_contains", yes, no, blocked)
        if isinstance(leaf, PathTest) and not never_counts(leaf.path):
            return _path_state(leaf.kind == "file_exists", yes, blocked)
        return CANNOT_TELL


class KeptTree(ListedTree):
    """A workspace of the few files that a tally kept."""

    def __init__(self, place: Place, items: Mapping[str, Item], objects: Objects) -> None:
        super().__init__(place, "", objects)
        self._kept = dict(items)

    def _list(self) -> dict[str, Item]:
        return self._kept


def _text_state(contains: bool, yes: int, no: int, blocked: int) -> str:
    if yes:
        return HOLDS if contains else FAILS
    if blocked:
        return CANNOT_TELL
    return HOLDS if no and not contains else FAILS


def _path_state(exists: bool, yes: int, blocked: int) -> str:
    if blocked and not (exists and yes):
        return CANNOT_TELL
    return HOLDS if bool(yes) == exists else FAILS


def _keeps(leaf: Condition) -> bool:
    return isinstance(leaf, DataTest | VersionTest)


def _is_meant(leaf: Condition, path: str) -> bool:
    """Whether a leaf asks about a path."""
    if never_counts(path):
        return False
    for wanted in paths_of(leaf):
        if path == wanted or (is_glob(wanted) and matches(wanted, path)):
            return True
        folder = wanted.rstrip("/")
        if not is_glob(wanted) and (path == folder or path.startswith(folder + "/")):
            return True
    return False


def _combined(condition: Condition, states: Iterator[str]) -> str:
    """Kleene's logic over the leaves' states, taken in the order of :func:`simple_parts`."""
    if not isinstance(condition, Combined):
        return next(states)
    parts = [_combined(part, states) for part in condition.parts]
    if condition.kind == "not":
        return OPPOSITE[parts[0]]
    decides = FAILS if condition.kind == "all" else HOLDS
    if decides in parts:
        return decides
    return CANNOT_TELL if CANNOT_TELL in parts else OPPOSITE[decides]
