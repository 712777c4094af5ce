"""Which of the notes about to be loaded are contested: another active rule claims the same key.

Resolving every subject of a large memory costs more than the rest of a route, and almost no note has a
rival.  So notes are first put into coarse groups that two spellings of one subject can never leave;
only groups with company are looked at closely.
"""

from __future__ import annotations

from memwarden.core.fitness import unfit_among
from memwarden.core.note import RULE, scope_of
from memwarden.core.ownership import contested, owners
from memwarden.core.record import TYPE_CHECKING
from memwarden.core.registry import Registry, spellings

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from memwarden.core.memory import Memory
    from memwarden.core.note import Note
    from memwarden.core.standing import Standing

# The group of every spelling that a registered subject may stand behind.
_REGISTERED = ""


def rivals(
    memory: Memory, standings: Mapping[str, Standing], wanted: Iterable[Note]
) -> dict[str, tuple[str, ...]]:
    """The path of every contested note among ``wanted`` with the IDs (or paths) of its rivals."""
    claims = {(scope_of(note.path), note.facet) for note in wanted if note.lifecycle == RULE}
    known = {_tail(text) for subject in memory.subjects for _, text in spellings(subject)}
    groups: dict[tuple[str, str, str], list[Note]] = {}
    for note in memory.notes:
        if note.lifecycle != RULE or not standings[note.path].live:
            continue
        scope = scope_of(note.path)
        if (scope, note.facet) in claims:
            tail = _tail(note.subject)
            group = _REGISTERED if tail in known else tail
            groups.setdefault((scope, note.facet, group), []).append(note)
    near = [note for group in groups.values() if len(group) > 1 for note in group]
    if not near:
        return {}
    faults = unfit_among(memory, near)  # nobody hears an unfit note, so it contests nothing
    near = [note for note in near if note.path not in faults]
    found = contested(owners(near, standings, Registry(memory.subjects)))
    ids = {note.path: note.name for note in near}
    return {path: tuple(ids[other] for other in others) for path, others in found.items()}


def _tail(subject: str) -> str:
    """What every spelling of an unregistered subject ends with; one group for all beyond ASCII."""
    if not subject.isascii():
        return _REGISTERED
    words = " ".join(subject.partition("#")[0].lower().split()).rstrip("/.")
    name = words.rpartition("/")[2].rpartition(":")[2].replace("_", "-").replace(".", "-")
    return "-".join(part for part in name.split("-") if part) if "-" in name else name
