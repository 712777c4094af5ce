"""A tombstone: the note that a soft forgetting leaves, tied to what it stands for by an event."""

from __future__ import annotations

from memwarden.core.event import FORGOTTEN, Event
from memwarden.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memwarden.core.memory import Memory

# The fact of a ``forgotten`` event that names the tombstone.
TOMBSTONE = "tombstone"


def tombstones(memory: Memory) -> frozenset[str]:
    """The notes that a soft forgetting left."""
    return frozenset(
        str(event.facts[TOMBSTONE]) for event in _soft(memory) if isinstance(event.facts[TOMBSTONE], str)
    )


def with_tombstones(memory: Memory, ids: Iterable[str]) -> set[str]:
    """Some notes, the tombstones that they left, and the notes whose tombstones they are."""
    found = set(ids)
    links = {(event.note, str(event.facts[TOMBSTONE])) for event in _soft(memory)}
    while True:
        more = {one for link in links if found.intersection(link) for one in link} - found
        if not more:
            return found
        found |= more


def _soft(memory: Memory) -> Iterator[Event]:
    for events in memory.events.values():
        for event in events:
            if event.kind == FORGOTTEN and TOMBSTONE in event.facts:
                yield event
