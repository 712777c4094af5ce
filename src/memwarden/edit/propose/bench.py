"""What every proposal works with: the memory, and what is asked of it more than once."""

from __future__ import annotations

from functools import cached_property

from memwarden.core.fitness import known_facets
from memwarden.core.glob import is_literal, literal_prefix
from memwarden.core.manifest import Settings
from memwarden.core.nearest import Nearest
from memwarden.core.neighbours import registry_of
from memwarden.core.note import ARCHIVE, INBOX, Note, scope_of
from memwarden.core.ownership import holder, owners, refusal
from memwarden.core.paths import check_path, normal
from memwarden.core.record import TYPE_CHECKING
from memwarden.core.standing import Standing, standings
from memwarden.core.subject import PROJECT
from memwarden.core.workspace import Unreadable
from memwarden.edit.note_reader import read_note
from memwarden.errors import ERROR, Refused, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from memwarden.core.event import Event
    from memwarden.core.memory import Memory
    from memwarden.core.ownership import Key
    from memwarden.core.registry import Registry
    from memwarden.edit.plan import Surroundings

RESERVED = ("subjects/", "events/", "manifest.md")


class Bench:
    """One memory in its surroundings, as proposals see it."""

    def __init__(self, memory: Memory, around: Surroundings) -> None:
        self.memory = memory
        self.around = around
        self._by_facet: dict[str, dict[Key, tuple[Note, ...]]] = {}

    @cached_property
    def registry(self) -> Registry:
        return registry_of(self.memory)

    @cached_property
    def standings(self) -> Mapping[str, Standing]:
        return standings(self.memory, self.around.today)

    @cached_property
    def owned(self) -> dict[Key, tuple[Note, ...]]:
        return owners(self.memory.notes, self.standings, self.registry)

    def owned_of(self, facet: str) -> dict[Key, tuple[Note, ...]]:
        """Who owns what of one facet; spelling out every subject of a large memory would cost."""
        found = self._by_facet.get(facet)
        if found is None:
            notes = [note for note in self.memory.notes if note.facet == facet]
            found = self._by_facet[facet] = owners(notes, self.standings, self.registry)
        return found

    def owner_of(self, note: Note) -> Note | None:
        """The active rule that owns what a new note claims."""
        return holder(note, self.owned_of(note.facet), self.registry)

    @cached_property
    def facets(self) -> frozenset[str]:
        return known_facets(self.memory.manifest)

    @property
    def settings(self) -> Settings:
        return self.memory.settings

    def events_of(self, note_id: str) -> tuple[Event, ...]:
        return tuple(self.memory.events.get(note_id, ()))

    def note(self, name: str) -> Note:
        """The note with this ID or this path, as an intent names it; raises :class:`Refused` for one
        that is not there any more."""
        for note in self.memory.notes:
            if name in (note.id, note.path):
                return note
        raise Refused(f"{name} is not in the memory any more", "mem list names every note")

    def content(self, path: str) -> bytes:
        try:
            return self.memory.workspace.read(path)
        except Unreadable as error:
            raise Refused(f"{path} cannot be read: {error}", "mend the file first") from None

    def is_free(self, path: str) -> bool:
        try:
            return self.memory.workspace.entry(path) is None
        except Unreadable:
            return False

    def require_free(self, note: Note, *, with_options: bool = False) -> None:
        """Raise :class:`Refused`, with the ways out, where an active rule owns the note's key; they are
        options where the command has those of ``add``."""
        owner = self.owner_of(note)
        if owner is not None:
            message, ways = refusal(note, owner, self.registry)
            if with_options:
                ways = _options(note, owner, self.registry)
            raise Refused(f"M301: {message}", ways)

    def require_facet(self, facet: str) -> None:
        if facet not in self.facets:
            known = ", ".join(sorted(self.facets))
            near = Nearest(sorted(self.facets)).to(facet, 1)
            hint = f"did you mean {near[0]}? else " if near else ""
            raise Refused(f"M103: unknown facet {facet!r}", f"{hint}use one of {known}")

    def subject_file(self, subject: str) -> tuple[str, ...]:
        """The registry file that a subject was read from, if it has one."""
        found = self.registry.subject(subject)
        return (found.path,) if found else ()

    def folder_beside(self, old: Note) -> str:
        """Where a successor lies unless somebody says otherwise: raises :class:`Refused` beside a module
        of one note, such as ``memory/brief.md``, for there it would be in no module."""
        manifest = self.memory.manifest
        if manifest is not None and old.path.removeprefix("memory/") in manifest.modules():
            raise Refused(
                f"{old.path} is a module of one note, so its successor would lie in none",
                f"change it with mem edit {old.path}, or choose a module with --module",
            )
        return old.path.rpartition("/")[0] + "/"

    def module(self, text: str) -> str:
        """The folder (``memory/decisions/``) or file (``memory/brief.md``) that a module's name means.

        A module is what the manifest names, a folder below one, or a folder that is there already;
        anything else raises :class:`UsageError`.
        """
        inner = text.strip().removeprefix("memory/")
        why = check_path(inner)
        if why:
            raise UsageError(f"module {text!r} {why}", "name a folder or a file of memory/")
        inner = normal(inner)
        folder = inner + "/"
        if folder in RESERVED or inner in RESERVED or folder.startswith(RESERVED[:2]):
            raise UsageError(f"{inner} is reserved", "choose a module that holds notes")
        declared = self.memory.modules
        if inner in declared and not inner.endswith("/"):
            return "memory/" + inner
        if folder.startswith((INBOX, ARCHIVE, *(one for one in declared if one.endswith("/")))):
            return "memory/" + folder
        if any(note.path.startswith("memory/" + folder) for note in self.memory.notes):
            return "memory/" + folder
        near = Nearest([one.rstrip("/") for one in declared]).to(inner, 1)
        hint = f"; did you mean {near[0]}?" if near else ""
        way = f"the manifest names {', '.join(declared)}"
        if inner.startswith("areas/"):
            way = f"write - {folder}: `GLOB` under ## Areas in memory/manifest.md first; {way}"
        elif inner.startswith("profiles/"):
            way = f"write - {folder}: PURPOSE under ## Profiles in memory/manifest.md first; {way}"
        raise UsageError(f"unknown module {text!r}{hint}", way)


def _options(note: Note, owner: Note, registry: Registry) -> str:
    """The ways out of a contest, as options of a command line."""
    subject = (registry.canonical(note.subject) or note.subject).partition("#")[0]
    name = owner.name
    departs = scope_of(note.path) != scope_of(owner.path)
    first = f"--exception-to {name} departs from it" if departs else f"--supersedes {name} replaces it"
    return f"{first}, --facet chooses another facet, or --subject {subject}#ASPECT narrows the subject"


def as_note(path: str, data: bytes) -> Note:
    """The note that new bytes would be read as; raises :class:`Refused` with every error in them."""
    note, findings = read_note(path, data)
    errors = tuple(finding for finding in findings if finding.severity == ERROR)
    if note is None or errors:
        codes = ", ".join(dict.fromkeys(finding.code for finding in errors))
        raise Refused(f"the note would not be valid ({codes})", errors[0].fix if errors else "", errors)
    return note


def default_subject(anchors: Iterable[str]) -> str:
    """``path:<first anchor>``, or its literal leading folder where it is a glob; else ``project``."""
    for anchor in anchors:
        path = anchor if is_literal(anchor) else literal_prefix(anchor)
        path = normal(path.lstrip("/"))
        return f"path:{path}" if path and check_path(path) is None else PROJECT
    return PROJECT
