"""Ownership: among active rules one note owns one (scope, subject with aspect, facet).

A second claim stands only where it supersedes the first (same key), or where an area note says with
``exception_to`` that it knowingly departs from the project's.  Debts never own, and many may share a key.
After a merge of two green branches two owners may stand side by side: both are delivered as contested
until a person decides.
"""

from __future__ import annotations

from memwarden.core.note import RULE, scope_of
from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.core.subject import PROJECT

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Protocol

    from memwarden.core.note import Note
    from memwarden.core.registry import Registry

    class HasName(Protocol):
        """A standing, as far as ownership asks."""

        @property
        def name(self) -> str: ...

    Key = tuple[str, str, str]

ACTIVE = "active"
# A pack and a person need to know that there is a contest and where it starts, not its whole list.
MOST_RIVALS = 8


class Clash(NamedTuple):
    """Two active rules that cannot both own: ``second`` claims what ``first`` has."""

    first: Note
    second: Note


def owner_key(note: Note, registry: Registry) -> Key | None:
    """(scope, canonical subject with aspect, facet); None where the note does not name them."""
    if not note.subject or not note.facet:
        return None
    subject = registry.canonical(note.subject)
    return (scope_of(note.path), subject, note.facet) if subject else None


def owners(
    notes: Iterable[Note], standings: Mapping[str, HasName], registry: Registry
) -> dict[Key, tuple[Note, ...]]:
    """Every owned key with the active rules that claim it, the oldest first: one, or a contest."""
    found: dict[Key, list[Note]] = {}
    for note in notes:
        if note.lifecycle != RULE or standings[note.path].name != ACTIVE:
            continue
        key = owner_key(note, registry)
        if key is not None:
            found.setdefault(key, []).append(note)
    return {
        key: tuple(sorted(claims, key=_age) if len(claims) > 1 else claims) for key, claims in found.items()
    }


def clashes(owned: Mapping[Key, tuple[Note, ...]]) -> list[Clash]:
    """Every claim that may not stand beside an older one, each once."""
    found = []
    for key, claims in owned.items():
        first, *others = claims
        found += [Clash(first, other) for other in others if not _is_succession(first, other)]
        departed = _departed_from(key, claims, owned)
        found += [Clash(project, area) for project, area in departed]
    return sorted(found, key=lambda clash: (clash.second.path, clash.first.path))


def contested(owned: Mapping[Key, tuple[Note, ...]]) -> dict[str, tuple[str, ...]]:
    """The path of every contested note with the paths of those that contest it, at most
    :data:`MOST_RIVALS` of them: a thousand claims to one key must not name each other in full."""
    found: dict[str, tuple[str, ...]] = {}
    for claims in owned.values():
        if len(claims) > 1:
            paths = sorted(note.path for note in claims)
            few = paths[: MOST_RIVALS + 1]
            for path in paths:
                found[path] = tuple(other for other in few if other != path)[:MOST_RIVALS]
    return dict(sorted(found.items()))


def holder(note: Note, owned: Mapping[Key, tuple[Note, ...]], registry: Registry) -> Note | None:
    """The active rule that already owns what the new rule ``note`` claims; None where it is free.

    A note that supersedes the owner, or that departs from a project note by ``exception_to``, is free.
    """
    key = owner_key(note, registry)
    if key is None or note.lifecycle != RULE:
        return None
    for claim in owned.get(key, ()):
        if claim.path != note.path and not _same_note(claim, note) and claim.id not in note.supersedes:
            return claim
    scope, subject, facet = key
    if scope != PROJECT:
        # A note that is narrowed to an area departs from no other.
        projects = [one for one in owned.get((PROJECT, subject, facet), ()) if not _same_note(one, note)]
        if projects and not any(project.id == note.exception_to for project in projects):
            return projects[0]
    return None


def refusal(note: Note, owner: Note, registry: Registry) -> tuple[str, str]:
    """Why ``note`` may not own beside ``owner``, and the ways out."""
    scope, subject, facet = owner_key(note, registry) or (scope_of(note.path), note.subject, note.facet)
    where = "the project" if scope_of(owner.path) == PROJECT else scope_of(owner.path)
    message = f"{_named(owner)} already owns {subject} / {facet} for {where}"
    ways = [
        f"supersede it (supersedes: [{owner.id}])",
        "choose another facet",
        f"{'take another aspect' if '#' in subject else 'narrow the subject'}"
        f" (subject: {subject.partition('#')[0]}#<aspect>)",
    ]
    if scope != scope_of(owner.path):
        ways[0] = f"say that this area departs from it (exception_to: {owner.id})"
    return message, ", ".join(ways[:-1]) + ", or " + ways[-1]


def _departed_from(
    key: Key, claims: tuple[Note, ...], owned: Mapping[Key, tuple[Note, ...]]
) -> list[tuple[Note, Note]]:
    """The area notes among ``claims`` that silently say otherwise than the project's owner."""
    scope, subject, facet = key
    projects = owned.get((PROJECT, subject, facet), ()) if scope != PROJECT else ()
    if not projects:
        return []
    ids = {project.id for project in projects}
    return [(projects[0], note) for note in claims if note.exception_to not in ids]


def _is_succession(one: Note, other: Note) -> bool:
    """Whether one names the other as its predecessor: why that has no effect is told of the link."""
    return one.id in other.supersedes or other.id in one.supersedes


def _same_note(one: Note, other: Note) -> bool:
    return bool(one.id) and one.id == other.id


def _age(note: Note) -> tuple[str, str]:
    """Older first; a note without a date is as old as they come."""
    return note.created, note.path


def _named(note: Note) -> str:
    return f"{note.id} ({note.path})" if note.id else note.path
