"""How misses and verdicts come to wait until they become events.

Appending is cheap and is what a hook does in the middle of a turn; :mod:`receipts` writes the event files,
under the worktree's lock, and takes what it wrote out of the waiting.
"""

from __future__ import annotations

from memwarden.core.record import TYPE_CHECKING
from memwarden.core.turn.pending import miss_line, verdict_line
from memwarden.edge.turn.appending import append_lines
from memwarden.edge.turn.waiting import pending_path

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memwarden.core.actor import Actor
    from memwarden.core.condition import Verdict
    from memwarden.core.note import Note
    from memwarden.core.turn.closing import Due
    from memwarden.core.turn.lines import Line
    from memwarden.edge.place import Place


def add_misses(place: Place, dues: Iterable[Due], now: str, actor: Actor) -> None:
    """Charge one miss to each note, with the files that were written."""
    who = (actor.kind, actor.name)
    _append(place, [miss_line(due.note.id, now, who, due.paths) for due in dues])


def add_verdicts(
    place: Place,
    kind: str,
    verdicts: Iterable[tuple[Note, Verdict]],
    how: str,
    now: str,
    actor: Actor,
) -> None:
    """Keep verdicts that are to become events: ``kind`` is ``paid`` or ``failed``.

    Which commit HEAD is at, the branch and whether a file that the condition read differs from HEAD are
    noted now, because they may be others by the time the event is written.
    """
    found = list(verdicts)
    if not found:
        return
    from memwarden.edge.turn.receipts import seen_verdict  # judges again, for the evidence: rare

    lines = [verdict_line(seen_verdict(place, kind, note, how, now, actor)) for note, _ in found]
    _append(place, lines)


def _append(place: Place, lines: list[Line]) -> None:
    if lines:
        append_lines(pending_path(place), lines)
