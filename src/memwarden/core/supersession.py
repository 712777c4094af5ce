"""Who supersedes whom: only a successor that is alive retires its predecessor.

``supersedes`` is the only record of supersession.  Where the successor is revoked, archived, expired or
still a candidate, the predecessor is live again.  A circle retires nobody in it: no note falls silent
by mistake.  Everything here speaks of IDs alone; ``links`` maps a note to the notes it supersedes.
"""

from __future__ import annotations

from memwarden.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    Links = Mapping[str, tuple[str, ...]]


def superseded(links: Links, live: Iterable[str]) -> dict[str, str]:
    """Each superseded note with the live note that supersedes it directly (the smallest ID where
    several do).

    ``live`` are the notes that count but for supersession itself: active by place, not revoked, not
    expired, not before their time.
    """
    alive = set(live)
    rounds = circles({note_id: links[note_id] for note_id in links if note_id in alive})
    by: dict[str, str] = {}
    for note_id in sorted(alive):
        for target in links.get(note_id, ()):
            if target != note_id and target not in rounds.get(note_id, ()):
                by.setdefault(target, note_id)
    return by


def chain(by: Mapping[str, str], note_id: str) -> tuple[str, ...]:
    """The note and its successors, one after the other; the last one is live."""
    found = [note_id]
    while found[-1] in by and by[found[-1]] not in found:
        found.append(by[found[-1]])
    return tuple(found)


def revived(links: Links, live: Iterable[str], by: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Each live note that a retired successor names, with those successors: it is live again because
    they no longer count."""
    alive = set(live)
    found: dict[str, tuple[str, ...]] = {}
    for note_id in sorted(set(links) - alive):
        for target in links[note_id]:
            if target in alive and target not in by and target != note_id:
                found[target] = (*found.get(target, ()), note_id)
    return found


def circles(links: Links) -> dict[str, tuple[str, ...]]:
    """For every note that its own links lead back to: the circle, from that note to itself."""
    found: dict[str, tuple[str, ...]] = {}
    done: set[str] = set()
    for start in sorted(links):
        way: list[str] = []
        at: dict[str, int] = {}
        todo = [(start, False)]
        while todo:
            note_id, leaving = todo.pop()
            if leaving:
                del at[way.pop()]
                done.add(note_id)
            elif note_id in at:
                ring = way[at[note_id] :]
                for turn, member in enumerate(ring):
                    found.setdefault(member, (*ring[turn:], *ring[:turn], member))
            elif note_id in links and note_id not in done:
                at[note_id] = len(way)
                way.append(note_id)
                todo.append((note_id, True))
                todo += [(target, False) for target in links[note_id]]
    return found
