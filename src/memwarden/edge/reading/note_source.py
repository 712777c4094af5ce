"""Where a touch finds the notes that it may bring up.

The plain way reads the whole memory.  An index that is fresh answers the same questions from a few keyed
values; whoever asks cannot tell which of the two it was.
"""

from __future__ import annotations

from memwarden.core.record import TYPE_CHECKING
from memwarden.edge.reading.indexed_notes import indexed_notes
from memwarden.edge.reading.whole_memory import WholeMemory

if TYPE_CHECKING:
    from memwarden.edge.place import Place
    from memwarden.edge.reading.whole_memory import NoteSource


def note_source(place: Place, today: str) -> NoteSource:
    """The best source there is."""
    found = indexed_notes(place, today)
    if found is not None:
        return found
    from memwarden.edge.reading.opening import open_memory

    return WholeMemory(open_memory(place), today)
