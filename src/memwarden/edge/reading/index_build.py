"""Writing the index: what one reading of ``memory/`` found, filed for a touch and for the next reading."""

from __future__ import annotations

import marshal
import os
import time
from contextlib import suppress

from memwarden.core.containing import head_of
from memwarden.core.fitness import unfit
from memwarden.core.glob import literal_prefix
from memwarden.core.manifest import PATH as MANIFEST
from memwarden.core.manifest import PROTOCOL
from memwarden.core.modules import layout
from memwarden.core.neighbours import bonds, registry_of
from memwarden.core.note import Note
from memwarden.core.record import TYPE_CHECKING
from memwarden.core.route.shelf import put_up
from memwarden.core.standing import Standing
from memwarden.core.standing import standings as standings_on
from memwarden.core.supersession import all_above
from memwarden.core.turn.ladder import rests_on_files
from memwarden.edge.index_read import BLOCK, FILE, STALE, START, checksum, program_mark, stamp_at
from memwarden.edge.reading.index_codec import (
    BY_NAME,
    HEADS,
    SPEAKS,
    START_SHELF,
    crate_of,
    pack_event,
    pack_finding,
    pack_manifest,
    pack_note,
    pack_standing,
    pack_subject,
)
from memwarden.edge.reading.keyed_file import write_keyed
from memwarden.edge.reading.tree_stamps import shares
from memwarden.edit.starter import unfilled
from memwarden.errors import ERROR

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from memwarden.core.memory import Memory
    from memwarden.edge.index_read import Stamp
    from memwarden.errors import Finding

    # What reading one note's file gave.
    Reading = tuple[Note | None, tuple[Finding, ...]]

FIRST_DAY = "0000-01-01"
LAST_DAY = "9999-12-31"
ABANDONED = 60
# Notes that are read, or passed over, together.
TRAY = 16
WILD = frozenset("*?[\\")


def index_values(
    memory: Memory,
    stamps: Mapping[str, Stamp | None],
    folders: Sequence[str],
    readings: Mapping[str, tuple[Finding, ...]],
    standings: Mapping[str, Standing],
    today: str,
) -> dict[str, Any]:
    """Every keyed value of the index but for :func:`index_blocks`."""
    first, last = window(memory.notes, today)
    watched = [path for path in folders if not path.startswith("memory/events/")] + ["memory/manifest.md"]
    buckets, commands = _anchors(memory.notes)
    faults = unfit(memory)
    looks = shares(stamps)
    crates = 1 + len(memory.notes) // BLOCK
    values: dict[str, Any] = {
        "head": {
            "id": checksum(marshal.dumps(looks)).hex(),
            "looks": len(looks),
            "folders": [(path, stamps.get(path)) for path in watched],
            "from": first,
            "to": last,
            "notes": len(memory.notes),
            "commands": len(commands),
            "crates": crates,
        },
        "commands": tuple(commands),
        "manifest": pack_manifest(memory.manifest),
        "touch": _for_touches(memory, faults),
        "broken": memory.broken,
        "subjects": tuple(map(pack_subject, memory.subjects)),
        "findings": tuple(map(pack_finding, memory.findings)),
        "readings": {path: tuple(map(pack_finding, found)) for path, found in readings.items()},
    }
    values.update((f"look {number}", share) for number, share in enumerate(looks))
    values.update(buckets)
    values.update(_shelf(memory, standings, faults))
    values.update(_start(memory, standings, faults, today))
    return values


def index_blocks(
    memory: Memory, stamps: Mapping[str, Stamp | None], standings: Mapping[str, Standing]
) -> Iterator[tuple[str, Any]]:
    """What grows with the notes: themselves, their heads and bonds and events, made block by block."""
    yield from _note_blocks(memory.notes, stamps, standings)
    yield from _heads(memory.notes)
    yield from _crates(memory, 1 + len(memory.notes) // BLOCK)


def most_blocks(notes: int) -> int:
    """How many blocks there are at most."""
    return -(-notes // BLOCK) + -(-notes // HEADS) + 2 * (1 + notes // BLOCK)


def _note_blocks(
    notes: Sequence[Note], stamps: Mapping[str, Stamp | None], standings: Mapping[str, Standing]
) -> Iterator[tuple[str, list[Any]]]:
    above = all_above(notes)
    for start in range(0, len(notes), BLOCK):
        some = notes[start : start + BLOCK]
        rows = [_row(note, stamps, standings.get(note.path), above.get(note.id, ())) for note in some]
        yield f"block {start // BLOCK}", rows


def _crates(memory: Memory, count: int) -> Iterator[tuple[str, Any]]:
    """The events, and what binds notes to each other, in crates of which a change looks into a few."""
    events: list[list[str]] = [[] for _ in range(count)]
    for note_id in memory.events:
        events[crate_of(note_id, count)].append(note_id)
    for number, ids in enumerate(events):
        if ids:
            crate = {note_id: tuple(map(pack_event, memory.events[note_id])) for note_id in ids}
            yield f"events {number}", crate
    registry = registry_of(memory)
    bound: list[list[Any]] = [[] for _ in range(count)]  # bonds, each followed by the number of a note
    for number, note in enumerate(memory.notes):
        for bond in bonds(note, registry):
            bound[crate_of(bond, count)] += (bond, number)
    for number, pairs in enumerate(bound):
        if pairs:
            found: dict[str, list[int]] = {}
            for at in range(0, len(pairs), 2):
                found.setdefault(pairs[at], []).append(pairs[at + 1])
            yield f"bonds {number}", found


def _for_touches(memory: Memory, faults: Collection[str]) -> tuple[Any, ...]:
    """The settings (None where the manifest is not to be relied on), and the notes that nobody hears."""
    manifest = memory.manifest
    known = manifest is not None and manifest.protocol <= PROTOCOL
    return tuple(manifest.settings) if manifest and known else None, frozenset(faults)


def _heads(notes: Sequence[Note]) -> Iterator[tuple[str, Any]]:
    """What notes say beside their bodies, as a text is looked for in it, and where they lie."""
    for start in range(0, len(notes), HEADS):
        some = notes[start : start + HEADS]
        yield f"heads {start // HEADS}", ("\n".join(map(head_of, some)), [note.path for note in some])


def _start(
    memory: Memory, standings: Mapping[str, Standing], faults: Collection[str], today: str
) -> dict[str, Any]:
    """What a session's start tells beside the shelf: the debts that files have paid, each with the day, and,
    where a brief is still a form, the shelf of what is always loaded without it."""
    paid = [
        (number, standing.paid.at[:10])
        for number, note in enumerate(memory.notes)
        if (standing := standings[note.path]).paid is not None
        and note.path not in faults
        and rests_on_files(note, standing)
    ]
    values: dict[str, Any] = {"paid": paid}
    blank = unfilled(memory)
    if blank and memory.manifest is not None:
        numbers = [number for number, note in enumerate(memory.notes) if note.path not in blank]
        known = memory._replace(notes=tuple(memory.notes[number] for number in numbers))
        always = [route.module for route in memory.manifest.always]
        shelf = _shelf(known, standings_on(known, today), unfit(known), numbers, always)
        values.update((START_SHELF + key, value) for key, value in shelf.items())
    return values


def _shelf(
    memory: Memory,
    standings: Mapping[str, Standing],
    faults: Mapping[str, tuple[Finding, ...]],
    numbers: Sequence[int] = (),
    modules: Collection[str] | None = None,
) -> dict[str, Any]:
    """What may be loaded, by module; nothing where the manifest would not route.  ``numbers`` are those of
    the notes where they are a part of the index's; with ``modules`` only these stand on the shelf."""
    if memory.manifest is None or memory.manifest.protocol > PROTOCOL:
        return {}
    if any(found.path == MANIFEST and found.severity == ERROR for found in memory.findings):
        return {}
    shelf = put_up(memory, standings, layout(memory), faults)
    values: dict[str, Any] = {"shelf": (shelf.known, dict(shelf.contested))}
    ready = bytearray(len(memory.notes))
    for module in shelf.known if modules is None else modules:
        notes = [one for tray in shelf.ready.trays(module) for one in tray.notes()]
        for one in notes:
            ready[one.number] = BY_NAME if one.by_name else SPEAKS
        if numbers:
            notes = [one._replace(number=numbers[one.number]) for one in notes]
        trays = [notes[at : at + TRAY] for at in range(0, len(notes), TRAY)]
        values[f"shelf {module}"] = [
            (min(one.tokens for one in tray), len(tray), sum(one.by_name for one in tray)) for tray in trays
        ]
        values.update(
            (f"tray {number} {module}", list(map(tuple, tray))) for number, tray in enumerate(trays)
        )
    values["ready"] = bytes(ready)
    return values


def _row(
    note: Note, stamps: Mapping[str, Stamp | None], standing: Standing | None, above: Iterable[Note]
) -> tuple[Any, ...]:
    events = stamps.get("memory/events/" + note.id) if note.id else None
    packed = None if standing is None else pack_standing(standing)
    paths = [path for other in above for path in (other.path, "memory/events/" + other.id)]
    others = tuple([(path, stamps.get(path)) for path in paths])
    return note.path, stamps.get(note.path), pack_note(note), packed, events, others


def _anchors(notes: Sequence[Note]) -> tuple[dict[str, tuple[tuple[int, str], ...]], list[int]]:
    buckets: dict[str, list[tuple[int, str]]] = {}
    of_glob: dict[str, list[tuple[int, str]]] = {}  # many notes have one glob: its bucket is looked for once
    commands = []
    for number, note in enumerate(notes):
        kinds = set()
        for anchor in note.anchors:
            kinds.add(anchor.kind)
            if anchor.kind == "path":
                glob = anchor.text
                if glob not in of_glob:
                    of_glob[glob] = buckets.setdefault(key_of_glob(glob), [])
                of_glob[glob].append((number, glob))
        if "command" in kinds:
            commands.append(number)
    return {key: tuple(bucket) for key, bucket in buckets.items()}, commands


def key_of_glob(glob: str) -> str:
    """The one key under which an anchor is filed: wherever the glob matches a path, it is among the
    path's keys (``index_read.keys_of_path``).  The converse does not hold; the exact matcher decides."""
    text = glob.rstrip(" ").rstrip("/")
    if not WILD.intersection(glob):
        return "/p" + text.removeprefix("/") if "/" in text else "/n" + text
    prefix = literal_prefix(glob)
    if "\\" in text or "[" in text:
        return "/p" + prefix
    last = text.rpartition("/")[2]
    if last == "**" or text.strip("/") == prefix:
        return "/p" + prefix
    wild = [at for at, char in enumerate(last) if char in WILD]
    if not wild:
        return "/n" + last
    if wild[0] >= START:
        return "/s" + last[:START]
    dot = last.rfind(".", wild[-1])
    return "/p" + prefix if dot < 0 else "/e" + prefix + "\0" + last[dot:]


def window(notes: Sequence[Note], today: str) -> tuple[str, str]:
    """The first and the last date on which every note's standing is what it is ``today``.

    A note's last day is its ``expires``, its first one ``not_before``; nothing else looks at the date.
    """
    first, last = FIRST_DAY, LAST_DAY
    for note in notes:
        if note.not_before:
            if note.not_before <= today:
                first = max(first, note.not_before)
            else:
                last = min(last, _before(note.not_before))
        if note.expires:
            if note.expires >= today:
                last = min(last, note.expires)
            else:
                first = max(first, _after(note.expires))
    return min(first, today), max(last, today)


def _before(day: str) -> str:
    """Text that sorts behind every date before ``day`` and before ``day`` itself."""
    return day[:-1] + chr(ord(day[-1]) - 1) + "~" if day else day


def _after(day: str) -> str:
    """Text that sorts behind ``day`` and before every later date."""
    return day + " "


class IndexFile:
    """The next index while it is being made: a file beside the old one, whose making tells the time.

    One process at a time makes one; for the others there is none to make.  Nothing is flushed to the
    disk: what a crash leaves is found damaged, and is then as good as none.
    """

    def __init__(self, private: str) -> None:
        """Raises OSError where nothing can be written, or somebody else is writing."""
        self._private = private
        self._temporary = f"{private}/{FILE}.new"
        os.makedirs(private, mode=0o700, exist_ok=True)
        try:
            self.fd = self._create()
        except FileExistsError:
            if not self._is_abandoned():
                raise
            os.unlink(self._temporary)
            self.fd = self._create()

    def put_in_place(self, values: Iterable[tuple[str, Any]], most: int, since: int) -> None:
        """Take the old index's place with at most ``most`` values; raises OSError, or ValueError for what
        cannot be written.  A stale mark from before ``since`` is met."""
        with os.fdopen(self.fd, "wb", closefd=False) as file:
            write_keyed(file, values, program_mark(FILE), most)
        os.rename(self._temporary, f"{self._private}/{FILE}")
        mark = f"{self._private}/{STALE}"
        stamp = stamp_at(mark)
        if stamp is not None and stamp[1] < since:
            os.unlink(mark)

    def leave(self) -> None:
        """Let a copy of this process have it, which closes it."""
        os.close(self.fd)

    def close(self) -> None:
        """Leave nothing behind but what was put in place."""
        os.close(self.fd)
        with suppress(OSError):
            os.unlink(self._temporary)

    def _create(self) -> int:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        return os.open(self._temporary, flags, 0o600)

    def _is_abandoned(self) -> bool:
        """Whether its writer must have died: no writing takes a minute."""
        return time.time() - os.lstat(self._temporary).st_mtime > ABANDONED
