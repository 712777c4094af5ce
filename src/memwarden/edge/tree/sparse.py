"""The working tree of a sparse checkout: what git left out of it is served from the index.

A file that is tracked but not checked out is there for everyone else; a debt must not be paid, nor a
rule broken, by the part of the tree that this clone chose to see.
"""

from __future__ import annotations

from memwarden.core.record import TYPE_CHECKING
from memwarden.edge.git.git_workspace import IndexTree
from memwarden.edge.tree.worktree import WorkingTree

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memwarden.core.workspace import Entry
    from memwarden.edge.place import Place


class SparseTree(WorkingTree):
    """The files on disk, and the tracked ones that a sparse checkout left out."""

    def __init__(self, place: Place) -> None:
        super().__init__(place.root)
        self._index = IndexTree(place)

    def entry(self, path: str) -> Entry | None:
        found = super().entry(path)
        return self._index.entry(path) if found is None and self._left_out(path) else found

    def read(self, path: str) -> bytes:
        return self._index.read(path) if self._is_elsewhere(path) else super().read(path)

    def blob(self, path: str) -> str:
        return self._index.blob(path) if self._is_elsewhere(path) else super().blob(path)

    def resolved(self, path: str) -> str:
        return self._index.resolved(path) if self._is_elsewhere(path) else super().resolved(path)

    def paths(self, under: str = "", passing: frozenset[str] = frozenset()) -> Iterator[str]:
        on_disk = list(super().paths(under, passing))
        self._index.listing()
        left_out = [path for path in self._index.paths(under, passing) if path in self._index.skipped]
        return iter(sorted({*on_disk, *left_out}) if left_out else on_disk)

    def _is_elsewhere(self, path: str) -> bool:
        return super().entry(path) is None and self._left_out(path)

    def _left_out(self, path: str) -> bool:
        """Whether ``path`` is a file that was left out, or a folder with such a file in it."""
        self._index.listing()
        skipped = self._index.skipped
        return path in skipped or any(name in skipped for name in self._index.paths(path))
