"""The end of a turn: charge what was written past, record what was paid, and write both where it is quiet."""

from __future__ import annotations

import os

from memwarden.core.canonical import condition_digest
from memwarden.core.glob import matches
from memwarden.core.note import DEBT
from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.core.turn.closing import Due, decide
from memwarden.core.turn.pending import FAILED, PAID
from memwarden.core.turn.session import CHARGED, CLOSED, COUNTED, seen_line
from memwarden.edge.command.judging import judge_now
from memwarden.edge.reading.note_source import note_source
from memwarden.edge.tree.touched_paths import touches
from memwarden.edge.turn.ledger import Ledger, forget_old_ledgers, ledger_path, session_key
from memwarden.edge.turn.pending import add_misses, add_verdicts
from memwarden.edge.turn.touching import writes_of
from memwarden.edge.turn.waiting import read_pending
from memwarden.errors import LockHeld

if TYPE_CHECKING:
    from memwarden.core.actor import Actor
    from memwarden.core.turn.closing import Closing
    from memwarden.core.turn.session import Session
    from memwarden.edge.place import Place
    from memwarden.edge.reading.whole_memory import Found, NoteSource

# How long an agent's turn may wait for another writer.
HOOK_PATIENCE = 1.0


class Close(NamedTuple):
    """A turn has ended.  ``wrote`` are paths that the caller reports; ``agent`` is a subagent, whose end
    is nobody's turn.  ``at_once``: write payments now, whatever git is in the middle of.  ``read_only``:
    the host is in a mode in which nothing may appear in the working tree.  ``patience`` is how many
    seconds to wait for other writers."""

    session: str = ""
    wrote: tuple[str, ...] = ()
    cwd: str = ""
    agent: str = ""
    at_once: bool = False
    read_only: bool = False
    patience: float = HOOK_PATIENCE


class Closed(NamedTuple):
    """The IDs of the debts that were charged and of those that were paid, and the event files written;
    ``held``: who holds the lock, so that what was to be written waits for the next close."""

    missed: tuple[str, ...] = ()
    paid: tuple[str, ...] = ()
    written: tuple[str, ...] = ()
    held: str = ""


NOTHING = Closed()


def close(place: Place, request: Close, now: str, actor: Actor, source: NoteSource | None = None) -> Closed:
    """Close a turn."""
    if request.agent:
        return NOTHING
    wrote = tuple(
        path
        for path in touches(place, request.wrote, cwd=request.cwd).writes
        if not path.startswith("memory/")
    )
    closing: Closing | None = None
    if request.session:
        closing = _close_session(place, request, wrote, now, actor, source)
        forget_old_ledgers(place)
    elif wrote:
        source = source or note_source(place, now[:10])
        dues = [Due(*found, delivered=False, written=True) for found in _anchored(source, wrote)]
        closing = _decide(place, dues, now)
        _keep(place, closing, now, actor)
    return _finish(place, request, closing, now, actor)


def _close_session(
    place: Place,
    request: Close,
    wrote: tuple[str, ...],
    now: str,
    actor: Actor,
    source: NoteSource | None,
) -> Closing | None:
    if not os.path.exists(ledger_path(place, request.session)) and not wrote:
        return None
    source = source or note_source(place, now[:10])
    with Ledger(place, request.session) as ledger:
        session = ledger.session
        per_turn = source.settings.miss_per == "turn"
        owners = {owner for owner, _ in session.baselines}
        found = source.named(owners | set(session.delivered) | session.returned)
        dues = []
        for note_id, one in found.items():
            written = _written(place, session, one, wrote, per_turn)
            charged = note_id in session.charged and not per_turn
            told = note_id in session.delivered
            dues.append(Due(*one, told, written is not None, charged, written or ()))
        others = (one for one in _anchored(source, wrote) if one.note.id not in found)
        dues += [Due(*one, delivered=False, written=True) for one in others]
        closing = _decide(place, dues, now)
        rules = [
            due.note.id
            for due in dues
            if due.note.lifecycle != DEBT and due.written and due.note.id not in session.counted
        ]
        ledger.add(*((CHARGED, due.note.id) for due in closing.missed))
        ledger.add(*((COUNTED, rule) for rule in rules))
        if per_turn:
            _note_turn(place, ledger, found)
        ledger.add((CLOSED,))
        ledger.write()  # first, so that nothing is charged twice if we die in between
        _keep(place, closing, now, actor)
        if rules:
            from memwarden.edge.turn.counting import count_writes

            count_writes(place, rules, session_key(request.session)[:12])
        return closing


def _anchored(source: NoteSource, wrote: tuple[str, ...]) -> list[Found]:
    """The notes with an anchor on a path that was written."""
    if not wrote:
        return []
    return [found for found in source.matching(wrote, ()) if _anchored_in(found, wrote)]


def _anchored_in(found: Found, paths: tuple[str, ...]) -> tuple[str, ...]:
    """Those of ``paths`` that an anchor of the note matches."""
    globs = [anchor.text for anchor in found.note.anchors if anchor.kind == "path"]
    return tuple(path for path in paths if any(matches(glob, path) for glob in globs))


def _written(
    place: Place, session: Session, found: Found, wrote: tuple[str, ...], per_turn: bool
) -> tuple[str, ...] | None:
    """The files of a note's anchors that were written at or after its delivery (and, where misses are
    counted by turn, in this one); None where nothing was."""
    note = found.note
    since = session.delivered.get(note.id, 0)
    if per_turn:
        since = max(since, session.closed)
    told = [anchor for anchor, _ in session.anchors_of(note.id)]
    parts = [
        writes_of(place, session, note, anchor, since) for anchor in dict.fromkeys((*note.anchors, *told))
    ]
    reported = _anchored_in(found, wrote)
    if not reported and all(part is None for part in parts):
        return None
    return tuple(dict.fromkeys((*reported, *(path for part in parts for path in part or ()))))


def _decide(place: Place, dues: list[Due], now: str) -> Closing:
    return decide(dues, read_pending(place), lambda note: judge_now(place, note, now[:10]), condition_digest)


def _keep(place: Place, closing: Closing, now: str, actor: Actor) -> None:
    """Put what was decided where it waits to become events."""
    add_verdicts(place, FAILED, closing.failed, "close", now, actor)
    add_verdicts(place, PAID, closing.paid, "close", now, actor)
    add_misses(place, closing.missed, now, actor)


def _note_turn(place: Place, ledger: Ledger, found: dict[str, Found]) -> None:
    """The next turn's edits count from here."""
    from memwarden.edge.turn.baseline import baseline_of

    at = ledger.now()
    for note_id in found:
        paths = dict.fromkeys(
            path for _, before in ledger.session.anchors_of(note_id) for path, _ in before.files
        )
        ledger.add(seen_line(note_id, baseline_of(place, at, (), paths)))


def _finish(place: Place, request: Close, closing: Closing | None, now: str, actor: Actor) -> Closed:
    """Write what waits, where the working tree is quiet."""
    missed = tuple(due.note.id for due in closing.missed) if closing else ()
    paid = tuple(note.id for note, _ in closing.paid) if closing else ()
    doubtful = tuple(note.id for note in closing.doubtful) if closing else ()
    # Misses alone wait until another one may bring their debt to ask_after.
    if not (doubtful or missed or read_pending(place).verdicts):
        return Closed(missed, paid)
    if not (request.at_once or is_quiet(place, request.read_only)):
        return Closed(missed, paid)
    from memwarden.edge.turn.receipts import flush

    try:
        written = flush(place, now, actor, doubtful=doubtful, timeout=request.patience)
    except LockHeld as error:
        if request.at_once:
            raise
        return Closed(missed, paid, held=error.message)
    return Closed(missed, tuple(dict.fromkeys((*paid, *written.paid))), tuple(written.paths))


def is_quiet(place: Place, read_only: bool = False) -> bool:
    """Whether event files may appear in the working tree: HEAD is on a branch, git waits for nothing,
    and the host is not in a mode that only reads."""
    from memwarden.edge.git.gitstate import head, operation

    return not read_only and bool(head(place).branch) and not operation(place)
