"""``mem edit``: a note's whole text as a person left it, held to the law."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memwarden.core.canonical import condition_digest
from memwarden.core.change import digest_of
from memwarden.core.note import ACTIVE, DEBT, place_of
from memwarden.core.standing import seen_failing
from memwarden.edit.plan import Proposal, events_folder
from memwarden.edit.propose.admission import admission
from memwarden.edit.propose.bench import Bench, as_note
from memwarden.errors import Refused, StalePlan

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memwarden.core.memory import Memory
    from memwarden.edit.plan import Surroundings


def propose_edit(memory: Memory, intent: Mapping[str, Any], around: Surroundings) -> Proposal:
    """The new text and, where a debt's condition was re-worded, an event that holds its failing verdict."""
    bench = Bench(memory, around)
    path = intent["path"]
    before = bench.content(path)
    if digest_of(before) != intent["before"]:
        # The text was written over another state of the file: it would silently undo what came since.
        raise StalePlan(f"{path} changed since it was opened; nothing was written", "run mem edit again")
    data = intent["text"].encode()
    note = as_note(path, data)
    old = next((one for one in memory.notes if one.path == path), None)
    if old is not None and old.id and note.id != old.id:
        raise Refused(f"the ID of a note never changes ({old.id})", "leave id as it was")
    if data == before:
        return Proposal(notes=(note.id,) if note.id else ())
    is_live = place_of(path) == ACTIVE and bool(note.id)
    if is_live and old is not None and bench.standings[path].live:
        bench.require_free(note)
    earlier = bench.events_of(note.id)
    digest = condition_digest(note.condition)
    reworded = digest != condition_digest(old.condition if old is not None else None)
    if not (is_live and note.lifecycle == DEBT and digest and reworded) or seen_failing(earlier, digest):
        reads = frozenset({*bench.subject_file(note.subject)})
        return Proposal(changes={path: data}, reads=reads, notes=(note.id,) if note.id else ())
    admitted = admission(bench, note, earlier)
    reads = frozenset({*admitted.reads, events_folder(note.id), *bench.subject_file(note.subject)})
    return Proposal({path: data}, (admitted.event,), reads, (note.id,), admitted.remarks)
