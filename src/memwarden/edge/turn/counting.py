"""Counting what fired: the appending half of :mod:`counts`, which every delivery passes through."""

from memwarden.core.turn.lines import FIRE, SESSION, WRITE
from memwarden.edge.turn.appending import append_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from memwarden.core.turn.lines import Line
    from memwarden.edge.place import Place

FILE = "counts"
MOST_BYTES = 1 << 18


def count_fires(place: "Place", notes: "Iterable[str]", session: str) -> None:
    """Count deliveries of notes in a session ("" where there is none)."""
    add_fires(place.private, notes, session)


def add_fires(private: str, notes: "Iterable[str]", session: str) -> None:
    """The same, for who knows no more than where private state lies."""
    lines: list[Line] = [(FIRE, note, session) for note in notes]
    if lines and session:
        lines.append((SESSION, session))
    _append(private, lines)


def count_writes(place: "Place", notes: "Iterable[str]", session: str) -> None:
    """Count the rules whose anchor was written in a turn."""
    _append(place.private, [(WRITE, note, session) for note in notes])


def _append(private: str, lines: "list[Line]") -> None:
    if lines:
        append_lines(f"{private}/{FILE}", lines, MOST_BYTES, _shortened)


def _shortened(lines: "list[Line]") -> "list[Line]":
    from memwarden.core.turn.counts import shortened  # once in some thousand deliveries

    return shortened(lines)
