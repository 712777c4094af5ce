"""Opening the memory: the one door through which every command reads the working tree."""

from __future__ import annotations

from memwarden.core.manifest import PATH as MANIFEST
from memwarden.core.manifest import PROTOCOL
from memwarden.core.record import TYPE_CHECKING
from memwarden.core.workspace import Unreadable
from memwarden.edge.reading.index import indexed_memory, read_and_index
from memwarden.edge.tree.checkout import working_tree
from memwarden.edge.tree.worktree import WorkingTree

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import ExitStack

    from memwarden.core.memory import Memory
    from memwarden.edge.place import Place


def open_memory(
    place: Place,
    cache: bool = True,
    aside: ExitStack | None = None,
    beside: Callable[[], None] | None = None,
) -> Memory:
    """The memory as the working tree has it.

    ``cache`` lets what earlier readings found about unchanged files be used again, and keeps what this
    one finds; the answer is the same without it.  With ``aside`` the caller only reads until the stack
    ends; what was found is written down meanwhile, and each folder is listed once.  ``beside`` begins what
    may go on while a long reading does: not before what changes from then on is seen by the next one.
    """
    workspace = working_tree(place)
    if aside is not None:
        workspace.list_once()
    # What a sparse checkout left out comes from git's index, which has times of its own.
    cache = cache and type(workspace) is WorkingTree
    if cache:
        found = indexed_memory(place, workspace, _today())
        if found is not None:
            return _understood(found)

    from memwarden.edit.memory_reader import load  # late: a fresh index needs no reader

    if not cache:
        return _understood(load(workspace))
    return _understood(read_and_index(place, workspace, load, _today, aside, beside))


def _understood(memory: Memory) -> Memory:
    """The memory, unless its manifest was written for a newer program: then no command goes on."""
    if memory.manifest is None or memory.manifest.protocol > PROTOCOL:
        from memwarden.core.protocol import require_protocol  # only a manifest that is wrong comes here

        try:
            data = memory.workspace.read(MANIFEST)
        except Unreadable:
            return memory
        require_protocol(data)
    return memory


def _today() -> str:
    from memwarden.edge.clock import moment

    return moment()[:10]
