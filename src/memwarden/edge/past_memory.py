"""The memory as a commit has it, read from blobs."""

from __future__ import annotations

from memwarden.core.record import TYPE_CHECKING
from memwarden.edge.git_workspace import CommitTree, EmptyTree
from memwarden.edge.place import MEMORY
from memwarden.edit.memory_reader import load

if TYPE_CHECKING:
    from memwarden.core.memory import Memory
    from memwarden.edge.place import Place


def memory_at(place: Place, commit: str) -> Memory:
    """The memory of one commit; an empty one for "", the time before the first."""
    if not commit:
        return load(EmptyTree(place))
    tree = CommitTree(place, commit)
    tree.prefetch(tree.paths(MEMORY))
    return load(tree)
