"""The end of a turn: charge what was written past, record what was paid, and write both where it is quiet."""

from __future__ import annotations

from memwarden.core.canonical import condition_digest
from memwarden.core.closing import Due, decide
from memwarden.core.glob import matches
from memwarden.core.note import DEBT
from memwarden.core.pending import FAILED, PAID
from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.core.session import CHARGED, CLOSED, seen_line
from memwarden.edge.judging import judge_now
from memwarden.edge.ledger import Ledger, ledger_path, session_key
from memwarden.edge.note_source import note_source
from memwarden.edge.pending import add_misses, add_verdicts, read_pending
from memwarden.edge.touched_paths import touches
from memwarden.edge.touching import was_written

if TYPE_CHECKING:
    from memwarden.core.actor import Actor
    from memwarden.core.closing import Closing
    from memwarden.core.session import Session
    from memwarden.edge.note_source import Found, NoteSource
    from memwarden.edge.place import Place


class Close(NamedTuple):
    """A turn has ended.  ``wrote`` are paths that the caller reports; ``agent`` is a subagent, whose end
    is nobody's turn.  ``at_once``: write payments now, whatever git is in the middle of.  ``read_only``:
    the host is in a mode in which nothing may appear in the working tree."""

    session: str = ""
    wrote: tuple[str, ...] = ()
    cwd: str = ""
    agent: str = ""
    at_once: bool = False
    read_only: bool = False


class Closed(NamedTuple):
    """The IDs of the debts that were charged and of those that were paid, and the event files written."""

    missed: tuple[str, ...] = ()
    paid: tuple[str, ...] = ()
    written: tuple[str, ...] = ()


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
    elif wrote:
        source = source or note_source(place, now[:10])
        dues = [_due(found, False, True) for found in _anchored(source, wrote)]
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
    import os

    if not os.path.exists(ledger_path(place, request.session)) and not wrote:
        return None
    source = source or note_source(place, now[:10])
    with Ledger(place, request.session) as ledger:
        session = ledger.session
        per_turn = source.settings.miss_per == "turn"
        owners = {owner for owner, _ in session.baselines}
        found = source.named(owners | set(session.delivered))
        dues = [
            _due(
                one,
                note_id in session.delivered,
                _is_written(place, session, one, wrote, per_turn),
                note_id in session.charged and not per_turn,
            )
            for note_id, one in found.items()
        ]
        named = set(found)
        dues += [_due(one, False, True) for one in _anchored(source, wrote) if one.note.id not in named]
        closing = _decide(place, dues, now)
        _keep(place, closing, now, actor, wrote)
        ledger.add(*((CHARGED, note.id) for note in closing.missed))
        if per_turn:
            _note_turn(place, ledger, found)
        ledger.add((CLOSED,))
        rules = [due.note.id for due in dues if due.note.lifecycle != DEBT and due.written and due.delivered]
        if rules:
            from memwarden.edge.counts import count_writes

            count_writes(place, rules, session_key(request.session)[:12])
        return closing


def _due(found: Found, delivered: bool, written: bool, charged: bool = False) -> Due:
    return Due(found.note, found.standing, delivered, written, charged)


def _anchored(source: NoteSource, wrote: tuple[str, ...]) -> list[Found]:
    """The notes with an anchor on a path that was written."""
    if not wrote:
        return []
    return [found for found in source.matching(wrote, ()) if _anchors_one(found, wrote)]


def _anchors_one(found: Found, paths: tuple[str, ...]) -> bool:
    return any(
        anchor.kind == "path" and matches(anchor.text, path)
        for anchor in found.note.anchors
        for path in paths
    )


def _is_written(place: Place, session: Session, found: Found, wrote: tuple[str, ...], per_turn: bool) -> bool:
    """Whether a note's anchor was written at or after its delivery (and, where misses are counted by
    turn, in this one)."""
    if _anchors_one(found, wrote):
        return True
    since = session.delivered.get(found.note.id, 0)
    if per_turn:
        since = max(since, session.closed)
    told = {anchor for anchor, _ in session.anchors_of(found.note.id)}
    return any(
        was_written(place, session, found.note, anchor, since)
        for anchor in dict.fromkeys((*found.note.anchors, *told))
    )


def _decide(place: Place, dues: list[Due], now: str) -> Closing:
    return decide(dues, read_pending(place), lambda note: judge_now(place, note, now[:10]), condition_digest)


def _keep(place: Place, closing: Closing, now: str, actor: Actor, wrote: tuple[str, ...] = ()) -> None:
    """Put what was decided where it waits to become events."""
    add_verdicts(place, FAILED, closing.failed, "close", now, actor)
    add_verdicts(place, PAID, closing.paid, "close", now, actor)
    add_misses(place, closing.missed, now, actor, wrote)


def _note_turn(place: Place, ledger: Ledger, found: dict[str, Found]) -> None:
    """The next turn's edits count from here."""
    from memwarden.edge.baseline import baseline_of

    at = ledger.now()
    for note_id in found:
        paths = dict.fromkeys(
            path for _, before in ledger.session.anchors_of(note_id) for path, _ in before.files
        )
        ledger.add(seen_line(note_id, baseline_of(place, at, (), paths)))


def _finish(place: Place, request: Close, closing: Closing | None, now: str, actor: Actor) -> Closed:
    """Write what waits, where the working tree is quiet."""
    missed = tuple(note.id for note in closing.missed) if closing else ()
    paid = tuple(note.id for note, _ in closing.paid) if closing else ()
    doubtful = tuple(note.id for note in closing.doubtful) if closing else ()
    if not (doubtful or read_pending(place)) or not (request.at_once or is_quiet(place, request.read_only)):
        return Closed(missed, paid)
    from memwarden.edge.receipts import flush

    written = flush(place, now, actor, doubtful=doubtful)
    return Closed(missed, tuple(dict.fromkeys((*paid, *written.paid))), tuple(written.paths))


def is_quiet(place: Place, read_only: bool = False) -> bool:
    """Whether event files may appear in the working tree: HEAD is on a branch, git waits for nothing,
    and the host is not in a mode that only reads."""
    from memwarden.edge.gitstate import head, operation

    return not read_only and bool(head(place).branch) and not operation(place)
