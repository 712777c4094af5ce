"""``mem pay``: someone declares that a debt is paid, and says why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memwarden.core.event import PAID
from memwarden.core.fitness import malformed_fields
from memwarden.core.note import DEBT
from memwarden.core.standing import DECLARED, OWED, SETTLED
from memwarden.edit.event_writer import condition_facts, draft, verdict_facts
from memwarden.edit.plan import Proposal, events_folder
from memwarden.edit.propose.bench import Bench
from memwarden.errors import Refused
from memwarden.judge.judge import judge_closely

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memwarden.core.memory import Memory
    from memwarden.edit.plan import Surroundings


def propose_pay(memory: Memory, intent: Mapping[str, Any], around: Surroundings) -> Proposal:
    """A ``paid`` event by declaration: it counts for the condition as it stands, and files that disagree
    do not take it back."""
    bench = Bench(memory, around)
    note = bench.note(intent["note"])
    standing = bench.standings[note.path]
    if note.lifecycle != DEBT:
        raise Refused(f"{note.path} is a rule, and a rule is never paid", "mem revoke retires one")
    if standing.name == SETTLED:
        return Proposal(notes=(note.id,))
    if standing.name != OWED or not note.id:
        why = standing.name if note.id else "without an ID (M005)"
        raise Refused(f"{note.path} is {why}, not owed", "only an owed debt can be paid")
    if "condition" in malformed_fields(memory).get(note.path, ()):
        why = f"M106: {note.path} has a condition that cannot be read, which is not the same as none"
        raise Refused(why, f"mem edit {note.id} mends it; mem check names the line")
    facts: dict[str, Any] = {"how": DECLARED, "reason": intent["reason"] or None}
    reads: frozenset[str] = frozenset()
    remarks: tuple[str, ...] = ()
    if note.condition is not None:
        judged = judge_closely(note.condition, memory.workspace, around.judging)
        facts |= {**condition_facts(note.condition), "verdict": verdict_facts(judged.verdict)}
        reads = frozenset(judged.reads)
        if not judged.verdict.holds:
            remarks = (f"its condition says otherwise ({judged.verdict.why}); your word counts",)
    event = draft(note.id, PAID, bench.events_of(note.id), facts, reads)
    looked_at = frozenset({note.path, events_folder(note.id), *reads})
    return Proposal(events=(event,), reads=looked_at, notes=(note.id,), remarks=remarks)
