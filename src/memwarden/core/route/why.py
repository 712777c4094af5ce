"""Everything that decides about one note: its admission, what it governs, who loads it, when it ends."""

from __future__ import annotations

from memwarden.core import standing as stands
from memwarden.core.fitness import remarks, unfit
from memwarden.core.modules import layout
from memwarden.core.note import ARCHIVED, CANDIDATE, DEBT, RULE, scope_of
from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.core.registry import Registry
from memwarden.core.route.request import Request, find_task, require_manifest
from memwarden.core.route.rivals import rivals
from memwarden.core.route.route import NOT_ROUTED, route
from memwarden.core.route.serving import Blocks

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memwarden.core.manifest import Manifest
    from memwarden.core.memory import Memory
    from memwarden.core.note import Note
    from memwarden.core.standing import Standing
    from memwarden.errors import Finding


class Outcome(NamedTuple):
    """What one task does with the note: ``reasons`` for loading it, or the one for leaving it out."""

    task: str
    loaded: bool
    reasons: tuple[str, ...]
    detail: str = ""


class Why(NamedTuple):
    """The answer of ``mem why``.  ``subject`` is canonical; ``ends`` are sentences, and so is
    ``otherwise``: what a question has to name for the note to be loaded, beside the task; ``remarks``
    say how an odd file is read."""

    note: Note
    module: str
    scope: str
    subject: str
    standing: Standing
    governs: str
    contested: tuple[str, ...]
    faults: tuple[Finding, ...]
    outcomes: tuple[Outcome, ...]
    ends: tuple[str, ...]
    remarks: tuple[Finding, ...] = ()
    otherwise: tuple[str, ...] = ()


def why(memory: Memory, standings: Mapping[str, Standing], note: Note, today: str, task: str = "") -> Why:
    """Why ``note`` is what it is, for the one ``task`` or for every task of the manifest."""
    manifest = require_manifest(memory)
    tasks = [find_task(manifest, task)] if task else list(manifest.tasks)
    blocks = Blocks(memory.workspace, standings)
    outcomes = []
    for one in tasks:
        # With the note's own anchors' paths unknown, a task is asked for as it is, without a path.
        routed = route(memory, standings, Request(one.name), today, blocks.measure)
        hit = next((loaded for loaded in routed.loaded if loaded.note.path == note.path), None)
        if hit is not None:
            outcomes.append(Outcome(one.name, True, hit.reasons, hit.detail))
        else:
            left = next(omitted for omitted in routed.omitted if omitted.path == note.path)
            outcomes.append(Outcome(one.name, False, (left.reason,), left.detail))
    standing = standings[note.path]
    subject = Registry(memory.subjects).canonical(note.subject) or note.subject
    module = layout(memory).of[note.path]
    asked = any(one.reasons[0] == NOT_ROUTED for one in outcomes)
    return Why(
        note,
        module,
        scope_of(note.path),
        subject,
        standing,
        _governs(note, standing),
        rivals(memory, standings, [note]).get(note.path, ()) if standing.live else (),
        unfit(memory).get(note.path, ()),
        tuple(outcomes),
        ends(note, standing),
        remarks(memory).get(note.path, ()),
        _otherwise(manifest, note, module) if asked else (),
    )


def _otherwise(manifest: Manifest, note: Note, module: str) -> tuple[str, ...]:
    """The areas, profiles and paths with which any task loads the note."""
    found = []
    for area in manifest.areas:
        if area.module == module:
            globs = f", or a --path in {', '.join(area.globs)}" if area.globs else ""
            found.append(f"any task with --area {area.name}{globs}")
    found += [f"any task with --profile {one.name}" for one in manifest.profiles if one.module == module]
    if any(anchor.kind == "path" for anchor in note.anchors):
        found.append("any task that is given (--path) a file which an anchor matches")
    return tuple(found)


def _governs(note: Note, standing: Standing) -> str:
    """Whether the note speaks for its subject and facet, in a word."""
    if standing.name in (CANDIDATE, stands.TURNED_DOWN):
        return "nothing: a candidate"
    if not standing.live:
        return f"nothing any more: {standing.name}"
    if note.lifecycle == DEBT:
        return "nothing: a debt owns no subject; it reminds"
    return "it owns this subject and facet"


def ends(note: Note, standing: Standing) -> tuple[str, ...]:
    """When the note stops applying, or why it has stopped already."""
    name = standing.name
    if name == stands.SUPERSEDED:
        return (f"it has: superseded by {standing.by}",)
    if name in (stands.RETIRED, stands.TURNED_DOWN):
        return (f"it has: {name}{f', {standing.reason}' if standing.reason else ''}",)
    if name == stands.EXPIRED:
        return (f"it has: expired after {note.expires}",)
    if name == stands.SETTLED:
        at = f" at {standing.paid.at}" if standing.paid and standing.paid.at else ""
        return (f"it has: paid{at}; a condition that fails again brings it back",)
    if name == ARCHIVED:
        return ("it has: archived, kept for reading",)
    if name == CANDIDATE:
        return ("it has not begun: mem admit makes it active, mem reject ends it",)
    found = []
    if note.not_before and name == stands.NOT_YET:
        found.append(f"it has not begun: not before {note.not_before}")
    if note.lifecycle == DEBT:
        held = "when its condition holds" if note.condition else "when it is declared paid (mem pay)"
        found.append(held)
    if note.expires:
        found.append(f"after {note.expires}")
    if note.lifecycle == RULE:
        found.append("when it is superseded, revoked, archived or forgotten")
    return tuple(found)
