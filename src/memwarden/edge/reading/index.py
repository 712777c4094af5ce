"""What earlier readings of ``memory/`` found, kept to be used again for as long as the files are the same.

The index is disposable and local, lies in this worktree's private state, and is never the authority:
every answer from it has just been compared with what the file system says of every file.  Where it is
missing, damaged, foreign or out of date the memory is read, and where it cannot be written nothing is
lost but time.
"""

from __future__ import annotations

from itertools import chain

from memwarden.core.event import Event
from memwarden.core.memory import Memory
from memwarden.core.note import Note
from memwarden.core.record import TYPE_CHECKING
from memwarden.edge.index_read import BLOCK, Damaged, IndexReader, open_index
from memwarden.edge.reading import witness
from memwarden.edge.reading.full_look import is_unchanged
from memwarden.edge.reading.index_codec import (
    unpack_event,
    unpack_finding,
    unpack_manifest,
    unpack_note,
    unpack_subject,
)
from memwarden.edge.reading.tree_stamps import (
    Tree,
    beginning,
    look,
    pack_stamps,
    stamps_of,
    trusted,
    unpack_stamps,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from contextlib import ExitStack
    from typing import Any

    from memwarden.core.workspace import Workspace
    from memwarden.edge.place import Place
    from memwarden.edge.reading.index_build import IndexFile
    from memwarden.errors import Finding

    Reading = tuple[Note | Event | None, tuple[Finding, ...]]

# Of fewer notes an index is sooner written than a process is started.
ASIDE = 500


class NoteReadings:
    """The cache of one reading: what is known of unchanged files, and what was newly found.

    A file's stamp was taken before the reading began, so a file that changes meanwhile is read again
    next time, never believed.  ``findings`` has what was wrong with each file that was met; a file that
    gave no record at all is in it with whatever was said of it.
    """

    def __init__(self, known: Mapping[str, Reading]) -> None:
        self._known = known
        self.findings: dict[str, tuple[Finding, ...]] = {}

    def vouched(self, path: str) -> Reading | None:
        found = self._known.get(path)
        if found is not None and (found[1] or found[0] is None):
            self.findings[path] = found[1]
        return found

    def get(self, path: str, stamp: str) -> None:
        """Nothing: what is known of a file is vouched for."""

    def put(self, path: str, stamp: str, record: Note | Event | None, findings: tuple[Finding, ...]) -> None:
        if findings or record is None:
            self.findings[path] = findings


def indexed_memory(place: Place, workspace: Workspace, today: str = "") -> Memory | None:
    """The memory out of the index, if every file and folder of ``memory/`` still stands as it did, and, with
    ``today``, if notes stand on that day as they did: whoever asks the index alone needs another one then."""
    reader = open_index(place.private)
    if reader is None or (today and not reader.is_of(today)):
        return None
    try:
        with witness.not_looking():
            unchanged = is_unchanged(reader, place.root)
        if not unchanged:
            return None
        _tell(reader.head["id"])
        return memory_of(reader, workspace)
    except Damaged:
        return None


def memory_of(reader: IndexReader, workspace: Workspace) -> Memory:
    get = reader.file.get
    return Memory(
        workspace,
        unpack_manifest(get("manifest")),
        tuple([unpack_note(row[2]) for row in _rows(reader)]),
        get("broken"),
        tuple(map(unpack_subject, get("subjects"))),
        {note: tuple(map(unpack_event, events)) for note, events in sorted(_events(reader))},
        tuple(map(unpack_finding, get("findings"))),
    )


def _rows(reader: IndexReader) -> list[Any]:
    rows: list[Any] = []
    for number in range(-(-reader.head["notes"] // BLOCK)):
        rows += reader.file.get(f"block {number}")
    return rows


def _events(reader: IndexReader) -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []
    for number in range(reader.head["crates"]):
        found += (reader.file.get(f"events {number}") or {}).items()
    return found


def read_and_index(
    place: Place,
    workspace: Workspace,
    load: Callable[[Workspace, NoteReadings], Memory],
    today: Callable[[], str],
    aside: ExitStack | None = None,
    beside: Callable[[], None] | None = None,
) -> Memory:
    """Read the memory, with what is known of unchanged notes, and write the index anew if that can be:
    where the memory is large and there is a stack to end it, ``aside``, by a copy of this process."""
    from memwarden.edge.reading.copies import give, processors
    from memwarden.edge.reading.index_build import IndexFile
    from memwarden.edge.reading.parallel_reading import is_read_ahead, read_notes

    with witness.reading_memory():
        try:
            file = IndexFile(place.private)
        except OSError:
            return load(workspace, NoteReadings(_known(place, look(place.root))))
    try:
        if beside is not None:
            beside()
        with witness.reading_memory():
            tree = look(place.root)
            known = _known(place, tree)
            tree, stamps = tree._replace(stamps=[]), pack_stamps(tree.stamps)
            if not tree.linked:
                passed = {*tree.folders, *known}
                ahead = [path for path in tree.paths if path not in passed and is_read_ahead(path)]
                known.update(read_notes(workspace, ahead))
            cache = NoteReadings(known)
            memory = load(workspace, cache)
    except BaseException:
        file.close()
        raise

    def write() -> bytes:
        return _written(file, memory, tree._replace(stamps=unpack_stamps(stamps)), cache, today())

    large = aside is not None and len(memory.notes) >= ASIDE and processors() > 1
    copy = give(write) if large else None
    if aside is None or copy is None:
        _tell(write().decode())
    else:
        file.leave()
        aside.callback(lambda: _tell(copy.result().decode()))
    return memory


def _tell(index_id: str) -> None:
    """A witness need not look at the files of ``memory/`` one by one: the index holds for them."""
    if witness.current is not None:
        witness.current.tree = index_id


def _written(file: IndexFile, memory: Memory, tree: Tree, cache: NoteReadings, today: str) -> bytes:
    """The ID of the index that now is in place; nothing where there is none."""
    from memwarden.core.standing import standings
    from memwarden.edge.reading.index_build import index_blocks, index_values, most_blocks

    try:
        # Where links lead, other files' times count; no index is kept of such a memory.
        if tree.linked:
            return b""
        since = beginning(file.fd, tree)
        stamps = dict(zip(tree.paths, trusted(tree.stamps, since), strict=True))
        standing = standings(memory, today)
        values = index_values(memory, stamps, tree.folders, cache.findings, standing, today)
        index_id = str(values["head"]["id"])
        most = len(values) + most_blocks(len(memory.notes))
        pairs = chain(_drained(values), index_blocks(memory, stamps, standing))
        file.put_in_place(pairs, most, since)
        return index_id.encode()
    except (OSError, ValueError):
        return b""
    finally:
        file.close()


def _drained(values: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """The values, each given up as it is taken: together with their bytes they would be too much to hold."""
    while values:
        yield values.popitem()


def _known(place: Place, tree: Tree) -> dict[str, Reading]:
    """What the old index knows of reading the files that still stand as they did, by path."""
    known: dict[str, Reading] = {}
    reader = open_index(place.private)
    if reader is None or tree.linked:
        return known
    now = dict(zip(tree.paths, tree.stamps, strict=True))
    try:
        then = stamps_of(reader)
        findings = {
            path: tuple(map(unpack_finding, found)) for path, found in reader.file.get("readings").items()
        }
        same = {path for path, stamp in then.items() if stamp is not None and now.get(path) == stamp}
        for row in _rows(reader):
            if row[0] in same:
                known[row[0]] = (unpack_note(row[2]), findings.get(row[0], ()))
        for _, packed in _events(reader):
            for event in map(unpack_event, packed):
                if event.path in same:
                    known[event.path] = (event, findings.get(event.path, ()))
    except Damaged:
        return {}
    for path in same.intersection(findings).difference(known):
        known[path] = (None, findings[path])
    return known
