"""``mem purge`` and ``mem forget --hard``: nothing that tells the topic."""

from __future__ import annotations

from memwarden.core.record import TYPE_CHECKING
from memwarden.edit.erasure import Blocked, erasure
from memwarden.edit.plan import Proposal, events_folder

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from memwarden.core.memory import Memory
    from memwarden.edit.plan import Surroundings


def propose_forget_hard(memory: Memory, intent: Mapping[str, Any], around: Surroundings) -> Proposal:
    """Every file that tells about the notes goes; one event of each says that it was forgotten."""
    return _erased(memory, intent)


def propose_purge(memory: Memory, intent: Mapping[str, Any], around: Surroundings) -> Proposal:
    """Every file that tells about the notes, the subject or the text goes."""
    return _erased(memory, intent)


def _erased(memory: Memory, intent: Mapping[str, Any]) -> Proposal:
    found = erasure(memory, intent)
    if found.blocked:
        raise Blocked(found)
    return Proposal(
        changes=found.changes,
        events=found.events,
        reads=frozenset(events_folder(one) for one in found.ids),
        notes=found.ids,
        remarks=found.risks,
        discreet=True,
    )
