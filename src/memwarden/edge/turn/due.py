"""The mark that a context was compacted: a briefing is due with the next prompt."""

from __future__ import annotations

import os

from memwarden.core.record import TYPE_CHECKING
from memwarden.edge.turn.session_file import session_key

if TYPE_CHECKING:
    from memwarden.edge.place import Place

DUE = "due"


def mark_due(place: Place, session: str) -> None:
    """Remember that a context was compacted and that the host says nothing before the next prompt."""
    path = _mark(place, session)
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
    except OSError:
        return


def take_due(place: Place, session: str) -> bool:
    """Whether a briefing was due; it then no longer is."""
    try:
        os.unlink(_mark(place, session))
    except OSError:
        return False
    return True


def _mark(place: Place, session: str) -> str:
    return os.path.join(place.private, DUE, session_key(session))
