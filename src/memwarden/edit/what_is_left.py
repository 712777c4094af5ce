"""What an erasing that was decided on another memory still means over this one: some of it is gone."""

from __future__ import annotations

from memwarden.core.event import FORGOTTEN, PURGED
from memwarden.core.record import TYPE_CHECKING
from memwarden.edit.erasure import BY_SUBJECT, MATCH, marks_of
from memwarden.edit.span import path_digest, read_back, spans_of
from memwarden.edit.targets import purge_intent
from memwarden.edit.tombstone import with_tombstones
from memwarden.edit.topic import Mark, Topic

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from memwarden.core.memory import Memory


def topic_left(memory: Memory, intent: Mapping[str, Any]) -> Topic:
    """The topic of an intent as far as it can be read back; its notes are always known by their IDs."""
    ids = with_tombstones(memory, intent["notes"])
    notes = [note for note in memory.notes if note.id in ids]
    paths = [note.path for note in notes]
    marks = [Mark(read_back(memory, span, paths)) for span in spans_of(intent)]
    if intent["how"] != MATCH:
        marks += [mark for note in notes for mark in marks_of(note)]
    return Topic(marks, ids, paths)


def intent_left(memory: Memory, intent: Mapping[str, Any]) -> dict[str, Any] | None:
    """The intent without the files that are gone; None where its text is gone with them, or where no file
    was missing at all."""
    if not all(read_back(memory, span) for span in spans_of(intent)):
        return None
    there = set(map(path_digest, memory.workspace.paths("memory")))
    left = {**intent, "files": [one for one in intent["files"] if one in there]}
    return left if left != intent else None


def intent_now(memory: Memory, intent: Mapping[str, Any]) -> Mapping[str, Any]:
    """The intent that the same words would make of this memory: of a text or a subject it may mean more."""
    if intent.get("index"):
        return intent
    there = {note.id for note in memory.notes} | memory.events.keys()
    names = [one for one in intent["notes"] if one in there]
    text = next((found for span in spans_of(intent) if (found := read_back(memory, span))), "")
    subject = next((one.id for one in memory.subjects if path_digest(one.path) in intent["subjects"]), "")
    if intent["how"] == MATCH and text:
        return purge_intent(memory, names, "", text)
    if intent["how"] == BY_SUBJECT and subject:
        return purge_intent(memory, names, subject, "")
    return intent


def notes_gone(memory: Memory, intent: Mapping[str, Any]) -> list[str]:
    """The notes of an intent that no file has any more, though nothing says that they were forgotten."""
    there = {note.id for note in memory.notes}
    return [
        one
        for one in sorted(set(intent["notes"]) - there)
        if not any(event.kind in (FORGOTTEN, PURGED) for event in memory.events.get(one, ()))
    ]
