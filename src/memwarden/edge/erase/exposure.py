"""What erasing does not reach, measured: history from every name, other worktrees, what nobody points at.

Nothing here blocks and nothing is rewritten.  What cannot be told from this clone is called unknown, and
what no local tool can see is listed as such every time.
"""

from __future__ import annotations

import os
from contextlib import suppress

from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.core.workspace import MOST_BYTES, Unreadable
from memwarden.edge.erase.past_search import Past, Reach, search_past
from memwarden.edge.erase.private_traces import worktree_name, worktree_places
from memwarden.edge.erase.tips import BRANCHES, KINDS, tips
from memwarden.edge.git.gitstate import is_shallow
from memwarden.edge.git.plumbing import run
from memwarden.edge.tree.worktree import WorkingTree
from memwarden.edit.starter import AGENT_FILES
from memwarden.edit.topic import PATH, SUBJECT, TITLE
from memwarden.errors import MemError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from memwarden.edge.place import Place
    from memwarden.edit.topic import Topic

FOUND, REMOVED, NONE, NOT_REACHED, UNKNOWN = "found", "removed", "none", "not-reached", "unknown"

UNREACHABLE, WORKTREES, SUBMODULES = "unreachable objects", "worktrees", "submodules"
STAGED, OTHER_FILES, GIT_FILES = "index", "other files here", "git's own messages"
ELSEWHERE = "elsewhere"
STANDING = (
    "clones and forks, also those of a hosting service",
    "pull requests, review comments, issues, CI logs and artifacts",
    "backups, editor and shell histories, agent transcripts",
    "caches, search indexes and language models that read it",
    "copies handed out",
)
_GITLINK = "160000"
_MESSAGES = ("COMMIT_EDITMSG", "MERGE_MSG", "SQUASH_MSG", "TAG_EDITMSG", "GITGUI_MSG", "NOTES_EDITMSG")


class Scope(NamedTuple):
    """One place where traces may be: whether there are any, and which."""

    name: str
    state: str
    items: tuple[str, ...] = ()


class Files(NamedTuple):
    """A worktree's own: files on disk and staged contents that hold the topic, and its submodules."""

    name: str
    files: tuple[str, ...]
    staged: tuple[str, ...]
    submodules: tuple[str, ...]
    seen: bool = True


class Exposure(NamedTuple):
    """What was measured.  ``past`` is None where git could not be asked; ``whole`` is false where this
    clone does not have all of the history."""

    past: Past | None
    whole: bool
    here: Files
    others: tuple[Files, ...]
    messages: tuple[str, ...]

    def reaches(self, kind: str) -> tuple[Reach, ...]:
        """The names of one kind from which the topic is reached."""
        return self.past_reaches.get(kind, ()) if self.past else ()

    @property
    def past_reaches(self) -> dict[str, tuple[Reach, ...]]:
        found: dict[str, tuple[Reach, ...]] = {}
        for reach in self.past.reaches if self.past else ():
            if reach.commits or reach.messages or reach.told:
                found[reach.kind] = (*found.get(reach.kind, ()), reach)
        return found


def measure(place: Place, topic: Topic) -> Exposure:
    """Search what this operation does not reach."""
    # A note is known by its ID, its path and the text that was asked for: its title alone may be anybody's.
    sought = topic.without(TITLE, PATH, SUBJECT)
    places = worktree_places(place)
    staged = {one.git_dir: _staged(one) for one in places}
    blobs = {blob for listed in staged.values() for _, blob, _ in listed}
    try:
        past = search_past(place, sought, tips(place), blobs)
    except (MemError, OSError, ValueError):
        past = None
    known = past.blobs if past else frozenset()
    found = [_files(one, sought, staged[one.git_dir], known, one.git_dir == place.git_dir) for one in places]
    here = next(one for one, at in zip(found, places, strict=True) if at.git_dir == place.git_dir)
    whole = past is not None and not (past.cut or past.unsearched or is_shallow(place) or _is_partial(place))
    others = tuple(one for one in found if one is not here)
    return Exposure(past, whole, here, others, tuple(_messages(place, sought)))


def outside_scopes(found: Exposure) -> Iterator[Scope]:
    """One scope for each place that the operation does not reach."""
    for kind in KINDS:
        yield _scope(kind, [_told(reach) for reach in found.reaches(kind)], found.whole)
    past = found.past
    loose = []
    if past and past.loose_commits:
        loose.append(_count(len(past.loose_commits), "commit"))
    if past and past.loose_blobs:
        loose.append(_count(len(past.loose_blobs), "content"))
    yield _scope(UNREACHABLE, loose, past is not None and not past.unsearched)
    yield _scope(STAGED, found.here.staged, True)
    yield _scope(OTHER_FILES, found.here.files, True)
    yield _scope(GIT_FILES, found.messages, True)
    told = [
        f"{one.name}: {path}" for one in found.others for path in dict.fromkeys((*one.files, *one.staged))
    ]
    yield _scope(WORKTREES, told, all(one.seen for one in found.others))
    modules = found.here.submodules
    yield Scope(SUBMODULES, UNKNOWN if modules else NONE, modules)
    yield Scope(ELSEWHERE, UNKNOWN, STANDING)


def outside_fields(found: Exposure) -> dict[str, Any]:
    """The ``outside`` object of ``--json``."""
    past = found.past
    fields: dict[str, Any] = {
        kind.replace(" ", "_"): [_reach_fields(reach) for reach in found.reaches(kind)] for kind in KINDS
    }
    fields["unreachable"] = {
        "commits": list(past.loose_commits) if past else None,
        "blobs": list(past.loose_blobs) if past else None,
    }
    fields["worktrees"] = [
        {"name": one.name, "files": list(one.files), "staged": list(one.staged), "searched": one.seen}
        for one in found.others
        if one.files or one.staged or not one.seen
    ]
    fields["submodules"] = list(found.here.submodules)
    fields["index"] = list(found.here.staged)
    fields["files"] = list(found.here.files)
    fields["messages"] = list(found.messages)
    fields["searched"] = {
        "commits": past.commits if past else None,
        "whole": found.whole,
        "too_large": past.unsearched if past else None,
    }
    return fields


def _scope(name: str, items: list[str] | tuple[str, ...], whole: bool) -> Scope:
    if items:
        return Scope(name, NOT_REACHED, tuple(items))
    return Scope(name, NONE if whole else UNKNOWN)


def _told(reach: Reach) -> str:
    parts = []
    if reach.commits:
        ends = reach.first[:12] + (f"..{reach.last[:12]}" if reach.commits > 1 else "")
        parts.append(f"{_count(reach.commits, 'commit')} ({ends})")
    if reach.kind == BRANCHES and reach.commits:
        parts.append(f"{reach.pushed} pushed" if reach.pushed else "not pushed")
    if reach.messages:
        parts.append(f"{_count(reach.messages, 'commit message')} with the text")
    if reach.told:
        parts.append("its own name or message has the text")
    return f"{reach.name}: {', '.join(parts)}"


def _reach_fields(reach: Reach) -> Mapping[str, Any]:
    return {key: value for key, value in reach._asdict().items() if key != "kind"}


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _staged(place: Place) -> list[tuple[str, str, str]]:
    """Mode, blob and path of everything in a worktree's index."""
    if not _has_tree(place):
        return []
    try:
        out = run(place, "ls-files", "--stage", "-z")
    except MemError:
        return []
    found = []
    for entry in out.decode("utf-8", "surrogateescape").split("\0")[:-1]:
        head, _, path = entry.partition("\t")
        mode, blob, _ = head.split()
        found.append((mode, blob, path))
    return found


def _files(
    place: Place, topic: Topic, staged: list[tuple[str, str, str]], known: frozenset[str], ours: bool
) -> Files:
    """The files of one worktree; of our own those that are not managed, for the rest was erased."""
    if not _has_tree(place):
        # An index without a tree is a tree somewhere else.
        gone = bool(place.root) or not os.path.exists(os.path.join(place.git_dir, "index"))
        return Files(worktree_name(place), (), (), (), seen=gone)
    modules = tuple(path for mode, _, path in staged if mode == _GITLINK)
    held = {path for _, blob, path in staged if blob in known or path in topic.paths or topic.in_name(path)}
    paths = {path for mode, _, path in staged if mode != _GITLINK}
    try:
        out = run(place, "ls-files", "--others", "--exclude-standard", "-z")
    except MemError:
        return Files(worktree_name(place), (), tuple(sorted(held)), modules, seen=False)
    paths.update(out.decode("utf-8", "surrogateescape").split("\0")[:-1])
    tree = WorkingTree(place.root)
    found = []
    for path in sorted(paths):
        managed = path.startswith("memory/") or path in AGENT_FILES.values()
        if not (ours and managed) and _holds(tree, path, topic):
            found.append(path)
    return Files(worktree_name(place), tuple(found), tuple(sorted(held)), modules)


def _holds(tree: WorkingTree, path: str, topic: Topic) -> bool:
    with suppress(Unreadable):
        entry = tree.entry(path)
        if entry is None:
            return False
        if path in topic.paths or topic.in_name(path):
            return True
        return entry.kind == "file" and entry.size <= MOST_BYTES and topic.is_in(tree.read(path))
    return False


def _has_tree(place: Place) -> bool:
    """Whether there is a tree to look at, and not a bare repository or a folder that is gone."""
    return bool(place.root) and os.path.exists(os.path.join(place.root, ".git"))


def _is_partial(place: Place) -> bool:
    """Whether objects were left out when this was cloned."""
    try:
        names = os.listdir(os.path.join(place.common_dir, "objects", "pack"))
    except OSError:
        return False
    return any(name.endswith(".promisor") for name in names)


def _messages(place: Place, topic: Topic) -> Iterator[str]:
    """What git keeps of messages that were being written."""
    for one in worktree_places(place):
        for name in _MESSAGES:
            try:
                with open(os.path.join(one.git_dir, name), "rb") as file:
                    if topic.in_content(file.read()):
                        yield os.path.relpath(os.path.join(one.git_dir, name), place.common_dir)
            except OSError:
                continue
