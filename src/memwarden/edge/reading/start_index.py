"""What a session starts with, out of the index: the always-load pack and the debts that files have paid.

The same functions as for a memory that was read decide and write; what differs is that only the notes
which are told, or whose payment is young, are looked up.
"""

from __future__ import annotations

from memwarden.core.record import TYPE_CHECKING
from memwarden.core.workspace import Unreadable
from memwarden.edge.index_read import Damaged
from memwarden.edge.reading.index_codec import START_SHELF, unpack_manifest, unpack_note, unpack_standing
from memwarden.edge.reading.shelf_index import packed
from memwarden.edge.tree.checkout import working_tree
from memwarden.edge.tree.worktree import WorkingTree

if TYPE_CHECKING:
    from memwarden.core.manifest import Settings
    from memwarden.core.note import Note
    from memwarden.core.route.request import Request
    from memwarden.core.route.route import Routed
    from memwarden.edge.index_read import IndexReader
    from memwarden.edge.place import Place
    from memwarden.edge.reading.shelf_index import Kept
    from memwarden.edge.reading.whole_memory import Found


def start_index(place: Place, reader: IndexReader, today: str) -> StartIndex | None:
    """What the index says of a start; None where it cannot say, because the standings of another day are in
    it or the memory does not route.  Nothing of it counts before a full look has found all as it was."""
    tree = working_tree(place)
    if type(tree) is not WorkingTree or not reader.is_of(today):
        return None
    kept = reader.file.get("shelf")
    manifest = unpack_manifest(reader.file.get("manifest"))
    if kept is None or manifest is None:
        return None
    own = reader.file.get(START_SHELF + "shelf")
    return StartIndex(reader, tree, today, manifest.settings, own or kept, START_SHELF if own else "")


class StartIndex:
    """The answers; any of them may raise :class:`Damaged`."""

    refused = ""

    def __init__(
        self, reader: IndexReader, tree: WorkingTree, today: str, settings: Settings, kept: Kept, lead: str
    ) -> None:
        self._reader = reader
        self._today = today
        self._tree = tree
        self._kept = kept
        self._lead = lead
        self.settings = settings
        self.broken: tuple[str, ...] = reader.file.get("broken")

    def pack(self, wanted: Request) -> tuple[Routed, str]:
        """The route and the pack of a request."""
        return packed(self._reader, self._tree, self._kept, wanted, self._lead)

    def all(self) -> list[Found]:
        """The debts that files have paid, as long as the payment is young enough to be judged again."""
        paid = self._reader.file.get("paid")
        if not paid:
            return []
        from memwarden.core.turn.ladder import is_old
        from memwarden.edge.reading.whole_memory import Found

        young = [number for number, day in paid if not is_old(day, self._today, self.settings)]
        rows = self._reader.rows(young)
        if rows is None:
            raise Damaged
        return [Found(unpack_note(row[2]), unpack_standing(row[3] or ())) for row in rows]

    def body(self, note: Note) -> str:
        """The note's text, as its file has it."""
        from memwarden.edit.note_reader import body_of  # the parser, for what came back alone

        try:
            return body_of(self._tree.read(note.path))
        except Unreadable:
            return ""
