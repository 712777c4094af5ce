"""What only a visit to the whole repository asks of git, through GitPython: the one module that imports it.

Importing GitPython costs as much as seven bare interpreters, and is an :class:`ImportError` where there is no
git, so who comes here is in no hurry (``mem doctor``); what a hook or a commit asks is in ``plumbing``.
"""

from __future__ import annotations

import os

from git import Git, Repo
from git.exc import GitError

from memwarden.core.record import TYPE_CHECKING
from memwarden.edge.git.plumbing import clean_env
from memwarden.errors import NoMemory

if TYPE_CHECKING:
    from memwarden.edge.place import Place

OLDEST = (2, 30)  # the first whose rev-parse knows --end-of-options


def too_old(place: Place) -> str:
    """What to say of a git that is older than the oldest that serves, or ""."""
    version = Git(place.root).version_info
    if not version or version[:2] >= OLDEST:
        return ""
    said, least = (".".join(map(str, numbers)) for numbers in (version, OLDEST))
    return f"git version {said} is too old: memwarden needs git {least} or later"


def worktrees(place: Place) -> tuple[str, ...]:
    """The top folders of the other worktrees of this repository, as absolute paths.

    Raises :class:`NoMemory` where git cannot read the repository.
    """
    try:
        with _open(place) as repo:
            listed = repo.git.worktree("list", "--porcelain").splitlines()
    except GitError as error:
        raise NoMemory(f"git cannot read this repository: {type(error).__name__}") from None
    tops = [line.removeprefix("worktree ") for line in listed if line.startswith("worktree ")]
    own = os.path.realpath(place.root)
    return tuple(sorted(top for top in tops if os.path.realpath(top) != own))


def _open(place: Place) -> Repo:
    """The repository, sealed: no inherited ``GIT_*`` variable sends a child of GitPython elsewhere."""
    repo = Repo(place.root, search_parent_directories=False)
    sealed = clean_env(place)
    kept = {key: value for key, value in sealed.items() if key.startswith(("GIT_", "LC_"))}
    repo.git.update_environment(
        **{**kept, "GIT_DIR": place.git_dir, "GIT_WORK_TREE": place.root, "GIT_COMMON_DIR": place.common_dir}
    )
    return repo
