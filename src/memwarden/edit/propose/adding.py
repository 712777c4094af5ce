"""``mem add``: a new note, active where its evidence qualifies, else a candidate in the inbox."""

from __future__ import annotations

from memwarden.core.identity import note_file_name, slug
from memwarden.core.note import DEBT, INBOX, RULE, Evidence, Note
from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.edit.fresh import new_note
from memwarden.edit.plan import Proposal, events_folder
from memwarden.edit.propose.admission import UNQUALIFIED, admission, first_verdict, qualifies
from memwarden.edit.propose.bench import Bench, as_note, default_subject
from memwarden.edit.propose.placing import superseded_note
from memwarden.edit.propose.registering import beside, subject_for
from memwarden.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from memwarden.core.memory import Memory
    from memwarden.edit.plan import Surroundings

INBOX_FOLDER = "memory/" + INBOX


class Key(NamedTuple):
    """Where a new note stands and what it governs, with the defaults filled in; ``subject_chosen``
    tells that a person named the subject."""

    folder: str
    subject: str
    facet: str
    subject_chosen: bool
    reads: frozenset[str] = frozenset()


def propose_add(memory: Memory, intent: Mapping[str, Any], around: Surroundings) -> Proposal:
    """A new note's file and, where it is active, its ``admitted`` event."""
    bench = Bench(memory, around)
    olds = tuple(superseded_note(bench, name) for name in intent["supersedes"])
    evidence = tuple(Evidence(*pair) for pair in intent["evidence"])
    key = key_of(bench, intent, olds)
    if not _is_active(bench, intent, evidence, key.folder):
        return _candidate(bench, intent, key, olds)
    _require_room(bench, key.folder)
    bench.require_facet(key.facet)
    subject, files, remarks = subject_for(bench, key.subject, new=bool(intent["new_subject"]))
    path, data = _file(intent, key.folder, subject, key.facet, olds)
    note = as_note(path, data)
    owner = None if key.subject_chosen else bench.owner_of(note)
    if owner is not None:
        # Without a subject of its own the note would compete for one that it never asked for.
        remarks = (*remarks, *beside(owner, subject))
        path, data = _file(intent, key.folder, f"{subject}#{slug(intent['title'])}", key.facet, olds)
        note = as_note(path, data)
    bench.require_free(note, with_options=True)
    admitted = admission(bench, note, bench.events_of(note.id))
    return Proposal(
        changes={**files, path: data},
        events=(admitted.event,),
        reads=frozenset({*key.reads, *admitted.reads, *bench.subject_file(subject), events_folder(note.id)}),
        notes=(note.id,),
        remarks=(*remarks, *_unheard(note), *admitted.remarks),
    )


def _unheard(note: Note) -> tuple[str, ...]:
    """The remark on a debt that no touch brings up, and that can therefore never get louder."""
    if note.lifecycle != DEBT or note.anchors:
        return ()
    folder = note.path.removeprefix("memory/").rpartition("/")[0]
    return (f"without --anchor no touch brings it up: only a task that loads {folder}/ tells of it",)


def claimed(memory: Memory, intent: Mapping[str, Any], around: Surroundings) -> list[Note]:
    """The new note as far as its key tells, for whoever has to look for its neighbours first."""
    bench = Bench(memory, around)
    key = key_of(bench, intent, ())
    return [Note(key.folder, intent["id"], bench.registry.canonical(key.subject), key.facet)]


def key_of(bench: Bench, intent: Mapping[str, Any], olds: tuple[Note, ...]) -> Key:
    """The module, subject and facet: as given, else those of the note that is superseded, else the
    defaults."""
    debt = bool(intent["debt"])
    first = olds[0] if olds else None
    if intent["module"]:
        folder = bench.module(intent["module"])
    elif first is not None and bench.standings[first.path].name != "archived":
        folder = bench.folder_beside(first)
    else:
        folder = f"memory/{'debts' if debt else 'decisions'}/"
    globs = [text for kind, text in intent["anchors"] if kind == "path"]
    subject = intent["subject"] or (first.subject if first else "") or default_subject(globs)
    facet = intent["facet"] or (first.facet if first else "") or ("behavior" if debt else "workflow")
    chosen = bool(intent["subject"]) or first is not None
    return Key(folder, subject, facet, chosen, frozenset(old.path for old in olds))


def _require_room(bench: Bench, folder: str) -> None:
    """Raise :class:`Refused` where a module of one note has its note: an add overwrites nothing."""
    if not folder.endswith("/") and not bench.is_free(folder):
        raise Refused(
            f"{folder} is there already, and holds one note",
            f"change it with mem edit {folder}, or choose another module with --module",
        )


def _is_active(bench: Bench, intent: Mapping[str, Any], evidence: tuple[Evidence, ...], folder: str) -> bool:
    if intent["candidate"] or folder.startswith(INBOX_FOLDER):
        return False
    if any(one.key in UNQUALIFIED for one in evidence):
        return False
    return qualifies(evidence, intent["by"], bench.settings.agents_may_admit)


def _candidate(bench: Bench, intent: Mapping[str, Any], key: Key, olds: tuple[Note, ...]) -> Proposal:
    """Preserved in the inbox as it was said; a new subject waits for the admission."""
    subject = bench.registry.canonical(key.subject)
    if not subject:
        if not intent["new_subject"]:
            bench.registry.require(key.subject)
        subject = key.subject
    folder = key.folder if key.folder.startswith(INBOX_FOLDER) else INBOX_FOLDER
    path, data = _file(intent, folder, subject, key.facet, olds)
    note = as_note(path, data)
    remarks: tuple[str, ...] = (f"{note.id} is a candidate: mem admit {note.id} makes it memory",)
    reads: frozenset[str] = frozenset()
    if note.lifecycle == DEBT and note.condition is not None:
        red = first_verdict(bench, note)  # a debt that is paid already is no debt, in the inbox neither
        remarks, reads = (*remarks, *red.remarks), red.reads
    return Proposal(changes={path: data}, reads=reads, notes=(note.id,), remarks=remarks)


def _file(
    intent: Mapping[str, Any], folder: str, subject: str, facet: str, olds: tuple[Note, ...]
) -> tuple[str, bytes]:
    """The path and the bytes of the new note."""
    fields = {
        "id": intent["id"],
        "subject": subject,
        "facet": facet,
        "lifecycle": DEBT if intent["debt"] else RULE,
        "condition": intent["until"],
        "verify": intent["verify"],
        "anchors": [text if kind == "path" else {"command": text} for kind, text in intent["anchors"]],
        "evidence": [{key: value} for key, value in intent["evidence"]],
        "supersedes": [old.id for old in olds],
        "exception_to": intent["exception_to"],
        "not_before": intent["not_before"],
        "expires": intent["expires"],
        "created": intent["date"],
        "tags": list(intent["tags"]),
    }
    data = new_note(fields, intent["title"], intent["body"])
    if not folder.endswith("/"):
        return folder, data
    return folder + note_file_name(intent["title"], intent["id"]), data
