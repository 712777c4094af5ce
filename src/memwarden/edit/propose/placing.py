"""``mem supersede`` and ``mem move``: what stands in for what, and where a note lies."""

from __future__ import annotations

from memwarden.core.actor import HUMAN
from memwarden.core.event import ADMITTED
from memwarden.core.note import ACTIVE, CANDIDATE, INBOX, Note, place_of
from memwarden.core.record import TYPE_CHECKING
from memwarden.core.supersession import circles, claim_of
from memwarden.edit.document import append_to_list
from memwarden.edit.plan import Proposal, events_folder
from memwarden.edit.propose.admission import qualifies
from memwarden.edit.propose.bench import Bench, as_note
from memwarden.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from memwarden.core.memory import Memory
    from memwarden.edit.plan import Surroundings


def propose_supersede(memory: Memory, intent: Mapping[str, Any], around: Surroundings) -> Proposal:
    """OLD's ID in NEW's ``supersedes``: the only record of supersession."""
    bench = Bench(memory, around)
    old, new = bench.note(intent["old"]), bench.note(intent["new"])
    if old.path == new.path:
        raise Refused("a note cannot supersede itself", "name the old note, then the new one")
    if old.id and old.id in new.supersedes:
        return Proposal(notes=(new.id,))
    superseded_note(bench, intent["old"])
    if not new.id or place_of(new.path) != ACTIVE:
        raise Refused(
            f"{new.path} is {bench.standings[new.path].name}: only an active note supersedes",
            "mem admit it first",
        )
    if old.id in circles({**_links(memory), new.id: (*new.supersedes, old.id)}).get(new.id, ()):
        raise Refused(
            f"M302: supersession would go round: {old.id} leads to {new.id}", "break the chain first"
        )
    _require_same_key(bench, old, new)
    data = append_to_list(bench.content(new.path), "supersedes", old.id)
    return Proposal(
        changes={new.path: data},
        reads=frozenset({old.path, *bench.subject_file(new.subject)}),
        notes=(new.id, old.id),
    )


def propose_move(memory: Memory, intent: Mapping[str, Any], around: Surroundings) -> Proposal:
    """The note's file in another module; its bytes, its ID and its events stay."""
    bench = Bench(memory, around)
    note = bench.note(intent["note"])
    folder = bench.module(intent["module"])
    path = folder + note.path.rpartition("/")[2] if folder.endswith("/") else folder
    if path == note.path:
        return Proposal(notes=(note.id,))
    if place_of(note.path) == CANDIDATE and place_of(path) == ACTIVE:
        raise Refused(
            f"{note.path} is a candidate: it becomes memory by admission",
            f"mem admit {note.name} --module {intent['module']}",
        )
    if place_of(path) == ACTIVE != place_of(note.path) and not _may_return(
        bench, note, intent.get("by", HUMAN)
    ):
        name = note.name
        raise Refused(
            f"{note.path} was never admitted, and nothing that speaks for it can make it active",
            f"mem move {name} inbox, and let a person admit it",
        )
    if not bench.is_free(path):
        raise Refused(f"{path} is there already", "move that one first, or choose another module")
    data = bench.content(note.path)
    moved = as_note(path, data)
    if place_of(path) == ACTIVE:
        bench.require_free(moved)
    reads = {events_folder(note.id)} if note.id else set()
    remarks = ("the note becomes a candidate again",) if path.startswith("memory/" + INBOX) else ()
    return Proposal(
        changes={note.path: None, path: data},
        reads=frozenset({*reads, *bench.subject_file(note.subject)}),
        notes=(note.id,),
        remarks=remarks,
    )


def _may_return(bench: Bench, note: Note, by: str) -> bool:
    """Whether a note may come back from the archive, which is no way round the admission."""
    if any(event.kind == ADMITTED for event in bench.events_of(note.id)):
        return True
    return qualifies(note.evidence, by, bench.settings.agents_may_admit)


def superseded_note(bench: Bench, name: str) -> Note:
    """A note that another may supersede; raises :class:`Refused` for one that some note already does."""
    old = bench.note(name)
    if not old.id:
        raise Refused(f"{old.path} has no ID, so nothing can supersede it", "mem admit it, or give it one")
    if place_of(old.path) == CANDIDATE:
        raise Refused(f"{old.id} is a candidate: nothing of it is live", f"mem reject {old.id} turns it down")
    by = bench.standings[old.path].by
    if by:
        raise Refused(f"{old.id} is superseded already, by {by}", f"supersede {by} instead")
    return old


def _links(memory: Memory) -> dict[str, tuple[str, ...]]:
    return {note.id: note.supersedes for note in memory.notes if note.id and note.supersedes}


def _require_same_key(bench: Bench, old: Note, new: Note) -> None:
    """A successor is of its predecessor's lifecycle and governs what that one governed."""
    theirs, mine = claim_of(old, bench.registry), claim_of(new, bench.registry)
    if theirs is not None and mine is not None and theirs != mine:
        if theirs[0] != mine[0]:
            told = f"{old.id} is a {theirs[0]}, {new.id} a {mine[0]}"
        else:
            told = f"{old.id} governs {' / '.join(theirs[1:])}, {new.id} governs {' / '.join(mine[1:])}"
        raise Refused(
            f"M302: {told}",
            "give both the same lifecycle, scope, subject and facet, or revoke the old one",
        )
