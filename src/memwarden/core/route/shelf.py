"""What stands ready to be loaded: the notes that may speak, by module, in the order of loading.

None of this depends on what a request asks for, so it is made once for a tree and a date, and an index
may keep it.  :func:`fill` takes from the shelf what a request loads.
"""

from __future__ import annotations

from memwarden.core.note import ARCHIVED, CANDIDATE, module_of
from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.core.route.request import MODULE
from memwarden.core.route.rivals import rivals

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
    from typing import Protocol

    from memwarden.core.manifest import Manifest
    from memwarden.core.memory import Memory
    from memwarden.core.modules import Layout
    from memwarden.core.note import Note
    from memwarden.core.route.request import Chosen
    from memwarden.core.standing import Standing
    from memwarden.errors import Finding

    class Places(Protocol):
        """The notes that stand ready, by module."""

        def trays(self, module: str) -> Iterable[Tray]:
            """All of a module, in order."""

        def among(self, module: str, paths: Collection[str]) -> Iterable[Ready]:
            """Those of a module that are among ``paths``, in order."""


class Ready(NamedTuple):
    """A note that may speak.  ``number`` is its place among the memory's notes, ``by_name`` says that it
    does so only where its module was asked for by name (a candidate, an archived note)."""

    path: str
    tokens: int
    number: int
    by_name: bool = False


class Tray(NamedTuple):
    """Notes of a module that stand side by side.  ``least`` is the fewest tokens of any of them; where not
    even that many are left nobody need see what ``notes`` gives.  ``size`` is how many they are, and
    ``by_name`` how many of these speak by name only."""

    least: int
    size: int
    by_name: int
    notes: Callable[[], Iterable[Ready]]


class Shelf(NamedTuple):
    """``known`` are all modules, those of the manifest first; ``ready`` has for each its notes, newest
    first, then by path; ``contested`` maps a note's path to the IDs (or paths) of its rivals."""

    known: tuple[str, ...]
    ready: Places
    contested: Mapping[str, tuple[str, ...]]


class Loaded(NamedTuple):
    """A note that the pack holds.  ``reasons`` are all that apply, in order; ``detail`` says in words
    what matched; ``contested`` are the IDs (or paths) of other owners of its key."""

    note: Note
    module: str
    tokens: int
    reasons: tuple[str, ...]
    detail: str = ""
    contested: tuple[str, ...] = ()

    @property
    def reason(self) -> str:
        return self.reasons[0]


class Filled(NamedTuple):
    """What was taken from a shelf; ``crowded`` are the notes that found no room, each with its module and
    what it lacked, and ``unseen`` how many more were passed over by the tray."""

    loaded: tuple[Loaded, ...]
    crowded: tuple[tuple[Ready, str, str], ...]
    tokens: int
    budget: int | None
    unseen: int = 0


class AtHand:
    """The notes that stand ready, when all of them are known."""

    def __init__(self, notes: Mapping[str, tuple[Ready, ...]]) -> None:
        self.notes = notes

    def trays(self, module: str) -> Iterable[Tray]:
        notes = self.notes.get(module, ())
        return [Tray(0, len(notes), 0, lambda: notes)]

    def among(self, module: str, paths: Collection[str]) -> Iterable[Ready]:
        return [ready for ready in self.notes.get(module, ()) if ready.path in paths]


def put_up(
    memory: Memory,
    standings: Mapping[str, Standing],
    places: Layout,
    faults: Mapping[str, tuple[Finding, ...]],
) -> Shelf:
    """The shelf, from what is known of the memory's modules and faults."""
    found: dict[str, list[tuple[str, Ready]]] = {}
    live = []
    for number, note in enumerate(memory.notes):
        standing = standings[note.path]
        if note.path in faults or not (standing.live or standing.name in (CANDIDATE, ARCHIVED)):
            continue
        if standing.live:
            live.append(note)
        ready = Ready(note.path, note.tokens, number, not standing.live)
        found.setdefault(places.of[note.path], []).append((note.created, ready))
    sorted_ready = {module: newest_first(notes) for module, notes in found.items()}
    return Shelf(places.known, AtHand(sorted_ready), rivals(memory, standings, live))


def fill(
    shelf: Shelf,
    chosen: Chosen,
    manifest: Manifest,
    budget: int | None,
    note_of: Callable[[Ready], Note],
    measure: Callable[[Note, tuple[str, ...]], int] | None = None,
) -> Filled:
    """Take what a request loads, in order, as long as its budgets last.

    ``measure`` gives a note's exact size as it is delivered, from the note and the rivals that contest
    it; it is asked only about notes whose estimate fits.  A note that does not fit is passed over, and a
    smaller one after it may still load.
    """
    purse = Purse(manifest, budget)
    loaded = []
    crowded = []
    for module, ready, reasons in wanted(shelf, chosen, manifest, purse):
        tokens = ready.tokens
        lacking = purse.lacks(module, tokens)
        if not lacking:
            note = note_of(ready)
            contested = shelf.contested.get(ready.path, ())
            if measure is not None:
                tokens = measure(note, contested)
                lacking = purse.lacks(module, tokens)
        if lacking:
            crowded.append((ready, module, lacking))
            continue
        purse.spend(module, tokens)
        detail = chosen.detail(module, ready.path)
        loaded.append(Loaded(note, module, tokens, reasons, detail, contested))
    return Filled(tuple(loaded), tuple(crowded), purse.spent, purse.total, purse.unseen)


def wanted(
    shelf: Shelf, chosen: Chosen, manifest: Manifest, purse: Purse
) -> Iterator[tuple[str, Ready, tuple[str, ...]]]:
    """Every note that a request asks for and that may speak, in the order of loading, with its module and
    reasons: routed modules first, then those that only an anchor reaches.  A tray of which not one note
    fits is passed over whole."""
    reached = {module_of(path, manifest.modules()) for path in chosen.anchored}
    for module in chosen.modules:
        by_module = chosen.reasons(module, "")
        by_name = MODULE in by_module
        for tray in shelf.ready.trays(module):
            if purse.lacks(module, tray.least):
                purse.unseen += tray.size if by_name else tray.size - tray.by_name
                continue
            for ready in tray.notes():
                if by_name or not ready.by_name:
                    anchored = ready.path in chosen.anchored
                    yield module, ready, chosen.reasons(module, ready.path) if anchored else by_module
    for module in shelf.known:
        if module in reached and module not in chosen.modules:
            for ready in shelf.ready.among(module, chosen.anchored):
                if not ready.by_name:
                    yield module, ready, chosen.reasons(module, ready.path)


def newest_first(notes: list[tuple[str, Ready]]) -> tuple[Ready, ...]:
    """The notes in the order of loading; each comes with the day of its making."""
    notes.sort(key=lambda pair: pair[1].path)
    notes.sort(key=lambda pair: pair[0], reverse=True)
    return tuple([ready for _, ready in notes])


class Purse:
    """What is left of the total and of each module's budget; ``unseen`` counts the notes that found no
    room by the tray."""

    def __init__(self, manifest: Manifest, total: int | None) -> None:
        self.total = manifest.budget("total") if total is None else total
        self.spent = self.unseen = 0
        self._limits = dict(manifest.budgets) if total is None else {}
        self._used: dict[str, int] = {}

    def lacks(self, module: str, tokens: int) -> str:
        """Which budget has no room for ``tokens`` more, in words; "" where all have."""
        limit = self._limits.get(module)
        if limit is not None and self._used.get(module, 0) + tokens > limit:
            return _no_room(tokens, limit - self._used.get(module, 0), limit, module)
        if self.total is not None and self.spent + tokens > self.total:
            return _no_room(tokens, self.total - self.spent, self.total, "the total")
        return ""

    def spend(self, module: str, tokens: int) -> None:
        self.spent += tokens
        self._used[module] = self._used.get(module, 0) + tokens


def _no_room(tokens: int, left: int, limit: int, name: str) -> str:
    return f"{tokens} tokens; {left} of {limit} are left of {name}"
