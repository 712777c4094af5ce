"""``mem admit`` and ``mem reject``: what becomes of a candidate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memwarden.core.actor import HUMAN
from memwarden.core.event import ADMITTED, REJECTED
from memwarden.core.identity import note_file_name, slug
from memwarden.core.note import ACTIVE, CANDIDATE, DEBT, INBOX, Evidence, Note, place_of
from memwarden.core.standing import TURNED_DOWN
from memwarden.edit.document import append_to_list, set_body, set_field, set_title
from memwarden.edit.event_writer import draft
from memwarden.edit.plan import Proposal, events_folder
from memwarden.edit.propose.admission import admission, qualifies
from memwarden.edit.propose.bench import Bench, as_note, default_subject
from memwarden.edit.propose.placing import superseded_note
from memwarden.edit.propose.registering import beside, subject_for
from memwarden.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memwarden.core.memory import Memory
    from memwarden.edit.plan import Surroundings

# What the command line may say of a candidate; an active note is changed with mem edit.
CLAIMS = (
    "debt", "until", "verify", "anchors", "supersedes", "exception_to", "not_before", "expires", "tags",
    "title", "body", "module", "subject", "facet", "evidence",
)  # fmt: skip


def propose_admit(memory: Memory, intent: Mapping[str, Any], around: Surroundings) -> Proposal:
    """The candidate in its module, with what it lacked, and its ``admitted`` event.

    A note that is active already is admitted again as it stands: its evidence is pinned anew.
    """
    bench = Bench(memory, around)
    named = bench.note(intent["note"])
    if place_of(named.path) == ACTIVE and bench.standings[named.path].live:
        return _again(bench, named, intent)
    old = candidate_of(bench, intent["note"])
    if bench.standings[old.path].name == TURNED_DOWN:
        raise Refused(
            f"{old.path} was rejected: {bench.standings[old.path].reason or 'no reason given'}",
            f"mem reinstate {old.id} takes that back first",
        )
    olds = tuple(superseded_note(bench, name) for name in intent["supersedes"])
    data = _with_claims(bench, old, intent, olds)
    said = as_note(old.path, data)
    folder = _folder(bench, intent, said, olds)
    data, said = _with_evidence(bench, intent, data, said)
    data, files, remarks = _with_key(bench, intent, data, said, folder, olds)
    said = as_note(old.path, data)
    path = _destination(bench, folder, said)
    note = as_note(path, data)
    bench.require_facet(note.facet)
    bench.require_free(note, with_options=True)
    admitted = admission(bench, note, bench.events_of(note.id))
    return Proposal(
        changes={**files, old.path: None, path: data},
        events=(admitted.event,),
        reads=frozenset(
            {
                *admitted.reads,
                *(one.path for one in olds),
                *bench.subject_file(note.subject),
                events_folder(note.id),
            }
        ),
        notes=(note.id,),
        remarks=(*remarks, *admitted.remarks),
    )


def _again(bench: Bench, note: Note, intent: Mapping[str, Any]) -> Proposal:
    """A further ``admitted`` event of a note that somebody looked at once more; nothing where all is as
    it was pinned."""
    if any(intent[claim] for claim in CLAIMS):
        raise Refused(
            f"{note.path} is no candidate: it is {bench.standings[note.path].name}",
            f"mem edit changes what it says; mem admit {note.name} alone pins its evidence anew",
        )
    if not note.id:
        raise Refused(f"M005: {note.path} has no id", "mem move it to inbox, then mem admit it")
    if not qualifies(note.evidence, intent["by"], bench.settings.agents_may_admit):
        raise Refused(
            "M201: nothing that speaks for the note lets you admit it",
            "let a person look at it, or mem edit it",
        )
    earlier = bench.events_of(note.id)
    admitted = admission(bench, note, earlier)
    last = next((event for event in reversed(earlier) if event.kind == ADMITTED), None)
    if last is not None and last.facts.get("blobs") == admitted.event.facts.get("blobs"):
        return Proposal(notes=(note.id,))
    reads = frozenset({note.path, *admitted.reads, events_folder(note.id)})
    return Proposal(events=(admitted.event,), reads=reads, notes=(note.id,), remarks=admitted.remarks)


def propose_reject(memory: Memory, intent: Mapping[str, Any], around: Surroundings) -> Proposal:
    """A ``rejected`` event; the candidate's file stays in the inbox, silent."""
    bench = Bench(memory, around)
    note = candidate_of(bench, intent["note"])
    if bench.standings[note.path].name == TURNED_DOWN:
        return Proposal(notes=(note.id,))
    changes: dict[str, bytes | None] = {}
    note_id = note.id
    if not note_id:
        note_id = intent["id"]
        changes[note.path] = set_field(bench.content(note.path), "id", note_id)
    event = draft(note_id, REJECTED, bench.events_of(note_id), {"reason": intent["reason"] or None})
    reads = frozenset({note.path, events_folder(note_id)})
    return Proposal(changes=changes, events=(event,), reads=reads, notes=(note_id,))


def candidate_of(bench: Bench, name: str) -> Note:
    """The candidate of this name; raises :class:`Refused` for a note that is none."""
    note = bench.note(name)
    if place_of(note.path) != CANDIDATE:
        raise Refused(
            f"{note.path} is no candidate: it is {bench.standings[note.path].name}",
            "mem revoke retires a note that was wrong; mem move puts one elsewhere",
        )
    return note


def _with_claims(bench: Bench, old: Note, intent: Mapping[str, Any], olds: tuple[Note, ...]) -> bytes:
    """The candidate's bytes with what was said on the command line, and with what it cannot lack."""
    data = bench.content(old.path)
    if not old.id:
        data = set_field(data, "id", intent["id"])
    if intent["debt"]:
        data = set_field(data, "lifecycle", DEBT)
    for field, value in (("condition", intent["until"]), ("verify", intent["verify"])):
        if value:
            data = set_field(data, field, _as_text(value))
    for kind, text in intent["anchors"]:
        data = append_to_list(data, "anchors", text if kind == "path" else {"command": text})
    for one in olds:
        data = append_to_list(data, "supersedes", one.id)
    for field in ("exception_to", "not_before", "expires"):
        if intent[field]:
            data = set_field(data, field, intent[field])
    for tag in intent["tags"]:
        data = append_to_list(data, "tags", tag)
    if not old.created:
        data = set_field(data, "created", intent["date"])
    if intent["title"]:
        data = set_title(data, intent["title"])
        if intent["body"]:
            data = set_body(data, f"# {intent['title']}\n\n{intent['body']}\n")
    return data


def _folder(bench: Bench, intent: Mapping[str, Any], said: Note, olds: tuple[Note, ...]) -> str:
    if intent["module"]:
        folder = bench.module(intent["module"])
        if folder.startswith("memory/" + INBOX):
            raise Refused("the inbox holds candidates", "name the module that is to take the note")
        return folder
    if olds:
        return bench.folder_beside(olds[0])
    return f"memory/{'debts' if said.lifecycle == DEBT else 'decisions'}/"


def _with_evidence(bench: Bench, intent: Mapping[str, Any], data: bytes, said: Note) -> tuple[bytes, Note]:
    """The evidence that was given, else, where what is there does not qualify, the person's own word."""
    given = [Evidence(*pair) for pair in intent["evidence"]]
    agents = bench.settings.agents_may_admit
    if not qualifies((*said.evidence, *given), intent["by"], agents):
        if intent["by"] != HUMAN:
            raise Refused(
                "M201: nothing that speaks for the note can make it active",
                "give --evidence file:, doc:, test:, issue:, pr: or commit:, or let a person admit it",
            )
        given += [Evidence(*pair) for pair in intent["spoken"]]
    for one in given:
        data = append_to_list(data, "evidence", {one.key: one.value})
    return data, as_note(said.path, data)


def _with_key(
    bench: Bench, intent: Mapping[str, Any], data: bytes, said: Note, folder: str, olds: tuple[Note, ...]
) -> tuple[bytes, dict[str, bytes], tuple[str, ...]]:
    """The subject and the facet: as given, as the candidate has them, else the defaults of ``add``."""
    first = olds[0] if olds else None
    default = default_subject(anchor.text for anchor in said.anchors if anchor.kind == "path")
    # A subject that only the defaults of ``add`` named was not chosen by anybody.
    of_its_own = said.subject if said.subject != default else ""
    chosen = intent["subject"] or of_its_own or (first.subject if first else "")
    facet = intent["facet"] or said.facet
    if said.subject and not facet:
        raise Refused(
            f"M101: the candidate names a subject ({said.subject}) but no facet",
            f"give --facet: one of {', '.join(sorted(bench.facets))}",
        )
    facet = facet or (first.facet if first else "") or ("behavior" if said.lifecycle == DEBT else "workflow")
    subject, files, remarks = subject_for(bench, chosen or default, new=bool(intent["new_subject"]))
    data = set_field(data, "facet", facet)
    if not chosen:
        trial = as_note(_destination(bench, folder, said), set_field(data, "subject", subject))
        owner = bench.owner_of(trial)
        if owner is not None:
            remarks = (*remarks, *beside(owner, subject))
            subject = f"{subject}#{slug(said.title)}"
    return set_field(data, "subject", subject), files, remarks


def _destination(bench: Bench, folder: str, note: Note) -> str:
    """Where the admitted note lies: under its own name if that has its ID already."""
    if not folder.endswith("/"):
        path = folder
    else:
        name = note.path.rpartition("/")[2]
        keeps = name.endswith(f"-{note.id.removeprefix('n-')}.md")
        path = folder + (name if keeps else note_file_name(note.title, note.id))
    if not bench.is_free(path):
        raise Refused(f"{path} is there already", "name another module with --module")
    return path


def _as_text(value: Any) -> Any:
    """A canonical condition as frontmatter holds it: numbers as text."""
    if isinstance(value, dict):
        return {key: _as_text(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_as_text(inner) for inner in value]
    return value if isinstance(value, str) else str(value)
