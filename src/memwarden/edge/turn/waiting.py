"""What waits to become events, in this worktree's private state: where it lies, and what it says."""

from __future__ import annotations

import os

from memwarden.core.record import TYPE_CHECKING
from memwarden.core.turn.pending import RECORDED, fold, unrecorded
from memwarden.edge.turn.appending import read_lines

if TYPE_CHECKING:
    from memwarden.core.turn.lines import Line
    from memwarden.core.turn.pending import Pending
    from memwarden.edge.place import Place

FILE = "pending"


def pending_path(place: Place) -> str:
    """The file of this worktree in which what is not recorded yet waits."""
    return os.path.join(place.private, FILE)


def read_pending(place: Place) -> Pending:
    """What waits."""
    return fold(waiting_lines(place, read_lines(pending_path(place))))


def waiting_lines(place: Place, lines: list[Line]) -> list[Line]:
    """Those of the lines that no event of the working tree holds yet."""
    if all(line[0] != RECORDED for line in lines):
        return lines
    return unrecorded(lines, lambda path: os.path.lexists(os.path.join(place.root, path)))
