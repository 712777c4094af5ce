"""A note's or an event's file with all that is wrong with it: its words and its name, not its fields alone.

Loads the readers; whoever may not need them loads this room late.  That of notes is the largest, and comes
with the first note: many a change only makes an event.
"""

from __future__ import annotations

from memwarden.core.event import FOLDER as EVENTS
from memwarden.core.record import TYPE_CHECKING
from memwarden.edit.event_reader import read_event
from memwarden.edit.text_safety import HIDDEN, are_plain, is_plain, name_findings, text_findings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memwarden.core.event import Event
    from memwarden.core.note import Note
    from memwarden.errors import Finding

    Reading = tuple[Note | Event | None, tuple[Finding, ...]]


def readings_of(files: Mapping[str, bytes]) -> dict[str, Reading]:
    """What is in some notes' and events' files, and everything that is wrong with it: as one by one, but
    what is unsafe is looked for in all of them at once, and in each only where there may be something."""
    from memwarden.edit.note_reader import read_note

    plain = are_plain(list(files), list(files.values()))
    found: dict[str, Reading] = {}
    for path, data in files.items():
        if path.startswith(EVENTS):
            found[path] = read_event(path, data) if plain else event_of(path, data)
        else:
            found[path] = read_note(path, data) if plain else reading_of(path, data)
    return found


def reading_of(path: str, data: bytes) -> tuple[Note | None, tuple[Finding, ...]]:
    """The note in a file's bytes, and everything that is wrong with it."""
    from memwarden.edit.note_reader import read_note

    note, findings = read_note(path, data)
    unsafe = [found._replace(note=note.id if note else "") for found in unsafe_in(path, data)]
    return (note, (*findings, *unsafe)) if unsafe else (note, findings)


def event_of(path: str, data: bytes) -> tuple[Event | None, tuple[Finding, ...]]:
    """The event in a file's bytes, and everything that is wrong with it."""
    event, findings = read_event(path, data)
    unsafe = unsafe_in(path, data)
    return (event, (*findings, *unsafe)) if unsafe else (event, findings)


def unsafe_in(path: str, data: bytes) -> list[Finding]:
    """M701 and M702 of a file's text and its name, found while the text is at hand, so that a cached
    reading has them too."""
    text = data.decode("utf-8", "replace")
    if is_plain(path, text):
        return []
    found = list(text_findings(path, text))
    if "\0" in text or "\ufffd" in text:  # no UTF-8 text: the one finding says so already
        found = [finding for finding in found if finding.code != HIDDEN]
    return [*name_findings(path), *found]
