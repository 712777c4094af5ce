"""Every commit at which a condition began or ceased to hold: the commit that paid, each break and repair.

Judged from blobs alone, without a checkout, over only those commits that touch the condition's paths.
Dates, tags and commands have no history: a condition that needs one is "cannot tell" throughout.
"""

from __future__ import annotations

from memwarden.core.condition import CANNOT_TELL, HOLDS, Combined, DataTest, TextTest, Verdict
from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.edge.git.git_workspace import EmptyTree, PastTree
from memwarden.edge.git.gitstate import is_shallow
from memwarden.edge.git.history import (
    ABSENT,
    Authorship,
    Step,
    all_steps,
    boundary,
    first_parent_steps,
    followed_steps,
    is_touched,
    renamed_from,
)
from memwarden.edge.git.objects import Objects
from memwarden.edge.git.revisions import resolve
from memwarden.edge.review.tally import Renamed, Tally
from memwarden.judge.judge import judge, paths_of
from memwarden.judge.reader import Surroundings, is_glob

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memwarden.core.condition import Condition
    from memwarden.core.workspace import Workspace
    from memwarden.edge.place import Place

MOST_RENAMES = 10


class Flip(NamedTuple):
    """A commit at which the verdict changed, with the evidence on both sides of it."""

    commit: str
    before: Verdict
    after: Verdict
    by: Authorship

    @property
    def holds(self) -> bool | None:
        """Whether the condition holds from here on; None where that cannot be told."""
        return _holds(self.after)


class Blame(NamedTuple):
    """The flips, oldest first, the verdict at the end of the walk, and what the walk could not see."""

    flips: tuple[Flip, ...]
    now: Verdict
    notes: tuple[str, ...] = ()

    @property
    def holds_now(self) -> bool | None:
        return _holds(self.now)

    @property
    def paid_by(self) -> Flip | None:
        """The flip after which the condition has held until now, if it holds."""
        return self.flips[-1] if self.flips and self.flips[-1].holds and self.holds_now else None


def blame(
    place: Place,
    condition: Condition,
    rev: str = "HEAD",
    *,
    all_parents: bool = False,
    surroundings: Surroundings = Surroundings(),  # noqa: B008 (immutable)
) -> Blame:
    """Where ``condition`` flipped in the history of ``rev``; ``surroundings`` serve the verdict of now."""
    end = resolve(place, rev)
    steps, renames = _walk(place, end, condition, all_parents)
    notes = tuple(
        f"{name.later} was {old} before {steps[name.last].commit[:12]}" for old, name in renames.items()
    )
    with Objects(place) as objects:
        tally = Tally(place, condition, objects, renames)
        tally.learn(change for step in steps for change in step.changes)
        turned = _turns(tally, steps, boundary(place))
        flips = []
        for at in turned:
            step = steps[at]
            before = judge(condition, _tree(place, _first(step), at, objects, renames))
            after = judge(condition, _tree(place, step.commit, at, objects, renames))
            flips.append(Flip(step.commit, before, after, step.by))
        now = judge(condition, PastTree(place, end, objects), surroundings)
    if is_shallow(place):
        notes = (*notes, "history was cut by a shallow clone: what came before cannot be told")
    return Blame(tuple(flips), now, notes)


def _turns(tally: Tally, steps: list[Step], cut: frozenset[str]) -> list[int]:
    """The steps whose verdict differs from that of every parent."""
    known, states = {"": tally.start}, {"": tally.state(tally.start)}
    heirs: dict[str, int] = {}
    for step in steps:
        heirs[_first(step)] = heirs.get(_first(step), 0) + 1
    turned = []
    for at, step in enumerate(steps):
        first = _first(step)
        here = tally.move(known[first], step.changes, at) if step.changes else known[first]
        state = tally.state(here) if step.changes else states[first]
        known[step.commit], states[step.commit] = here, state
        if step.commit not in cut and all(states[parent] != state for parent in step.parents or ("",)):
            turned.append(at)
        heirs[first] -= 1
        if not heirs[first]:
            del known[first]  # no other step builds on it
    return turned


def _first(step: Step) -> str:
    return step.parents[0] if step.parents else ""


def _walk(
    place: Place, end: str, condition: Condition, all_parents: bool
) -> tuple[list[Step], dict[str, Renamed]]:
    """The steps that count, and the names that the condition's files had before git saw them renamed.

    One file along first parents is followed by git itself.  Otherwise each name that is found is walked
    as well.  Only a file that is read is followed: whether a path exists is a question about the path.
    """
    paths = list(paths_of(condition))
    if not paths:
        return [], {}
    read = _followed(condition)
    if not all_parents and paths == read and len(paths) == 1:
        steps = followed_steps(place, end, paths[0])
        renames = _renames_in(steps or [], paths[0])
        if steps and not any(
            name.later == paths[0] and is_touched(place, steps[name.last].commit + "^1", paths[0])
            for name in renames.values()
        ):
            return steps, renames  # no other file had the name before
    walk = all_steps if all_parents else first_parent_steps
    steps = walk(place, end, paths)
    sources: dict[str, tuple[str, str]] = {}
    while read and len(sources) < MOST_RENAMES:
        path = read.pop(0)
        for commit in _appearances(steps, path):
            removal = renamed_from(place, commit, path)
            if removal is not None and removal.path not in (*sources, *paths):
                sources[removal.path] = (path, commit)
                read.append(removal.path)
                paths.append(removal.path)
                steps = walk(place, end, paths)
                break
    position = {step.commit: at for at, step in enumerate(steps)}
    return steps, {old: Renamed(path, position.get(commit, -1)) for old, (path, commit) in sources.items()}


def _renames_in(steps: list[Step], path: str) -> dict[str, Renamed]:
    """The earlier names of a file that git followed, the latest first."""
    found: dict[str, Renamed] = {}
    for at in range(len(steps) - 1, -1, -1):
        names = [change.path for change in steps[at].changes]
        if path in names and len(names) == 2:  # a removal and an addition: a rename
            old = names[1 - names.index(path)]
            if steps[at].changes[names.index(path)].old_mode == ABSENT and old not in found:
                found[old] = Renamed(path, at)
                path = old
    return found


def _followed(condition: Condition) -> list[str]:
    """The plain paths whose contents a condition reads."""
    if isinstance(condition, Combined):
        return list(dict.fromkeys(path for part in condition.parts for path in _followed(part)))
    if isinstance(condition, TextTest | DataTest) and not is_glob(condition.path):
        return [condition.path]
    return []


def _appearances(steps: list[Step], path: str) -> list[str]:
    """The oldest and the latest commit that brought a path into being."""
    found = [
        step.commit
        for step in steps
        if any(change.path == path and change.old_mode == ABSENT for change in step.changes)
    ]
    return [*found[:1], *found[1:][-1:]]


def _tree(place: Place, commit: str, at: int, objects: Objects, renames: Mapping[str, Renamed]) -> Workspace:
    """The tree of a step, with the files that are renamed later also under their later names."""
    if not commit:
        return EmptyTree(place)
    later = {name.later: old for old, name in renames.items() if at <= name.last}
    for new in list(later):
        seen = {new}
        while later[new] in later and later[new] not in seen:
            seen.add(later[new])
            later[new] = later[later[new]]
    return PastTree(place, commit, objects, later)


def _holds(verdict: Verdict) -> bool | None:
    return None if verdict.state == CANNOT_TELL else verdict.state == HOLDS
