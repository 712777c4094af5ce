"""The memory for a writer: what the index knows, with the few files that changed since read again.

A writer makes the index stale by what it writes, so writing a new one before that would be work for
nothing: the next reader does it.
"""

from __future__ import annotations

from memwarden.core.manifest import PATH as MANIFEST
from memwarden.core.manifest import PROTOCOL
from memwarden.core.record import TYPE_CHECKING
from memwarden.edge.index_read import Damaged, open_index
from memwarden.edge.reading.index import memory_of
from memwarden.edge.reading.opening import open_memory
from memwarden.edge.reading.tree_stamps import look, stamps_of
from memwarden.edge.tree.checkout import working_tree
from memwarden.edge.tree.worktree import WorkingTree
from memwarden.edit.snapshot import with_files

if TYPE_CHECKING:
    from memwarden.core.memory import Memory
    from memwarden.edge.place import Place

# With more files to read again a new index pays.
FEW = 200


def memory_to_change(place: Place) -> Memory:
    """The memory as the working tree has it, like :func:`open_memory`, for a command that holds the lock."""
    workspace = working_tree(place)
    found = _patched(place, workspace) if type(workspace) is WorkingTree else None
    return open_memory(place) if found is None else found


def _patched(place: Place, workspace: WorkingTree) -> Memory | None:
    reader = open_index(place.private)
    if reader is None:
        return None
    tree = look(place.root)
    # Where links lead, other files' times count; a folder named like a note is told by a whole reading.
    if tree.linked or any(folder.endswith(".md") for folder in tree.folders):
        return None
    now = dict(zip(tree.paths, tree.stamps, strict=True))
    try:
        then = stamps_of(reader)
        changed = {
            path for path in now.keys() | then.keys() if then.get(path) != now.get(path) or not then.get(path)
        }
        changed.difference_update(tree.folders)
        if len(changed) > FEW or MANIFEST in changed:
            return None
        known = memory_of(reader, workspace)
    except Damaged:
        return None
    if known.manifest is None or known.manifest.protocol > PROTOCOL:
        return None  # the whole reading says what is wrong with it
    return with_files(known, workspace, changed)
