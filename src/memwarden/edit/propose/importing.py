"""``mem import``: what a harvest of another tool's memory becomes here.

What the source's authoritative files hold becomes active on a person's word, and on nobody else's.
Everything that cannot stand, because its key is taken or its subject unknown, waits in the inbox;
what is here already is left alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memwarden.core.actor import HUMAN
from memwarden.core.event import PAID as PAID_EVENT
from memwarden.core.identity import note_file_name
from memwarden.core.manifest import PATH as MANIFEST
from memwarden.core.note import ACTIVE, ARCHIVED, CANDIDATE, RULE, Note
from memwarden.core.ownership import holder, owner_key, owners
from memwarden.core.paths import check_path
from memwarden.core.record import NamedTuple
from memwarden.core.standing import DECLARED
from memwarden.core.workspace import FILE, Unreadable
from memwarden.edit.event_writer import EventDraft, draft
from memwarden.edit.importing.harvest import MARK, PAID, Claim, Harvest, Loss, from_mapping
from memwarden.edit.plan import Proposal, events_folder
from memwarden.edit.propose.admission import admission
from memwarden.edit.propose.bench import Bench, as_note
from memwarden.edit.propose.courses import manifest_with
from memwarden.edit.propose.due import with_verdict
from memwarden.edit.propose.imported_note import (
    Teller,
    anchors_of,
    note_bytes,
    words_of,
)
from memwarden.edit.propose.newcomers import Newcomers
from memwarden.edit.propose.registering import FOLDER
from memwarden.edit.starter import is_untouched_brief
from memwarden.errors import MemError, Refused

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memwarden.core.memory import Memory
    from memwarden.core.ownership import Key
    from memwarden.edit.plan import Surroundings

MAPPED = "mapped"
ALREADY = "already"
LOST = "lost"

FALLBACK_FACET = "architecture"
BRIEF_MODULE = "brief.md"
PATH_KEYS = ("file", "doc", "test")


class Outcome(NamedTuple):
    """What became of one claim: ``mapped``, ``candidate``, ``already`` or ``lost``, and why."""

    kind: str
    source: str
    line: int
    title: str
    why: str
    id: str = ""
    path: str = ""


class Sorted(NamedTuple):
    """An import decided: the proposal, what became of each claim, and everything that is lost."""

    proposal: Proposal
    outcomes: tuple[Outcome, ...]
    lost: tuple[Loss, ...]


def propose_import(memory: Memory, intent: Mapping[str, Any], around: Surroundings) -> Proposal:
    """The notes, subjects and routes of another tool's memory, as far as they are not here yet."""
    return sort_out(memory, intent, around).proposal


def sort_out(memory: Memory, intent: Mapping[str, Any], around: Surroundings) -> Sorted:
    """The whole decision; the report of a preview is made from it."""
    harvest, ids = from_mapping(intent["harvest"])
    sorting = _Sorting(Bench(memory, around), intent, harvest)
    pairs = sorted(zip(harvest.claims, ids, strict=True), key=_first_the_past)
    sorting.name_subjects(pairs)
    for claim, note_id in pairs:
        sorting.place(claim, note_id)
    return sorting.result()


def _first_the_past(pair: tuple[Claim, str]) -> bool:
    """What is superseded comes before what may supersede it; else as the source has it."""
    return pair[0].place != ARCHIVED


class _Sorting:
    """One import being decided, claim by claim."""

    def __init__(self, bench: Bench, intent: Mapping[str, Any], harvest: Harvest) -> None:
        self.bench = bench
        self.intent = intent
        self.harvest = harvest
        self.trusted = intent["by"] == HUMAN or bench.settings.agents_may_admit
        self.newcomers = Newcomers(bench, harvest.entities, create=self.trusted)
        self.subjects: dict[str, str] = {}
        self.registry = bench.registry
        self.owned: dict[Key, tuple[Note, ...]] = {}
        self.marks = {tag: note for note in bench.memory.notes for tag in note.tags}
        self.titles: dict[str, list[Note]] = {}
        for note in bench.memory.notes:
            self.titles.setdefault(note.title, []).append(note)
        self.changes: dict[str, bytes | None] = {}
        self.events: list[EventDraft] = []
        self.reads: set[str] = set()
        self.outcomes: list[Outcome] = []
        self.lost: list[Loss] = []
        self.sizes: dict[str, int] = {}

    def name_subjects(self, pairs: list[tuple[Claim, str]]) -> None:
        """The subject of everything that may become active, so that all of them are known at once."""
        for claim, note_id in pairs:
            if claim.place == ACTIVE and claim.module != BRIEF_MODULE and self._there(claim) is None:
                self.subjects[note_id] = self.newcomers.of_claim(claim, note_id)
        self.registry = self.newcomers.registry()
        self.owned = owners(self.bench.memory.notes, self.bench.standings, self.registry)

    def place(self, claim: Claim, note_id: str) -> None:
        """Find the claim's place and write it there, or say why not."""
        there = self._there(claim)
        if there is not None:
            self._tell(ALREADY, claim, f"already here: {there.path}", there.id, there.path)
            return
        # A tag of the source in our form would let it pass for another claim, which then never came.
        tags = (tag for tag in claim.tags if not tag.startswith(MARK))
        claim = claim._replace(tags=(*tags, claim.digest))
        if not self.trusted and claim.place in (ACTIVE, PAID):
            claim = claim._replace(
                place=CANDIDATE if claim.place == ACTIVE else ARCHIVED,
                why=f"{self.intent['name']} is no person: a person admits it",
            )
        claim = self._with_cited(claim)
        try:
            if claim.module == BRIEF_MODULE and claim.place == ACTIVE:
                self._brief(claim, note_id)
            elif claim.place == ACTIVE:
                self._active(claim, note_id)
            elif claim.place == PAID:
                self._paid(claim, note_id)
            else:
                self._silent(claim, note_id)
        except MemError as error:
            told = [finding.message for finding in error.findings] or [error.message]
            self._tell(LOST, claim, told[0])
            self.lost.append(Loss(claim.source, claim.line, told[0]))

    def result(self) -> Sorted:
        lost: tuple[Loss, ...] = ()
        if self.trusted:
            manifest, lost = manifest_with(self.bench, self.harvest, self.sizes)
            if manifest is not None:
                self.changes[MANIFEST] = manifest
        self.changes.update(self._subject_files())
        kept = [one for one in self.outcomes if one.kind in (MAPPED, CANDIDATE)]
        proposal = Proposal(
            dict(self.changes),
            tuple(self.events),
            frozenset(self.reads),
            tuple(one.id for one in kept),
            _remarks(kept),
        )
        if not self.trusted and (self.harvest.courses or self.harvest.districts):
            source = next(one.source for one in (self.harvest.courses or self.harvest.districts))
            self.lost.append(Loss(source, 0, "routes and budgets: only a person changes what a task loads"))
        losses = (*self.harvest.lost, *self.newcomers.lost, *self.lost, *lost)
        outcomes = sorted(self.outcomes, key=lambda one: (one.source, one.line))
        return Sorted(proposal, tuple(outcomes), tuple(sorted(set(losses))))

    def _subject_files(self) -> dict[str, bytes | None]:
        """Every subject that the source registers, and those of claims that became notes."""
        used = {owner_key(note, self.registry) for notes in self.owned.values() for note in notes}
        named = {key[1].partition("#")[0] for key in used if key is not None}
        return {
            path: data
            for path, data in self.newcomers.files.items()
            if path in self.newcomers.registered or path[len(FOLDER) : -len(".md")] in named
        }

    def _there(self, claim: Claim) -> Note | None:
        """The note that holds the claim already: imported before, or the same words by hand."""
        found = self.marks.get(claim.digest)
        if found is not None:
            return found
        for note in self.titles.get(claim.title, ()):
            if note.path in self.changes or anchors_of(note) != {*claim.anchors}:
                continue
            if words_of(self.bench.content(note.path)) == claim.body.strip():
                return note
        return None

    def _active(self, claim: Claim, note_id: str) -> None:
        subject = self.subjects.get(note_id, "")
        facet = claim.facet or FALLBACK_FACET
        if not subject or facet not in self.bench.facets:
            why = f"the subject {claim.subject} is not known" if not subject else f"unknown facet {facet!r}"
            self._silent(claim._replace(place=CANDIDATE, why=why, subject="", facet=""), note_id)
            return
        folder = f"memory/{claim.module}"
        path, data = self._file(claim, note_id, folder, subject, facet, ())
        note = as_note(path, data)
        owner = holder(note, self.owned, self.registry)
        if owner is not None and owner.path in self.changes and not claim.subject and "#" not in subject:
            # Two entries of one name in the source: each keeps a subject of its own.
            subject = f"{subject}#{claim.module.rstrip('/').rpartition('/')[2]}"
            path, data = self._file(claim, note_id, folder, subject, facet, ())
            note = as_note(path, data)
            owner = holder(note, self.owned, self.registry)
        if owner is None:
            supersedes = self._superseded(claim, folder, subject, facet)
            if supersedes:
                path, data = self._file(claim, note_id, folder, subject, facet, supersedes)
                note = as_note(path, data)
            self._admit(claim, note, data)
            return
        why = f"{owner.id} owns {subject} / {facet} already"
        self._silent(claim._replace(place=CANDIDATE, why=why, subject=subject, facet=facet), note_id)

    def _admit(self, claim: Claim, note: Note, data: bytes) -> None:
        admitted = admission(self.bench, note, self.bench.events_of(note.id))
        key = owner_key(note, self.registry)
        if key is not None and note.lifecycle == RULE:
            self.owned[key] = (*self.owned.get(key, ()), note)
        self.events.append(admitted.event)
        self.reads |= admitted.reads | {events_folder(note.id), *self.bench.subject_file(note.subject)}
        self._keep(MAPPED, claim, note, data, claim.why or claim.module)

    def _paid(self, claim: Claim, note_id: str) -> None:
        """A debt that is over in the source: recorded as paid on a person's word, and silent."""
        subject = self.bench.registry.canonical(claim.subject) or "project"
        facet = claim.facet if claim.facet in self.bench.facets else "behavior"
        path, data = self._file(claim, note_id, f"memory/{claim.module}", subject, facet, ())
        note = as_note(path, data)
        self._admit(claim, note, data)
        facts = {"how": DECLARED, "reason": f"{claim.why} ({claim.source})"}
        admitted = self.events[-1]
        paid = draft(note.id, PAID_EVENT, (), facts)
        self.events.append(paid._replace(seq=admitted.seq + 1))

    def _silent(self, claim: Claim, note_id: str) -> None:
        """A candidate in the inbox, or history in the archive; no route leads to either."""
        archived = claim.place == ARCHIVED
        subject = self.newcomers.known(claim.subject) if claim.subject else ""
        facet = claim.facet if claim.facet in self.bench.facets else ""
        if not (subject and facet):
            subject = facet = ""
        claim, reads = with_verdict(self.bench, claim)
        folder = "memory/archive/" if archived else "memory/inbox/"
        path, data = self._file(claim, note_id, folder, subject, facet, ())
        note = as_note(path, data)
        self.reads |= reads
        kind = MAPPED if archived else CANDIDATE
        self._keep(kind, claim, note, data, claim.why or ("history" if archived else "a candidate"))

    def _brief(self, claim: Claim, note_id: str) -> None:
        """The brief of ``mem init`` gives way while nobody has touched it; any other stays."""
        path = f"memory/{BRIEF_MODULE}"
        old = next((note for note in self.bench.memory.notes if note.path == path), None)
        if old is None and self.bench.is_free(path):
            claim = claim._replace(module=BRIEF_MODULE)
            data = self._bytes(claim, note_id, "project", "overview", ())
            note = as_note(path, data)
            self.bench.require_free(note)
            self._admit(claim, note, data)
        elif old is not None and is_untouched_brief(old, self.bench.content(path)):
            data = self._bytes(claim._replace(created=old.created), old.id, "project", "overview", ())
            note = as_note(path, data)
            self._admit(claim, note, data)
        else:
            why = f"{path} is written already: decide which one holds"
            self._silent(claim._replace(place=CANDIDATE, why=why, subject="", facet=""), note_id)

    def _superseded(self, claim: Claim, folder: str, subject: str, facet: str) -> tuple[str, ...]:
        """The notes that stand here for what the claim supersedes in its source, where the key is one."""
        found = []
        for mark in claim.supersedes:
            old = self.marks.get(mark)
            same = old is not None and (old.subject, old.facet) == (subject, facet)
            if old is not None and same and not folder.startswith("memory/areas/"):
                found.append(old.id)
            else:
                self.lost.append(
                    Loss(
                        claim.source,
                        claim.line,
                        f"that it supersedes {mark}, which has no note of the same key",
                    )
                )
        return tuple(found)

    def _with_cited(self, claim: Claim) -> Claim:
        """The claim with the evidence that can be looked at here."""
        kept = []
        for key, value in claim.evidence:
            if key in PATH_KEYS and not self._is_file(value.partition("::")[0].partition("#")[0]):
                self.lost.append(
                    Loss(claim.source, claim.line, f"the evidence {value} is no file of this repository")
                )
            else:
                kept.append((key, value))
        return claim._replace(evidence=tuple(kept))

    def _is_file(self, path: str) -> bool:
        try:
            entry = None if check_path(path) else self.bench.memory.workspace.entry(path)
        except Unreadable:
            return False
        return entry is not None and entry.kind == FILE

    def _file(
        self, claim: Claim, note_id: str, folder: str, subject: str, facet: str, supersedes: tuple[str, ...]
    ) -> tuple[str, bytes]:
        path = folder + note_file_name(claim.title, note_id)
        if path in self.changes or not self.bench.is_free(path):
            raise Refused(f"{path} is there already", "import it again: it gets another ID")
        return path, self._bytes(claim, note_id, subject, facet, supersedes)

    def _bytes(
        self, claim: Claim, note_id: str, subject: str, facet: str, supersedes: tuple[str, ...]
    ) -> bytes:
        teller = Teller(self.intent["name"], self.intent["date"], self.trusted)
        return note_bytes(claim, note_id, teller, subject, facet, supersedes)

    def _keep(self, kind: str, claim: Claim, note: Note, data: bytes, why: str) -> None:
        self.changes[note.path] = data
        if kind == MAPPED and claim.place != ARCHIVED:
            self.sizes[claim.module] = self.sizes.get(claim.module, 0) + note.tokens
        for tag in note.tags:
            self.marks[tag] = note
        self._tell(kind, claim, why, note.id, note.path)

    def _tell(self, kind: str, claim: Claim, why: str, note_id: str = "", path: str = "") -> None:
        self.outcomes.append(Outcome(kind, claim.source, claim.line, claim.title, why, note_id, path))


def _remarks(kept: list[Outcome]) -> tuple[str, ...]:
    waiting = sum(one.kind == CANDIDATE for one in kept)
    if not waiting:
        return ()
    return (f"in the inbox, told to nobody: {waiting}; mem inbox goes through them",)
