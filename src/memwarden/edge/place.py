"""Where we are: the working tree, its private git directory, and the memory in it.

Read by hand, because the hook's path cannot afford a git process: git's own rules for ``.git`` folders,
``.git`` files (linked worktrees, submodules) and ``commondir`` (gitrepository-layout(5)).  An inherited
``GIT_DIR`` is never believed: it may name another repository.
"""

from __future__ import annotations

import os

from memwarden.core.record import NamedTuple
from memwarden.edge.git_read import common_dir_of
from memwarden.errors import NeedsRecovery, NoMemory

MEMORY = "memory"
EVENTS = "memory/events"
MOST_FRONTMATTER = 1 << 16


class Place(NamedTuple):
    """Absolute paths: ``root`` is the top of the working tree, ``git_dir`` this worktree's private git
    directory, ``common_dir`` the one that all worktrees of the repository share."""

    root: str
    git_dir: str
    common_dir: str

    @property
    def private(self) -> str:
        """This worktree's own state, never committed: lock, journal, sessions, index, pending, log."""
        return os.path.join(self.git_dir, "mem")

    @property
    def shared(self) -> str:
        """State that every worktree of the repository shares: previewed plans."""
        return os.path.join(self.common_dir, "mem")


def find_place(start: str) -> Place:
    """The repository that holds the folder ``start``.

    Raises :class:`NoMemory` outside a git working tree: nowhere near one, inside a ``.git`` folder, or
    in a bare repository.
    """
    folder = os.path.realpath(start)
    while True:
        git_dir = _git_dir_of(folder)
        if git_dir:
            return Place(folder, git_dir, common_dir_of(git_dir))
        if _is_git_dir(folder):
            raise NoMemory(
                "this is a git directory without a working tree",
                "run mem in a checkout (git worktree add makes one)",
            )
        parent = os.path.dirname(folder)
        if parent == folder:
            raise NoMemory("not inside a git repository", "run git init first, or pass --root DIR")
        folder = parent


def has_memory(place: Place) -> bool:
    """Whether the working tree has a ``memory/`` folder, whatever is in it."""
    return os.path.isdir(os.path.join(place.root, MEMORY))


def require_memory(place: Place) -> None:
    """Raise :class:`NoMemory` where the repository has no ``memory/``, and :class:`NeedsRecovery` where it
    cannot be looked into, for that is not an empty one; without its events no standing is known."""
    if not has_memory(place):
        raise NoMemory("no memory/ in this repository", "run mem init to start one")
    for name in (MEMORY, EVENTS):
        folder = os.path.join(place.root, name)
        if os.path.islink(folder) and _leaves(folder, place.root):
            raise NeedsRecovery(
                f"{name}/ is a link that leaves the repository", "put the folder itself in the link's place"
            )
        if os.path.isdir(folder) and not os.access(folder, os.R_OK | os.X_OK):
            raise NeedsRecovery(f"{name}/ cannot be read: permission denied", "make the folder readable")


def require_protocol(place: Place) -> None:
    """Raise ``NewerProtocol`` where the memory is of a protocol that this program does not know: it is left
    alone, whatever an index or a ledger of ours still says of it."""
    from memwarden.core.manifest import PATH
    from memwarden.core.protocol import require_protocol as require

    try:
        file = os.open(f"{place.root}/{PATH}", os.O_RDONLY | os.O_NONBLOCK)  # a pipe is not waited for
        try:
            data = os.read(file, MOST_FRONTMATTER)
        finally:
            os.close(file)
    except OSError:
        return
    require(data)


def _leaves(folder: str, root: str) -> bool:
    return not os.path.realpath(folder).startswith(os.path.realpath(root) + "/")


def _git_dir_of(folder: str) -> str:
    """The git directory of a working tree whose top is ``folder``, or ""."""
    candidate = os.path.join(folder, ".git")
    if os.path.isdir(candidate):
        return candidate if _is_git_dir(candidate) else ""
    try:
        with open(candidate, encoding="utf-8", errors="surrogateescape") as file:
            text = file.read(4096)
    except OSError:
        return ""
    if not text.startswith("gitdir:"):
        return ""
    target = os.path.normpath(os.path.join(folder, text[len("gitdir:") :].strip()))
    return target if _is_git_dir(target) else ""


def _is_git_dir(folder: str) -> bool:
    """A git directory has a HEAD and, itself or through ``commondir``, objects and refs."""
    if not os.path.lexists(os.path.join(folder, "HEAD")):
        return False
    common = common_dir_of(folder)
    return os.path.isdir(os.path.join(common, "objects")) and os.path.isdir(os.path.join(common, "refs"))
