"""Files of the memory that only git's index has: staged and taken out of the working tree since, or never
in it.  Whoever purges a note means those too, and nothing else would ever take them away.
"""

from __future__ import annotations

import os
from contextlib import suppress

from memwarden.core.record import TYPE_CHECKING
from memwarden.core.workspace import Overlay, Unreadable
from memwarden.edge.erase.staged import staged_files
from memwarden.edge.git.git_workspace import REGULAR, IndexTree
from memwarden.edge.git.plumbing import run
from memwarden.edit.erasure import Gone, erasure
from memwarden.edit.snapshot import with_files
from memwarden.edit.span import path_digest
from memwarden.errors import MemError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from memwarden.core.memory import Memory
    from memwarden.edge.place import Place

BELOW = "memory/"


def with_index(
    place: Place, memory: Memory, make_intent: Callable[[Memory], Mapping[str, Any]]
) -> tuple[Memory, Mapping[str, Any]]:
    """The memory with those files that only the index has and that the intent means, and the intent."""
    staged = _staged(place, memory)
    if not staged:
        return memory, make_intent(memory)
    whole = _joined(memory, staged)
    meant = erasure(whole, make_intent(whole)).changes
    ours = {path: data for path, data in staged.items() if path in meant}
    if not ours:
        return memory, make_intent(memory)
    narrow = _joined(memory, ours)
    return narrow, {**make_intent(narrow), "index": sorted(map(path_digest, ours))}


def as_meant(place: Place, memory: Memory, intent: Mapping[str, Any]) -> Memory:
    """The memory with the files of the index that a saved intent names; raises :class:`Gone` where one
    of them is in the working tree again, or gone."""
    wanted = set(intent.get("index", ()))
    if not wanted:
        return memory
    found = {path: data for path, data in _staged(place, memory).items() if path_digest(path) in wanted}
    if len(found) < len(wanted):
        raise Gone("a file that only the index had is elsewhere or gone", "run the command again")
    return _joined(memory, found)


def only_staged(paths: Iterable[str], intent: Mapping[str, Any]) -> list[str]:
    """Those of some paths that an intent takes out of the index alone."""
    wanted = set(intent.get("index", ()))
    return [path for path in paths if path_digest(path) in wanted] if wanted else []


def unstage(place: Place, paths: Iterable[str]) -> None:
    """Take files out of the index; git is told them where nobody sees it."""
    listed = b"".join(os.fsencode(path) + b"\0" for path in paths)
    if listed:
        run(place, "update-index", "--force-remove", "-z", "--stdin", stdin=listed)


def unstage_meant(place: Place, memory: Memory, intent: Mapping[str, Any]) -> None:
    """Take out of the index what a saved intent names there, as far as it is still in there."""
    wanted = set(intent.get("index", ()))
    unstage(place, [path for path in _staged(place, memory) if path_digest(path) in wanted] if wanted else ())


def still_staged(place: Place, paths: Iterable[str]) -> list[str]:
    """Those of some paths that the index has after all; all of them where it cannot be read."""
    wanted = list(paths)
    try:
        listing = IndexTree(place).listing() if wanted else {}
    except MemError:
        return wanted
    return [path for path in wanted if path in listing]


def _joined(memory: Memory, files: Mapping[str, bytes]) -> Memory:
    return with_files(memory, Overlay(memory.workspace, files), files)


def _staged(place: Place, memory: Memory) -> dict[str, bytes]:
    """What is below ``memory/`` in the index and not on disk, though nobody left it out of a checkout."""
    listed = {path for _, _, path in staged_files(place) if path.startswith(BELOW)}
    # What the memory has just been found to have need not be looked for once more.
    rest = listed.difference(memory.workspace.paths(BELOW.rstrip("/")))
    deleted = [path for path in sorted(rest) if not os.path.lexists(os.path.join(place.root, path))]
    if not deleted:
        return {}
    index = IndexTree(place)
    found = {}
    try:
        for path in deleted:
            item = index.item(path)
            if item is not None and item.mode in REGULAR and path not in index.skipped:
                with suppress(Unreadable):
                    found[path] = index.read(path)
        return found
    finally:
        index.close()
