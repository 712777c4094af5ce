"""Erasing for good: every worktree's lock, one plan, private state and trust besides the tree, and then a
search for what may be left.

The plan tells no topic.  The text is read back from the memory before it is removed and lives in this
process alone: no file, log or child's argument list gets it.
"""

from __future__ import annotations

import os
from contextlib import suppress

from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.edge.command.trust import TrustStore, trust_folder
from memwarden.edge.erase.held_tree import HeldTree, held_memory
from memwarden.edge.erase.index_only import as_meant, only_staged, still_staged, unstage
from memwarden.edge.erase.outside import FOUND, NONE, NOT_REACHED, REMOVED, Scope
from memwarden.edge.erase.private_traces import (
    OTHER,
    PRIVATE_SCOPES,
    private_files,
    private_traces,
    scrub,
    still_tells,
    with_private_text,
    worktree_name,
    worktree_places,
)
from memwarden.edge.erase.residue import remove_empty_folders, tree_residue
from memwarden.edge.reading.opening import open_memory
from memwarden.edge.tree.worktree import WorkingTree
from memwarden.edge.writing.apply import apply_changes, was_applied
from memwarden.edge.writing.journal import is_unfinished
from memwarden.edge.writing.lock import DEFAULT_TIMEOUT, all_locked
from memwarden.edge.writing.mutation import Built, Desk, Stale, build
from memwarden.edge.writing.plans import load_plan, plans_folder, save_plan
from memwarden.edge.writing.plans import told as hidden_names
from memwarden.edge.writing.recovery import recover
from memwarden.edit.erasure import (
    AGENTS,
    EVENT_FILES,
    LONE,
    MANIFESTS,
    OTHERS,
    SUBJECT_FILES,
    TREE_SCOPES,
    Blocked,
    Blocker,
    Erasure,
    erasure,
    told,
)
from memwarden.edit.plan import starting_digests, what_changed
from memwarden.errors import MemError, NeedsRecovery, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    from memwarden.core.memory import Memory
    from memwarden.core.subject import Subject
    from memwarden.edge.command.trust import Entry
    from memwarden.edge.place import Place
    from memwarden.edge.writing.plans import SavedPlan
    from memwarden.edit.cleared import Cleared
    from memwarden.edit.topic import Topic

TRUST, INDEX = "trust", "index"
SCOPES = (*TREE_SCOPES, *PRIVATE_SCOPES, TRUST, LONE)


class Traces(NamedTuple):
    """What erasing is about: each managed scope with what was found in it, and what stands in the way;
    ``cleared`` has none of it."""

    topic: Topic
    scopes: tuple[Scope, ...]
    blocked: tuple[Blocker, ...]
    risks: tuple[str, ...]
    cleared: Cleared


class Erased(NamedTuple):
    """How it ended; ``residue`` names what still tells the topic.  ``again``: it had been applied before.
    ``cleared`` and ``plain`` are for the search of what it does not reach."""

    built: Built | None
    topic: Topic | None = None
    scopes: tuple[Scope, ...] = ()
    residue: tuple[str, ...] = ()
    again: bool = False
    cleared: Cleared | None = None
    plain: bool = False


def memory_to_erase(place: Place) -> Memory:
    """The memory, for a command that looks into every file and asks for its paths again and again."""
    held = held_memory(place)
    if held is not None:
        return held
    memory = open_memory(place)
    if isinstance(memory.workspace, WorkingTree):
        memory.workspace.list_once()
    return memory


def is_plain(memory: Memory) -> bool:
    """Whether it is known that there is no other repository in the memory."""
    return isinstance(memory.workspace, HeldTree)


def traces(desk: Desk, memory: Memory, intent: Mapping[str, Any], env: Mapping[str, str]) -> Traces:
    """Everything of the topic that is managed, wherever it is kept."""
    found = erasure(memory, intent)
    found = found._replace(topic=with_private_text(worktree_places(desk.place), found.topic, intent))
    blocked = (*found.blocked, *_not_on_disk(desk.place, found, intent))
    rows = [(one.scope, f"{one.path}: {one.why}") for one in found.found]
    rows += [(one.scope, _blocker_told(one)) for one in blocked]
    rows += _private_rows(desk.place, memory, found.topic, env)
    rows += [(LONE, _lone_told(one)) for one in found.lone]
    return Traces(found.topic, tuple(_scopes(rows, FOUND)), blocked, found.risks, found.cleared)


def erase(desk: Desk, plan_id: str, env: Mapping[str, str], timeout: float = DEFAULT_TIMEOUT) -> Erased:
    """Apply a previewed plan that forgets; raises as :func:`mutation.commit_saved` does."""
    place = desk.place
    places = worktree_places(place)
    with all_locked(places, f"apply {plan_id}", desk.now, timeout):
        recover(place, desk.disk)
        _require_finished(places)
        try:
            saved = load_plan(place, plan_id)
        except UsageError:
            if was_applied(place, plan_id):
                return Erased(None, again=True)
            raise
        try:
            memory = as_meant(place, memory_to_erase(place), saved.intent)
            built = build(desk, memory, saved.intent)
        except MemError:
            if was_applied(place, plan_id):
                return Erased(None, again=True)
            raise
        if built.plan.id != plan_id:
            raise _stale(desk, saved, memory, built)
        found = erasure(memory, saved.intent)
        found = found._replace(topic=with_private_text(places, found.topic, saved.intent))
        rows = [(one.scope, told(one.path, found.topic)) for one in found.found]
        rows += _private_rows(place, memory, found.topic, env, discreet=True)
        rows += [(LONE, _lone_told(one)) for one in found.lone]
        _require_on_disk(place, found, saved.intent)
        # Private state first: were this process to die now, the same plan would still apply.
        scrub(places, found.topic, but=os.path.join(plans_folder(place), plan_id + ".json"))
        for entry in _trusted(memory, found.topic, env):
            TrustStore(trust_folder(env)).remove(entry)
        staged = only_staged(found.changes, saved.intent)
        files = [change for change in built.files if change.path not in staged]
        apply_changes(place, files, plan_id, str(saved.intent["command"]), disk=desk.disk, discreet=True)
        with suppress(MemError):  # whatever stays is found below, and told
            unstage(place, staged)
        remove_empty_folders(place, [path for path, data in found.changes.items() if data is None])
        _drop_plan(place, plan_id)
        scrub(places, found.topic)
        left = _residue(place, memory, found, env)
        left += [(INDEX, told(path, found.topic)) for path in still_staged(place, staged)]
    stays = {scope for scope, _ in left}
    scopes = [
        one._replace(state=FOUND if one.name in stays and one.state == REMOVED else one.state)
        for one in _scopes(rows, REMOVED)
    ]
    residue = tuple(f"{scope}: {what}" for scope, what in left)
    plain = is_plain(memory)
    return Erased(built, found.topic, tuple(scopes), residue, cleared=found.cleared, plain=plain)


def _stale(desk: Desk, saved: SavedPlan, memory: Memory, built: Built) -> Stale:
    save_plan(desk.place, built.plan)
    now = starting_digests(built.plan)
    hidden = hidden_names(now, discreet=True)
    names = {name: path for (name, _), (path, _) in zip(hidden, now, strict=True)}
    changed = what_changed(saved.started, hidden)
    topic, ids = erasure(memory, saved.intent).topic, {note.path: note.id for note in memory.notes}
    # A message may end in a log: a note goes by its ID, and no other name repeats the topic.
    paths = [ids.get(names[name]) or told(names[name], topic) for name in changed if name in names]
    if len(paths) < len(changed):  # of those the plan kept no name
        paths.append("what is no longer a part of it" if paths else "what it was decided from")
    return Stale(
        f"plan {saved.id} is stale, and nothing was written; changed since the preview: {', '.join(paths)}",
        f"look at the new plan, then run mem apply {built.plan.id}",
        built,
    )


def _require_finished(places: Iterable[Place]) -> None:
    for place in places:
        if is_unfinished(place):
            raise NeedsRecovery(
                f"a change was cut short in the worktree {worktree_name(place)}",
                "run mem recover there first",
            )


def _require_on_disk(place: Place, found: Erasure, intent: Mapping[str, Any]) -> None:
    missing = tuple(_not_on_disk(place, found, intent))
    if missing:
        raise Blocked(found._replace(blocked=missing))


def _not_on_disk(place: Place, found: Erasure, intent: Mapping[str, Any]) -> Iterator[Blocker]:
    """What a sparse checkout left out cannot be removed from here, nor what is only a link to it."""
    for path in sorted(found.changes.keys() - only_staged(found.changes, intent)):
        full = os.path.join(place.root, path)
        scope = next((one.scope for one in found.found if one.path == path), "notes")
        if os.path.islink(full) and found.changes[path] is None:
            yield Blocker(
                scope, path, 0, "it is a link", "remove the link by hand, or put the file in its place"
            )
        elif not os.path.lexists(full):
            why = "it is not checked out (sparse checkout)"
            yield Blocker(scope, path, 0, why, "bring it in with git sparse-checkout add memory")


def _blocker_told(one: Blocker) -> str:
    line = f":{one.line}" if one.line else ""
    return f"{one.path}{line}: {one.why}; in the way: {one.fix}"


def _lone_told(one: Subject) -> str:
    """A subject that stays, and what takes it too; one that tells the texts themselves stands in the way."""
    return f"{one.path}: no other note is about it; mem purge --subject {one.id} takes it too"


def _private_rows(
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
    return rows + [(TRUST, f"an endorsement of {entry.note}") for entry in _trusted(memory, topic, env)]


def _trusted(memory: Memory, topic: Topic, env: Mapping[str, str]) -> list[Entry]:
    """This user's endorsements of commands of the notes, or that tell the topic."""
    project = memory.manifest.project if memory.manifest else ""
    return [
        entry
        for entry in TrustStore(trust_folder(env)).entries()
        if entry.project == project and (entry.note in topic.ids or any(map(topic.in_text, entry.argv)))
    ]


def _drop_plan(place: Place, plan_id: str) -> None:
    with suppress(OSError):
        os.unlink(os.path.join(plans_folder(place), plan_id + ".json"))


def _residue(place: Place, memory: Memory, erased: Erasure, env: Mapping[str, str]) -> list[tuple[str, str]]:
    topic = erased.topic
    found = [(_scope_of(path), f"{path}: {why}") for path, why in tree_residue(place, topic)]
    for kept in private_files(worktree_places(place)):
        if still_tells(kept, topic):
            found.append((kept.scope, told(kept.path, topic)))
    return found + [(TRUST, "an endorsement") for _ in _trusted(memory, topic, env)]


def _scope_of(path: str) -> str:
    by_folder = {"memory/events/": EVENT_FILES, "memory/subjects/": SUBJECT_FILES}
    for folder, scope in by_folder.items():
        if path.startswith(folder):
            return scope
    if path == "memory/manifest.md":
        return MANIFESTS
    return OTHERS if path.startswith("memory/") else AGENTS


def _scopes(rows: Iterable[tuple[str, str]], state: str) -> Iterator[Scope]:
    """Every managed scope, in one order, with what belongs to it; a file that is none of ours stays, and
    so does a subject that nobody asked for."""
    found: dict[str, list[str]] = {name: [] for name in SCOPES}
    for name, item in rows:
        found[name].append(item)
    for name, items in found.items():
        reached = NOT_REACHED if name in (OTHER, LONE) else state
        yield Scope(name, reached if items else NONE, tuple(items))
