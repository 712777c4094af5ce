"""Opening the memory: the one door through which every command reads the working tree."""

from __future__ import annotations

from memwarden.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from memwarden.core.memory import Memory
    from memwarden.edge.place import Place


def open_memory(place: Place, cache: bool = True) -> Memory:
    """The memory as the working tree has it.

    ``cache`` lets what earlier readings found about unchanged files be used again; the answer is the
    same without it.
    """
    from memwarden.edge.worktree import WorkingTree  # imported late: a fresh index needs neither
    from memwarden.edit.memory_reader import load

    return load(WorkingTree(place.root))
