"""What the lines of the counts add up to: how often notes fired, and in how many sessions."""

from __future__ import annotations

from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.core.turn.lines import FIRE, SESSION, WRITE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memwarden.core.turn.lines import Line

_SUM = "sum"  # note, fires, sessions, writes: what was counted before the file was shortened
_SESSIONS = "sessions"  # how many there were before the file was shortened


class Count(NamedTuple):
    """``fires`` are deliveries, ``sessions`` the sessions in which there was one, ``writes`` the turns
    in which the anchor was written."""

    fires: int = 0
    sessions: int = 0
    writes: int = 0


class Counts(NamedTuple):
    """Every note's count, by ID, and how many sessions were seen."""

    notes: dict[str, Count]
    sessions: int = 0


def fold(lines: Iterable[Line]) -> Counts:
    """What the lines add up to; lines of another kind say nothing."""
    notes: dict[str, Count] = {}
    met: dict[str, set[str]] = {}
    seen: set[str] = set()
    before = 0
    for line in lines:
        kind, *fields = line
        if kind in (FIRE, WRITE) and len(fields) == 2:
            count = notes.get(fields[0], Count())
            if kind == WRITE:
                notes[fields[0]] = count._replace(writes=count.writes + 1)
                continue
            sessions = met.setdefault(fields[0], set())
            new = bool(fields[1]) and fields[1] not in sessions
            sessions.add(fields[1])
            notes[fields[0]] = count._replace(fires=count.fires + 1, sessions=count.sessions + new)
        elif kind == SESSION and len(fields) == 1:
            seen.add(fields[0])
        elif kind == _SUM and len(fields) == 4 and all(field.isdecimal() for field in fields[1:]):
            notes[fields[0]] = Count(*map(int, fields[1:]))
        elif kind == _SESSIONS and len(fields) == 1 and fields[0].isdecimal():
            before = int(fields[0])
    return Counts(notes, before + len(seen))


def shortened(lines: list[Line]) -> list[Line]:
    """The sums of all that the lines say, as lines."""
    counts = fold(lines)
    sums: list[Line] = [
        (_SUM, note, str(count.fires), str(count.sessions), str(count.writes))
        for note, count in counts.notes.items()
    ]
    return [*sums, (_SESSIONS, str(counts.sessions))]
