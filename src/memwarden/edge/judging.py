"""Judging a note's condition in the working tree as it stands, without running anything."""

from __future__ import annotations

from memwarden.core.condition import CANNOT_TELL, Verdict
from memwarden.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from memwarden.core.note import Note
    from memwarden.edge.place import Place
    from memwarden.judge.judge import Judged


def judge_now(place: Place, note: Note, today: str) -> Verdict:
    """The verdict on a note's condition; evidence goes without blob IDs."""
    if note.condition is None:
        return Verdict(CANNOT_TELL, "there is no condition")
    from memwarden.edge.worktree import WorkingTree
    from memwarden.judge.judge import judge
    from memwarden.judge.reader import Surroundings

    around = Surroundings(today, lambda: _tags(place), _is_shallow(place), blobs=False)
    return judge(note.condition, WorkingTree(place.root), around)


def judge_closely_now(place: Place, note: Note, today: str) -> Judged:
    """The verdict with blob IDs and with what it was read from."""
    from memwarden.edge.worktree import WorkingTree
    from memwarden.judge.judge import judge_closely
    from memwarden.judge.reader import Surroundings

    assert note.condition is not None
    around = Surroundings(today, lambda: _tags(place), _is_shallow(place))
    return judge_closely(note.condition, WorkingTree(place.root), around)


def _tags(place: Place) -> tuple[str, ...]:
    from memwarden.edge.revisions import tags  # a git process, for the few conditions on tags

    return tags(place)


def _is_shallow(place: Place) -> bool:
    from memwarden.edge.gitstate import is_shallow

    return is_shallow(place)
