"""Which of the notes about to be loaded are contested: another active rule claims the same key."""

from __future__ import annotations

from memwarden.core.note import RULE, scope_of
from memwarden.core.ownership import contested, owners
from memwarden.core.record import TYPE_CHECKING
from memwarden.core.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from memwarden.core.memory import Memory
    from memwarden.core.note import Note
    from memwarden.core.standing import Standing


def rivals(
    memory: Memory, standings: Mapping[str, Standing], wanted: Iterable[Note]
) -> dict[str, tuple[str, ...]]:
    """The path of every contested note among ``wanted`` with the IDs (or paths) of its rivals."""
    claims = {(scope_of(note.path), note.facet) for note in wanted if note.lifecycle == RULE}
    if not claims:
        return {}
    near = [note for note in memory.notes if (scope_of(note.path), note.facet) in claims]
    found = contested(owners(near, standings, Registry(memory.subjects)))
    ids = {note.path: note.id or note.path for note in near} if found else {}
    return {path: tuple(ids[other] for other in others) for path, others in found.items()}
