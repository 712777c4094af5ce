"""What happened to each note between two states: by its ID, its words, its place and its events."""

from __future__ import annotations

from memwarden.core import event as events
from memwarden.core.compare import difference as words
from memwarden.core.compare.difference import NoteChange, Side
from memwarden.core.note import ACTIVE, CANDIDATE, DEBT, Note, place_of
from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.core.route.serving import body
from memwarden.core.standing import OWED, RETIRED, SETTLED, TURNED_DOWN
from memwarden.core.standing import SUPERSEDED as RETIRED_BY
from memwarden.errors import MemError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from memwarden.core.event import Event
    from memwarden.core.standing import Standing

# Where a note lies and how large it is are no words of its own.
NOT_WORDS = ("path", "id", "tokens", "body_line")
# What says itself whether the note speaks now.
SPOKEN_OF = {*words.DEBT_WORDS, words.ADMITTED, words.MOVED, words.BACK} - {words.MISSED}


class Pair(NamedTuple):
    """One note on both sides; one of them may lack it.  ``beside`` is the path of the note's file where this
    is only a second one with the same ID."""

    was: Note | None
    note: Note | None
    beside: str = ""


def note_changes(before: Side, after: Side, touched: frozenset[str]) -> list[NoteChange]:
    """Every change of every note; only files at ``touched`` paths can have other words."""
    found: list[NoteChange] = []
    for pair in _pairs(before, after):
        found += _changes(pair, before, after, touched)
    order = {word: at for at, word in enumerate((*words.DEBT_WORDS, *words.NOTE_WORDS))}
    return sorted(found, key=lambda change: (order[change.word], change.note.path, change.note.id))


def _pairs(before: Side, after: Side) -> Iterator[Pair]:
    """Notes by their ID, and of several files with one ID the one that stayed where it was; those without
    one by path, and a candidate that was given one by its title."""
    were = {note.path: note for note in before.memory.notes}
    there = {note.path for note in after.memory.notes}
    stays = {note.path for note in after.memory.notes if _is_at(were, note)}
    left = [note for note in before.memory.notes if note.path not in stays]
    ids = {note.id: note for note in left if note.id}
    nameless = {note.title: note for note in left if not note.id and note.path not in there}
    met = set()
    came: list[Note] = []
    home: dict[str, str] = {}  # where the note of an ID lies, whatever other files claim to be it
    for note in after.memory.notes:
        was = were[note.path] if note.path in stays else None
        if was is None and note.id:
            was = ids.pop(note.id, None) or _nameless(were, note) or nameless.get(note.title)
        if was is None or was.path in met:
            came.append(note)
            continue
        met.add(was.path)
        home[note.id] = note.path
        yield Pair(was, note)
    for note in came:
        first = home.setdefault(note.id, note.path) if note.id else note.path
        yield Pair(None, note, first if first != note.path else "")
    for gone in before.memory.notes:
        if gone.path not in met:
            yield Pair(gone, None)


def _is_at(were: dict[str, Note], note: Note) -> bool:
    """Whether the same note lay at the same path."""
    was = were.get(note.path)
    return was is not None and was.id == note.id


def _nameless(were: dict[str, Note], note: Note) -> Note | None:
    """The note that lay at the same path, where it had no ID yet."""
    was = were.get(note.path)
    return was if was is not None and not was.id else None


def _changes(pair: Pair, before: Side, after: Side, touched: frozenset[str]) -> Iterator[NoteChange]:
    was, note, _ = pair
    told = note or was
    assert told is not None
    stood = before.standings[was.path] if was is not None else None
    stands = after.standings[note.path] if note is not None else None
    new = _new_events(told.id, before, after)
    if was is note and stood == stands and not new:
        return  # as nearly all are
    base = NoteChange(
        "", told, was, stood.name if stood is not None else "", stands.name if stands is not None else ""
    )
    base = base._replace(beside=pair.beside)
    if note is None:
        end = _last(new, events.FORGOTTEN, events.PURGED)
        yield base._replace(word=words.REMOVED, event=end)
        return
    assert stands is not None
    if pair.beside:
        yield from _coming(pair, base)  # what the events say happened to the note, not to this copy
        return
    said = set()
    for change in (
        *_coming(pair, base),
        *_wording(pair, base, before, after, touched),
        *_ledger(base, stood, stands, new),
    ):
        said.add(change.word)
        yield change
    if stood is not None and not said & SPOKEN_OF:
        yield from _silence(base, stood, stands)


def _new_events(note: str, before: Side, after: Side) -> list[Event]:
    """The note's events that only the later state has."""
    if not note:
        return []
    now = after.memory.events.get(note, ())
    then = before.memory.events.get(note, ())
    if now is then:
        return []
    known = {event.path for event in then}
    return [event for event in now if event.path not in known]


def _last(new: list[Event], *kinds: str) -> Event | None:
    return next((event for event in reversed(new) if event.kind in kinds), None)


def _coming(pair: Pair, base: NoteChange) -> Iterator[NoteChange]:
    """How a note came to be what it is: written, admitted, a debt at last, moved."""
    was, note, _ = pair
    assert note is not None
    if was is None:
        if not owes(note):
            yield base._replace(word=words.ADDED)
    elif place_of(was.path) == CANDIDATE and place_of(note.path) == ACTIVE:
        yield base._replace(word=words.ADMITTED)
    elif was.path != note.path:
        yield base._replace(word=words.MOVED)
    owed = was is not None and owes(was)
    if owes(note) and not owed and (was is None or place_of(was.path) in (CANDIDATE, ACTIVE)):
        yield base._replace(word=words.OPENED)


def _wording(
    pair: Pair, base: NoteChange, before: Side, after: Side, touched: frozenset[str]
) -> Iterator[NoteChange]:
    was, note, _ = pair
    if was is None or note is None or not touched & {was.path, note.path}:
        return
    admitted = place_of(was.path) == CANDIDATE and place_of(note.path) == ACTIVE
    fields = [
        name
        for name, old, new in zip(Note._fields, was, note, strict=True)
        if name not in NOT_WORDS and old != new and not (admitted and _is_filled_in(name, old, new))
    ]
    if _body(before, was) != _body(after, note):
        fields.append("body")
    if fields:
        yield base._replace(word=words.REWORDED, fields=tuple(fields))


def _is_filled_in(name: str, old: Any, new: Any) -> bool:
    """Whether a field is what an admission writes: what the candidate lacked, and evidence beside its own."""
    return not old or (name == "evidence" and set(old) <= set(new))


def _body(side: Side, note: Note) -> str:
    try:
        text = body(side.memory.workspace, note)
    except MemError:
        return ""
    lines = text.replace("\r\n", "\n").strip("\n").split("\n")
    # The title is told apart already; a note whose H1 changed has one change, not two.
    if lines[0].lstrip(" ").startswith("# "):
        lines = lines[1:]
    return "\n".join(lines).strip("\n")


def _ledger(
    base: NoteChange, stood: Standing | None, stands: Standing, new: list[Event]
) -> Iterator[NoteChange]:
    """What the events say that only the later state has, and what those that it lacks said."""
    missed = sum(int(event.facts.get("count", 1)) for event in new if event.kind == events.MISSED)
    if missed:
        yield base._replace(word=words.MISSED, misses=missed)
    again = _last(new, events.REINSTATED)
    if again is not None and owes(base.note):
        yield base._replace(word=words.REINSTATED, event=again)
    elif again is not None and stood is not None and _returns(stood, stands):
        yield base._replace(word=words.BACK, event=again)
    if stands.name == SETTLED and (stood is None or stood.paid != stands.paid):
        yield base._replace(word=words.PAID, event=stands.paid)
    if again is None and stood is not None and (stood.name, stands.name) == (SETTLED, OWED):
        reworded = base.was is not None and base.was.condition != base.note.condition
        why = "its condition was reworded" if reworded else "its payment is no longer recorded"
        yield base._replace(word=words.REOPENED, event=stood.paid, reason=why)
    if stands.name == RETIRED_BY and (stood is None or stood.by != stands.by or stood.name != RETIRED_BY):
        yield base._replace(word=words.SUPERSEDED, by=stands.by)
    if stands.name == RETIRED and (stood is None or stood.name != RETIRED):
        yield base._replace(word=words.REVOKED, event=_last(new, events.REVOKED))
    if stands.name == TURNED_DOWN and (stood is None or stood.name != TURNED_DOWN):
        yield base._replace(word=words.REJECTED, event=_last(new, events.REJECTED))


def owes(note: Note) -> bool:
    """Whether the note is a debt of the project's: a candidate is none yet, an archived one no more."""
    return note.lifecycle == DEBT and place_of(note.path) == ACTIVE


def _returns(stood: Standing, stands: Standing) -> bool:
    """Whether a note that was retired no longer is."""
    retired = (RETIRED, TURNED_DOWN)
    return stood.name in retired and stands.name not in retired


def _silence(base: NoteChange, stood: Standing, stands: Standing) -> Iterator[NoteChange]:
    """A note that fell silent, or speaks again, for a reason that no other word tells."""
    if stood.live and not stands.live and stands.name not in (RETIRED_BY, RETIRED, TURNED_DOWN):
        yield base._replace(word=words.SILENCED)
    elif stands.live and not stood.live:
        yield base._replace(word=words.BACK)
