"""``mem inbox``: what was decided about several candidates, as one plan."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memwarden.core.event import FOLDER
from memwarden.edit.event_writer import EventDraft, Stamp, event_file
from memwarden.edit.plan import Proposal
from memwarden.edit.snapshot import changed_memory

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memwarden.core.memory import Memory
    from memwarden.edit.plan import Surroundings

# A moment that no real event has: these events only stand in while the plan is put together.
PENDING = "0000-00-00T00:00:00Z"


def propose_inbox(memory: Memory, intent: Mapping[str, Any], around: Surroundings) -> Proposal:
    """Each decision is proposed over what those before it leave, so that two candidates for one key meet."""
    from memwarden.edit.propose import proposal_for  # it knows this module by name

    changes: dict[str, bytes | None] = {}
    events: list[EventDraft] = []
    reads: set[str] = set()
    notes: list[str] = []
    remarks: list[str] = []
    current = memory
    stamp = Stamp(PENDING, around.actor)
    for decision in intent["decisions"]:
        proposal = proposal_for(decision)(current, decision, around)
        changes |= proposal.changes
        events += proposal.events
        reads |= {path for path in proposal.reads if not path.startswith(FOLDER) or path.endswith("/")}
        notes += proposal.notes
        remarks += proposal.remarks
        written = dict(event_file(event, stamp) for event in proposal.events)
        current = changed_memory(current, {**proposal.changes, **written})
    return Proposal(changes, tuple(events), frozenset(reads), tuple(notes), tuple(remarks))
