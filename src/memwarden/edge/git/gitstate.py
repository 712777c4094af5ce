"""Where HEAD is and what git is in the middle of, read by hand where that can be: git is asked elsewhere."""

from __future__ import annotations

import os

from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.edge.git_read import head_of, is_id, operation_in, read_text
from memwarden.errors import MemError

if TYPE_CHECKING:
    from memwarden.edge.place import Place


class Head(NamedTuple):
    """``commit`` is "" before the first commit; ``branch`` is "" on a detached HEAD."""

    commit: str = ""
    branch: str = ""


def head(place: Place) -> Head:
    """The commit and the branch that this worktree has checked out."""
    found = head_of(place.git_dir, place.common_dir)
    return _asked(place) if found is None else Head(*found)


def operation(place: Place) -> str:
    """``merge``, ``rebase``, ``am``, ``cherry-pick``, ``revert`` or ``bisect``; "" when nothing waits."""
    return operation_in(place.git_dir)


def merge_heads(place: Place) -> tuple[str, ...]:
    """The commits that a merge in progress brings in; () when there is none."""
    text = read_text(os.path.join(place.git_dir, "MERGE_HEAD"))
    return tuple(line for line in text.split() if is_id(line))


def is_shallow(place: Place) -> bool:
    """Whether history was cut off by a shallow clone."""
    try:
        return os.path.getsize(os.path.join(place.common_dir, "shallow")) > 0
    except OSError:
        return False


def _asked(place: Place) -> Head:
    return Head(_ask(place, "rev-parse", "--verify", "-q", "HEAD"), _branch(place))


def _branch(place: Place) -> str:
    return _ask(place, "symbolic-ref", "-q", "HEAD").removeprefix("refs/heads/")


def _ask(place: Place, *arguments: str) -> str:
    from memwarden.edge.git.plumbing import run  # rare, and a hook's every module counts

    try:
        return run(place, *arguments).decode("utf-8", "surrogateescape").strip()
    except MemError:
        return ""
