"""The subjects that an import brings: those that its source registers, and one a claim that names none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memwarden.core.identity import slug
from memwarden.core.registry import Registry, spelling_key, split_aspect
from memwarden.core.subject import Subject
from memwarden.edit.fresh import new_note
from memwarden.edit.importing.harvest import Claim, Entity, Loss
from memwarden.edit.propose.registering import FOLDER
from memwarden.edit.subject_reader import is_subject_id, read_subject
from memwarden.errors import ERROR, MemError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memwarden.edit.propose.bench import Bench


class Newcomers:
    """The registry as it grows: every spelling that is taken, and the files to be written."""

    def __init__(self, bench: Bench, entities: Iterable[Entity], *, create: bool) -> None:
        self.bench = bench
        self.create = create
        self.files: dict[str, bytes] = {}
        self.registered: frozenset[str] = frozenset()  # the files of the source's own subjects
        self.lost: list[Loss] = []
        self._new: dict[str, Subject] = {}
        self._spelled: dict[str, str] = {}
        self._marks: dict[str, str] = {}
        self._register(sorted(entities, key=lambda entity: bool(entity.merged_into)))

    def registry(self) -> Registry:
        """The registry that the import leaves behind."""
        return Registry((*self.bench.memory.subjects, *self._new.values()))

    def known(self, text: str) -> str:
        """The identity that ``text`` spells: an ID of the source, or a spelling of ours; else ""."""
        if not text:
            return ""
        if text.upper() in self._marks:
            return self._marks[text.upper()]
        base, aspect = split_aspect(text.strip())
        found = self.bench.registry.canonical(text) or self._spelled.get(spelling_key(text), "")
        if not found and aspect:
            named = self._spelled.get(spelling_key(base), "")
            found = f"{named}#{aspect}" if named else ""
        return found

    def of_claim(self, claim: Claim, note_id: str) -> str:
        """The subject of a claim, made where it names none; "" where it names one that nobody knows."""
        if claim.subject:
            return self.known(claim.subject)
        name = claim.title.removeprefix("Tombstone:").strip() or claim.title
        known = self.known(name) or self.known(slug(name))
        if known:
            return known
        entity = Entity(claim.source, claim.line, "", name)
        return self._add(entity, note_id) if self.create else ""

    def _register(self, entities: list[Entity]) -> None:
        for entity in entities:
            found = self.bench.registry.canonical(entity.mark) or self.bench.registry.canonical(entity.name)
            if found:
                self._marks[entity.mark] = found
            elif self.create:
                self._marks[entity.mark] = self._add(entity, entity.mark[-8:])
        self.registered = frozenset(self.files)

    def _add(self, entity: Entity, suffix: str) -> str:
        """A new subject's ID, or "" where its file would not be valid; its spellings are its own."""
        identity = self._free(slug(entity.name), suffix)
        aliases = []
        for alias in entity.aliases:
            if self._taken(alias):
                self.lost.append(Loss(entity.source, entity.line, f"the alias {alias!r} is taken already"))
            else:
                aliases.append(alias)
        ref = "" if entity.ref and self._taken(entity.ref) else entity.ref
        merged = self._marks.get(entity.merged_into, "") if entity.merged_into else ""
        fields = {
            "id": identity,
            "name": entity.name,
            "kind": entity.kind,
            "ref": ref,
            "aliases": aliases,
            "merged_into": merged,
        }
        path = f"{FOLDER}{identity}.md"
        try:
            data = new_note(fields, entity.name, entity.body)
        except MemError as error:
            self.lost.append(Loss(entity.source, entity.line, error.message))
            return ""
        subject, findings = read_subject(path, data)
        errors = [finding for finding in findings if finding.severity == ERROR]
        if subject is None or errors:
            self.lost.append(Loss(entity.source, entity.line, errors[0].message if errors else "no subject"))
            return ""
        self.files[path] = data
        self._new[identity] = subject
        for spelling in (identity, entity.name, ref, *aliases):
            if spelling:
                self._spelled.setdefault(spelling_key(spelling), identity)
        return merged or identity

    def _taken(self, spelling: str) -> bool:
        return bool(self.bench.registry.owner_of(spelling)) or spelling_key(spelling) in self._spelled

    def _free(self, wanted: str, suffix: str) -> str:
        """An ID that is free: the slug, or one with the note's or the source's own characters."""
        tail = suffix.removeprefix("n-").lower()
        for identity in (wanted, f"{wanted}-{tail}", f"subject-{tail}"):
            is_new = is_subject_id(identity) and not self._taken(identity)
            if is_new and self.bench.is_free(f"{FOLDER}{identity}.md"):
                return identity
        return f"subject-{tail}"
