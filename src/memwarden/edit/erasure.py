"""What erasing notes takes away, why, and what stands in its way: one function of memory and intent.

An intent tells no topic.  It names notes by ID and files by the digest of their path, and where a text is
to be erased it holds the span at which that text stands in a file that goes; so the text is read back from
the memory itself, at the preview and again before it is removed.
"""

from __future__ import annotations

from functools import cached_property

from memwarden.core.event import FOLDER as EVENTS
from memwarden.core.event import FORGOTTEN, PURGED, Event
from memwarden.core.manifest import PATH as MANIFEST
from memwarden.core.note import ARCHIVED, CANDIDATE, Note, place_of
from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.core.registry import Registry, spellings, split_aspect
from memwarden.core.workspace import Unreadable
from memwarden.edit.cleared import Cleared
from memwarden.edit.event_writer import EventDraft, draft
from memwarden.edit.lone_subjects import lone_subjects
from memwarden.edit.normal_texts import normal_form
from memwarden.edit.sieve import is_compressed
from memwarden.edit.span import line_of, managed_paths, path_digest, read_back, spans_of
from memwarden.edit.starter import AGENT_FILES
from memwarden.edit.tombstone import tombstones, with_tombstones
from memwarden.edit.topic import PATH, SUBJECT, TITLE, Mark, Topic
from memwarden.errors import MemError, Refused

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    from memwarden.core.memory import Memory
    from memwarden.core.subject import Subject

FORGET, PURGE = "forget", "purge"
NOTE, BY_SUBJECT, MATCH = "note", "subject", "match"
MEMORY = "memory/"
SUBJECTS = "memory/subjects/"
HARD = "hard"

# Where something was found, as the report calls it.
NOTES, ARCHIVE, CANDIDATES, TOMBSTONES = "notes", "archive", "candidates", "tombstones"
SUBJECT_FILES, EVENT_FILES, MANIFESTS = "subjects", "events", "manifest"
OTHER_NOTES, AGENTS, OTHERS = "other notes", "agent files", "other files"
LONE = "lone subjects"  # that no note would be about any more: they go only when they are asked for
TREE_SCOPES = (
    NOTES, ARCHIVE, CANDIDATES, TOMBSTONES, SUBJECT_FILES, EVENT_FILES, MANIFESTS, OTHER_NOTES, AGENTS, OTHERS
)  # fmt: skip


class Found(NamedTuple):
    """A trace: in which scope, in which file, and why it is one."""

    scope: str
    path: str
    why: str


class Blocker(NamedTuple):
    """A trace that nobody asked to remove: it must be rewritten, or its note named."""

    scope: str
    path: str
    line: int
    why: str
    fix: str


class Erasure(NamedTuple):
    """``ids`` are the notes that go, ``changes`` their files (and a subject that only loses aliases),
    ``events`` what stays of them.  ``lone`` are subjects that no note would be about any more and that
    stay, as nobody asked for them.  ``risks`` are consequences that are worth a word, ``cleared`` what
    was searched for and has none of it."""

    topic: Topic
    ids: tuple[str, ...]
    changes: Mapping[str, bytes | None]
    events: tuple[EventDraft, ...]
    found: tuple[Found, ...]
    blocked: tuple[Blocker, ...]
    lone: tuple[Subject, ...]
    risks: tuple[str, ...]
    cleared: Cleared


class Gone(Refused):
    """What an intent names is not there any more: the intent is of another day's memory."""


class Blocked(Refused):
    """Something else tells the topic too, so nothing is removed."""

    def __init__(self, erasure: Erasure) -> None:
        count = len(erasure.blocked)
        where = ", ".join(dict.fromkeys(told(one.path, erasure.topic) for one in erasure.blocked[:5]))
        more = f" and {count - 5} more" if count > 5 else ""
        super().__init__(
            f"{count} other {'trace stands' if count == 1 else 'traces stand'} in the way: {where}{more};"
            " nothing was removed",
            "rewrite them, or name those notes too, then run it again",
        )
        self.erasure = erasure


def told(path: str, topic: Topic) -> str:
    """A path as it may be written down: a step that tells the topic by its digest."""
    steps = [f"?{path_digest(step)[:8]}" if topic.in_name(step) else step for step in path.split("/")]
    return "/".join(steps)


def erasure(memory: Memory, intent: Mapping[str, Any]) -> Erasure:
    """Everything that the intent comes to over this memory; raises :class:`Gone` where what it names is
    not there any more."""
    global _last
    if _last is None or _last[0] is not memory or _last[1] != intent:
        # The report and the plan ask the same: the whole memory is read once for both.
        _last = memory, intent, _Eraser(memory, intent).erasure()
    return _last[2]


_last: tuple[Memory, Mapping[str, Any], Erasure] | None = None


class _Eraser:
    def __init__(self, memory: Memory, intent: Mapping[str, Any]) -> None:
        self.memory = memory
        self.intent = intent
        self.kind = PURGED if intent["command"] == PURGE else FORGOTTEN
        self.registry = Registry(memory.subjects)
        self.ids = with_tombstones(memory, intent["notes"])
        self.paths = tuple(memory.workspace.paths("memory"))
        self.named = self._named()
        self.notes = [note for note in memory.notes if note.id in self.ids or note.path in self.named]
        wanted = set(intent["subjects"])
        self.subjects = [one for one in memory.subjects if wanted and path_digest(one.path) in wanted]
        self.topic = self._topic()
        self.cleared = Cleared(self.topic)

    def erasure(self) -> Erasure:
        """Sort every file of the memory into what goes, what is kept, and what stands in the way."""
        changes: dict[str, bytes | None] = dict.fromkeys(self.files)
        changes |= self._without_aliases()
        found = [Found(self._scope(path), path, self._why(path, data)) for path, data in changes.items()]
        kept = {event.path for event in self.stays.values()}
        events = [path for path in self.paths if self._is_event_of_ours(path)]
        gone = [path for path in events if path not in kept]
        found += [Found(EVENT_FILES, path, self._why(path, None)) for path in gone]
        changes |= dict.fromkeys(gone)
        blocked = sorted({*self._in_the_way(changes, kept), *self._references()})
        return Erasure(
            self.topic,
            tuple(sorted(self.ids)),
            changes,
            tuple(self._drafts()),
            tuple(sorted(found)),
            tuple(blocked),
            lone_subjects(self.memory, self.registry, self.notes, self.files),
            tuple(self._risks()),
            self.cleared,
        )

    def _topic(self) -> Topic:
        likely = [note.path for note in self.notes]
        marks = [Mark(read_back(self.memory, span, likely)) for span in spans_of(self.intent)]
        if not all(mark.text for mark in marks):
            raise Gone("what is to be erased is not where it was", "run the command again for a new plan")
        if self.intent["how"] != MATCH:
            for note in self.notes:
                marks += marks_of(note)
            for subject in self.subjects:
                marks += [Mark(normal_form(text), SUBJECT, True) for _, text in spellings(subject)]
            if self.intent["how"] == BY_SUBJECT and not self.subjects:
                bare = {split_aspect(self.registry.canonical(note.subject))[0] for note in self.notes}
                marks += [Mark(normal_form(one), SUBJECT, True) for one in bare if one.startswith("path:")]
        return Topic(marks, self.ids, self.files)

    def _named(self) -> set[str]:
        """The paths of the files that the intent names by digest."""
        wanted = set(self.intent["files"])
        found = {path for path in self.paths if path_digest(path) in wanted} if wanted else set()
        if len(found) < len(wanted):
            raise Gone("a file that was to go is not there any more", "run the command again")
        return found

    @cached_property
    def files(self) -> tuple[str, ...]:
        """The files that go whole, apart from events."""
        found = {note.path for note in self.notes} | self.named | {one.path for one in self.subjects}
        by_id = Topic((), self.ids)
        found.update(path for path in self.memory.broken if by_id.is_about(self._read(path)))
        return tuple(sorted(found))

    def _read(self, path: str) -> bytes:
        try:
            return self.memory.workspace.read(path)
        except Unreadable:
            return b""

    def _is_event_of_ours(self, path: str) -> bool:
        return path.startswith(EVENTS) and path.split("/")[2] in self.ids

    @cached_property
    def stays(self) -> dict[str, Event]:
        """The event of each note that says already what is to be said, and nothing else."""
        return {
            event.note: event
            for one in self.ids
            for event in self.memory.events.get(one, ())
            if event.kind == self.kind and not event.branch and event.facts == {"mode": self._mode()}
        }

    def _mode(self) -> str:
        return HARD if self.kind == FORGOTTEN else str(self.intent["how"])

    def _drafts(self) -> Iterator[EventDraft]:
        for one in sorted(self.ids - self.stays.keys()):
            yield draft(one, self.kind, self.memory.events.get(one, ()), {"mode": self._mode()})

    def _without_aliases(self) -> dict[str, bytes]:
        """The subjects that are known by the text through an alias alone lose that alias."""
        found = {}
        gone = {one.path for one in self.subjects}
        for subject in self.memory.subjects if self.intent["how"] == MATCH else ():
            rest: list[Any] = [alias for alias in subject.aliases if not self.topic.in_text(alias)]
            if subject.path in gone or len(rest) == len(subject.aliases):
                continue
            from memwarden.edit.document import remove_field, set_field  # few texts are an alias

            data = self._read(subject.path)
            try:
                found[subject.path] = (
                    set_field(data, "aliases", rest) if rest else remove_field(data, "aliases")
                )
            except MemError:
                continue  # it then stands in the way, as any other file that tells the topic
        return found

    def _in_the_way(self, changes: Mapping[str, bytes | None], kept: set[str]) -> Iterator[Blocker]:
        paths = [
            path
            for path in managed_paths(self.memory)
            if path not in kept and not (path in changes and changes[path] is None)
        ]
        ours = [path.removeprefix(MEMORY) for path in paths if path.startswith(MEMORY)]
        for name in self.topic.telling(ours):
            yield self._blocker(MEMORY + name, 0, "its name holds the text", "rename it")
        closed: list[str] = []
        for path, data in self.topic.sifted(self._contents(paths, changes, closed), self.cleared.add):
            if self.topic.in_content(data):
                yield self._blocker(path, line_of(self.topic, data), "it holds the text", self._way_out(path))
            elif path.startswith(MEMORY) and self.topic.is_about(data):
                yield self._blocker(path, 0, "it has the note's ID", "remove the file")
        for path in closed:
            yield self._blocker(path, 0, "it cannot be read, so nobody can tell", "make it readable")

    def _contents(
        self, paths: Iterable[str], changes: Mapping[str, bytes | None], closed: list[str]
    ) -> Iterator[tuple[str, bytes]]:
        """Files as they would be; those that cannot be read are added to ``closed``."""
        read = self.memory.workspace.read
        for path in paths:
            try:
                data = changes.get(path) or read(path)
            except Unreadable:
                closed.append(path)
                continue
            if is_compressed(data):
                self.cleared.close(path, data)
            yield path, data

    def _references(self) -> Iterator[Blocker]:
        """What would be left pointing at nothing."""
        gone = {one.id for one in self.subjects}
        files = set(self.files)
        rest = [note for note in self.memory.notes if note.path not in files]
        for note in rest if gone else ():
            subject = self.registry.subject(note.subject)
            named = {subject.id} if subject else set()
            if gone & (named | {self.registry.owner_of(split_aspect(note.subject)[0])}):
                yield self._blocker(note.path, 0, "it is about a subject that would be gone", _NAME_IT)
        for other in self.memory.subjects if gone else ():
            if (
                other.merged_into
                and other.id not in gone
                and self.registry.owner_of(other.merged_into) in gone
            ):
                yield self._blocker(
                    other.path, 0, "it is merged into a subject that would be gone", "merge it elsewhere"
                )
        for note in rest:
            if note.exception_to in self.ids and note.exception_to:
                yield self._blocker(note.path, 0, "it is an exception to a note that would be gone", _NAME_IT)

    def _risks(self) -> Iterator[str]:
        files = set(self.files)
        gone = {note.id for note in self.notes if note.id}
        predecessors = {one for note in self.notes for one in note.supersedes} - gone
        live = [note.id for note in self.memory.notes if note.id in predecessors and note.path not in files]
        if live:
            yield f"superseded until now, live again afterwards: {', '.join(sorted(live))}"
        naming = [note for note in self.memory.notes if note.path not in files and gone & {*note.supersedes}]
        if naming:
            named = ", ".join(sorted(note.id or note.path for note in naming))
            yield f"the ID of what goes stays in the supersedes of: {named}"

    def _blocker(self, path: str, line: int, why: str, fix: str) -> Blocker:
        return Blocker(self._scope(path), path, line, why, fix)

    def _way_out(self, path: str) -> str:
        scope = self._scope(path)
        if scope == OTHER_NOTES:
            return "rewrite it, or name the note too"
        if scope == EVENT_FILES:
            return f"events are not rewritten: name {path.split('/')[2]} too"
        return "rewrite it"

    def _scope(self, path: str) -> str:
        if path in AGENT_FILES.values():
            return AGENTS
        if path == MANIFEST:
            return MANIFESTS
        if path.startswith(EVENTS):
            return EVENT_FILES
        if path.startswith(SUBJECTS):
            return SUBJECT_FILES
        if path in self.files:
            if any(note.path == path and note.id in tombstones(self.memory) for note in self.notes):
                return TOMBSTONES
            return {CANDIDATE: CANDIDATES, ARCHIVED: ARCHIVE}.get(place_of(path), NOTES)
        known = path in self.memory.broken or any(note.path == path for note in self.memory.notes)
        return OTHER_NOTES if known else OTHERS

    def _why(self, path: str, data: bytes | None) -> str:
        only = "; only the index has it" if path_digest(path) in self.intent.get("index", ()) else ""
        return self._reason(path, data) + only

    def _reason(self, path: str, data: bytes | None) -> str:
        if data is not None:
            return "an alias is the text"
        for note in self.notes:
            if note.path == path:
                whys = reasons(note, self.topic, self.registry) if self._is_match() else []
                return "; ".join(whys) or "named"
        if path.startswith(EVENTS):
            return "an event of the note"
        return "its subject" if path.startswith(SUBJECTS) else "named"

    def _is_match(self) -> bool:
        return bool(self.intent["how"] == MATCH)


_NAME_IT = "name the note too, or give it another target"


def reasons(note: Note, topic: Topic, registry: Registry) -> list[str]:
    """Why a text targets a note: its title, file name, tags, subject or evidence contain it."""
    subject = registry.subject(note.subject)
    named = [note.subject, *(text for _, text in spellings(subject))] if subject else [note.subject]
    told = (
        ("its title", topic.in_text(note.title)),
        ("its file name", topic.in_name(note.path.rpartition("/")[2])),
        ("a tag", any(map(topic.in_text, note.tags))),
        ("its subject", any(map(topic.in_text, named))),
        ("its evidence", any(topic.in_text(one.value) for one in note.evidence)),
    )
    return [why for why, holds in told if holds]


def marks_of(note: Note) -> list[Mark]:
    """What tells a note's topic wherever it stands: a title of several words, and its file."""
    found = [Mark(_file_mark(note), PATH)]
    title = normal_form(note.title)
    if len(title.split()) > 1:
        found.append(Mark(title, TITLE, True))
    return found


def _file_mark(note: Note) -> str:
    """The file's stem where that has the note's ID, else its path: ``x.md`` alone says nothing."""
    stem = note.path.rpartition("/")[2].removesuffix(".md")
    unique = note.id and stem.endswith("-" + note.id.removeprefix("n-"))
    return normal_form(stem if unique else note.path.removeprefix("memory/"))
