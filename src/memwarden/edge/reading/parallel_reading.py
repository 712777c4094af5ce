"""Reading many notes with every processor there is: nothing else makes a first reading quicker.

The program is copied with all that it has loaded (``fork``), each copy reads a share and sends back what
it found.  A share that does not arrive is read by whoever needs it: nothing depends on this room.
"""

from __future__ import annotations

import marshal
import os

from memwarden.core.record import TYPE_CHECKING
from memwarden.core.workspace import FILE, Unreadable
from memwarden.edge.reading import witness
from memwarden.edge.reading.index_codec import pack_finding, pack_note, unpack_finding, unpack_note

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from memwarden.core.note import Note
    from memwarden.core.workspace import Workspace
    from memwarden.errors import Finding

    Reading = tuple[Note | None, tuple[Finding, ...]]

# Fewer notes are read sooner than a process is started and heard.
LEAST = 1000
MOST_PROCESSES = 8


def read_notes(workspace: Workspace, paths: Sequence[str]) -> dict[str, Reading]:
    """What reading each of the notes at ``paths`` gives; those that cannot be read are left out, and all
    are where there are too few of them."""
    count = min(_processors(), MOST_PROCESSES, len(paths) // LEAST)
    if count < 2:
        return {}
    from memwarden.edit import note_reader, text_safety  # noqa: F401  (loaded once, before the copies)

    children = [_start(workspace, paths[number::count]) for number in range(1, count)]
    rows = _read(workspace, paths[::count])
    for pid, pipe in children:
        rows += _finish(pid, pipe)
    return {
        path: (None if note is None else unpack_note(note), tuple(map(unpack_finding, findings)))
        for path, note, findings in rows
    }


def is_note(path: str) -> bool:
    """Whether a file of ``memory/`` is read as a note, as far as its path tells."""
    name = path.rpartition("/")[2]
    special = path == "memory/manifest.md" or path.startswith(("memory/subjects/", "memory/events/"))
    return name.endswith(".md") and name != "README.md" and not name.startswith(".") and not special


def _read(workspace: Workspace, paths: Sequence[str]) -> list[Any]:
    from memwarden.edit.memory_reader import MOST_NOTE, reading_of

    rows = []
    for path in paths:
        try:
            entry = workspace.entry(path)
            if entry is None or entry.kind != FILE or entry.size > MOST_NOTE:
                continue
            note, findings = reading_of(path, workspace.read(path))
        except Unreadable:
            continue
        packed = None if note is None else pack_note(note)
        rows.append((path, packed, tuple(map(pack_finding, findings))))
    return rows


def _start(workspace: Workspace, paths: Sequence[str]) -> tuple[int, int]:
    """A copy of this process at work on its share, and the pipe on which its rows will come; no process
    where none can be had."""
    ours, theirs = os.pipe()
    try:
        with witness.not_looking():
            pid = os.fork()
    except OSError:
        os.close(theirs)
        return 0, ours
    if pid:
        os.close(theirs)
        return pid, ours
    try:
        witness.rest()
        os.close(ours)
        with os.fdopen(theirs, "wb") as pipe:
            pipe.write(marshal.dumps(_read(workspace, paths)))
    finally:
        os._exit(0)


def _finish(pid: int, pipe: int) -> list[Any]:
    with os.fdopen(pipe, "rb") as file:
        data = file.read()
    if pid:
        os.waitpid(pid, 0)
    try:
        rows: list[Any] = marshal.loads(data)  # noqa: S302  (from a copy of ourselves)
    except (EOFError, ValueError, TypeError):
        return []
    return rows


def _processors() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on macOS
        return os.cpu_count() or 1
