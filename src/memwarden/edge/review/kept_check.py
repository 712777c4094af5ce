"""What a whole check of the index found, filed so that the next one need look only at what changed since.

Beside its findings the file has every note as it was read, under what it shares with others (its *bonds*)
and under the paths that it looks at, so that a changed file leads to the few notes whose findings it may
change.  It is disposable, lies beside the index of the working tree, and holds for one program, one day,
one place: for anything else it is as good as none.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import chain

from memwarden.core.condition import has_command
from memwarden.core.event import FOLDER as EVENTS
from memwarden.core.fitness import PATH_EVIDENCE, UNREADABLE
from memwarden.core.neighbours import bonds, registry_of
from memwarden.core.paths import normal
from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.core.workspace import Unreadable
from memwarden.edge.git.git_workspace import LINK, REGULAR, SUBMODULE
from memwarden.edge.git.gitstate import is_shallow
from memwarden.edge.index_read import Damaged, KeyedFile, checksum, keys_of_path, open_keyed, program_mark
from memwarden.edge.place import MEMORY
from memwarden.edge.reading.index_codec import (
    pack_finding,
    pack_manifest,
    pack_subject,
    unpack_manifest,
    unpack_note,
    unpack_subject,
)
from memwarden.errors import Finding
from memwarden.judge.judge import is_timeless, paths_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from memwarden.core.manifest import Manifest
    from memwarden.core.memory import Memory
    from memwarden.core.note import Note
    from memwarden.core.registry import Registry
    from memwarden.core.subject import Subject
    from memwarden.edge.git.changes import Changes
    from memwarden.edge.git.git_workspace import ListedTree
    from memwarden.edge.place import Place
    from memwarden.edge.reading.blob_readings import BlobReadings

FILE = "index-checked"
BLOCK = 32
BUCKET = 48
MOST_WAYS = 100
# What a rule may say of a file because of other files' names: no part of the memory is judged alone then.
OF_NAMES = ("M007", UNREADABLE)


class Row(NamedTuple):
    """One file of the memory: what reading it gave, as ``index_codec`` packs it."""

    path: str
    blob: str
    record: Any
    findings: tuple[Any, ...]


class KeptCheck:
    """The last whole check.  Every question may raise :class:`Damaged`."""

    def __init__(self, file: KeyedFile) -> None:
        self._file = file
        self._blocks: dict[int, list[Any]] = {}
        self._buckets: dict[int, dict[str, list[int]]] = {}
        self._head: dict[str, Any] = file.get("head")
        self.base: str = self._head["base"]
        self.before: dict[str, str] = self._head["before"]
        self.after: dict[str, str] = self._head["after"]
        # The mode and the object of every link and submodule, and where each link leads.
        self.odd: dict[str, tuple[str, str]] = self._head["odd"]
        self.aliases: dict[str, str] = self._head["aliases"]

    def holds_for(self, place: Place, today: str) -> bool:
        """Whether it was made in the same circumstances."""
        return bool(self._head["around"] == _around(place, today))

    @property
    def restless(self) -> Sequence[int]:
        """The numbers of the notes whose condition rests on more than files and the date."""
        found: Sequence[int] = self._head["restless"]
        return found

    def manifest(self) -> Manifest | None:
        return unpack_manifest(self._file.get("manifest"))

    def subjects(self) -> tuple[Subject, ...]:
        return tuple(map(unpack_subject, self._file.get("subjects")))

    def findings(self) -> list[Finding]:
        """What was found, in order."""
        new = tuple.__new__
        return [new(Finding, row) for row in self._file.get("findings")]

    def listing(self) -> tuple[list[str], list[str]]:
        """Every path of the index, sorted, and its blob."""
        found: tuple[list[str], list[str]] = self._file.get("listing")
        return found

    def under(self, token: str) -> Sequence[int]:
        """The numbers of the rows filed under a bond, or a key of a path."""
        count = self._head["buckets"]
        number = _bucket(token, count)
        if number not in self._buckets:
            self._buckets[number] = self._file.get(f"bucket {number}")
        return self._buckets[number].get(token, ())

    def looking_at(self, path: str) -> Iterator[int]:
        """The numbers of the notes that may look at a path, or at a folder that holds it."""
        for key in keys_of_path(path):
            yield from self.under(key)

    def ways_to(self, path: str) -> Iterator[str]:
        """The path, and every way to it through links."""
        waiting = [path]
        seen = {path}
        while waiting:
            way = waiting.pop()
            yield way
            for link, target in self.aliases.items():
                through = link + way[len(target) :]
                if f"{way}/".startswith(f"{target}/") and through not in seen:
                    if len(seen) > MOST_WAYS:
                        raise Damaged  # links that go round: no telling
                    seen.add(through)
                    waiting.append(through)

    def at(self, path: str) -> int | None:
        """The number of the row of a path."""
        block = bisect_right(self._head["starts"], path) - 1
        for at, row in enumerate(self._block(block) if block >= 0 else ()):
            if row[0] == path:
                return block * BLOCK + at
        return None

    def row(self, number: int) -> Row:
        return Row._make(self._block(number // BLOCK)[number % BLOCK])

    def note(self, number: int) -> Note | None:
        """The note of a row; None where the file is none, or could not be read."""
        row = self.row(number)
        return None if row.record is None or row.path.startswith(EVENTS) else unpack_note(row.record)

    def _block(self, number: int) -> list[Any]:
        if number not in self._blocks:
            self._blocks[number] = self._file.get(f"block {number}")
        return self._blocks[number]


def kept_check(place: Place) -> KeptCheck | None:
    """The last whole check of the index; raises :class:`Damaged`."""
    file = open_keyed(f"{place.private}/{FILE}", program_mark(FILE))
    return None if file is None else KeptCheck(file)


def keep_check(
    place: Place,
    today: str,
    memory: Memory,
    tree: ListedTree,
    readings: BlobReadings,
    staged: Sequence[Changes],
    findings: Sequence[Finding],
) -> None:
    """File a whole check; nothing where a part of it could not be judged alone later."""
    listing = tree.listing()
    odd = {path: (item.mode, item.blob) for path, item in listing.items() if item.mode not in REGULAR}
    aliases = _aliases(tree, odd)
    if aliases is None or len(staged) != 1 or memory.manifest is None:
        return
    if any(found.code in OF_NAMES for found in findings):
        return
    from memwarden.edge.reading.keyed_file import put_private

    rows = [
        Row(path, listing[path].blob, *row)
        for path in tree.paths(MEMORY)
        if (row := readings.row(path, listing[path].blob)) is not None
    ]
    buckets, restless = _filed(memory, rows)
    values = {
        "head": {
            "base": staged[0].base,
            "before": dict(staged[0].before),
            "after": dict(staged[0].after),
            "around": _around(place, today),
            "restless": restless,
            "buckets": len(buckets),
            "odd": odd,
            "aliases": aliases,
            "starts": [row.path for row in rows[::BLOCK]],
        },
        "manifest": pack_manifest(memory.manifest),
        "subjects": tuple(map(pack_subject, memory.subjects)),
        "listing": (list(listing), [item.blob for item in listing.values()]),
        "findings": list(map(pack_finding, findings)),
    }
    starts = range(0, len(rows), BLOCK)
    blocks = ((f"block {at // BLOCK}", list(map(tuple, rows[at : at + BLOCK]))) for at in starts)
    shelves = ((f"bucket {number}", bucket) for number, bucket in enumerate(buckets))
    most = len(values) + len(starts) + len(buckets)
    put_private(place, FILE, chain(values.items(), blocks, shelves), most)


def _aliases(tree: ListedTree, odd: Mapping[str, tuple[str, str]]) -> dict[str, str] | None:
    """Where each link leads; None where one may lead elsewhere without being changed itself, or touches the
    memory, and where there is a conflict.  What is in a submodule is nobody's here."""
    found = {}
    for path, (mode, _) in odd.items():
        if mode == SUBMODULE:
            continue
        try:
            target = tree.resolved(path) if mode == LINK else ""
        except Unreadable:
            target = ""
        inside = f"{path}/".startswith(f"{target}/")
        if (
            not target
            or inside
            or f"{path}/".startswith(MEMORY + "/")
            or f"{target}/".startswith(MEMORY + "/")
        ):
            return None
        found[path] = target
    return found


def looks_at(note: Note) -> Iterator[str]:
    """Every path or glob that a finding about the note may rest on."""
    for anchor in note.anchors:
        if anchor.kind == "path":
            yield anchor.text
    for evidence in note.evidence:
        if evidence.key in PATH_EVIDENCE:
            yield evidence.path
    for condition in (note.condition, note.verify):
        if condition is not None:
            yield from paths_of(condition)


def _filed(memory: Memory, rows: Sequence[Row]) -> tuple[list[dict[str, list[int]]], list[int]]:
    """Every row's number under its bonds and the paths that it looks at; and the restless ones."""
    from memwarden.edge.reading.index_build import key_of_glob

    registry: Registry = registry_of(memory)
    notes = {note.path: note for note in memory.notes}
    found: dict[str, list[int]] = {}
    keys: dict[str, tuple[str, ...]] = {}
    restless = []
    for number, row in enumerate(rows):
        note = notes.get(row.path)
        if note is None:
            if row.path.startswith(EVENTS):
                found.setdefault(events_of(row.path), []).append(number)
            continue
        tokens = bonds(note, registry)
        for glob in looks_at(note):
            if glob not in keys:
                plain = normal(glob)
                keys[glob] = (key_of_glob(glob), key_of_glob(plain), "/p" + plain)
            tokens += keys[glob]
        for token in dict.fromkeys(tokens):
            found.setdefault(token, []).append(number)
        if any(map(_is_restless, (note.condition, note.verify))):
            restless.append(number)
    buckets: list[dict[str, list[int]]] = [{} for _ in range(len(found) // BUCKET + 1)]
    for token, numbers in found.items():
        buckets[_bucket(token, len(buckets))][token] = numbers
    return buckets, restless


def events_of(path: str) -> str:
    """The token of an event's file: the folder that it lies in."""
    return "events " + path[len(EVENTS) :].partition("/")[0]


def _is_restless(condition: Any) -> bool:
    return condition is not None and (has_command(condition) or not is_timeless(condition))


def _bucket(token: str, count: int) -> int:
    return int.from_bytes(checksum(token.encode("utf-8", "surrogatepass")), "little") % count


def _around(place: Place, today: str) -> tuple[object, ...]:
    return place.root, today, is_shallow(place)
