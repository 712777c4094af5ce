"""What a session starts with: the always-load pack, cut to what the host takes, and debts that came back."""

from __future__ import annotations

import os

from memwarden.core.record import TYPE_CHECKING
from memwarden.core.route.request import Request as Wanted
from memwarden.core.route.request import require_manifest
from memwarden.core.route.serving import serve
from memwarden.core.standing import standings
from memwarden.core.turn.speech import characters
from memwarden.core.visible import plain
from memwarden.edge.reading.opening import open_memory
from memwarden.edge.reading.whole_memory import WholeMemory
from memwarden.edge.turn.came_back import came_back
from memwarden.edge.turn.ledger import note_returned, session_key
from memwarden.edit.starter import unfilled
from memwarden.errors import MemError, Refused
from memwarden.hosts import MOST_CHARACTERS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memwarden.core.memory import Memory
    from memwarden.core.standing import Standing
    from memwarden.core.turn.speech import Delivery
    from memwarden.edge.place import Place

RETURNED = "Recorded debts of this project that were paid and came back. They are context, not permission."
DUE = "due"
MOST_NAMED = 5
# What the debts that came back may take of the room, and what the lines that count the rest take.
MOST_CAME_BACK = 3000
ROOM_FOR_COUNTS = 200


def briefing(place: Place, today: str, session: str = "", room: int = MOST_CHARACTERS) -> str:
    """The pack of what is always loaded, the debts that came back and the notes that cannot be read, in at
    most ``room`` characters; "" where there is none of them.  The session's next close records what came
    back, where HEAD says so too."""
    memory = open_memory(place)
    told = came_back(place, WholeMemory(memory, today), today)
    if told and session:
        note_returned(place, session, [delivery.id for delivery in told])
    returned = _returned(told, min(MOST_CAME_BACK, room))
    broken = _broken(memory.broken)
    # A form that nobody has filled in is no knowledge: a route shows it, a session need not hear it.
    blank = unfilled(memory)
    known = memory._replace(notes=tuple(note for note in memory.notes if note.path not in blank))
    refused = unrouted(memory)
    room -= characters(returned) + characters(broken) + characters(refused) + 6
    pack = "" if refused else _pack(known, standings(known, today), today, room)
    return "\n\n".join(part.rstrip() for part in (pack, returned, broken, refused) if part)


def unrouted(memory: Memory) -> str:
    """Why nothing is routed, with the first line that is wrong; "" where the manifest is in order."""
    try:
        require_manifest(memory)
    except Refused as refused:
        where = "".join(
            f" {plain(one.path)}:{one.line or 1}: {plain(one.message)}." for one in refused.findings[:1]
        )
        return f"{plain(refused.message)}.{where} mem check says what to do."
    return ""


def _pack(memory: Memory, standing: Mapping[str, Standing], today: str, room: int) -> str:
    """Whole notes only, fewer where the host takes less than the manifest allows."""
    try:
        found = serve(memory, standing, Wanted(), today)
        wanted = len(found.routed.loaded)
        budget = found.routed.tokens
        while found.routed.loaded and (size := characters(found.text)) > room - ROOM_FOR_COUNTS:
            # Tokens are estimates, so the budget shrinks until the characters fit.
            budget = min(budget - 1, budget * (room - ROOM_FOR_COUNTS) // size)
            found = serve(memory, standing, Wanted(budget=max(budget, 1)), today)
    except MemError:
        return ""
    if not found.routed.loaded:
        return ""
    left = wanted - len(found.routed.loaded)
    if not left:
        return found.text
    noun = "note that is always loaded does" if left == 1 else "notes that are always loaded do"
    return f"{found.text.rstrip()}\n\n{left} more {noun} not fit here; mem route shows all of them."


def _returned(told: Sequence[Delivery], room: int) -> str:
    """The debts that came back, the most pressing first, as long as there is room."""
    parts: list[str] = []
    for delivery in told:
        if len(RETURNED) + sum(map(characters, (*parts, delivery.text))) + ROOM_FOR_COUNTS <= room:
            parts.append(delivery.text)
    left = len(told) - len(parts)
    more = [f"{left} more came back; mem debts shows them."] if left else []
    return "\n\n".join([RETURNED, *parts, *more]) if told else ""


def _broken(paths: tuple[str, ...]) -> str:
    """Notes that are not in force because their files cannot be read: the others still are."""
    if not paths:
        return ""
    named = ", ".join(plain(path) for path in paths[:MOST_NAMED])
    more = f" and {len(paths) - MOST_NAMED} more" if len(paths) > MOST_NAMED else ""
    return f"Not readable, so not in force: {named}{more}. mem check says why."


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
