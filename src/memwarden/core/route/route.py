"""Which notes a task loads, and why each of the others is not: every note exactly once.

Routing is decided by the manifest alone; nothing here looks at a note's words.  The order is fixed
(always, task, areas, profiles, modules asked for, anchors), a module has every reason that applies, and
the same tree with the same request gives the same answer whatever the order of the arguments.
"""

from __future__ import annotations

from memwarden.core import standing as stands
from memwarden.core.fitness import unfit
from memwarden.core.modules import layout
from memwarden.core.note import CANDIDATE
from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.core.route.request import Chosen, Given, Request, choose, require_manifest
from memwarden.core.route.shelf import Filled, fill, put_up
from memwarden.core.route.shelf import Loaded as Loaded

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from memwarden.core.memory import Memory
    from memwarden.core.note import Note
    from memwarden.core.standing import Standing

EXPLICIT_ONLY = "explicit-only"
NOT_ROUTED = "not-routed"
OVER_BUDGET = "over-budget"
NOT_PRESENT = "not-present"
INVALID = "invalid"


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
    places = layout(memory)
    chosen = choose(memory, manifest, request, places.known)
    faults = unfit(memory)
    shelf = put_up(memory, standings, places, faults)
    filled = fill(shelf, chosen, manifest, request.budget, lambda ready: memory.notes[ready.number], measure)
    omitted = _crowded(memory, filled)
    said = {one.note.path for one in filled.loaded}.union(one.path for one in omitted)
    for path in memory.broken:
        omitted.append(Omitted(path, "", places.of[path], INVALID, _first_fault(faults, path)))
    for note in memory.notes:
        if note.path in said:
            continue
        module = places.of[note.path]
        if note.path in faults:
            why, detail = INVALID, _first_fault(faults, note.path)
        else:
            why, detail = _silence(standings[note.path])
            if not why:
                why = EXPLICIT_ONLY if module in chosen.explicit_only else NOT_ROUTED
        omitted.append(Omitted(note.path, note.id, module, why, detail, note.title))
    omitted += _not_present(memory, chosen)
    omitted.sort(key=lambda one: (one.path, one.id))
    return Routed(
        chosen.task, filled.loaded, tuple(omitted), filled.tokens, filled.budget, chosen.given, today
    )


def _crowded(memory: Memory, filled: Filled) -> list[Omitted]:
    found = []
    for ready, module, lacking in filled.crowded:
        note = memory.notes[ready.number]
        found.append(Omitted(note.path, note.id, module, OVER_BUDGET, lacking, note.title))
    return found


def _silence(standing: Standing) -> tuple[str, str]:
    """Why a note of this standing was not asked to speak; "" where it may but nothing routes it."""
    name = standing.name
    if standing.live:
        return "", ""
    if name == stands.TURNED_DOWN:
        return CANDIDATE, f"rejected: {standing.reason}" if standing.reason else "rejected"
    if name == stands.SUPERSEDED and standing.by:
        return name, f"by {standing.by}"
    return name, standing.reason


def _first_fault(faults: Mapping[str, tuple[object, ...]], path: str) -> str:
    found = faults.get(path, ())
    return str(getattr(found[0], "message", "")) if found else "its file cannot be read"


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
