"""Routing out of the index: the same law as for a memory that was read, with only the notes it needs.

The index holds the shelf (``core.route.shelf``) by module.  A request is understood by the same functions,
takes from the shelf by the same functions and is packed by the same functions; what differs is that a
note is looked up when its turn comes, in place of all of them beforehand.
"""

from __future__ import annotations

from memwarden.core.memory import Memory
from memwarden.core.note import module_of
from memwarden.core.record import TYPE_CHECKING
from memwarden.core.route.pack import assemble
from memwarden.core.route.request import choose
from memwarden.core.route.route import OVER_BUDGET, Omitted, Routed
from memwarden.core.route.serving import Blocks
from memwarden.core.route.shelf import Ready, Shelf, Tray, fill, newest_first
from memwarden.edge.index_read import Damaged
from memwarden.edge.reading.full_look import begin
from memwarden.edge.reading.index_codec import BY_NAME, unpack_manifest, unpack_note, unpack_standing
from memwarden.edge.tree.worktree import WorkingTree
from memwarden.errors import MemError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from memwarden.core.manifest import Manifest
    from memwarden.core.note import Note
    from memwarden.core.route.request import Request
    from memwarden.core.standing import Standing
    from memwarden.edge.index_read import IndexReader, Row
    from memwarden.edge.place import Place
    from memwarden.edge.reading.full_look import FullLook

    # All modules, and who contests whom, by path.
    Kept = tuple[tuple[str, ...], dict[str, tuple[str, ...]]]


def pack_from_index(
    place: Place, request: Request, today: str, begun: FullLook | None = None
) -> tuple[str, str] | None:
    """The pack that ``request`` loads and the ID of the index that it came from; None where the index
    cannot say, because it is missing, out of date, or of a memory that does not route.

    ``begun`` is a look at this place that goes on meanwhile."""
    look = begun or begin(place.root, place.private)
    if look is None:
        return None
    reader = look.reader
    try:
        shelf = reader.file.get("shelf")
        if shelf is None or not reader.is_of(today):
            return None
        _, found = packed(reader, WorkingTree(place.root), shelf, request)
        return (found, reader.head["id"]) if look.holds() else None
    except MemError:
        if look.holds():
            raise
        return None  # it may be nothing but the change
    except Damaged:
        return None
    finally:
        look.close()


def packed(
    reader: IndexReader, workspace: WorkingTree, kept: Kept, request: Request, lead: str = ""
) -> tuple[Routed, str]:
    """The route and the pack that ``request`` loads from the shelf whose keys begin with ``lead`` and whose
    ``kept`` value was read already.  Of what is left out a pack says how many they are, and so does the
    route."""
    manifest = unpack_manifest(reader.file.get("manifest"))
    if manifest is None:
        raise Damaged
    known, contested = kept
    near = sorted({number for path in request.paths for number in reader.near(path)})
    notes = tuple([unpack_note(row[2]) for row in _found(reader.rows(near))])
    chosen = choose(Memory(workspace, manifest, notes), manifest, request, known)
    places = _Places(reader, manifest, tuple(zip(near, notes, strict=True)), lead)
    standings: dict[str, Standing] = {}

    def note_of(ready: Ready) -> Note:
        row = _found(reader.rows((ready.number,)))[0]
        standings[ready.path] = unpack_standing(row[3] or ())
        return unpack_note(row[2])

    blocks = Blocks(workspace, standings)
    shelf = Shelf(known, places, contested)
    filled = fill(shelf, chosen, manifest, request.budget, note_of, blocks.measure)
    omitted = (Omitted("", "", "", OVER_BUDGET),) * (len(filled.crowded) + filled.unseen)
    routed = Routed(chosen.task, filled.loaded, omitted, filled.tokens, filled.budget)
    return routed, assemble(routed, blocks.built)


class _Places:
    """The notes that stand ready, read as far as somebody looks; ``near`` are those that an anchor may
    reach, with their numbers."""

    def __init__(
        self, reader: IndexReader, manifest: Manifest, near: tuple[tuple[int, Note], ...], lead: str
    ) -> None:
        self._reader = reader
        self._lead = lead
        self._declared = manifest.modules()
        self._near = near

    def trays(self, module: str) -> Iterable[Tray]:
        for number, (least, size, by_name) in enumerate(
            self._reader.file.get(f"{self._lead}shelf {module}") or ()
        ):
            yield Tray(least, size, by_name, self._opened(f"{self._lead}tray {number} {module}"))

    def among(self, module: str, paths: Collection[str]) -> Iterable[Ready]:
        ready = self._reader.file.get("ready")
        return newest_first(
            [
                (note.created, Ready(note.path, note.tokens, number, ready[number] == BY_NAME))
                for number, note in self._near
                if ready[number] and note.path in paths and module_of(note.path, self._declared) == module
            ]
        )

    def _opened(self, key: str) -> Callable[[], Iterable[Ready]]:
        return lambda: map(Ready._make, self._reader.file.get(key))


def _found(rows: list[Row] | None) -> list[Row]:
    if rows is None:
        raise Damaged
    return rows
