"""Comparing two states of a memory: notes, owners, manifest, subjects, and what each task would load."""

from __future__ import annotations

from memwarden.core.compare.difference import Difference, OwnerChange, Side
from memwarden.core.compare.manifest_changes import manifest_changes, subject_changes
from memwarden.core.compare.note_changes import note_changes
from memwarden.core.compare.task_changes import task_changes
from memwarden.core.memory import Memory
from memwarden.core.note import CANDIDATE, RULE, place_of, scope_of
from memwarden.core.ownership import owners
from memwarden.core.record import TYPE_CHECKING
from memwarden.core.registry import Registry
from memwarden.core.standing import standings
from memwarden.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memwarden.core.note import Note
    from memwarden.core.ownership import Key


def compare(before: Memory, after: Memory, touched: Iterable[str], today: str) -> Difference:
    """What lies between two memories, of which only the files at ``touched`` paths can differ."""
    old = Side(before, standings(before, today))
    new = Side(after, standings(after, today))
    try:
        tasks, unrouted = task_changes(old, new, today), ""
    except Refused as error:
        tasks, unrouted = [], error.message
    return Difference(
        tuple(note_changes(old, new, frozenset(touched))),
        tuple(_owner_changes(old, new)),
        tuple(manifest_changes(before.manifest, after.manifest)),
        tuple(subject_changes(before.subjects, after.subjects)),
        tuple(tasks),
        tuple(path for path in after.broken if path not in before.broken),
        tuple(path for path in before.broken if path not in after.broken),
        unrouted,
    )


def _owner_changes(before: Side, after: Side) -> list[OwnerChange]:
    """The keys that are owned otherwise.

    Only notes that are an active rule on one side alone, or have another key there, can change one; so
    only the keys that they claim are looked at.
    """
    old = _claims(before)
    new = _claims(after)
    names = {name for name in {*old, *new} if old.get(name) != new.get(name)}
    registries = Registry(before.memory.subjects), Registry(after.memory.subjects)
    if before.memory.subjects != after.memory.subjects:
        names = {*old, *new}  # a merge or an alias may have changed any key
    if not names:
        return []
    facets = {facet for claims in (old, new) for name in names for *_, facet in claims.get(name, ())}
    was = _owned(before, registries[0], facets)
    will = _owned(after, registries[1], facets)
    new_keys = will.keys() - was.keys()
    if new_keys:
        met = {note.name for note in before.memory.notes if place_of(note.path) != CANDIDATE}
        new_keys = {key for key in new_keys if any(note.name in met for note in will[key])}
    found = []
    for key in sorted({*was, *new_keys}):
        had, has = was.get(key, ()), will.get(key, ())
        if [note.name for note in had] != [note.name for note in has]:
            found.append(OwnerChange(*key, had, has))
    return found


def _claims(side: Side) -> dict[str, tuple[tuple[str, str, str], ...]]:
    """What each active rule claims, as it is written."""
    found: dict[str, tuple[tuple[str, str, str], ...]] = {}
    for note in side.memory.notes:
        if note.lifecycle == RULE and side.standings[note.path].live:
            claims = ((note.subject, scope_of(note.path), note.facet),)
            name = note.name
            found[name] = found[name] + claims if name in found else claims
    return found


def _owned(side: Side, registry: Registry, facets: set[str]) -> dict[Key, tuple[Note, ...]]:
    """The owners of every key with one of these facets, each once: a second file of a note is no rival."""
    near = [note for note in side.memory.notes if note.facet in facets]
    found = owners(near, side.standings, registry)
    for key, notes in found.items():
        if len(notes) > 1:
            once: dict[str, Note] = {}
            for note in notes:
                once.setdefault(note.name, note)
            found[key] = tuple(once.values())
    return found
