"""The memory at both ends of a comparison, with only what differs between them read.

The working tree's index knows every note that is there.  Git names the files that another commit has
otherwise, and those alone are read from its blobs; every other note is the same note.  So comparing two
commits of a memory of ten thousand notes costs what the change costs.
"""

from __future__ import annotations

import re
from contextlib import ExitStack
from operator import attrgetter

from memwarden.core.compare.comparing import compare
from memwarden.core.compare.difference import Difference
from memwarden.core.manifest import PATH as MANIFEST
from memwarden.core.memory import Memory
from memwarden.core.protocol import require_protocol
from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.core.workspace import FILE, Workspace
from memwarden.edge.git.changes import commit_changes, memory_changes
from memwarden.edge.git.git_workspace import CommitTree, EmptyTree, ListedTree, PastTree
from memwarden.edge.git.gitstate import head
from memwarden.edge.git.objects import Objects
from memwarden.edge.git.revisions import resolve_range, resolve_start
from memwarden.edge.place import MEMORY, Place
from memwarden.edge.reading.opening import open_memory
from memwarden.edit.memory_reader import load_paths

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

WORKING_TREE = "working tree"
NOTHING = "nothing"
PATH_OF = attrgetter("path")

_WHOLE_ID = re.compile(r"(?<![0-9A-Za-z])([0-9a-f]{12})(?:[0-9a-f]{28}|[0-9a-f]{52})(?![0-9A-Za-z])")


class End(NamedTuple):
    """One end of a comparison: how it was asked for, a whole ID by its beginning, and its commit ("": the
    working tree, or nothing)."""

    name: str
    commit: str = ""


class Ends(NamedTuple):
    """From where to where."""

    before: End
    after: End


def find_ends(place: Place, text: str) -> Ends:
    """What ``text`` compares, as git reads it: nothing is HEAD with the working tree, ``A`` is A with the
    working tree, ``A..B`` two commits, ``A...B`` the point where B left A with B.  ``A`` may be the empty
    tree, where nothing was there yet."""
    left, dots, right = (_WHOLE_ID.sub(r"\1", part) for part in text.partition(".."))
    if not text:
        return Ends(End("HEAD", head(place).commit), End(WORKING_TREE))
    if not dots:
        start = resolve_start(place, text)
        return Ends(End(left if start else NOTHING, start), End(WORKING_TREE))
    found = resolve_range(place, text)
    after = right.removeprefix(".") or "HEAD"
    first = f"where {after} left {left or 'HEAD'}" if right.startswith(".") else left or "HEAD"
    return Ends(End(first if found.start else NOTHING, found.start), End(after, found.end))


def difference(place: Place, ends: Ends, today: str) -> Difference:
    """Everything that lies between the two ends, in the memory's words."""
    with ExitStack() as stack:
        objects = stack.enter_context(Objects(place))
        after = open_memory(place)
        if ends.after.commit:
            there = memory_changes(place, ends.after.commit, _files(after)).before
            after = _instead(after, there, PastTree(place, ends.after.commit, objects))
            touched = _between(place, ends, objects)
        elif ends.before.commit:
            touched = _inside(memory_changes(place, ends.before.commit, _files(after)).before)
        else:
            touched = tuple(_files(after))
        first = ends.before.commit
        if not touched:
            _require_known_protocol(after.workspace)
            return Difference(nowhere=not _files(after))
        past = PastTree(place, first, objects) if first else EmptyTree(place)
        before = _instead(after, touched, past)
        for memory in (before, after):
            _require_known_protocol(memory.workspace)
        return compare(before, after, touched, today)


def _between(place: Place, ends: Ends, objects: Objects) -> tuple[str, ...]:
    """What two commits have differently below ``memory/``: all of it, where the first is none."""
    if ends.before.commit:
        return _inside(commit_changes(place, ends.before.commit, ends.after.commit).before)
    return _inside(CommitTree(place, ends.after.commit, objects).names())


def _instead(memory: Memory, paths: Iterable[str], workspace: ListedTree | PastTree) -> Memory:
    """The memory of another state: what lies at ``paths`` is read from there, the rest is the same."""
    apart = frozenset(paths)
    workspace.prefetch(sorted(apart))
    read = load_paths(workspace, sorted(apart))
    kept = [event for events in memory.events.values() for event in events if event.path in apart]
    events = dict(memory.events)
    for note in {event.note for event in kept} | set(read.events):
        same = [event for event in events.get(note, ()) if event.path not in apart]
        whole = sorted(
            (*same, *read.events.get(note, ())), key=lambda event: (event.seq, event.at, event.path)
        )
        events[note] = tuple(whole)
    return Memory(
        workspace,
        read.manifest if MANIFEST in apart else memory.manifest,
        tuple(sorted((*_kept(memory.notes, apart), *read.notes), key=PATH_OF)),
        tuple(sorted((*(path for path in memory.broken if path not in apart), *read.broken))),
        tuple(sorted((*_kept(memory.subjects, apart), *read.subjects), key=PATH_OF)),
        {note: events[note] for note in sorted(events) if events[note]},
        (*_kept(memory.findings, apart), *read.findings),
    )


def _kept(records: Iterable[Any], apart: frozenset[str]) -> list[Any]:
    return [record for record in records if record.path not in apart]


def _files(memory: Memory) -> list[str]:
    """Every file that the memory was read from."""
    found = [MANIFEST] if memory.manifest is not None else []
    found += [note.path for note in memory.notes]
    found += [*memory.broken, *(subject.path for subject in memory.subjects)]
    found += [event.path for events in memory.events.values() for event in events]
    return found


def _inside(paths: Iterable[str]) -> tuple[str, ...]:
    return tuple(path for path in paths if path.startswith(MEMORY + "/"))


def _require_known_protocol(workspace: Workspace) -> None:
    entry = workspace.entry(MANIFEST)
    if entry is not None and entry.kind == FILE:
        require_protocol(workspace.read(MANIFEST))
