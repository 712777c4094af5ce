"""Reading many files with every processor there is: nothing else makes a first reading quicker.

Copies of this process read a share each and send back what they found.  A share that does not arrive is read
by whoever needs it: nothing depends on this room.
"""

from __future__ import annotations

import marshal

from memwarden.core.event import FOLDER as EVENTS
from memwarden.core.record import TYPE_CHECKING
from memwarden.core.workspace import Unreadable
from memwarden.edge.reading.copies import Copy, give, processors
from memwarden.edge.reading.index_codec import pack_reading, unpack_reading

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from memwarden.core.workspace import Workspace
    from memwarden.edit.memory_reader import Reading

# Fewer files are read sooner than a process is started and heard.
LEAST = 250
# So many bytes of files are looked at together for what is unsafe in them.
TOGETHER = 50_000
# So many readings are sent together: all at once they would be held twice.
PACK = 500


def read_notes(workspace: Workspace, paths: Sequence[str]) -> dict[str, Reading]:
    """What reading each of the notes and events at ``paths`` gives; those that cannot be read are left out,
    and all are where there are too few of them.  A link is followed like the file that it leads to."""
    count = min(processors(), len(paths) // LEAST)
    if not count:
        return {}
    from memwarden.edit import note_reader, pattern, record_reader  # noqa: F401  (once, before the copies)

    def work(share: Sequence[str]) -> bytes:
        found = _read(workspace, share)
        paths = list(found)
        return marshal.dumps([_packed(found, paths[at : at + PACK]) for at in range(0, len(paths), PACK)])

    shares = [paths[number::count] for number in range(count)]
    copies: list[Copy] = []
    try:
        for share in shares[1:]:
            copy = give(lambda share=share: work(share))  # type: ignore[misc]
            if copy is not None:
                copies.append(copy)
        found = _read(workspace, shares[0])
        while copies:
            found.update((path, unpack_reading(path, row)) for path, row in _rows(copies[0].result()))
            del copies[0]
    except BaseException:
        for copy in copies:
            copy.end()
        raise
    return found


def is_read_ahead(path: str) -> bool:
    """Whether a file of ``memory/`` is read as a note or an event, as far as its path tells."""
    return path.startswith(EVENTS) or is_note(path)


def is_note(path: str) -> bool:
    """Whether a file of ``memory/`` is read as a note, as far as its path tells."""
    name = path.rpartition("/")[2]
    special = path == "memory/manifest.md" or path.startswith(("memory/subjects/", EVENTS))
    return name.endswith(".md") and name != "README.md" and not name.startswith(".") and not special


def _read(workspace: Workspace, paths: Sequence[str]) -> dict[str, Reading]:
    from memwarden.edit.memory_reader import MOST_NOTE
    from memwarden.edit.record_reader import readings_of

    found: dict[str, Reading] = {}
    waiting: dict[str, bytes] = {}
    size = 0
    for path in paths:
        try:
            data = workspace.read(path)
        except Unreadable:
            continue
        if len(data) <= MOST_NOTE or path.startswith(EVENTS):
            waiting[path] = data
            size += len(data)
        if size > TOGETHER:
            found.update(readings_of(waiting))
            waiting, size = {}, 0
    found.update(readings_of(waiting))
    return found


def _packed(found: dict[str, Reading], paths: Sequence[str]) -> bytes:
    return marshal.dumps([(path, pack_reading(path, *found[path])) for path in paths])


def _rows(data: bytes) -> Iterator[Any]:
    try:
        packs: list[bytes] = marshal.loads(data)  # noqa: S302  (from a copy of ourselves)
        for pack in packs:
            yield from marshal.loads(pack)  # noqa: S302  (as above)
    except (EOFError, ValueError, TypeError):
        return
