"""How often notes fired, and in how many sessions: a metric of this worktree, never a fact of the project."""

from __future__ import annotations

import os

from memwarden.core.record import TYPE_CHECKING
from memwarden.core.turn.counts import Count, Counts, fold
from memwarden.edge.turn.appending import read_lines
from memwarden.edge.turn.counting import FILE

if TYPE_CHECKING:
    from memwarden.edge.place import Place


def read_counts(place: Place) -> Counts:
    """What was counted so far."""
    return fold(read_lines(os.path.join(place.private, FILE)))


def fires_of(place: Place, note: str) -> int:
    """How often a note was delivered in this worktree."""
    return read_counts(place).notes.get(note, Count()).fires if note else 0
