"""Who supersedes whom: only a successor that is alive retires its predecessor.

``supersedes`` is the only record of supersession.  Where the successor is revoked, archived, expired,
still a candidate, or unfit (:mod:`memwarden.core.fitness`: nobody hears it), the predecessor is live
again.  A link binds only where both notes make the same claim (one lifecycle, one scope, subject with
aspect and facet), and a circle retires nobody in it: no note falls silent by mistake.  But for
:func:`binding` everything here speaks of IDs alone; ``links`` maps a note to the notes it supersedes.
"""

from __future__ import annotations

from memwarden.core.note import scope_of
from memwarden.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from memwarden.core.note import Note
    from memwarden.core.registry import Registry

    Links = Mapping[str, tuple[str, ...]]
    Claim = tuple[str, str, str, str]


def claim_of(note: Note, registry: Registry) -> Claim | None:
    """What a note must share with its successor: (lifecycle, scope, subject with aspect, facet); None
    where it names no subject or no facet."""
    if not note.subject or not note.facet:
        return None
    subject = registry.canonical(note.subject) or note.subject
    return note.lifecycle, scope_of(note.path), subject, note.facet


def binding(notes: Iterable[Note], registry: Registry) -> dict[str, tuple[str, ...]]:
    """By path, each note that supersedes others and the IDs of those that make the same claim: these
    links alone have an effect."""
    notes = tuple(notes)
    linking = [note for note in notes if note.supersedes and note.id]
    claims: dict[str, set[Claim | None]] = {}
    for note in linking:
        for target in note.supersedes:
            claims.setdefault(target, set())
    for note in notes:
        if note.id in claims:
            claims[note.id].add(claim_of(note, registry))
    found = {}
    for note in linking:
        mine = claim_of(note, registry)
        bound = tuple(target for target in note.supersedes if mine and claims[target] == {mine})
        if bound:
            found[note.path] = bound
    return found


def all_above(notes: Iterable[Note]) -> dict[str, tuple[Note, ...]]:
    """By ID, every note that names it as superseded, those that name these, and so on: all whose standing may
    change its own."""
    naming: dict[str, list[Note]] = {}
    for note in notes:
        for target in note.supersedes if note.id else ():
            naming.setdefault(target, []).append(note)
    found = {}
    for target in naming:
        above: dict[str, Note] = {}
        waiting = [target]
        while waiting:
            for note in naming.get(waiting.pop(), ()):
                if note.path not in above:
                    above[note.path] = note
                    waiting.append(note.id)
        found[target] = tuple(above.values())
    return found


def superseded(links: Links, live: Iterable[str]) -> dict[str, str]:
    """Each superseded note with the live note that supersedes it directly (the smallest ID where
    several do).

    ``live`` are the notes that count but for supersession itself: active by place, fit, not revoked, not
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
