"""Erasing for good: every worktree's lock, one plan, private state and trust besides the tree, and then a
search for what may be left.

The plan tells no topic.  The text is read back from the memory before it is removed and lives in this
process alone: no file, log or child's argument list gets it.
"""

from __future__ import annotations

import os
from contextlib import suppress

from memwarden.core.note import is_note_id
from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.edge.command.trust import TrustStore, trust_folder
from memwarden.edge.erase.empty_folders import remove_telling_folders, telling_folders
from memwarden.edge.erase.held_tree import HeldTree, held_memory
from memwarden.edge.erase.index_only import as_meant, only_staged, still_staged, unstage, unstage_meant
from memwarden.edge.erase.managed import (
    blocker_told,
    lone_told,
    private_rows,
    residue_of,
    rows_left,
    scopes_of,
    trusted,
)
from memwarden.edge.erase.outside import FOUND, STAGED, Scope
from memwarden.edge.erase.private_traces import scrub, with_private_text, worktree_name, worktree_places
from memwarden.edge.erase.residue import remove_empty_folders
from memwarden.edge.reading.opening import open_memory
from memwarden.edge.tree.worktree import WorkingTree
from memwarden.edge.writing.apply import apply_changes, was_applied
from memwarden.edge.writing.journal import is_unfinished
from memwarden.edge.writing.lock import DEFAULT_TIMEOUT, all_locked
from memwarden.edge.writing.mutation import Built, Desk, Stale, build
from memwarden.edge.writing.plans import load_plan, plan_file, save_plan
from memwarden.edge.writing.plans import told as hidden_names
from memwarden.edge.writing.recovery import forgetting, recover
from memwarden.edit.erasure import (
    EVENT_FILES,
    LONE,
    NOTES,
    OTHERS,
    Blocked,
    Blocker,
    Erasure,
    Gone,
    erasure,
    told,
)
from memwarden.edit.plan import starting_digests, what_changed
from memwarden.edit.span import path_digest, spans_of
from memwarden.edit.what_is_left import intent_left, intent_now, notes_gone, topic_left
from memwarden.errors import MemError, NeedsRecovery, StalePlan, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    from memwarden.core.memory import Memory
    from memwarden.edge.place import Place
    from memwarden.edge.writing.plans import SavedPlan
    from memwarden.edit.cleared import Cleared
    from memwarden.edit.topic import Topic


NAMELESS = "?"


class Traces(NamedTuple):
    """What erasing is about: each managed scope with what was found in it, and what stands in the way;
    ``cleared`` has none of it."""

    topic: Topic
    scopes: tuple[Scope, ...]
    blocked: tuple[Blocker, ...]
    risks: tuple[str, ...]
    cleared: Cleared


class Erased(NamedTuple):
    """How it ended; ``residue`` names what still tells the topic.  ``again``: its files were gone before,
    and where a ``topic`` is said, what had been cut short was ended; not ``whole``: of the text nothing can
    be read any more.  ``cleared`` and ``plain`` are for the search of what it does not reach."""

    built: Built | None
    topic: Topic | None = None
    scopes: tuple[Scope, ...] = ()
    residue: tuple[str, ...] = ()
    again: bool = False
    cleared: Cleared | None = None
    plain: bool = False
    whole: bool = True


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
    rows += [(one.scope, blocker_told(one)) for one in blocked]
    rows += private_rows(desk.place, memory, found.topic, env)
    rows += [(LONE, lone_told(one)) for one in found.lone]
    rows += [(OTHERS, f"{path}/: an empty folder") for path in telling_folders(desk.place, found.topic)]
    return Traces(found.topic, tuple(scopes_of(rows, FOUND)), blocked, found.risks, found.cleared)


def erase(
    desk: Desk,
    plan_id: str,
    env: Mapping[str, str],
    timeout: float = DEFAULT_TIMEOUT,
    choices: Mapping[str, str] | None = None,
) -> Erased:
    """Apply a previewed plan that forgets, or end it where that was cut short; raises as
    :func:`mutation.commit_saved` does, ``choices`` are those of :func:`recovery.recover`."""
    place = desk.place
    places = worktree_places(place)
    with all_locked(places, f"apply {plan_id}", desk.now, timeout):
        # What can still be read back of the topic goes with the files that are removed now.
        topic = _topic_of_cut_short(place, plan_id)
        recover(place, desk.disk, choices)
        _require_finished(places)
        try:
            saved = load_plan(place, plan_id)
        except UsageError:
            if was_applied(place, plan_id):
                return Erased(None, again=True)
            raise
        if topic is not None:
            return _ended(desk, saved, topic, env)
        try:
            memory = as_meant(place, memory_to_erase(place), saved.intent)
            found = erasure(memory, saved.intent)
            found = found._replace(topic=with_private_text(places, found.topic, saved.intent))
            built = build(discreet(desk, found.topic), memory, saved.intent)
            if built.plan.id != plan_id:
                raise _stale(desk, saved, memory, built)
        except MemError as error:
            if was_applied(place, plan_id):
                return _ended(desk, saved, topic_left(memory_to_erase(place), saved.intent), env)
            raise _out_of_date(desk, saved, error) if isinstance(error, Gone | Blocked) else error from None
        rows = [(one.scope, told(one.path, found.topic)) for one in found.found]
        rows += private_rows(place, memory, found.topic, env, discreet=True)
        rows += [(LONE, lone_told(one)) for one in found.lone]
        _require_on_disk(place, found, saved.intent)
        # Private state first: were this process to die now, the same plan would still apply.
        scrub(places, found.topic, but=plan_file(place, plan_id))
        _withdraw_trust(memory, found.topic, env)
        staged = only_staged(found.changes, saved.intent)
        files = [change for change in built.files if change.path not in staged]
        command = str(saved.intent["command"])
        last = _telling(memory, found, saved.intent)
        apply_changes(place, files, plan_id, command, desk.disk, discreet=True, last=last)
        with suppress(MemError):  # whatever stays is found below, and told
            unstage(place, staged)
        remove_empty_folders(place, [path for path, data in found.changes.items() if data is None])
        left = _cleared_up(place, plan_id, memory, found.topic, env, found.ids)
        left += [(STAGED, told(path, found.topic)) for path in still_staged(place, staged)]
    plain = is_plain(memory)
    scopes = tuple(rows_left(rows, left))
    return Erased(built, found.topic, scopes, _residue(left), cleared=found.cleared, plain=plain)


def _ended(desk: Desk, saved: SavedPlan, topic: Topic, env: Mapping[str, str]) -> Erased:
    """The end of an erasing whose files somebody else has removed, or an earlier process that died: what
    was written since, or had not been reached, is taken out and searched for as after any other."""
    place, intent = desk.place, saved.intent
    memory = memory_to_erase(place)
    rows = [(scope, one) for scope in (NOTES, EVENT_FILES) for one in sorted(topic.ids)]
    rows += private_rows(place, memory, topic, env, discreet=True)
    _withdraw_trust(memory, topic, env)
    with suppress(MemError):
        unstage_meant(place, memory, intent)
    left = _cleared_up(place, saved.id, memory, topic, env, topic.ids)
    known = len(topic.marks) >= len(intent["marks"])
    scopes = tuple(rows_left(rows, left))
    return Erased(None, topic, scopes, _residue(left), again=True, plain=is_plain(memory), whole=known)


def _withdraw_trust(memory: Memory, topic: Topic, env: Mapping[str, str]) -> None:
    for entry in trusted(memory, topic, env):
        TrustStore(trust_folder(env)).remove(entry)


def _cleared_up(
    place: Place, plan_id: str, memory: Memory, topic: Topic, env: Mapping[str, str], ours: Iterable[str]
) -> list[tuple[str, str]]:
    """Take out what private state and empty folders tell, the plan last, and search for what is left."""
    remove_telling_folders(place, topic)
    scrub(worktree_places(place), topic, but=plan_file(place, plan_id))
    with suppress(OSError):
        os.unlink(plan_file(place, plan_id))
    return residue_of(place, memory, topic, env, ours)


def _topic_of_cut_short(place: Place, plan_id: str) -> Topic | None:
    """What the files that are still there tell of the topic of a plan whose erasing was cut short."""
    if forgetting(place) != plan_id:
        return None
    try:
        return topic_left(memory_to_erase(place), load_plan(place, plan_id).intent)
    except UsageError:
        return None


def discreet(desk: Desk, topic: Topic) -> Desk:
    """Whoever acts, without a name that would tell the topic in the record of its end."""
    named = topic.in_text(desk.actor.name)
    return desk._replace(actor=desk.actor._replace(name=NAMELESS)) if named else desk


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
        paths += notes_gone(memory, saved.intent) or ["what is no longer a part of it"]
    return Stale(
        f"plan {saved.id} is stale, and nothing was written; changed since the preview: {', '.join(paths)}",
        f"look at the new plan, then run mem apply {built.plan.id}",
        built,
    )


def _out_of_date(desk: Desk, saved: SavedPlan, error: Gone | Blocked) -> MemError:
    """Why a plan is stale whose files or text are gone, or that would mean more by now, with the plan for
    what is there if that is known; the error itself where what stands in the way is nothing that it means."""
    memory = memory_to_erase(desk.place)
    if isinstance(error, Blocked):
        now = intent_now(memory, saved.intent)
        changed = sorted({*now["notes"], *now["files"]} - {*saved.intent["notes"], *saved.intent["files"]})
        left = dict(now) if changed else None
        if left is None or erasure(memory, left).blocked:
            return error
    else:
        changed = notes_gone(memory, saved.intent) or [error.message]
        left = intent_left(memory, saved.intent)
    what = ", ".join(one if is_note_id(one) or " " in one else "a file without an ID" for one in changed)
    message = f"plan {saved.id} is stale, and nothing was written; changed since the preview: {what}"
    if left is None:
        return StalePlan(message, "run the command again for a new plan")
    built = build(discreet(desk, erasure(memory, left).topic), memory, left)
    save_plan(desk.place, built.plan)
    return Stale(message, f"look at the new plan, then run mem apply {built.plan.id}", built)


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


def _telling(memory: Memory, found: Erasure, intent: Mapping[str, Any]) -> frozenset[str]:
    """The files that tell the topic itself: they go last, so that whoever ends this can read it back."""
    files = {span["file"] for span in spans_of(intent)}
    if files:
        return frozenset(path for path in found.changes if path_digest(path) in files)
    return frozenset(note.path for note in memory.notes if note.id in found.ids)


def _residue(left: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    return tuple(f"{scope}: {what}" for scope, what in left)
