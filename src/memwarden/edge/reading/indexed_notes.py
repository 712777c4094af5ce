"""A touch's notes out of a fresh index: a few keyed values in place of the whole memory.

Folders' times tell that no note came, went or was checked out; the notes that a touch may bring up are
looked at one by one.  Whatever does not stand as it did, and whatever the index cannot answer, is asked of
the whole memory.
"""

from __future__ import annotations

from memwarden.core.manifest import Settings
from memwarden.core.record import TYPE_CHECKING
from memwarden.edge.index_read import Damaged, open_index
from memwarden.edge.reading.index_codec import unpack_manifest, unpack_note, unpack_standing
from memwarden.edge.reading.whole_memory import Found, WholeMemory

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memwarden.core.note import Note
    from memwarden.edge.index_read import IndexReader, Row
    from memwarden.edge.place import Place


def indexed_notes(place: Place, today: str) -> IndexedNotes | None:
    """The source, or None where the index is missing, damaged or out of date."""
    reader = open_index(place.private)
    if reader is None or not reader.fresh(place.root, today):
        return None
    try:
        return IndexedNotes(place, reader, today)
    except Damaged:
        return None


class IndexedNotes:
    """What a touch and a turn's close ask, answered by the index."""

    def __init__(self, place: Place, reader: IndexReader, today: str) -> None:
        self._place = place
        self._reader = reader
        self._today = today
        self._whole: WholeMemory | None = None
        manifest = unpack_manifest(reader.file.get("manifest"))
        self.settings = manifest.settings if manifest else Settings()
        self._unfit: frozenset[str] = reader.file.get("touch")[1]

    def matching(self, paths: Sequence[str], commands: Sequence[str]) -> Iterable[Found]:
        try:
            found = self._matching(paths, commands)
        except Damaged:
            found = None
        return self.whole.matching(paths, commands) if found is None else found

    def named(self, ids: Iterable[str]) -> dict[str, Found]:
        return self.whole.named(ids)

    def body(self, note: Note) -> str:
        from memwarden.core.workspace import Unreadable
        from memwarden.edge.tree.worktree import WorkingTree

        try:
            data = WorkingTree(self._place.root).read(note.path)
        except Unreadable:
            return ""
        # The note stands as it was read, so where its body starts is known without a parser.
        text = data.decode("utf-8-sig", "replace")
        for _ in range(note.body_line - 1):
            text = text.partition("\n")[2]
        return text

    @property
    def whole(self) -> WholeMemory:
        """The whole memory, for what the index cannot answer."""
        if self._whole is None:
            from memwarden.edge.reading.opening import open_memory

            self._whole = WholeMemory(open_memory(self._place), self._today)
        return self._whole

    def _matching(self, paths: Sequence[str], commands: Sequence[str]) -> list[Found] | None:
        """The notes, or None where one of them does not stand as the index says."""
        rows: dict[str, Row] = {}
        for path in paths:
            near = self._reader.candidates(path)
            if near is None:
                return None
            rows.update((row[0], row) for row in near)
        if commands:
            near = self._reader.command_notes()
            if near is None:
                return None
            rows.update((row[0], row) for row in near)
        found = []
        for path in sorted(rows):
            row = rows[path]
            if row[3] is None or not self._reader.current(row, self._place.root):
                return None
            if path not in self._unfit:
                found.append(Found(unpack_note(row[2]), unpack_standing(row[3])))
        return found
