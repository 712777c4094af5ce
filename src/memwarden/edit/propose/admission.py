"""Becoming trusted memory: evidence that qualifies, pinned; for a debt, a condition that is seen failing.

The same for a note that is added active, a candidate that is admitted, and a debt whose condition is
written anew.
"""

from __future__ import annotations

from memwarden.core.actor import HUMAN
from memwarden.core.condition import CANNOT_TELL, HOLDS
from memwarden.core.event import ADMITTED, Event
from memwarden.core.fitness import PATH_EVIDENCE, QUALIFYING
from memwarden.core.note import DEBT, Evidence, Note
from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.core.workspace import FILE, Unreadable
from memwarden.edit.event_writer import EventDraft, condition_facts, draft, verdict_facts
from memwarden.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from memwarden.edit.propose.bench import Bench

UNQUALIFIED = ("agent", "conversation")


class Admission(NamedTuple):
    """The ``admitted`` event of a note, the files that it rests on, and remarks for the preview."""

    event: EventDraft
    reads: frozenset[str]
    remarks: tuple[str, ...]


def qualifies(evidence: Iterable[Evidence], by: str, agents_may_admit: bool) -> bool:
    """Whether evidence given by an actor of the kind ``by`` can make a note active: ``user`` evidence
    counts from a person only, unless the manifest lets agents admit."""
    return any(
        one.key in QUALIFYING
        and bool(one.value.strip())
        and (one.key != "user" or by == HUMAN or agents_may_admit)
        for one in evidence
    )


def admission(bench: Bench, note: Note, earlier: Iterable[Event]) -> Admission:
    """What records that ``note``, as it will stand, becomes active (or is re-worded).

    Raises :class:`Refused` where a debt's condition holds already.
    """
    facts: dict[str, Any] = {"evidence": [{one.key: one.value} for one in note.evidence]}
    pins = _pins(bench, note)
    if pins:
        facts["blobs"] = pins
    reads = {one.path for one in note.evidence if one.key in PATH_EVIDENCE}
    remarks: tuple[str, ...] = ()
    read_by_judge: frozenset[str] = frozenset()
    if note.lifecycle == DEBT and note.condition is not None:
        red = first_verdict(bench, note)
        facts |= red.facts
        read_by_judge, remarks = red.reads, red.remarks
    event = draft(note.id, ADMITTED, earlier, facts, read_by_judge)
    return Admission(
        event, frozenset(reads | read_by_judge), (*remarks, *_too_late(note, bench.around.today))
    )


def _too_late(note: Note, today: str) -> tuple[str, ...]:
    """The remark on a note whose time is over before anybody is told of it."""
    if not note.expires or note.expires >= today:
        return ()
    return (f"it expired on {note.expires} already: nobody is told of it",)


class Red(NamedTuple):
    """What judging a debt's condition before it is written gave."""

    facts: dict[str, Any]
    reads: frozenset[str]
    remarks: tuple[str, ...]


def first_verdict(bench: Bench, note: Note) -> Red:
    """Red, then green: the verdict on a debt's condition as it is written.

    Raises :class:`Refused` where it holds: the debt is paid already, or the condition is wrong.
    """
    from memwarden.judge.judge import judge_closely  # a rule has nothing to judge
    from memwarden.judge.vacuity import shortcuts

    condition = note.condition
    assert condition is not None
    workspace = bench.memory.workspace
    judged = judge_closely(condition, workspace, bench.around.judging)
    verdict = judged.verdict
    if verdict.state == HOLDS:
        raise Refused(
            f"M401: the condition already holds ({verdict.why}), so nothing would be owed",
            "write a condition that fails now and holds once the debt is paid",
        )
    remarks = []
    if verdict.state == CANNOT_TELL:
        remarks.append(f"whether the condition holds cannot be told now: {verdict.why}")
    ways: dict[str, list[str]] = {}
    for shortcut in shortcuts(condition, workspace):
        ways.setdefault(shortcut.stricter, []).append(shortcut.how)
    for stricter, ways_in in ways.items():
        remarks.append(f"would also be paid by: {', or '.join(ways_in)}")
        remarks += [f"  stricter: {stricter}"] if stricter else []
    facts = {**condition_facts(condition), "verdict": verdict_facts(verdict)}
    return Red(facts, frozenset(judged.reads), tuple(remarks))


def _pins(bench: Bench, note: Note) -> dict[str, str]:
    """The blob ID of every evidence file; one that is not there is the law's to refuse (M202)."""
    workspace = bench.memory.workspace
    found = {}
    for one in note.evidence:
        path = one.path
        if one.key not in PATH_EVIDENCE or path in found:
            continue
        try:
            entry = workspace.entry(path)
            if entry is not None and entry.kind == FILE:
                found[path] = workspace.blob(path)
        except Unreadable:
            continue
    return found
