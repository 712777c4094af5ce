"""Where HEAD is and what git is in the middle of, read by hand: a hook cannot afford a git process.

The layout is gitrepository-layout(5).  Where it is another one (reftable), git is asked.
"""

from __future__ import annotations

import os

from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.errors import MemError

if TYPE_CHECKING:
    from memwarden.edge.place import Place

MOST_LINKS = 5
HEX = frozenset("0123456789abcdef")

# What git leaves in its directory while an operation waits for the person, and our word for it.
MARKS = (
    ("rebase-merge", "rebase"),
    ("rebase-apply/applying", "am"),
    ("rebase-apply", "rebase"),
    ("MERGE_HEAD", "merge"),
    ("CHERRY_PICK_HEAD", "cherry-pick"),
    ("REVERT_HEAD", "revert"),
    ("BISECT_LOG", "bisect"),
)


class Head(NamedTuple):
    """``commit`` is "" before the first commit; ``branch`` is "" on a detached HEAD."""

    commit: str = ""
    branch: str = ""


def head(place: Place) -> Head:
    """The commit and the branch that this worktree has checked out."""
    text = _read(os.path.join(place.git_dir, "HEAD"))
    if _is_id(text):
        return Head(text, "")
    name = text[len("ref:") :].strip() if text.startswith("ref:") else ""
    if not name or name.endswith("/.invalid") or os.path.isdir(os.path.join(place.common_dir, "reftable")):
        return _asked(place)
    branch = name.removeprefix("refs/heads/")
    for _ in range(MOST_LINKS):
        text = _ref(place, name)
        if not text.startswith("ref:"):
            return Head(text, branch)
        name = text[len("ref:") :].strip()
    return _asked(place)


def operation(place: Place) -> str:
    """``merge``, ``rebase``, ``am``, ``cherry-pick``, ``revert`` or ``bisect``; "" when nothing waits."""
    for mark, word in MARKS:
        if os.path.exists(os.path.join(place.git_dir, mark)):
            return word
    return ""


def merge_heads(place: Place) -> tuple[str, ...]:
    """The commits that a merge in progress brings in; () when there is none."""
    text = _read(os.path.join(place.git_dir, "MERGE_HEAD"))
    return tuple(line for line in text.split() if _is_id(line))


def is_shallow(place: Place) -> bool:
    """Whether history was cut off by a shallow clone."""
    try:
        return os.path.getsize(os.path.join(place.common_dir, "shallow")) > 0
    except OSError:
        return False


def is_sparse(place: Place) -> bool:
    """Whether this worktree may leave tracked files out (a sparse checkout)."""
    return os.path.exists(os.path.join(place.git_dir, "info", "sparse-checkout"))


def _ref(place: Place, name: str) -> str:
    """What a ref's file or the packed list says, or "" for a ref that does not exist yet."""
    for folder in (place.git_dir, place.common_dir):
        text = _read(os.path.join(folder, name))
        if text:
            return text
    for line in _read(os.path.join(place.common_dir, "packed-refs"), 1 << 26).split("\n"):
        if line[40:].partition(" ")[2] == name:
            return line.partition(" ")[0]
    return ""


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


def _read(path: str, most: int = 1 << 16) -> str:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return file.read(most).strip()
    except (OSError, ValueError):
        return ""


def _is_id(text: str) -> bool:
    return len(text) in (40, 64) and HEX.issuperset(text)
