"""From what a person names (notes, a subject, a text) to an intent that erases it and tells no topic."""

from __future__ import annotations

from operator import attrgetter

from memwarden.core.event import FOLDER as EVENTS
from memwarden.core.identity import slug
from memwarden.core.lookup import find_note
from memwarden.core.note import Note, is_note_id
from memwarden.core.record import TYPE_CHECKING
from memwarden.core.registry import Registry, spellings, split_aspect
from memwarden.core.subject import PROJECT
from memwarden.core.workspace import Unreadable
from memwarden.edit.erasure import (
    BY_SUBJECT,
    FORGET,
    MATCH,
    NOTE,
    PURGE,
    reasons,
)
from memwarden.edit.normal_texts import normal_form
from memwarden.edit.span import find_span, managed_paths, path_digest
from memwarden.edit.tombstone import with_tombstones
from memwarden.edit.topic import Mark, Topic
from memwarden.errors import Refused, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from memwarden.core.memory import Memory
    from memwarden.core.subject import Subject

# What a text may target a note by.
_SAYING = attrgetter("path", "title", "subject", "tags", "evidence")
FORGET_HARD = f"{FORGET}-hard"


def forget_intent(memory: Memory, name: str) -> dict[str, Any]:
    """The intent of ``mem forget NOTE --hard``."""
    ids, files = _named(memory, [name])
    return _intent(FORGET_HARD, NOTE, ids, files)


def purge_intent(memory: Memory, names: Iterable[str], subject: str, text: str) -> dict[str, Any]:
    """The intent of ``mem purge``; raises :class:`UsageError` for what names nothing."""
    ids, files = _named(memory, names)
    subjects: set[str] = set()
    if subject:
        more, subjects = _of_subject(memory, subject)
        ids, files = _with(memory, more, ids, files)
    if not text:
        return _intent(PURGE, BY_SUBJECT if subject else NOTE, ids, files, subjects)
    mark = Mark(normal_form(text))
    if not mark.text:
        raise UsageError("--match has nothing to match", "give some text")
    topic = Topic([mark])
    registry = Registry(memory.subjects)
    matched = [note.path for note in matching(memory, topic, registry)]
    matched += [path for path in memory.broken if topic.in_name(path.rpartition("/")[2])]
    ids, files = _with(memory, matched, ids, files)
    ids |= _without_note(memory, topic)
    subjects |= {path_digest(one.path) for one in memory.subjects if _is_named(one, topic)}
    intent = _intent(PURGE, MATCH, ids, files, subjects)
    places = _places(memory, ids, files, subjects)
    losing = [one.path for one in memory.subjects if any(map(topic.in_text, one.aliases))]
    span = find_span(memory, topic, [*places, *losing])
    if span is None and places:
        span = find_span(memory, Topic([Mark(slug(text))]), places)
    if span is None:  # it stands only where it blocks; then it is read from there, to say so
        span = find_span(memory, topic, managed_paths(memory))
    return {**intent, "marks": [span] if span else []}


def topic_of_text(text: str) -> Topic:
    """What a text alone is to be searched for as."""
    return Topic([Mark(normal_form(text))])


def matching(memory: Memory, topic: Topic, registry: Registry) -> list[Note]:
    """The notes that a text targets; only those that may be one are looked at closely."""
    spelt = {one.id for one in memory.subjects if any(topic.in_text(text) for _, text in spellings(one))}
    said = [
        "\n".join((title, path.rpartition("/")[2], subject, *tags, *[one.value for one in evidence]))
        for path, title, subject, tags, evidence in map(_SAYING, memory.notes)
    ]
    telling = topic.telling(said)
    found = []
    for note, words in zip(memory.notes, said, strict=True) if telling or spelt else ():
        subject = registry.subject(note.subject) if spelt else None
        if words in telling or (subject is not None and subject.id in spelt):
            found.append(note)
    return [note for note in found if reasons(note, topic, registry)]


def _intent(
    command: str, how: str, ids: Iterable[str], files: Iterable[str], subjects: Iterable[str] = ()
) -> dict[str, Any]:
    return {
        "command": command,
        "how": how,
        "notes": sorted(ids),
        "files": sorted(files),
        "subjects": sorted(subjects),
        "marks": [],
    }


def _named(memory: Memory, names: Iterable[str]) -> tuple[set[str], set[str]]:
    """The IDs of the named notes, and the digests of the paths of those that have none."""
    paths: list[str] = []
    ids: set[str] = set()
    for name in names:
        wanted = name.strip().removeprefix("./")
        broken = [path for path in memory.broken if wanted in (path, path.removeprefix("memory/"))]
        if broken:
            paths += broken
        elif is_note_id(wanted) and (wanted in memory.events or _has_note(memory, wanted)):
            ids.add(wanted)  # all of its files; or they are gone, and what was recorded about it is not
        else:
            paths.append(find_note(memory, name).path)
    return _with(memory, paths, ids, set())


def _has_note(memory: Memory, note_id: str) -> bool:
    return any(note.id == note_id for note in memory.notes)


def _with(memory: Memory, paths: Iterable[str], ids: set[str], files: set[str]) -> tuple[set[str], set[str]]:
    by_path = {note.path: note for note in memory.notes}
    for path in paths:
        note = by_path.get(path)
        if note is not None and note.id:
            ids.add(note.id)
        else:
            files.add(path_digest(path))
    return with_tombstones(memory, ids), files


def _of_subject(memory: Memory, text: str) -> tuple[list[str], set[str]]:
    """The paths of the notes about a subject, and the digests of its files: its own and those of the
    subjects that were merged into it.  With an aspect only the notes about that aspect."""
    registry = Registry(memory.subjects)
    identity = registry.require(text, "mem subject list names those that are there")
    base, aspect = split_aspect(identity)
    if base == PROJECT and not aspect:
        raise Refused("project is built in, and most of the memory may be about it", "name the notes")
    about = [registry.canonical(note.subject) for note in memory.notes]
    paths = [
        note.path
        for note, found in zip(memory.notes, about, strict=True)
        if found and (found == identity if aspect else split_aspect(found)[0] == base)
    ]
    files: set[str] = set()
    if not aspect:
        files = {path_digest(one.path) for one in memory.subjects if registry.forwarded(one.id) == base}
    if not paths and not files:
        raise Refused(f"no note is about {identity}, and no file names it", "mem subject list names subjects")
    return paths, files


def _is_named(subject: Subject, topic: Topic) -> bool:
    """Whether a subject is the text's by its ID, name or reference, and not by an alias alone."""
    return any(
        topic.in_text(text) for field, text in spellings(subject) if not field.startswith("aliases")
    ) or topic.in_name(subject.path.rpartition("/")[2])


def _without_note(memory: Memory, topic: Topic) -> set[str]:
    """The IDs of notes that are gone while events that hold the text are still there."""
    there = {note.id for note in memory.notes}
    found = set()
    for note_id, events in memory.events.items():
        if note_id not in there:
            for event in events:
                try:
                    if topic.in_content(memory.workspace.read(event.path)):
                        found.add(note_id)
                except Unreadable:
                    continue
    return found


def _places(memory: Memory, ids: set[str], files: set[str], subjects: set[str]) -> list[str]:
    """The paths of everything that goes, notes first."""
    found = [note.path for note in memory.notes if note.id in ids]
    named = files | subjects
    for path in memory.workspace.paths("memory"):
        ours = path.startswith(EVENTS) and path.split("/")[2] in ids
        if ours or (named and path not in found and path_digest(path) in named):
            found.append(path)
    return found
