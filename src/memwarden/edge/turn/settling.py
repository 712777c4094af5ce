"""Settling: every debt is judged, and whatever was seen and is not recorded becomes an event."""

from __future__ import annotations

from memwarden.core.canonical import condition_digest
from memwarden.core.condition import FAILS, HOLDS, Verdict, has_command
from memwarden.core.note import DEBT
from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.core.standing import OWED, seen_failing
from memwarden.core.turn import pending as waiting
from memwarden.core.turn.ladder import may_pay, rests_on_files
from memwarden.edge.command.judging import judge_all_now
from memwarden.edge.reading.opening import open_memory
from memwarden.edge.reading.whole_memory import WholeMemory
from memwarden.edge.turn.receipts import flush, seen_verdict
from memwarden.edge.turn.waiting import read_pending
from memwarden.edge.writing.lock import DEFAULT_TIMEOUT

if TYPE_CHECKING:
    from memwarden.core.actor import Actor
    from memwarden.core.memory import Memory
    from memwarden.core.turn.pending import Pending
    from memwarden.edge.command.judging import Running
    from memwarden.edge.place import Place
    from memwarden.edge.reading.whole_memory import Found
    from memwarden.edge.turn.receipts import Written


class Settled(NamedTuple):
    """What was written, and ``unproven``: debts whose command succeeds now but was never seen failing."""

    written: Written
    unproven: tuple[str, ...] = ()


def settle(
    place: Place,
    now: str,
    actor: Actor,
    running: Running | None = None,
    timeout: float = DEFAULT_TIMEOUT,
) -> Settled:
    """Record every payment that holds, every regression at HEAD, failing verdicts that must be on record
    before a payment can be, and the misses that wait."""
    memory = open_memory(place)
    source = WholeMemory(memory, now[:10])
    pending = read_pending(place)
    fresh = []
    unproven = []
    doubtful = []
    debts = [found for found in source.all() if found.note.lifecycle == DEBT and found.note.condition]
    for found, judged in judge_all_now(place, memory, debts, now[:10], running):
        note, standing = found
        if rests_on_files(note, standing) and judged.verdict.state == FAILS:
            doubtful.append(note.id)
        if standing.name != OWED:
            continue
        kind = to_record(found, judged.verdict, pending, memory)
        if kind == UNPROVEN:
            unproven.append(note.id)
        elif kind:
            fresh.append(seen_verdict(place, kind, note, "settle", now, actor, judged))
    written = flush(place, now, actor, every_miss=True, doubtful=doubtful, fresh=fresh, timeout=timeout)
    return Settled(written, tuple(unproven))


UNPROVEN = "unproven"


def to_record(found: Found, verdict: Verdict, pending: Pending, memory: Memory) -> str:
    """What a verdict on an owed debt is worth: ``paid``, ``failed``, :data:`UNPROVEN`, or ""."""
    note, standing = found
    assert note.condition is not None
    digest = condition_digest(note.condition)
    runs = has_command(note.condition)
    seen_red = seen_failing(memory.events.get(note.id, ()), digest) or pending.fails(note.id, digest)
    if verdict.state == HOLDS:
        if verdict.ran and not seen_red:
            return UNPROVEN
        return waiting.PAID if may_pay(standing, pending, note, digest) else ""
    if (
        verdict.state == FAILS
        and not pending.fails(note.id, digest)
        and (standing.awaits_red or (runs and not seen_red))
    ):
        return waiting.FAILED
    return ""
