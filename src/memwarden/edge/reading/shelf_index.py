"""Routing out of the index: the same law as for a memory that was read, with only the notes it needs.

The index holds the shelf (``core.shelf``) by module.  A request is understood by the same functions,
takes from the shelf by the same functions and is packed by the same functions; what differs is that a
note is looked up when its turn comes, in place of all of them beforehand.
"""

from __future__ import annotations

from memwarden.core.memory import Memory
from memwarden.core.record import TYPE_CHECKING
from memwarden.core.route.pack import assemble
from memwarden.core.route.request import choose
from memwarden.core.route.route import OVER_BUDGET, Omitted, Routed
from memwarden.core.route.serving import Blocks
from memwarden.core.route.shelf import Ready, Shelf, fill
from memwarden.edge.index_read import Damaged
from memwarden.edge.reading.full_look import begin
from memwarden.edge.reading.index_codec import unpack_manifest, unpack_note, unpack_standing
from memwarden.edge.tree.worktree import WorkingTree
from memwarden.errors import MemError

if TYPE_CHECKING:
    from memwarden.core.note import Note
    from memwarden.core.route.request import Request
    from memwarden.core.standing import Standing
    from memwarden.edge.index_read import IndexReader, Row
    from memwarden.edge.place import Place
    from memwarden.edge.reading.full_look import FullLook


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
        if shelf is None or not reader.head["from"] <= today <= reader.head["to"]:
            return None
        found = _pack(reader, WorkingTree(place.root), shelf, request)
        return (found, reader.head["id"]) if look.holds() else None
    except MemError:
        if look.holds():
            raise
        return None  # it may be nothing but the change
    except Damaged:
        return None
    finally:
        look.close()


def _pack(
    reader: IndexReader,
    workspace: WorkingTree,
    kept: tuple[tuple[str, ...], dict[str, tuple[str, ...]]],
    request: Request,
) -> str:
    manifest = unpack_manifest(reader.file.get("manifest"))
    if manifest is None:
        raise Damaged
    known, contested = kept
    near = [row for path in sorted(set(request.paths)) for row in _found(reader.candidates(path))]
    notes = tuple([unpack_note(note) for _, note in sorted({row[0]: row[2] for row in near}.items())])
    chosen = choose(Memory(workspace, manifest, notes), manifest, request, known)
    standings: dict[str, Standing] = {}

    def note_of(ready: Ready) -> Note:
        row = _found(reader.rows((ready.number,)))[0]
        standings[ready.path] = unpack_standing(row[3] or ())
        return unpack_note(row[2])

    blocks = Blocks(workspace, standings)
    shelf = Shelf(known, _Modules(reader), contested)
    filled = fill(shelf, chosen, manifest, request.budget, note_of, blocks.measure)
    omitted = [Omitted(ready.path, "", module, OVER_BUDGET) for ready, module, _ in filled.crowded]
    return assemble(
        Routed(chosen.task, filled.loaded, tuple(omitted), filled.tokens, filled.budget), blocks.built
    )


class _Modules:
    """The notes that stand ready in each module, read when the module is asked for."""

    def __init__(self, reader: IndexReader) -> None:
        self._reader = reader

    def get(self, module: str, default: tuple[Ready, ...]) -> tuple[Ready, ...]:
        rows = self._reader.file.get(f"shelf {module}")
        return default if rows is None else tuple([Ready._make(row) for row in rows])


def _found(rows: list[Row] | None) -> list[Row]:
    if rows is None:
        raise Damaged
    return rows
