"""M410: a debt that stays and means something else: nobody paid it, and it may soon be paid."""

from __future__ import annotations

from collections.abc import Iterator

from memwarden.core.authority import EASE, may
from memwarden.core.canonical import condition_digest
from memwarden.core.condition_parts import named, without_paths
from memwarden.core.event import ADMITTED, PAID
from memwarden.core.note import ACTIVE, DEBT, Note, place_of
from memwarden.core.record import TYPE_CHECKING
from memwarden.core.turn.wording import in_words
from memwarden.core.visible import plain
from memwarden.errors import NOTICE, WARNING, Finding
from memwarden.rules.debt_rules import held_when_written
from memwarden.rules.scene import Scene

if TYPE_CHECKING:
    from memwarden.core.condition import Condition


def what_pays_is_as_it_was(scene: Scene) -> Iterator[Finding]:
    """This change re-words what pays a debt, and no person is on record for it (notice).

    Why: whoever makes a condition easier ends the debt as surely as one who deletes it, and red, then green
    does not see it. A re-wording by `mem edit` is on record with its actor; one that an agent is on record
    for is a warning where the manifest does not say `agents_may_admit`. A condition that only follows a file
    that moved means what it meant.

    Fix: nothing, if the new condition tells when the debt is really paid; else put the old one back.

    Example: `pattern: frozen_clock` becomes `pattern: clock` in a pull request.
    """
    settings = scene.memory.settings
    for note in scene.active:
        versions = scene.before(note)
        if versions and all(old is note for old in versions):
            continue  # the change left it alone
        before = [old for old in versions if not _was_paid(scene, old)]
        if not before or not all(_means_another(scene, old, note) for old in before):
            continue
        if note.condition is not None and held_when_written(scene, note):
            continue  # M401 has said it
        kinds = _on_record(scene, note)
        if any(may(kind, EASE, settings) for kind in kinds):
            continue
        was = before[0].condition
        now = note.condition if note.lifecycle == DEBT else None
        yield Finding(
            "M410",
            WARNING if kinds else NOTICE,
            f"what pays the debt is re-worded: it was {_said(was)}, and is {_said(now)}",
            note.path,
            key="condition" if now is not None else "lifecycle",
            note=note.id,
            fix="nothing, if that tells when it is really paid; else put the old condition back",
        )


def _means_another(scene: Scene, old: Note, note: Note) -> bool:
    if old.lifecycle != DEBT or place_of(old.path) != ACTIVE:
        return False
    if note.lifecycle != DEBT:
        return True
    if old.condition == note.condition:
        return False
    return not _follows_a_move(scene, old.condition, note.condition)


def _was_paid(scene: Scene, old: Note) -> bool:
    """Whether the debt was paid as it was worded: re-worded, it is owed again."""
    events = scene.memory.events.get(old.id, ()) if old.id else ()
    payments = [event for event in events if event.kind == PAID]
    if not payments:
        return False
    digest = condition_digest(old.condition)
    return any(event.facts.get("condition_digest") == digest for event in payments)


def _follows_a_move(scene: Scene, old: Condition | None, new: Condition | None) -> bool:
    """Whether only paths differ, and what the old ones named is there no more."""
    if old is None or new is None or without_paths(old) != without_paths(new):
        return False
    left = {path for _, path in named(old, "")} - {path for _, path in named(new, "")}
    return all(not scene.tree.matches(path) for path in left)


def _on_record(scene: Scene, note: Note) -> list[str]:
    """The kinds of the actors that admitted the note with this condition."""
    digest = condition_digest(note.condition)
    events = scene.memory.events.get(note.id, ()) if note.id else ()
    return [
        event.actor[0]
        for event in events
        if event.kind == ADMITTED and event.facts.get("condition_digest") == digest
    ]


def _said(condition: Condition | None) -> str:
    return f"paid when {plain(in_words(condition))}" if condition is not None else "left to a person's word"
