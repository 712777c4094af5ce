"""Which notes a task loads, and why each of the others is not: every note exactly once.

Routing is decided by the manifest alone; nothing here looks at a note's words.  The order is fixed
(always, task, areas, profiles, modules asked for, anchors), a module has every reason that applies, and
the same tree with the same request gives the same answer whatever the order of the arguments.
"""

from __future__ import annotations

from memwarden.core import standing as stands
from memwarden.core.fitness import unfit
from memwarden.core.modules import layout
from memwarden.core.note import ARCHIVED, CANDIDATE
from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.core.request import MODULE, Chosen, Given, Request, choose, require_manifest
from memwarden.core.rivals import rivals

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from memwarden.core.manifest import Manifest
    from memwarden.core.memory import Memory
    from memwarden.core.note import Note
    from memwarden.core.standing import Standing

EXPLICIT_ONLY = "explicit-only"
NOT_ROUTED = "not-routed"
OVER_BUDGET = "over-budget"
NOT_PRESENT = "not-present"
INVALID = "invalid"


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


class Omitted(NamedTuple):
    """A note, or a file that a route names, that the pack does not hold, and why."""

    path: str
    id: str
    module: str
    reason: str
    detail: str = ""
    title: str = ""


class Routed(NamedTuple):
    """The answer.  ``budget`` is the total in force, None where nothing limits it."""

    task: str
    loaded: tuple[Loaded, ...]
    omitted: tuple[Omitted, ...]
    tokens: int
    budget: int | None
    given: tuple[Given, ...] = ()
    today: str = ""


def route(
    memory: Memory,
    standings: Mapping[str, Standing],
    request: Request,
    today: str,
    measure: Callable[[Note, tuple[str, ...]], int] | None = None,
) -> Routed:
    """What ``request`` loads from the memory, whose notes stand as ``standings`` says on ``today``.

    ``measure`` gives a note's exact size as it is delivered, from the note and the rivals that contest
    it; it is asked only about notes whose estimate fits, in the order of loading.  Raises
    :class:`UsageError` for a task, area, profile or module that the manifest lacks, and
    :class:`Refused` where the manifest has an error.
    """
    manifest = require_manifest(memory)
    known, modules = layout(memory)
    chosen = choose(memory, manifest, request, known)
    faults = unfit(memory)
    omitted = [
        Omitted(path, "", modules[path], INVALID, _first_fault(faults, path)) for path in memory.broken
    ]
    wanted: list[Note] = []
    for note in memory.notes:
        module = modules[note.path]
        reasons = chosen.reasons(module, note.path)
        if note.path in faults:
            why, detail = INVALID, _first_fault(faults, note.path)
        else:
            why, detail = _silence(standings[note.path], reasons)
            if not why and not reasons:
                why = EXPLICIT_ONLY if module in chosen.explicit_only else NOT_ROUTED
        if why:
            omitted.append(Omitted(note.path, note.id, module, why, detail, note.title))
        else:
            wanted.append(note)
    order = {module: at for at, module in enumerate(_order(chosen, known))}
    wanted.sort(key=lambda note: note.path)
    wanted.sort(key=lambda note: note.created, reverse=True)
    wanted.sort(key=lambda note: order[modules[note.path]])
    purse = _Purse(manifest, request.budget)
    contested = rivals(memory, standings, wanted)
    loaded = []
    for note in wanted:
        module = modules[note.path]
        tokens = note.tokens
        lacking = purse.lacks(module, tokens)
        if not lacking and measure is not None:
            tokens = measure(note, contested.get(note.path, ()))
            lacking = purse.lacks(module, tokens)
        if lacking:
            omitted.append(Omitted(note.path, note.id, module, OVER_BUDGET, lacking, note.title))
            continue
        purse.spend(module, tokens)
        reasons, detail = chosen.reasons(module, note.path), chosen.detail(module, note.path)
        loaded.append(Loaded(note, module, tokens, reasons, detail, contested.get(note.path, ())))
    omitted += _not_present(memory, chosen)
    omitted.sort(key=lambda one: (one.path, one.id))
    return Routed(chosen.task, tuple(loaded), tuple(omitted), purse.spent, purse.total, chosen.given, today)


def _silence(standing: Standing, reasons: tuple[str, ...]) -> tuple[str, str]:
    """Why a note of this standing may not speak, whatever routes it; "" where it may.

    Candidates and archived notes speak only where their module was asked for by name.
    """
    name = standing.name
    if standing.live:
        return "", ""
    if name in (CANDIDATE, ARCHIVED) and MODULE in reasons:
        return "", ""
    if name == stands.TURNED_DOWN:
        return CANDIDATE, f"rejected: {standing.reason}" if standing.reason else "rejected"
    if name == stands.SUPERSEDED and standing.by:
        return name, f"by {standing.by}"
    return name, standing.reason


def _first_fault(faults: Mapping[str, tuple[object, ...]], path: str) -> str:
    found = faults.get(path, ())
    return str(getattr(found[0], "message", "")) if found else "its file cannot be read"


def _order(chosen: Chosen, known: tuple[str, ...]) -> list[str]:
    """Routed modules in the order of loading, then those that only an anchor reaches."""
    routed = list(chosen.modules)
    return routed + [module for module in known if module not in chosen.modules]


def _not_present(memory: Memory, chosen: Chosen) -> list[Omitted]:
    """The files that a chosen route names and that are not there; a missing folder is an empty one."""
    found = []
    there = {note.path for note in memory.notes}.union(memory.broken)
    for module in chosen.modules:
        path = f"memory/{module}"
        if not module.endswith("/") and path not in there and memory.workspace.entry(path) is None:
            detail = "optional" if module in chosen.optional else "a route names it"
            found.append(Omitted(path, "", module, NOT_PRESENT, detail))
    return found


class _Purse:
    """What is left of the total and of each module's budget."""

    def __init__(self, manifest: Manifest, total: int | None) -> None:
        self.total = manifest.budget("total") if total is None else total
        self.spent = 0
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
