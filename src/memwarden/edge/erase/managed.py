"""What is managed of a topic: the rows of the report, by the scope in which they stand, and what is left of
it afterwards.
"""

from __future__ import annotations

from memwarden.core.record import TYPE_CHECKING
from memwarden.edge.command.trust import TrustStore, trust_folder
from memwarden.edge.erase.outside import FOUND, NONE, NOT_REACHED, REMOVED, Scope
from memwarden.edge.erase.own_records import clean_records, is_form_alone
from memwarden.edge.erase.private_traces import (
    OTHER,
    PRIVATE_SCOPES,
    private_files,
    private_traces,
    still_tells,
    worktree_places,
)
from memwarden.edge.erase.residue import tree_residue
from memwarden.edit.erasure import (
    AGENTS,
    EVENT_FILES,
    LONE,
    MANIFESTS,
    OTHERS,
    SUBJECT_FILES,
    TREE_SCOPES,
    told,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from memwarden.core.memory import Memory
    from memwarden.core.subject import Subject
    from memwarden.edge.command.trust import Entry
    from memwarden.edge.place import Place
    from memwarden.edit.erasure import Blocker
    from memwarden.edit.topic import Topic

TRUST = "trust"
SCOPES = (*TREE_SCOPES, *PRIVATE_SCOPES, TRUST, LONE)


def scopes_of(rows: Iterable[tuple[str, str]], state: str) -> Iterator[Scope]:
    """Every managed scope, in one order, with what belongs to it; a file that is none of ours stays, and
    so does a subject that nobody asked for."""
    found: dict[str, list[str]] = {name: [] for name in SCOPES}
    for name, item in rows:
        found[name].append(item)
    for name, items in found.items():
        reached = NOT_REACHED if name in (OTHER, LONE) else state
        yield Scope(name, reached if items else NONE, tuple(items))


def rows_left(rows: Iterable[tuple[str, str]], left: Iterable[tuple[str, str]]) -> Iterator[Scope]:
    """Every managed scope after the removal of what is in ``rows``; of a scope in which something is
    ``left``, that."""
    stays: dict[str, list[str]] = {}
    for name, item in left:
        stays.setdefault(name, []).append(item)
    for one in scopes_of(rows, REMOVED):
        is_ours = one.name in stays and one.state != NOT_REACHED
        yield Scope(one.name, FOUND, tuple(stays[one.name])) if is_ours else one


def blocker_told(one: Blocker) -> str:
    line = f":{one.line}" if one.line else ""
    return f"{one.path}{line}: {one.why}; in the way: {one.fix}"


def lone_told(one: Subject) -> str:
    """A subject that stays, and what takes it too; one that tells the texts themselves stands in the way."""
    return f"{one.path}: no other note is about it; mem purge --subject {one.id} takes it too"


def private_rows(
    place: Place, memory: Memory, topic: Topic, env: Mapping[str, str], discreet: bool = False
) -> list[tuple[str, str]]:
    """What private state holds of it and why it counts; ``discreet``: no path repeats the topic."""
    rows = [
        (
            kept.scope,
            f"{told(kept.path, topic) if discreet else kept.path}: {why}"
            + ("; no file of ours: remove it by hand" if kept.scope == OTHER else ""),
        )
        for kept, why in private_traces(worktree_places(place), topic)
    ]
    return rows + [(TRUST, f"an endorsement of {entry.note}") for entry in trusted(memory, topic, env)]


def trusted(memory: Memory, topic: Topic, env: Mapping[str, str]) -> list[Entry]:
    """This user's endorsements of commands of the notes, or that tell the topic."""
    project = memory.manifest.project if memory.manifest else ""
    return [
        entry
        for entry in TrustStore(trust_folder(env)).entries()
        if entry.project == project and (entry.note in topic.ids or any(map(topic.in_text, entry.argv)))
    ]


def residue_of(
    place: Place, memory: Memory, topic: Topic, env: Mapping[str, str], ours: Iterable[str]
) -> list[tuple[str, str]]:
    """What still tells the topic, by its scope; ``ours`` are the notes whose end was recorded just now."""
    records = {told(path, topic) for path in clean_records(place, topic, ours)}
    found = [
        (_scope_of(path), f"{path}: {why}") for path, why in tree_residue(place, topic) if path not in records
    ]
    for kept in private_files(worktree_places(place)):
        if still_tells(kept, topic) and not is_form_alone(kept):
            found.append((kept.scope, told(kept.path, topic)))
    return found + [(TRUST, "an endorsement") for _ in trusted(memory, topic, env)]


def _scope_of(path: str) -> str:
    by_folder = {"memory/events/": EVENT_FILES, "memory/subjects/": SUBJECT_FILES}
    for folder, scope in by_folder.items():
        if path.startswith(folder):
            return scope
    if path == "memory/manifest.md":
        return MANIFESTS
    return OTHERS if path.startswith("memory/") else AGENTS
