"""What one memory became: two snapshots compared, in the memory's own words."""

from __future__ import annotations

from memwarden.core import standing as stands
from memwarden.core.event import MISSED, REINSTATED
from memwarden.core.note import CANDIDATE, DEBT, Note, place_of
from memwarden.core.ownership import owners
from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.core.registry import Registry
from memwarden.core.request import Request
from memwarden.core.route import route
from memwarden.core.standing import standings
from memwarden.core.workspace import Unreadable
from memwarden.errors import MemError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from memwarden.core.event import Event
    from memwarden.core.manifest import Manifest
    from memwarden.core.memory import Memory
    from memwarden.core.standing import Standing

ADDED = "added"
OPENED = "opened"
ADMITTED = "admitted"
REMOVED = "removed"
MOVED = "moved"
REWORDED = "reworded"
PAID = "paid"
MISSES = "missed"
CAME_BACK = "reinstated"
OWNER = "owner"
ROUTES = "routes"

# The fields whose change is named; a change of anything else is one of the text.
NAMED = (
    "title", "subject", "facet", "lifecycle", "condition", "verify", "anchors", "evidence", "supersedes",
    "exception_to", "not_before", "expires", "tags",
)  # fmt: skip


class Difference(NamedTuple):
    """One thing that changed.  ``kind`` is one of the words above, or the standing that a note came to
    have (``superseded``, ``revoked``...); ``note`` and ``path`` are "" where it is not about one."""

    kind: str
    note: str = ""
    path: str = ""
    title: str = ""
    detail: str = ""


class TaskDifference(NamedTuple):
    """What a task loads now and did not, and the other way round, by path."""

    task: str
    loads: tuple[str, ...] = ()
    no_longer: tuple[str, ...] = ()


class Comparison(NamedTuple):
    """Everything that changed, in the order of the notes' paths, then what tasks load."""

    differences: tuple[Difference, ...]
    tasks: tuple[TaskDifference, ...]


def compare(before: Memory, after: Memory, today: str) -> Comparison:
    """What changed from ``before`` to ``after``, both as they stand on ``today``."""
    old, new = standings(before, today), standings(after, today)
    found = [
        *_notes(before, after, old, new),
        *_owners(before, after, old, new),
        *_routes(before.manifest, after.manifest),
    ]
    return Comparison(tuple(found), tuple(_tasks(before, after, old, new, today)))


def _notes(
    before: Memory, after: Memory, old: Mapping[str, Standing], new: Mapping[str, Standing]
) -> Iterator[Difference]:
    known = {_key(note): note for note in before.notes}
    here = {_key(note) for note in after.notes}
    for note in after.notes:
        was = known.get(_key(note))
        if was is None:
            yield _about(ADDED if note.lifecycle != DEBT else OPENED, note, new[note.path].name)
            continue
        yield from _changes(before, after, was, note, old[was.path], new[note.path])
    for note in before.notes:
        if _key(note) not in here:
            yield _about(REMOVED, note, f"was {old[note.path].name}")


def _changes(
    before: Memory, after: Memory, was: Note, note: Note, stood: Standing, stands_now: Standing
) -> Iterator[Difference]:
    """What happened to one note."""
    if place_of(was.path) == CANDIDATE != place_of(note.path):
        yield _about(ADMITTED, note, f"from {was.path}")
    elif was.path != note.path:
        yield _about(MOVED, note, f"from {was.path}")
    fields = [name for name in NAMED if getattr(was, name) != getattr(note, name)]
    if fields or _content(before, was) != _content(after, note):
        yield _about(REWORDED, note, ", ".join(fields) or "text")
    if stood.name != stands_now.name and place_of(was.path) == place_of(note.path):
        yield _about(_word(stands_now.name), note, _because(stood, stands_now))
    seen = {event.path for event in before.events.get(note.id, ())}
    fresh = [event for event in after.events.get(note.id, ()) if event.path not in seen]
    count = sum(_count(event) for event in fresh if event.kind == MISSED)
    if count:
        yield _about(MISSES, note, f"+{count}, {stands_now.misses} in all")
    if stood.name != stands.SETTLED and any(event.kind == REINSTATED for event in fresh):
        yield _about(CAME_BACK, note, stands_now.reason)


def _word(name: str) -> str:
    return {stands.SETTLED: PAID, stands.OWED: CAME_BACK}.get(name, name)


def _because(stood: Standing, now: Standing) -> str:
    """Why a note stands otherwise: the payment's evidence, the successor, the reason given."""
    if now.name == stands.SETTLED and now.paid is not None:
        return _evidence(now.paid)
    if now.by:
        return f"by {now.by}"
    return now.reason or f"was {stood.name}"


def _evidence(event: Event) -> str:
    """A payment in a few words: how, where, and the line."""
    how = str(event.facts.get("how", ""))
    evidence = event.facts.get("evidence")
    items = evidence.get("items") if isinstance(evidence, dict) else None
    for item in items if isinstance(items, list) else ():
        if isinstance(item, dict) and item.get("path"):
            where = f"{item['path']}:{item['line']}" if item.get("line") else str(item["path"])
            said = item.get("excerpt") or item.get("note") or ""
            return f"{how}: {where}: {said}" if said else f"{how}: {where}"
    return str(event.facts.get("reason") or how)


def _count(event: Event) -> int:
    count = event.facts.get("count", 1)
    return count if isinstance(count, int) else 1


def _content(memory: Memory, note: Note) -> str:
    try:
        return memory.workspace.blob(note.path)
    except Unreadable:
        return ""


def _owners(
    before: Memory, after: Memory, old: Mapping[str, Standing], new: Mapping[str, Standing]
) -> Iterator[Difference]:
    """The keys that another rule owns now."""
    was = owners(before.notes, old, Registry(before.subjects))
    now = owners(after.notes, new, Registry(after.subjects))
    for key, claims in now.items():
        earlier = was.get(key, ())
        if earlier and {_key(note) for note in earlier} != {_key(note) for note in claims}:
            names = ", ".join(note.id or note.path for note in earlier)
            yield _about(OWNER, claims[-1], f"{key[1]} / {key[2]}: was {names}")


def _routes(before: Manifest | None, after: Manifest | None) -> Iterator[Difference]:
    """The lists of the manifest that name other modules than before."""
    was, now = _lists(before), _lists(after)
    for name in dict.fromkeys((*was, *now)):
        if was.get(name) != now.get(name):
            gone = [module for module in was.get(name, ()) if module not in now.get(name, ())]
            come = [module for module in now.get(name, ()) if module not in was.get(name, ())]
            said = [*(f"+{module}" for module in come), *(f"-{module}" for module in gone)]
            yield Difference(ROUTES, title=name, detail=" ".join(said) or "another order")


def _lists(manifest: Manifest | None) -> dict[str, tuple[str, ...]]:
    if manifest is None:
        return {}
    found = {"always": tuple(entry.module for entry in manifest.always)}
    found |= {f"task {task.name}": tuple(r.module for r in task.routes) for task in manifest.tasks}
    found |= {f"area {area.name}": (area.module, *area.globs) for area in manifest.areas}
    return found | {f"profile {profile.name}": (profile.module,) for profile in manifest.profiles}


def _tasks(
    before: Memory, after: Memory, old: Mapping[str, Standing], new: Mapping[str, Standing], today: str
) -> Iterator[TaskDifference]:
    """What each task that both manifests know would load otherwise."""
    was, now = before.manifest, after.manifest
    for task in now.tasks if now else ():
        loaded = _loaded(after, new, task.name, today)
        known = was is not None and any(one.name == task.name for one in was.tasks)
        earlier = _loaded(before, old, task.name, today) if known else {}
        come = tuple(path for key, path in loaded.items() if key not in earlier)
        gone = tuple(path for key, path in earlier.items() if key not in loaded)
        if come or gone:
            yield TaskDifference(task.name, come, gone)


def _loaded(memory: Memory, found: Mapping[str, Standing], task: str, today: str) -> dict[str, str]:
    try:
        routed = route(memory, found, Request(task), today)
    except MemError:
        return {}  # the check says what is wrong with the manifest
    return {_key(one.note): one.note.path for one in routed.loaded}


def _key(note: Note) -> str:
    return note.id or note.path


def _about(kind: str, note: Note, detail: str = "") -> Difference:
    return Difference(kind, note.id, note.path, note.title, detail)
