"""Hooks that git runs from a folder elsewhere (``core.hooksPath``): they are the repository's, wherever they
lie."""

from __future__ import annotations

import os

from memwarden.core.record import TYPE_CHECKING
from memwarden.edge.git.plumbing import run
from memwarden.errors import MemError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memwarden.edge.place import Place

_KEY = "core.hooksPath"
# The scope of what we tell git ourselves.
_OURS = "command"
# A folder of hooks is small; more than this is another folder that somebody named by mistake.
_MOST_FILES, _MOST_FOLDERS = 500, 50


def hook_files(place: Place) -> Iterator[tuple[str, str]]:
    """The files of the hooks of a worktree that lie neither in its tree nor in its git directory: the name
    of each in that folder, and where it is ("" for those that are left out)."""
    try:
        folder = _folder(place)
    except MemError:
        yield "?", ""
        return
    if not folder or _is_ours(place, folder):
        return
    count = 0
    for number, (top, folders, names) in enumerate(os.walk(folder)):
        folders.sort()
        for name in sorted(names):
            full = os.path.join(top, name)
            yield os.path.relpath(full, folder), full
        count += len(names)
        if count > _MOST_FILES or number > _MOST_FOLDERS:
            yield "?", ""
            return


def _folder(place: Place) -> str:
    """Where a worktree's hooks are, as its configuration says; "" where it does not."""
    if place.git_dir != place.common_dir and not os.path.exists(
        os.path.join(place.git_dir, "config.worktree")
    ):
        return ""  # it is configured as the main one is
    asked = ("config", "--null", "--show-scope", "--type=path", "--get-all", _KEY)
    root = place.root if os.path.isdir(place.root) else place.git_dir
    said = run(place._replace(root=root), *asked).decode("utf-8", "surrogateescape").split("\0")[:-1]
    found = [path for scope, path in zip(said[::2], said[1::2], strict=True) if scope != _OURS]
    return os.path.normpath(os.path.join(root, found[-1])) if found and found[-1] else ""


def _is_ours(place: Place, folder: str) -> bool:
    """Whether a folder is searched as a part of the tree or of the git directory."""
    real = os.path.realpath(folder)
    tops = (os.path.realpath(top) for top in (place.root, place.git_dir, place.common_dir) if top)
    return any(real == top or real.startswith(top + os.sep) for top in tops)
