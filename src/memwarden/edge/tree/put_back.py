"""The files that git is about to put back or to take away in whole folders: those that differ, and no other.

``git checkout -- src`` writes what was changed there, not all that is there; which that is only git knows.
"""

from __future__ import annotations

import os

from memwarden.core.record import TYPE_CHECKING
from memwarden.core.shell.gitpaths import IGNORED
from memwarden.edge.git.plumbing import run
from memwarden.edge.tree.given_path import inside
from memwarden.errors import MemError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memwarden.core.shell.gitpaths import PutBack
    from memwarden.core.shell.shellpaths import ShellPath
    from memwarden.edge.place import Place


def put_back(
    place: Place, told: Iterable[tuple[PutBack, tuple[ShellPath, ...]]], cwd: str, most: int
) -> list[str]:
    """The repository-relative paths that these commands write, at most so many."""
    found: dict[str, None] = {}
    for what, folders in told:
        below = [path for folder in folders for path in _from_top(place, folder.text, cwd)]
        for words in _questions(what) if below else ():
            try:
                out = run(place, *words, "--", *below)
            except MemError:
                continue  # no such tree, or no commit yet: then git does nothing either
            found.update((os.fsdecode(path), None) for path in out.split(b"\0")[:-1])
    return list(found)[:most]


def _questions(what: PutBack) -> Iterator[tuple[str, ...]]:
    if what.tree == "":
        yield "diff-files", "--name-only", "-z"
    elif what.tree is not None:
        yield "diff-index", "--name-only", "-z", "--end-of-options", what.tree
    if what.gone:
        ignored = () if what.gone == IGNORED else ("--exclude-standard",)
        yield "ls-files", "-o", "-z", *ignored


def _from_top(place: Place, text: str, cwd: str) -> Iterator[str]:
    """A folder as git names it from the top of the repository; nothing for one outside."""
    whole = os.path.join(cwd, os.path.expanduser(text))
    if os.path.realpath(whole) == os.path.realpath(place.root):
        yield "."
        return
    path = inside(place, text, cwd)
    if path is not None:
        yield path
