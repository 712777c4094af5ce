"""Reading ``memory/`` whole: every file that belongs to it, each failure one finding, the rest served.

What is not a note is told apart by its place: the manifest, subjects, events; a ``README.md`` is nobody's,
in any folder.  The parsers are loaded only for files that the cache does not know.

====  ========  ==============================================================================
M002  error     a file of the index that git has not merged yet
M006  error     a file that cannot be read: no permission, a link out of the repository, a device...
M501  error     likewise the manifest
M007  warning   names that are one file on systems that ignore case or Unicode form
M008  notice    a file that is no Markdown lies among the notes (ignored)
====  ========  ==============================================================================
"""

from __future__ import annotations

from memwarden.core.memory import Memory
from memwarden.core.note import Note
from memwarden.core.paths import folded
from memwarden.core.record import TYPE_CHECKING
from memwarden.core.workspace import FILE, FOLDER, Entry, Unreadable
from memwarden.errors import ERROR, NOTICE, WARNING, Finding

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Protocol

    from memwarden.core.event import Event
    from memwarden.core.manifest import Manifest
    from memwarden.core.subject import Subject
    from memwarden.core.workspace import Workspace

    Reading = tuple[Note | Event | None, tuple[Finding, ...]]
else:
    Protocol = object

FOLDER_NAME = "memory"
MANIFEST = "memory/manifest.md"
SUBJECTS = "memory/subjects/"
EVENTS = "memory/events/"
MOST_NOTE = 1024 * 1024

CONFLICT = "M002"
UNREADABLE = "M006"
NO_MANIFEST = "M501"
COLLIDING = "M007"
STRAY = "M008"


class NoteCache(Protocol):
    """What earlier readings of notes and events found, by path and stamp."""

    def vouched(self, path: str) -> Reading | None:
        """What reading the file gave, where the cache itself knows that it is there and has not changed
        since, so that nobody need look at it again; else None."""

    def get(self, path: str, stamp: str) -> Reading | None:
        """What reading the file gave when it had this stamp, or None where that is not known."""

    def put(self, path: str, stamp: str, record: Note | Event | None, findings: tuple[Finding, ...]) -> None:
        """Remember what reading the file gave."""


def load(workspace: Workspace, cache: NoteCache | None = None) -> Memory:
    """The memory as ``workspace`` has it; never raises for what is in the files."""
    reading = _Reading(workspace, cache)
    for path in workspace.paths(FOLDER_NAME):
        reading.take(path)
    return reading.memory()


def load_paths(workspace: Workspace, paths: Iterable[str]) -> Memory:
    """What these files below ``memory/`` hold, as a memory of their own; those not there add nothing."""
    reading = _Reading(workspace, None)
    for path in paths:
        reading.take(path)
    return reading.memory()


class _Reading:
    """One walk over ``memory/``."""

    def __init__(self, workspace: Workspace, cache: NoteCache | None) -> None:
        self.workspace = workspace
        self.cache = cache
        self.manifest: Manifest | None = None
        self.notes: list[Note] = []
        self.broken: list[str] = []
        self.subjects: list[Subject] = []
        self.events: dict[str, list[Event]] = {}
        self.findings: list[Finding] = []
        self.met: list[str] = []
        self.odd_folders: set[str] = set()

    def take(self, path: str) -> None:
        name = path.rpartition("/")[2]
        if name == "README.md" or "/." in path:
            return
        if ".md/" in path and not path.startswith(EVENTS):
            self._folder_like_a_note(path[: path.index(".md/") + 3])
        vouched = self.cache.vouched(path) if self.cache else None
        if vouched is not None:
            self.met.append(vouched[0].path if vouched[0] else path)  # the path that is kept already
            self._add(path, *vouched)
            return
        try:
            entry = self.workspace.entry(path)
            if entry is None:
                return  # removed while we were reading: as if it had never been there
            self._take(path, name, entry)
        except Unreadable as error:
            self._unreadable(path, str(error))

    def _take(self, path: str, name: str, entry: Entry) -> None:
        if entry.kind == FOLDER:
            what = "a link to a folder" if entry.link else "a folder that is empty or cannot be listed"
            if not path.endswith(".md") and not f"{path}/".startswith((SUBJECTS, EVENTS)):
                self.broken.append(path)  # whatever notes there are behind it
            raise Unreadable(f"{what}: nothing behind it is read")
        if entry.unmerged:
            self._unmerged(path)
            return
        if entry.kind != FILE:
            what = "a link that leads nowhere or out of the repository" if entry.link else "no regular file"
            raise Unreadable(what)
        self.met.append(path)
        if path.startswith(EVENTS):
            self._record(path, entry)
        elif not name.endswith(".md"):
            self._stray(path, name)
        elif entry.kind != FILE:
            raise Unreadable(
                "a link that leads nowhere or out of the repository" if entry.link else "no file"
            )
        elif path == MANIFEST:
            self._manifest(path)
        elif path.startswith(SUBJECTS):
            self._subject(path)
        elif entry.size > MOST_NOTE:
            raise Unreadable(f"larger than 1 MiB ({entry.size} bytes): one file, one claim")
        else:
            self._record(path, entry)

    def _manifest(self, path: str) -> None:
        from memwarden.edit.manifest_reader import read_manifest  # late: a fresh index needs no parser
        from memwarden.edit.record_reader import unsafe_in

        data = self.workspace.read(path)
        self.manifest, findings = read_manifest(path, data)
        self.findings += (*findings, *unsafe_in(path, data))

    def _subject(self, path: str) -> None:
        from memwarden.edit.record_reader import unsafe_in
        from memwarden.edit.subject_reader import read_subject  # late: a fresh index needs no parser

        data = self.workspace.read(path)
        subject, findings = read_subject(path, data)
        if subject:
            self.subjects.append(subject)
        self.findings += (*findings, *unsafe_in(path, data))

    def _record(self, path: str, entry: Entry) -> None:
        """A note or an event."""
        known = self.cache.get(path, entry.stamp) if self.cache and entry.stamp else None
        if known is None:
            from memwarden.edit import record_reader  # late: a fresh index needs no parser

            read = record_reader.event_of if path.startswith(EVENTS) else record_reader.reading_of
            known = read(path, self.workspace.read(path))
            if self.cache and entry.stamp:
                self.cache.put(path, entry.stamp, *known)
        self._add(path, *known)

    def _add(self, path: str, record: Note | Event | None, findings: tuple[Finding, ...]) -> None:
        """What reading a note's or an event's file gave."""
        if isinstance(record, Note):
            self.notes.append(record)
        elif record is not None:
            self.events.setdefault(record.note, []).append(record)
        elif not path.startswith(EVENTS):
            self.broken.append(path)
        self.findings += findings

    def _folder_like_a_note(self, path: str) -> None:
        if path not in self.odd_folders:
            self.odd_folders.add(path)
            self._unreadable(path, "a folder, named like a note")

    def _watch_collisions(self) -> None:
        """Say which of the files that were met have one name on some system: in most memories none."""
        if len({hash(folded(path)) for path in self.met}) == len(self.met):
            return
        names: dict[str, str] = {}
        for path in self.met:
            other = names.setdefault(folded(path), path)
            if other != path:
                message = f"{path} and {other} are one file on systems that ignore case or Unicode form"
                self.findings.append(Finding(COLLIDING, WARNING, message, path, fix="rename one of them"))

    def _stray(self, path: str, name: str) -> None:
        from memwarden.edit.record_reader import unsafe_in  # late, as above

        meant = name.lower().endswith((".md", ".markdown", ".mdown", ".mkd"))
        fix = "name it *.md to make it a note, or move it out of memory/"
        severity = WARNING if meant else NOTICE
        self.findings.append(Finding(STRAY, severity, "not a Markdown note: ignored", path, fix=fix))
        self.findings += unsafe_in(path, b"")

    def _unreadable(self, path: str, why: str) -> None:
        if path.endswith(".md") and path != MANIFEST and not path.startswith((SUBJECTS, EVENTS)):
            self.broken.append(path)
        code = NO_MANIFEST if path == MANIFEST else UNREADABLE
        self.findings.append(Finding(code, ERROR, f"cannot be read: {why}", path))

    def _unmerged(self, path: str) -> None:
        if path.endswith(".md") and path != MANIFEST and not path.startswith((SUBJECTS, EVENTS)):
            self.broken.append(path)
        fix = "resolve the conflict, then git add it"
        self.findings.append(Finding(CONFLICT, ERROR, "git has not merged it yet", path, fix=fix))

    def memory(self) -> Memory:
        self._watch_collisions()
        events = {
            note: tuple(sorted(found, key=lambda event: (event.seq, event.at, event.path)))
            for note, found in sorted(self.events.items())
        }
        return Memory(
            self.workspace,
            self.manifest,
            tuple(sorted(self.notes, key=lambda note: note.path)),
            tuple(sorted(self.broken)),
            tuple(sorted(self.subjects, key=lambda subject: subject.path)),
            events,
            tuple(
                sorted(self.findings, key=lambda found: (found.path, found.line, found.column, found.code))
            ),
        )
