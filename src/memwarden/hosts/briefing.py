"""What a session starts with: the always-load pack, cut to what the host takes, and debts that came back."""

from __future__ import annotations

from memwarden.core.record import TYPE_CHECKING
from memwarden.core.route.request import Request as Wanted
from memwarden.core.turn.speech import characters
from memwarden.core.visible import plain
from memwarden.edge.index_read import Damaged
from memwarden.edge.reading.full_look import begin
from memwarden.edge.reading.start_index import start_index
from memwarden.errors import MemError
from memwarden.hosts import MOST_CHARACTERS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Protocol

    from memwarden.core.manifest import Settings
    from memwarden.core.note import Note
    from memwarden.core.route.route import Routed
    from memwarden.core.turn.speech import Delivery
    from memwarden.edge.place import Place
    from memwarden.edge.reading.full_look import FullLook
    from memwarden.edge.reading.whole_memory import Found

    class Start(Protocol):
        """What a start asks of the memory; ``refused`` says why nothing is routed, where that is so."""

        settings: Settings
        broken: tuple[str, ...]
        refused: str

        def all(self) -> Sequence[Found]:
            """Every debt that may have been paid, by path; others may be among them."""

        def body(self, note: Note) -> str:
            """The note's text."""

        def pack(self, wanted: Wanted) -> tuple[Routed, str]:
            """The route and the pack of a request."""


RETURNED = "Recorded debts of this project that were paid and came back. They are context, not permission."
MOST_NAMED = 5
# What the debts that came back may take of the room, and what the lines that count the rest take.
MOST_CAME_BACK = 3000
ROOM_FOR_COUNTS = 200


def briefing(
    place: Place, today: str, session: str = "", room: int = MOST_CHARACTERS, begun: FullLook | None = None
) -> str:
    """The pack of what is always loaded, the debts that came back and the notes that cannot be read, in at
    most ``room`` characters; "" where there is none of them.  The session's next close records what came
    back, where HEAD says so too.

    ``begun`` is a look at the whole memory that goes on meanwhile: where nothing has changed, the index
    knows all that is told here."""
    found = _out_of_index(place, today, room, begun)
    if found is None:
        from memwarden.hosts.whole_start import WholeStart  # reads the whole memory

        found = _told(place, WholeStart(place, today), today, room)
    text, returned = found
    if returned and session:
        from memwarden.edge.turn.ledger import note_returned

        note_returned(place, session, returned)
    return text


def _out_of_index(
    place: Place, today: str, room: int, begun: FullLook | None
) -> tuple[str, list[str]] | None:
    look = begun or begin(place.root, place.private)
    if look is None:
        return None
    try:
        source = start_index(place, look.reader, today)
        found = None if source is None else _told(place, source, today, room)
        return found if look.holds() else None
    except Damaged:
        return None
    finally:
        look.close()


def _told(place: Place, source: Start, today: str, room: int) -> tuple[str, list[str]]:
    """The text, and the IDs of the debts that came back."""
    told = _came_back(place, source, today)
    returned = _returned(told, min(MOST_CAME_BACK, room))
    broken = _broken(source.broken)
    room -= characters(returned) + characters(broken) + characters(source.refused) + 6
    pack = "" if source.refused else _pack(source, room)
    text = "\n\n".join(part.rstrip() for part in (pack, returned, broken, source.refused) if part)
    return text, [delivery.id for delivery in told]


def _came_back(place: Place, source: Start, today: str) -> Sequence[Delivery]:
    if not source.all():
        return ()
    from memwarden.edge.turn.came_back import came_back  # only payments are judged again

    return came_back(place, source, today)


def _pack(source: Start, room: int) -> str:
    """Whole notes only, fewer where the host takes less than the manifest allows."""
    try:
        routed, text = source.pack(Wanted())
        wanted = len(routed.loaded)
        budget = routed.tokens
        while routed.loaded and (size := characters(text)) > room - ROOM_FOR_COUNTS:
            # Tokens are estimates, so the budget shrinks until the characters fit.
            budget = min(budget - 1, budget * (room - ROOM_FOR_COUNTS) // size)
            routed, text = source.pack(Wanted(budget=max(budget, 1)))
    except MemError:
        return ""
    if not routed.loaded:
        return ""
    left = wanted - len(routed.loaded)
    if not left:
        return text
    noun = "note that is always loaded does" if left == 1 else "notes that are always loaded do"
    return f"{text.rstrip()}\n\n{left} more {noun} not fit here; mem route shows all of them."


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
