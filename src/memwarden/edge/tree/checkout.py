"""The working tree of a place: its files as they lie there, or with what a sparse checkout left out."""

from __future__ import annotations

import os

from memwarden.core.record import TYPE_CHECKING
from memwarden.edge.tree.worktree import WorkingTree

if TYPE_CHECKING:
    from memwarden.edge.place import Place


def working_tree(place: Place) -> WorkingTree:
    """The files on disk; in a sparse checkout also the tracked ones that it left out."""
    if os.path.exists(os.path.join(place.git_dir, "info", "sparse-checkout")):
        from memwarden.edge.tree.sparse import SparseTree  # asks git for the index where a file is missing

        return SparseTree(place)
    return WorkingTree(place.root)
