"""Why there is no memory here: none was begun, or git has one that this working tree does not show.

Whoever is told to begin one where one is only out of sight would write over it.
"""

from __future__ import annotations

import os

from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.edge.git.plumbing import run
from memwarden.edge.place import MEMORY
from memwarden.edge.tree.given_path import inside
from memwarden.errors import MemError

if TYPE_CHECKING:
    from memwarden.edge.place import Place


class Missing(NamedTuple):
    """Why, and what to do about it; ``elsewhere``: the memory that was meant is another repository's."""

    why: str
    next_step: str
    elsewhere: bool = False


def missing_memory(place: Place) -> Missing | None:
    """Why there is no folder ``memory/``; None where none was ever begun, or one is here after all."""
    whole = os.path.join(place.root, MEMORY)
    if os.path.isdir(whole):
        return None  # somebody has just begun one
    if os.path.lexists(whole):
        if os.path.exists(whole):
            return Missing(f"{MEMORY} is here and is no folder, as a memory is", "move it out of the way")
        return Missing(f"{MEMORY} is a link that leads nowhere", "mend the link, or take it away")
    return out_of_sight(place, MEMORY) or _in_submodule(place)


def out_of_sight(place: Place, path: str) -> Missing | None:
    """Why a file or folder that git has is not in the working tree; None where git has none either."""
    tags = {record[:1] for record in _listed(place, "-t", path)}
    if not tags:
        return None
    shown = f"{path}/" if path == MEMORY else path
    if tags == {b"S"}:
        return Missing(
            f"{shown} is outside this sparse checkout", f"git sparse-checkout add {MEMORY} brings it in"
        )
    return Missing(
        f"{shown} is gone from the working tree, but git has it",
        f"git restore {path} brings it back; to begin another memory, git rm -r --cached {path} first",
    )


def _in_submodule(place: Place) -> Missing | None:
    """A submodule that was not checked out is an empty folder of the repository around it."""
    here = inside(place, ".")
    if not here:
        return None
    for record in _listed(place, "-s", here):
        mode, _, rest = record.partition(b" ")
        if mode == b"160000" and os.fsdecode(rest.partition(b"\t")[2]) == here:
            why = f"{here} is a submodule that is not checked out, and around it there is no {MEMORY}/"
            return Missing(why, f"git submodule update --init {here}, run at the top, checks it out", True)
    return None


def _listed(place: Place, how: str, path: str) -> list[bytes]:
    try:
        return run(place, "ls-files", how, "-z", "--", path).split(b"\0")[:-1]
    except MemError:
        return []
