"""``mem revoke`` and ``mem reinstate``: a note was wrong, or its end was."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memwarden.core.event import REINSTATED, REVOKED
from memwarden.core.note import ACTIVE, CANDIDATE, DEBT, Note, place_of
from memwarden.core.standing import RETIRED, SETTLED, TURNED_DOWN
from memwarden.edit.event_writer import condition_facts, draft, verdict_facts
from memwarden.edit.plan import Proposal, events_folder
from memwarden.edit.propose.bench import Bench
from memwarden.errors import Refused
from memwarden.judge.judge import judge_closely

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memwarden.core.memory import Memory
    from memwarden.edit.plan import Surroundings

MANUAL = "manual"


def propose_revoke(memory: Memory, intent: Mapping[str, Any], around: Surroundings) -> Proposal:
    """A ``revoked`` event: the note is silent everywhere, its file and its reason stay."""
    bench = Bench(memory, around)
    note = bench.note(intent["note"])
    if place_of(note.path) == CANDIDATE:
        raise Refused(f"{note.path} is a candidate", f"mem reject {note.name}")
    _require_id(note)
    if bench.standings[note.path].name == RETIRED:
        return Proposal(notes=(note.id,))
    event = draft(note.id, REVOKED, bench.events_of(note.id), {"reason": intent["reason"] or None})
    reads = frozenset({note.path, events_folder(note.id)})
    return Proposal(events=(event,), reads=reads, notes=(note.id,))


def propose_reinstate(memory: Memory, intent: Mapping[str, Any], around: Surroundings) -> Proposal:
    """A ``reinstated`` event: paid, revoked or rejected is undone, misses are kept."""
    bench = Bench(memory, around)
    note = bench.note(intent["note"])
    _require_id(note)
    standing = bench.standings[note.path]
    if standing.name == RETIRED and standing.reason in ("forgotten", "purged"):
        raise Refused(f"{note.id} was {standing.reason}; that is not undone", "write a new note")
    facts: dict[str, Any] = {"why": MANUAL, "reason": intent["reason"] or None}
    reads: frozenset[str] = frozenset()
    remarks: tuple[str, ...] = ()
    if note.lifecycle == DEBT and note.condition is not None:
        judged = judge_closely(note.condition, memory.workspace, around.judging)
        facts |= {**condition_facts(note.condition), "verdict": verdict_facts(judged.verdict)}
        reads = frozenset(judged.reads)
        if judged.verdict.holds:
            remarks = (
                "the condition holds now: the debt pays by itself only once it has been seen failing;"
                " mem pay, or another condition, is the other way",
            )
    if standing.name not in (RETIRED, SETTLED, TURNED_DOWN):
        remarks = (*remarks, f"{note.id} is {standing.name}: nothing changes but the record")
    if place_of(note.path) == ACTIVE and standing.name == RETIRED:
        bench.require_free(note)
    event = draft(note.id, REINSTATED, bench.events_of(note.id), facts, reads)
    return Proposal(
        events=(event,),
        reads=frozenset({note.path, events_folder(note.id), *reads}),
        notes=(note.id,),
        remarks=remarks,
    )


def _require_id(note: Note) -> None:
    if not note.id:
        raise Refused(
            f"M005: {note.path} has no ID, so nothing can be recorded about it", "give it an id first"
        )
