"""Every commit at which a condition began or ceased to hold: the commit that paid, each break and repair.

Judged from blobs alone, without a checkout, over only those commits that touch the condition's paths.
Dates, tags and commands have no history: a condition that needs one is "cannot tell" throughout.
"""

from __future__ import annotations

from memwarden.core.condition import CANNOT_TELL, HOLDS, Combined, DataTest, TextTest, Verdict
from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.edge.git_workspace import EmptyTree, PastTree
from memwarden.edge.gitstate import is_shallow
from memwarden.edge.history import (
    ABSENT,
    Authorship,
    Step,
    all_steps,
    boundary,
    first_parent_steps,
    renamed_from,
)
from memwarden.edge.objects import Objects
from memwarden.edge.revisions import resolve
from memwarden.edge.tally import Renamed, Tally
from memwarden.judge.judge import judge, paths_of
from memwarden.judge.reader import Surroundings, is_glob

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

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
    walk = all_steps if all_parents else first_parent_steps
    paths = paths_of(condition)
    steps = walk(place, end, paths) if paths else []
    renames, notes, steps = _follow_renames(condition, steps, _Walk(place, end, walk))
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


class _Walk(NamedTuple):
    """How the steps of some paths are found again, from the end or from an earlier commit."""

    place: Place
    end: str
    steps: Callable[[Place, str, Iterable[str]], list[Step]]


def _follow_renames(
    condition: Condition, steps: list[Step], walk: _Walk
) -> tuple[dict[str, Renamed], tuple[str, ...], list[Step]]:
    """Also the steps under the names that the condition's files had before git saw them renamed.

    Only where a path is a file that is read: whether a path exists is a question about the path.
    """
    paths = list(paths_of(condition))
    waiting = _followed(condition)
    sources: dict[str, tuple[str, str]] = {}
    while waiting and len(sources) < MOST_RENAMES:
        path = waiting.pop(0)
        for at in _appearances(steps, path):
            commit = steps[at].commit
            removal = renamed_from(walk.place, commit, path)
            if removal is not None and removal.path not in (*sources, *paths):
                old = removal.path
                sources[old] = (path, commit)
                waiting.append(old)
                paths.append(old)
                if at == 0:  # nothing else is known before it, so only what is older is to be walked
                    older = walk.steps(walk.place, commit + "^1", [old])
                    first = steps[0]._replace(
                        parents=tuple(step.commit for step in older[-1:]),
                        changes=(*steps[0].changes, removal),
                    )
                    steps = [*older, first, *steps[1:]]
                else:
                    steps = walk.steps(walk.place, walk.end, paths)
                break
    position = {step.commit: at for at, step in enumerate(steps)}
    renames = {old: Renamed(path, position.get(commit, -1)) for old, (path, commit) in sources.items()}
    notes = tuple(f"{path} was {old} before {commit[:12]}" for old, (path, commit) in sources.items())
    return renames, notes, steps


def _followed(condition: Condition) -> list[str]:
    """The plain paths whose contents a condition reads."""
    if isinstance(condition, Combined):
        return list(dict.fromkeys(path for part in condition.parts for path in _followed(part)))
    if isinstance(condition, TextTest | DataTest) and not is_glob(condition.path):
        return [condition.path]
    return []


def _appearances(steps: list[Step], path: str) -> list[int]:
    """The steps, oldest first, that brought a path into being."""
    return [
        at
        for at, step in enumerate(steps)
        if any(change.path == path and change.old_mode == ABSENT for change in step.changes)
    ][:MOST_RENAMES]


def _tree(place: Place, commit: str, at: int, objects: Objects, renames: Mapping[str, Renamed]) -> Workspace:
    """The tree of a step, with the files that are renamed later also under their later names."""
    if not commit:
        return EmptyTree(place)
    later = {name.later: old for old, name in renames.items() if at <= name.last}
    for new in list(later):
        while later[new] in later:
            later[new] = later[later[new]]
    return PastTree(place, commit, objects, later)


def _holds(verdict: Verdict) -> bool | None:
    return None if verdict.state == CANNOT_TELL else verdict.state == HOLDS
