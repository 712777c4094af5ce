"""What was found in note blobs that git keeps, so that a commit hook reads only what is new.

A blob never changes, so a reading is good for as long as this program is.  The file is disposable and
lies beside the index of the working tree; only blobs that the last check met are kept in it.
"""

from __future__ import annotations

from contextlib import suppress

from memwarden.core.memory import Memory
from memwarden.core.note import Note
from memwarden.core.record import TYPE_CHECKING
from memwarden.edge.git.git_workspace import REGULAR
from memwarden.edge.index_read import Damaged, open_keyed, program_mark
from memwarden.edge.place import MEMORY
from memwarden.edge.reading.index_codec import pack_reading, unpack_reading
from memwarden.edge.reading.keyed_file import put_private
from memwarden.edge.reading.parallel_reading import is_read_ahead, read_notes
from memwarden.edit.memory_reader import load

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from memwarden.core.event import Event
    from memwarden.edge.git.git_workspace import Item, ListedTree
    from memwarden.edge.place import Place
    from memwarden.edit.memory_reader import Reading
    from memwarden.errors import Finding

FILE = "index-blobs"


class BlobReadings:
    """The note cache of listed trees, whose stamps are blob IDs."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._rows: dict[tuple[str, str], Any] = {}
        self._met: dict[tuple[str, str], Any] = {}
        self._learned = False
        self._listing: Mapping[str, Item] = {}
        self._ahead: dict[str, Reading] = {}
        file = open_keyed(f"{place.private}/{FILE}", program_mark(FILE))
        if file is not None:
            with suppress(Damaged):
                self._rows = dict(file.get("readings"))
            file.close()

    def loaded(self, tree: ListedTree) -> Memory:
        """The memory of a tree; the contents that are not known are asked of git in one go."""
        self._listing = listing = tree.listing()
        unknown = [path for path in tree.paths(MEMORY) if (path, listing[path].blob) not in self._rows]
        tree.prefetch(unknown)
        # A copy of this process must not ask git, whose pipe is ours: it reads what is at hand already.
        at_hand = [path for path in unknown if is_read_ahead(path) and listing[path].mode in REGULAR]
        self._ahead = read_notes(tree, at_hand)
        return load(tree, self)

    def vouched(self, path: str) -> Reading | None:
        item = self._listing.get(path)
        if item is None or item.mode not in REGULAR:
            return None
        ahead = self._ahead.pop(path, None)
        if ahead is None:
            return self.get(path, item.blob)
        self.put(path, item.blob, *ahead)
        return ahead

    def get(self, path: str, stamp: str) -> Reading | None:
        row = self._rows.get((path, stamp)) or self._met.get((path, stamp))
        if row is None:
            return None
        self._met[path, stamp] = row
        return unpack_reading(path, row)

    def put(self, path: str, stamp: str, record: Note | Event | None, findings: tuple[Finding, ...]) -> None:
        self._met[path, stamp] = pack_reading(path, record, findings)
        self._learned = True

    def row(self, path: str, stamp: str) -> tuple[Any, tuple[Any, ...]] | None:
        """What reading a file gave, packed; None for a file that was not met as a note or an event."""
        return self._met.get((path, stamp))

    def keep(self) -> None:
        """Write down what was met, where something new was; a place that cannot be written has none."""
        if self._learned:
            put_private(self._place, FILE, [("readings", list(self._met.items()))], 1)
