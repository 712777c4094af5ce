"""M6xx: the log, one file per event, appended and never edited."""

from __future__ import annotations

from collections.abc import Iterator

from memwarden.core.event import FOLDER, FORGOTTEN, PURGED, Event
from memwarden.core.manifest import PATH as MANIFEST
from memwarden.core.memory import Memory
from memwarden.core.standing import standings
from memwarden.core.workspace import Unreadable
from memwarden.errors import ERROR, WARNING, Finding
from memwarden.rules.scene import Scene

_ERASING = (FORGOTTEN, PURGED)
SOFT = "soft"


def event_is_well_formed(scene: Scene) -> Iterator[Finding]:
    """An event's file is malformed, or its content does not agree with its name.

    Why: the log is what a note's standing rests on. The name holds a digest of the content, so an edited
    event shows; layout and line ends may change.

    Fix: restore the file with `git checkout -- memory/events/...`. To change a note's standing, use
    `mem reinstate`, `mem revoke` or `mem pay`, which append.

    Example: `0003-paid-9f2c61aa.json` whose `at` was changed by hand.
    """
    yield from scene.read("M601")


def event_stays_as_written(scene: Scene) -> Iterator[Finding]:
    """An existing event was changed (error) or removed (warning).

    Why: events are appended, never edited: a changed one re-writes what happened. A removed one may be a
    revert of the commit that brought it, so it warns and says what the note's standing was and is.
    Forgetting and purging remove events on purpose and leave one that says so.

    Fix: restore the file from git. To undo a payment, `mem reinstate NOTE`.

    Example: a commit that deletes `memory/events/n-4f7k2m9q/0003-paid-9f2c61aa.json`.
    """
    changed = frozenset(scene.context.changed_events)
    for path in scene.context.changed_events:
        fix = "restore it: git checkout HEAD -- " + path
        yield Finding("M603", ERROR, "an existing event was changed", path, fix=fix)
    for note_id, removed in sorted(scene.context.removed_events.items()):
        left = scene.memory.events.get(note_id, ())
        if note_id not in scene.by_id and len(left) == 1 and left[0].kind in _ERASING:
            continue
        told = _standing_told(scene, note_id, removed)
        for event in removed:
            if event.path in changed:
                continue  # it is there, and was named above
            fix = "restore it from git, or use mem reinstate to undo a payment"
            message = f"an existing event ({event.kind}) was removed{told}"
            yield Finding("M603", WARNING, message, event.path, note=note_id, fix=fix)


def record_has_its_note(scene: Scene) -> Iterator[Finding]:
    """Events of a note remain, and the note is gone (warning).

    Why: whoever deletes a note's file takes a rule or a debt out of the memory with no reason given and no
    record that it was meant; in a review that is easily passed by. What is taken out on purpose says so: a
    forgotten or purged note leaves an event, a retired one stays in the archive.

    Fix: bring the file back out of git. Then `mem revoke NOTE` retires it with a reason, `mem pay NOTE`
    declares it paid, `mem move NOTE archive` keeps it for reading, and `mem forget NOTE` takes it out.

    Example: a commit deletes `memory/debts/retry-4f7k2m9q.md` and leaves `memory/events/n-4f7k2m9q/`.
    """
    gone = [
        (note_id, events)
        for note_id, events in scene.memory.events.items()
        if note_id not in scene.by_id and not any(event.kind in _ERASING for event in events)
    ]
    # A note that cannot be read is there, and has a finding of its own.
    unread = _texts_beside(scene) if gone else ()
    for note_id, events in gone:
        if not events or any(note_id.encode() in text for text in unread):
            continue
        fix = (
            f"git log -S {note_id} -- memory finds the commit that deleted it; bring the file back, then "
            f"mem revoke, pay, move or forget {note_id} says what became of it"
        )
        message = f"{note_id} has events, the last of them {events[-1].kind}, and its note is gone"
        yield Finding("M605", WARNING, message, events[-1].path, note=note_id, fix=fix)


def erased_note_stays_away(scene: Scene) -> Iterator[Finding]:
    """A note, or its events, came back after it was forgotten or purged.

    Why: a branch that still had the note was merged after it was erased elsewhere, and what was to be gone
    is in the tree again.

    Fix: erase it again, with `mem purge NOTE` or `mem forget NOTE --hard`, or, if it should stay, give it a
    new ID.

    Example: `memory/decisions/x-4f7k2m9q.md` beside `memory/events/n-4f7k2m9q/0007-purged-1c22ab90.json`.
    """
    for note_id, events in scene.memory.events.items():
        erasing = [event for event in events if event.kind in _ERASING]
        if not erasing:
            continue
        came_back = [note.path for note in scene.by_id.get(note_id, ())]
        # A note that left a tombstone keeps the record of what it was.
        if any(event.facts.get("mode") != SOFT for event in erasing):
            came_back += [event.path for event in events if event.kind not in _ERASING]
        word = erasing[-1].kind
        for path in came_back:
            yield Finding(
                "M604",
                ERROR,
                f"{note_id} was {word}, and this brings it back",
                path,
                note=note_id,
                fix=f"run mem {'purge' if word == PURGED else 'forget --hard'} {note_id} again",
            )


def _texts_beside(scene: Scene) -> list[bytes]:
    """What the files hold that lie where notes do and were read as none."""
    read = {note.path for note in scene.memory.notes}
    found = []
    for path in scene.memory.workspace.paths("memory"):
        other = (
            path == MANIFEST or path.startswith((FOLDER, "memory/subjects/")) or path.endswith("/README.md")
        )
        if path.endswith(".md") and path not in read and not other:
            try:
                found.append(scene.memory.workspace.read(path))
            except Unreadable:
                continue
    return found


def _standing_told(scene: Scene, note_id: str, removed: tuple[Event, ...]) -> str:
    """``; the note was paid and is owed``, where there is such a note."""
    notes = scene.by_id.get(note_id)
    if not notes:
        return ""
    now = scene.standings[notes[0].path].name
    all_events = {note_id: (*scene.memory.events.get(note_id, ()), *removed)}
    alone: Memory = scene.memory._replace(notes=notes[:1], events=all_events)
    then = standings(alone, scene.context.today)[notes[0].path].name
    return f"; the note was {then} and is {now}" if then != now else f"; the note is {now} as before"
