"""git's richer history through GitPython: the only module that imports it.

Importing GitPython costs 70 ms, so only rare verbs come here (purge's exposure report, status of
worktrees and submodules); what a hook or pre-commit asks is in ``plumbing``.
"""

from __future__ import annotations

import os

from git import Repo
from git.exc import GitError

from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.edge.git.plumbing import clean_env
from memwarden.errors import NoMemory

if TYPE_CHECKING:
    from memwarden.edge.place import Place


class Remains(NamedTuple):
    """Where a repository may still keep something: ref names by kind, and folders beside this one."""

    branches: tuple[str, ...] = ()
    remotes: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    stashes: int = 0
    worktrees: tuple[str, ...] = ()
    submodules: tuple[str, ...] = ()


def open_repo(place: Place) -> Repo:
    """The repository, sealed: no inherited ``GIT_*`` variable reaches a child of GitPython."""
    try:
        repo = Repo(place.root, search_parent_directories=False)
    except GitError as error:
        raise NoMemory(f"git cannot open this repository: {type(error).__name__}") from None
    sealed = clean_env(place)
    repo.git.update_environment(**{key: sealed.get(key, "") for key in _inherited(sealed)})
    return repo


def _inherited(sealed: dict[str, str]) -> set[str]:
    return {key for key in sealed if key.startswith(("GIT_", "LC_"))}


def remains(place: Place) -> Remains:
    """Everything that can hold on to a commit or to a copy of the tree."""
    with open_repo(place) as repo:
        return Remains(
            branches=tuple(sorted(head.name for head in repo.heads)),
            remotes=tuple(sorted(ref.name for remote in repo.remotes for ref in remote.refs)),
            tags=tuple(sorted(tag.name for tag in repo.tags)),
            stashes=len(repo.git.stash("list").splitlines()),
            worktrees=tuple(_worktrees(repo)),
            submodules=tuple(sorted(str(module.path) for module in repo.submodules)),
        )


def _worktrees(repo: Repo) -> list[str]:
    """The top folders of the other worktrees of this repository."""
    listed = repo.git.worktree("list", "--porcelain", "-z").split("\0")
    tops = [line.removeprefix("worktree ") for line in listed if line.startswith("worktree ")]
    own = os.path.realpath(repo.working_tree_dir or "")
    return sorted(top for top in tops if os.path.realpath(top) != own)
