"""What a session starts with: the always-load pack, cut to what the host takes, whole notes only."""

from __future__ import annotations

import os

from memwarden.core.record import TYPE_CHECKING
from memwarden.core.request import Request as Wanted
from memwarden.core.serving import serve
from memwarden.core.standing import standings
from memwarden.edge.ledger import session_key
from memwarden.edge.opening import open_memory
from memwarden.errors import MemError
from memwarden.hosts import MOST_CHARACTERS

if TYPE_CHECKING:
    from memwarden.edge.place import Place

DUE = "due"
# For what is told beside the pack, and for the line that counts what did not fit.
ROOM_BESIDE = 200


def briefing(place: Place, today: str, room: int = MOST_CHARACTERS) -> str:
    """The pack of what is always loaded, in at most ``room`` characters; "" where it holds nothing.

    A memory without a usable manifest has no pack: the command line says why, a hook stays silent.
    """
    memory = open_memory(place)
    standing = standings(memory, today)
    try:
        found = serve(memory, standing, Wanted(), today)
        wanted = len(found.routed.loaded)
        budget = found.routed.tokens
        while found.routed.loaded and len(found.text) > room - ROOM_BESIDE:
            # Tokens are estimates, so the budget shrinks until the characters fit.
            budget = min(budget - 1, budget * (room - ROOM_BESIDE) // len(found.text))
            found = serve(memory, standing, Wanted(budget=max(budget, 1)), today)
    except MemError:
        return ""
    if not found.routed.loaded:
        return ""
    left = wanted - len(found.routed.loaded)
    if not left:
        return found.text
    noun = "note that is always loaded does" if left == 1 else "notes that are always loaded do"
    return f"{found.text.rstrip()}\n\n{left} more {noun} not fit here; mem route shows all of them.\n"


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
