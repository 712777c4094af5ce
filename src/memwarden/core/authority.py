"""Whose word counts: what an agent does not decide, unless the manifest lets agents admit.

An agent may write down what it saw, reject a candidate, open a debt again, record a payment that the
condition proves, and admit a candidate on evidence that anyone can open.  To silence trusted memory, or to
bring back what was retired, is not its to do: else whoever makes a change could take out the memory that
speaks against it.  An easier condition, or an anchor less, comes to the same.  Nor does an agent put words
into what a person admitted: they would have a person's authority, and nobody would have looked at them.  A
build does what its owner's script says.
"""

from __future__ import annotations

from memwarden.core.actor import AGENT
from memwarden.core.condition import HOLDS
from memwarden.core.event import ADMITTED, FORGOTTEN, PAID, PURGED
from memwarden.core.note import CANDIDATE, place_of
from memwarden.core.record import TYPE_CHECKING
from memwarden.core.standing import DECLARED, OWED, verdict_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any

    from memwarden.core.event import Event
    from memwarden.core.manifest import Settings
    from memwarden.core.note import Note
    from memwarden.core.standing import Standing

PAY, FORGET = "pay", "forget"
SILENCE = "silence"  # revoke, supersede, archive, or an edit that comes to the same
RAISE = "bring back"  # out of the archive, or by an edit
EASE = "re-word what pays"
HUSH = "take an anchor from"
REWORD = "re-word"  # the claim itself
MOVE = "move"  # to where other tasks, or none, are told
DECISIONS = frozenset({PAY, FORGET, SILENCE, RAISE, EASE, HUSH, REWORD, MOVE})
RECORDED = {FORGOTTEN: FORGET, PURGED: FORGET}


def may(kind: str, act: str, settings: Settings) -> bool:
    """Whether an actor of this kind may do ``act`` on its own authority."""
    return kind != AGENT or settings.agents_may_admit or act not in DECISIONS


def decided_by(kind: str, facts: Mapping[str, Any]) -> str:
    """The decision that an event records, or "": a payment that its condition proves is none."""
    if kind != PAID:
        return RECORDED.get(kind, "")
    return PAY if facts.get("how") == DECLARED and verdict_in(facts) != HOLDS else ""


def swayed(
    before: Iterable[Note],
    was: Mapping[str, Standing],
    after: Iterable[Note],
    now: Mapping[str, Standing],
) -> Iterator[tuple[str, str]]:
    """The notes that a change silences or brings back, as (act, ID or path), whatever the command.

    A debt that is paid has its own law, and so has a candidate that is admitted.
    """
    notes = tuple(after)
    lives = {note.name for note in notes if now[note.path].live}
    paid = {note.name for note in notes if now[note.path].paid is not None}
    for note in before:
        name = note.name
        if was[note.path].live:
            if name not in lives and name not in paid:
                yield SILENCE, name
        elif name in lives and place_of(note.path) != CANDIDATE:
            yield RAISE, name


def eased(
    before: Iterable[Note], was: Mapping[str, Standing], after: Iterable[Note]
) -> Iterator[tuple[str, str]]:
    """The live notes that a change leaves live but makes easier to end, or to pass by: another condition of
    a debt that is owed (also of one that had none), no debt any more, an anchor less."""
    later = {note.name: note for note in after}
    for note in before:
        now = later.get(note.name)
        if now is None or now is note or not was[note.path].live:
            continue
        if was[note.path].name == OWED and (now.lifecycle, now.condition) != (note.lifecycle, note.condition):
            yield EASE, note.name
        if not set(note.anchors) <= set(now.anchors):
            yield HUSH, note.name


def reworded(
    before: Iterable[Note],
    was: Mapping[str, Standing],
    after: Iterable[Note],
    events: Mapping[str, tuple[Event, ...]],
    says_the_same: Callable[[Note, Note], bool],
) -> Iterator[tuple[str, str]]:
    """The live notes on a person's authority of which a change leaves another claim (other words, another
    subject or facet), or which it puts into another module, where other tasks load them.  What an agent
    admitted on evidence is as open as it was; what no event admitted was made by hand, and its review was
    its admission."""
    later = {note.name: note for note in after}
    for note in before:
        now = later.get(note.name)
        if now is None or now is note or not was[note.path].live or _is_agents(events.get(note.id, ())):
            continue
        if (now.subject, now.facet) != (note.subject, note.facet) or not says_the_same(note, now):
            yield REWORD, note.name
        elif now.path.rpartition("/")[0] != note.path.rpartition("/")[0]:
            yield MOVE, note.name


def _is_agents(events: Iterable[Event]) -> bool:
    """Whether nobody but agents admitted the note."""
    who = [event.actor[0] for event in events if event.kind == ADMITTED]
    return bool(who) and all(kind == AGENT for kind in who)
