"""A difference as titled lists of short sentences: what the text page and the Markdown page both say.

Nothing here is laid out or escaped; words that come from notes stay apart from our own, so that each
page can quote them in its own way.
"""

from __future__ import annotations

from collections import Counter

from memwarden.core.compare import difference as words
from memwarden.core.compare.difference import (
    Carried,
    Difference,
    ManifestChange,
    NoteChange,
    OwnerChange,
    SubjectChange,
    TaskChange,
)
from memwarden.core.condition_parts import named
from memwarden.core.note import DEBT, Note
from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.core.secrets import redact
from memwarden.core.standing import DECLARED, OWED
from memwarden.core.turn.wording import in_words
from memwarden.render.screen import many

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memwarden.core.event import Event


class Quoted(NamedTuple):
    """Words that are not ours: a title, a path, an excerpt, a reason.  A page shows a ``TITLE`` in full once,
    and breaks neither a ``PATH`` nor the ``paths`` that a text names."""

    text: str
    kind: str = ""
    paths: tuple[str, ...] = ()


Part = str | Quoted
Line = tuple[Part, ...]


class Entry(NamedTuple):
    """One thing that changed: its name (an ID, a key), what it is about, and more about it."""

    name: str
    title: Line
    details: tuple[Line, ...] = ()


class Section(NamedTuple):
    """A heading with what belongs below it."""

    heading: str
    entries: tuple[Entry, ...]


HEADINGS = {
    words.OPENED: "Debts opened",
    words.PAID: "Debts paid",
    words.MISSED: "Debts missed",
    words.REINSTATED: "Debts reinstated",
    words.REOPENED: "Debts owed again",
    words.ADDED: "Notes added",
    words.ADMITTED: "Notes admitted",
    words.REWORDED: "Notes reworded",
    words.MOVED: "Notes moved",
    words.SUPERSEDED: "Notes superseded",
    words.REVOKED: "Notes revoked",
    words.REJECTED: "Candidates rejected",
    words.SILENCED: "Notes fallen silent",
    words.BACK: "Notes back",
    words.REMOVED: "Notes removed",
}
TITLE, PATH = "title", "path"
FIELD_NAMES = {"exception_to": "exception", "not_before": "not before"}
SEEN_BY = ("touch", "close", "settle", "the memory")
MANIFEST_NAMES = {
    "always": "always loaded",
    "explicit": "explicit only",
    "alias": "task {} is also called",
    "task": "task {} loads",
    "area": "area {} covers",
    "profile": "profile {}",
    "budget": "budget of {}",
    "setting": "{}",
    "project": "project",
    "protocol": "protocol",
}

COUNTED = ("task", "area", "profile", "budget", "setting")  # what a whole manifest is told by


def sections(found: Difference) -> list[Section]:
    """The sections that have something to say: debts, notes, owners, the manifest, and the tasks."""
    by_word: dict[str, list[Entry]] = {}
    for change in found.notes:
        by_word.setdefault(change.word, []).append(_note_entry(change))
    told = [Section(HEADINGS[word], tuple(by_word[word])) for word in HEADINGS if word in by_word]
    told += [
        Section("Owners changed", tuple(map(_owner_entry, found.owners))),
        Section("Manifest changed", tuple(_manifest_entries(found.manifest))),
        Section("Subjects changed", tuple(map(_subject_entry, found.subjects))),
        Section("Files that cannot be read", tuple(_path_entry(path) for path in found.broken)),
        Section("Files that can be read again", tuple(_path_entry(path) for path in found.mended)),
        Section("What tasks would load", tuple(map(_task_entry, found.tasks))),
    ]
    return [section for section in told if section.entries]


def _note_entry(change: NoteChange) -> Entry:
    note = change.note
    lines = list(_note_details(change))
    if change.word != words.MOVED:
        lines.append((_path(note.path),))
    if change.beside:
        lines.append(("a second file with the ID of ", _path(change.beside)))
    return Entry(note.id or "(no ID)", (_title(note),), tuple(lines))


def _note_details(change: NoteChange) -> Iterable[Line]:
    word, note, was = change.word, change.note, change.was
    if word == words.OPENED:
        yield _condition(note)
    elif word == words.PAID and change.event is not None:
        yield from _payment(change.event)
    elif word == words.MISSED:
        times = "once" if change.misses == 1 else f"{change.misses} times"
        yield (f"missed {times}, {'still' if change.after == OWED else 'now'} {change.after}",)
    elif word in (words.REINSTATED, words.REVOKED, words.REJECTED):
        yield from _because(change.event)
    elif word == words.REOPENED:
        yield (change.reason,)
        if change.event is None or note.condition != getattr(was, "condition", None):
            yield _condition(note)
    elif word == words.ADDED:
        yield _kind(change)
    elif word == words.ADMITTED:
        yield _evidence(note)
    elif word == words.REWORDED:
        yield from _rewording(change)
    elif word == words.MOVED and was is not None:
        yield ("from ", _path(was.path))
        yield ("to ", _path(note.path))
    elif word == words.SUPERSEDED:
        yield ("by ", quoted(change.by))
    elif word in (words.SILENCED, words.BACK):
        yield (f"was {change.before}, is {change.after}",)
        yield from _because(change.event)
    elif word == words.REMOVED:
        how = f" ({change.event.kind})" if change.event is not None else ""
        yield (f"was {change.before}{how}",)


def _kind(change: NoteChange) -> Line:
    note = change.note
    if change.after == "candidate":
        return ("a candidate in the inbox: told to nobody until it is admitted",)
    kind = note.lifecycle if change.after in ("active", "owed") else f"{note.lifecycle}, {change.after}"
    if not note.subject:
        return (kind,)
    return (f"{kind} for ", quoted(note.subject), " / ", quoted(note.facet or "no facet"))


def _condition(note: Note, head: str = "paid when ") -> Line:
    if note.condition is None:
        return ("paid by declaration",)
    paths = tuple(path for _, path in named(note.condition, ""))
    return (head, quoted(in_words(note.condition))._replace(paths=paths))


def _payment(event: Event) -> Iterable[Line]:
    facts = event.facts
    how = facts.get("how") or "the memory"
    way: Line = (
        ("declared",) if how == DECLARED else ("seen by ", how if how in SEEN_BY else quoted(str(how)))
    )
    at: Line = (" at ", quoted(event.commit[:12])) if event.commit else ()
    dirty = " (and what was not yet committed)" if event.commit and event.dirty else ""
    yield (*way, *at, f"{dirty}, ", quoted(f"{event.actor[0]} {event.actor[1]}"), f", {event.at[:10]}")
    if facts.get("reason"):
        yield ("because ", quoted(str(facts["reason"])))
    evidence = facts.get("evidence")
    items = evidence.get("items") if isinstance(evidence, dict) else None
    items = items if isinstance(items, list) else []
    seen = [item for item in items if isinstance(item, dict) and item.get("path")]
    for item in seen:
        line = f":{item['line']}" if item.get("line") else ""
        what = item.get("excerpt") or item.get("note")  # what is gone has no words of its own
        yield (_path(f"{item['path']}{line}"), *((": ", quoted(str(what).strip())) if what else ()))
    if not seen and isinstance(evidence, dict) and evidence.get("why"):  # a command, a tag, a date
        yield (quoted(str(evidence["why"])),)


def _because(event: Event | None) -> Iterable[Line]:
    if event is None:
        return
    if event.facts.get("why") == "regression":
        yield ("its condition no longer holds",)
    if event.facts.get("reason"):
        yield ("because ", quoted(str(event.facts["reason"])))


def _evidence(note: Note) -> Line:
    if not note.evidence:
        return ("on no evidence",)
    return ("on ", quoted("; ".join(f"{one.key}: {one.value}" for one in note.evidence)))


def _rewording(change: NoteChange) -> Iterable[Line]:
    was, note = change.was, change.note
    yield ("changed: " + ", ".join(FIELD_NAMES.get(name, name) for name in change.fields),)
    if was is None:
        return
    if "title" in change.fields:
        yield ("was ", quoted(was.title))
    if "condition" in change.fields and note.lifecycle == DEBT:
        yield _condition(note)
        if was.condition is not None:
            yield _condition(was, "was paid when ")
    if "anchors" in change.fields:
        yield from _sets([anchor.text for anchor in was.anchors], [anchor.text for anchor in note.anchors])
    for name in ("subject", "facet", "lifecycle", "expires", "not_before"):
        if name in change.fields:
            old, new = getattr(was, name), getattr(note, name)
            yield (
                f"{FIELD_NAMES.get(name, name)} ",
                quoted(old or "none"),
                " -> ",
                quoted(new or "none"),
            )


def _sets(old: Iterable[str], new: Iterable[str]) -> Iterable[Line]:
    """What a list gained and lost; that its order changed, where nothing else did."""
    before, after = list(old), list(new)
    gained = [item for item in after if item not in before]
    lost = [item for item in before if item not in after]
    for mark, items in (("+ ", gained), ("- ", lost)):
        for item in items:
            yield (mark, _path(item))
    if not gained and not lost and before != after:
        yield ("in another order: ", quoted(", ".join(after)))


def _owner_entry(change: OwnerChange) -> Entry:
    scope: Line = () if change.scope == "project" else (" in ", quoted(change.scope))
    title = (quoted(change.subject), " / ", quoted(change.facet), *scope)
    details: list[Line] = [("was ", *_named(note)) for note in change.before] or [("nobody owned it",)]
    if len(change.after) > 1:
        details += [("contested: ", *_named(note)) for note in change.after]
    else:
        details += [("now ", *_named(note)) for note in change.after] or [("nobody owns it now",)]
    return Entry("", title, tuple(details))


def _named(note: Note) -> Line:
    return (quoted(note.name), " ", _title(note))


def _manifest_entries(changes: tuple[ManifestChange, ...]) -> Iterable[Entry]:
    """An entry a line of the manifest; of one that came or went as a whole only what it has."""
    for word, side in (("new: the manifest", "before"), ("no more manifest", "after")):
        if any(change.what == "protocol" and getattr(change, side) is None for change in changes):
            counts = Counter(change.what for change in changes)
            told = [many(counts[what], what) for what in COUNTED if counts[what]]
            yield Entry("", (f"{word}, with {', '.join(told)}" if told else word,))
            return
    yield from map(_manifest_entry, changes)


def _manifest_entry(change: ManifestChange) -> Entry:
    text = MANIFEST_NAMES.get(change.what, change.what)
    head, hole, tail = text.partition("{}")
    name: Line = tuple(part for part in (head, quoted(change.name) if hole else "", tail) if part)
    if change.what in ("always", "task", "alias", "area", "explicit") or change.name == "facets":
        if change.after is None:
            return Entry("", ("no more ", *name), tuple(_sets(change.before or (), ())))
        details = tuple(_sets(change.before or (), change.after))
        return Entry("", ("new: ", *name) if change.before is None else name, details)
    old, new = (", ".join(side) if side is not None else "" for side in (change.before, change.after))
    if change.after is None:
        return Entry("", ("no more ", *name, ", was ", quoted(old)))
    if change.before is None:
        return Entry("", ("new: ", *name, ": ", quoted(new)))
    return Entry("", (*name, ": ", quoted(old), " -> ", quoted(new)))


def _subject_entry(change: SubjectChange) -> Entry:
    before, after = change.before, change.after
    if after is None:
        assert before is not None
        return Entry(change.id, (quoted(before.name), " is gone"))
    if before is None:
        ref = (", ", quoted(after.ref)) if after.ref else ()
        return Entry(change.id, (quoted(after.name or after.id), " is new: ", after.kind or "no kind", *ref))
    details: list[Line] = []
    if after.merged_into != before.merged_into:
        merged = ("merged into ", quoted(after.merged_into)) if after.merged_into else ("stands alone again",)
        details.append(merged)
    for name in ("name", "kind", "ref"):
        old, new = getattr(before, name), getattr(after, name)
        if old != new:
            details.append((f"{name}: ", quoted(old or "none"), " -> ", quoted(new or "none")))
    details += [("alias ", *line) for line in _sets(before.aliases, after.aliases)]
    return Entry(change.id, (quoted(after.name or after.id),), tuple(details))


def _path_entry(path: str) -> Entry:
    return Entry("", (_path(path),))


def _task_entry(change: TaskChange) -> Entry:
    if change.after is None:
        size = "there is no such task now"
    elif change.before is None:
        size = f"a new task, {many(change.after, 'token')}"
    elif change.before == change.after:
        size = many(change.after, "token")
    else:
        size = f"{change.before} -> {many(change.after, 'token')}"
    details = [_carried("+ ", one, "") for one in change.loads]
    details += [_carried("- ", one, f" ({one.reason})") for one in change.drops]
    return Entry("", (quoted(change.task), f": {size}"), tuple(details))


def _carried(mark: str, one: Carried, aside: str) -> Line:
    return (mark, *_named(one.note), aside)


def quoted(text: str, kind: str = "") -> Quoted:
    """Words that somebody chose, also a path or a name, without any secret in them."""
    return Quoted(redact(text), kind)


def _title(note: Note) -> Quoted:
    return quoted(note.title, TITLE)


def _path(path: str) -> Quoted:
    return quoted(path, PATH)
