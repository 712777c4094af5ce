"""What erasing does not reach, measured: history from every name, other worktrees, what nobody points at.

Nothing here blocks and nothing is rewritten.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress

from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.core.workspace import Unreadable
from memwarden.edge.erase.asked import Asked
from memwarden.edge.erase.git_files import Kept, git_files
from memwarden.edge.erase.index_only import only_staged
from memwarden.edge.erase.object_stream import all_objects
from memwarden.edge.erase.past_search import Past, Reach, search_past
from memwarden.edge.erase.private_traces import (
    is_rebuilt,
    private_files,
    still_tells,
    worktree_name,
    worktree_places,
)
from memwarden.edge.erase.staged import has_tree, staged_files
from memwarden.edge.erase.submodules import submodules
from memwarden.edge.erase.tips import Names, Tip, names
from memwarden.edge.git.gitstate import is_shallow
from memwarden.edge.place import Place
from memwarden.edge.tree.worktree import WorkingTree
from memwarden.edit.cleared import Cleared, blob_ids
from memwarden.edit.sieve import is_compressed
from memwarden.edit.starter import AGENT_FILES
from memwarden.edit.topic import PATH, SUBJECT, TITLE, Topic
from memwarden.errors import MemError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any, TypeAlias

    from memwarden.edge.erase.staged import Staged

    Packed: TypeAlias = tuple[str, tuple[str, str]]

_GITLINK = "160000"
# A broken repository may say anything.
_BROKEN = (MemError, OSError, ValueError, LookupError, EOFError)


class Files(NamedTuple):
    """A worktree's own: files on disk and staged contents that hold the topic.  ``unread`` counts files
    that could not be searched; ``seen`` is false where there is a tree that is not to be seen from here;
    ``inner`` are the folders of other repositories in it, ``packed`` the files that are compressed in
    themselves, each with the IDs that git may know its content by."""

    name: str
    files: tuple[str, ...]
    staged: tuple[str, ...]
    unread: int = 0
    seen: bool = True
    inner: tuple[str, ...] = ()
    packed: tuple[Packed, ...] = ()


class Exposure(NamedTuple):
    """What was measured.  ``past`` is None where git could not be asked; ``whole`` is false where this
    clone does not have all of the history; of the ``unlisted`` kinds of names there may be more.  ``kept``
    are files of git's own, ``private`` those of a submodule's own memory; ``packed`` are files of private
    state that are compressed in themselves."""

    past: Past | None
    whole: bool
    unlisted: frozenset[str]
    here: Files
    others: tuple[Files, ...]
    kept: Kept
    submodules: tuple[Submodule, ...]
    private: tuple[str, ...] = ()
    packed: tuple[str, ...] = ()

    def reaches(self, kind: str) -> tuple[Reach, ...]:
        """The names of one kind from which the topic is reached."""
        found = self.past.reaches if self.past else ()
        return tuple(one for one in found if one.kind == kind and _is_found(one))


def _is_found(one: Reach) -> bool:
    return bool(one.commits or one.messages or one.told or one.contents)


class Submodule(NamedTuple):
    """A repository inside this one; ``exposure`` is None where it is not here.  ``used``: it has a working
    tree, and is not what is left of one that was removed."""

    name: str
    exposure: Exposure | None
    used: bool = True


def measure(place: Place, topic: Topic, cleared: Cleared | None = None, *, plain: bool = False) -> Exposure:
    """Search what this operation does not reach; what is ``cleared`` was searched already.  ``plain``: there
    is no other repository in the memory."""
    # A note is known by its ID, its path and the text that was asked for: its title alone may be anybody's.
    sought = topic.without(TITLE, PATH, SUBJECT)
    known = cleared.blobs_for(sought) if cleared is not None else ()
    found = _measure(place, Cleared(sought, known), frozenset(), plain)
    if cleared is None or not cleared.packed:
        return found
    here = found.here
    return found._replace(here=here._replace(packed=(*here.packed, *cleared.packed.items())))


def without_staged(found: Exposure, intent: Mapping[str, Any]) -> Exposure:
    """What was measured, without the files that an intent takes out of the index."""
    gone = set(only_staged(found.here.staged, intent))
    staged = tuple(path for path in found.here.staged if path not in gone)
    return found._replace(here=found.here._replace(staged=staged))


def _measure(place: Place, cleared: Cleared, above: frozenset[str], plain: bool = False) -> Exposure:
    topic = cleared.topic
    places = worktree_places(place)
    ours = not above
    others = _others(place, ours and plain)  # git is at work on it from here on
    objects: Asked | None = None
    try:
        staged = {one.git_dir: _staged(one) for one in places}
        # The names come before the objects: what a name has is among them.
        found_names, objects = _named(place)
        found = []
        for one in places:
            here = one.git_dir == place.git_dir
            found.append(_files(one, cleared, staged[one.git_dir], here and ours, others if here else None))
        # Now that the files were searched: what of them is stored as well needs no other look.
        known = cleared.blobs_for(topic)
        past = _past(place, topic, found_names.tips, staged.values(), known, objects)
    finally:
        for asked in (others, objects):
            if asked is not None:
                asked.leave()
    if past is not None:
        found = [
            _with_held(files, staged[one.git_dir], past.blobs)
            for files, one in zip(found, places, strict=True)
        ]
    mine = next(one for one, at in zip(found, places, strict=True) if at.git_dir == place.git_dir)
    whole = past is not None and not (
        past.cut or past.unsearched or past.unread or is_shallow(place) or _is_partial(place)
    )
    return Exposure(
        past,
        whole,
        found_names.unlisted,
        mine,
        tuple(one for one in found if one is not mine),
        git_files(places, topic),
        tuple(_submodules(places, found, cleared, above | {place.git_dir})),
        tuple(_private(places, topic)) if above else (),
        tuple(_packed_private(places)),
    )


def _others(place: Place, plain: bool = False) -> Asked | None:
    """git at work on what a working tree has beside what is staged; None where there is none of both."""
    passing = ("--exclude=/memory/",) if plain else ()
    with suppress(MemError):
        if has_tree(place):
            return Asked(place, "ls-files", "--others", "--exclude-standard", *passing, "-z")
    return None


def _named(place: Place) -> tuple[Names, Asked | None]:
    """Every name, and git at work on the list of all objects; None where git cannot be asked."""
    found = Names([], frozenset())
    with suppress(*_BROKEN):
        found = names(place)
        return found, all_objects(place)
    return found, None


def _past(
    place: Place,
    topic: Topic,
    tips: Sequence[Tip],
    staged: Iterable[list[Staged]],
    known: frozenset[bytes],
    objects: Asked | None,
) -> Past | None:
    if objects is None:
        return None
    blobs = (blob for listed in staged for mode, blob, _ in listed if mode != _GITLINK)
    with suppress(*_BROKEN):
        return search_past(place, topic, tips, blobs, known, objects)
    return None


def _submodules(
    places: Sequence[Place], found: Sequence[Files], cleared: Cleared, above: frozenset[str]
) -> Iterator[Submodule]:
    """Each submodule, and those inside of it; the memory's paths are nothing to them."""
    within = Topic(cleared.topic.marks, cleared.topic.ids)
    linked = [(one, path) for one, files in zip(places, found, strict=True) for path in files.inner]
    for name, inner in submodules(places, linked):
        if inner is None or inner.git_dir in above:
            yield Submodule(name, None)
            continue
        measured = _measure(inner, Cleared(within, cleared.blobs_for(within)), above)
        yield Submodule(name, measured._replace(submodules=()), inner.root != inner.git_dir)
        for deeper in measured.submodules:
            yield deeper._replace(name=f"{name}/{deeper.name}")


def _private(places: Sequence[Place], topic: Topic) -> Iterator[str]:
    """The files of a submodule's private state that tell the topic: what runs out here leaves them alone."""
    for kept in private_files(places):
        if still_tells(kept, topic):
            yield kept.path


def _packed_private(places: Sequence[Place]) -> Iterator[str]:
    """The files of private state that are compressed in themselves, which nothing of ours is."""
    for kept in private_files(places):
        if not is_rebuilt(kept.scope) and is_compressed(_beginning(kept.full)):
            yield kept.path


def _beginning(full: str) -> bytes:
    try:
        with open(full, "rb") as file:
            return file.read(32)
    except OSError:
        return b""


def _staged(place: Place) -> list[Staged]:
    """What a worktree's index has; nothing where git cannot say."""
    try:
        return staged_files(place)
    except MemError:
        return []


def _with_held(files: Files, staged: list[Staged], blobs: frozenset[str]) -> Files:
    """The files of a worktree with what its index has of contents that hold the topic."""
    held = {path for _, blob, path in staged if blob in blobs} if blobs else set()
    return files._replace(staged=tuple(sorted(held.union(files.staged)))) if held else files


def _files(
    place: Place, cleared: Cleared, staged: list[Staged], ours: bool, others: Asked | None = None
) -> Files:
    """The files of one worktree; of our own those that are not managed, for the rest was erased.  What its
    index has is told by its paths alone."""
    name, topic = worktree_name(place), cleared.topic
    told = topic.telling(path for _, _, path in staged) | topic.paths
    held = tuple(sorted({path for _, _, path in staged if path in told}))
    linked = tuple(path for mode, _, path in staged if mode == _GITLINK)
    if not has_tree(place):
        return Files(name, (), held, seen=not _is_elsewhere(place), inner=linked)
    paths = {path for mode, _, path in staged if mode != _GITLINK}
    others = others or _others(place)
    try:
        out = others.heard() if others else None
    except MemError:
        out = None
    if out is None:
        return Files(name, (), held, seen=False, inner=linked)
    listed = out.decode("utf-8", "surrogateescape").split("\0")[:-1]
    # A repository that is no submodule is listed as a folder.
    linked += tuple(path.rstrip("/") for path in listed if path.endswith("/"))
    paths.update(path for path in listed if not path.endswith("/"))
    if ours:
        agents = AGENT_FILES.values()
        paths = {path for path in paths if not path.startswith("memory/")}.difference(agents)
    told = topic.telling(paths) | (topic.paths & paths)
    found = {path for path in told if os.path.lexists(os.path.join(place.root, path))}
    closed: list[str] = []
    packed: list[Packed] = []
    contents = _contents(place.root, sorted(paths - told), closed, packed)
    for path, data in topic.sifted(contents, cleared.add):
        if topic.is_in(data):
            found.add(path)
    closed_to_us = tuple(one for one in packed if one[0] not in found)
    return Files(name, tuple(sorted(found)), held, len(closed), inner=linked, packed=closed_to_us)


def _contents(
    root: str, paths: Iterable[str], closed: list[str], packed: list[Packed]
) -> Iterator[tuple[str, bytes]]:
    """What is in files, and where a link leads; those that cannot be searched are added to ``closed``, and
    to ``packed`` those that are compressed."""
    tree = WorkingTree(root)
    for path in paths:
        full = f"{root}/{path}"
        try:
            facts = os.lstat(full)
            if stat.S_ISLNK(facts.st_mode):
                yield path, os.fsencode(os.readlink(full))
            elif stat.S_ISREG(facts.st_mode):
                data = tree.read(path)
                if is_compressed(data):
                    packed.append((path, blob_ids(data)))
                yield path, data
        except FileNotFoundError:
            continue
        except (OSError, Unreadable):
            closed.append(path)


def _is_elsewhere(place: Place) -> bool:
    """Whether a tree that is not to be seen may be there all the same: an index is left of one that we do
    not know the place of, or it is kept for a folder that comes and goes (a locked worktree)."""
    if os.path.exists(os.path.join(place.git_dir, "locked")):
        return True
    return not place.root and os.path.exists(os.path.join(place.git_dir, "index"))


def _is_partial(place: Place) -> bool:
    """Whether objects were left out when this was cloned."""
    try:
        listed = os.listdir(os.path.join(place.common_dir, "objects", "pack"))
    except OSError:
        return False
    return any(name.endswith(".promisor") for name in listed)
