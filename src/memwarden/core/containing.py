"""What a note says of itself, in the form in which texts are looked for: case, width, white space aside."""

from __future__ import annotations

from memwarden.core.record import TYPE_CHECKING
from memwarden.core.registry import folded

if TYPE_CHECKING:
    from memwarden.core.note import Note


def compared(text: str) -> str:
    """Text as it is compared: case, width and runs of white space aside."""
    return " ".join(folded(text).split())


def head_of(note: Note) -> str:
    """What a note says beside its body, as it is compared: title, subject, ID, file name and tags."""
    return compared("\n".join((note.title, note.subject, note.id, note.path.rpartition("/")[2], *note.tags)))
