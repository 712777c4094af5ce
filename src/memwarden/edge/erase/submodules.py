"""The repositories inside of this one, found where git put them and not where a file says they are.

Only what lies inside of this repository is looked into: a submodule's folder, and the git directories
below ``.git/modules``, of submodules that are no longer used too.
"""

from __future__ import annotations

import os

from memwarden.core.record import TYPE_CHECKING
from memwarden.edge.erase.private_traces import worktree_name
from memwarden.edge.place import Place, find_place
from memwarden.errors import MemError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

MODULES = "modules"


def submodules(
    places: Sequence[Place], linked: Iterable[tuple[Place, str]]
) -> Iterator[tuple[str, Place | None]]:
    """The name of each submodule with where it is, None where it is not here or not to be trusted.

    ``linked`` are the paths of submodules, each with the worktree that has it in its index.
    """
    known: set[str] = set()
    here: set[str] = set()
    missing: dict[str, list[Place]] = {}
    for place, path in linked:
        found = _checked_out(place, path)
        if found is None:
            missing.setdefault(path, []).append(place)
            continue
        here.add(path)
        if found.git_dir not in known:
            known.add(found.git_dir)
            yield path, found
    for git_dir in sorted({one.git_dir for one in places}):
        top = os.path.join(git_dir, MODULES)
        for inner in _git_dirs(top):
            if os.path.realpath(inner) not in known:
                known.add(os.path.realpath(inner))
                name = os.path.relpath(inner, top)
                missing.pop(name, None)
                yield name, Place(inner, inner, inner)
    for path, without in missing.items():
        if path not in here:
            yield path, None
            continue
        for place in without:  # one worktree has it and another has not: two things, two names
            yield f"{worktree_name(place)}: {path}", None


def _checked_out(place: Place, path: str) -> Place | None:
    """The repository at a path of a worktree, where it lies inside."""
    root = os.path.realpath(place.root)
    full = os.path.join(root, path)
    if (
        not place.root
        or os.path.realpath(full) != os.path.normpath(full)
        or not full.startswith(root + os.sep)
    ):
        return None
    try:
        found = find_place(full)
    except MemError:
        return None
    git_dir = os.path.realpath(found.git_dir)
    inside = any(
        git_dir.startswith(os.path.realpath(top) + os.sep) for top in (place.common_dir, place.git_dir, full)
    )
    if found.root != full or not inside or os.path.realpath(found.common_dir) != git_dir:
        return None
    return Place(full, git_dir, git_dir)


def _git_dirs(folder: str) -> Iterator[str]:
    """The git directories below a folder; those of their own submodules are theirs."""
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return
    if all(name in names for name in ("HEAD", "objects", "refs")):
        yield folder
        return
    for name in names:
        inner = os.path.join(folder, name)
        if os.path.isdir(inner) and not os.path.islink(inner):
            yield from _git_dirs(inner)
