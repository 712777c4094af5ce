"""What a note, its place and its events add up to: a fold that gives one answer in any reading order."""

from __future__ import annotations

from memwarden.core.canonical import condition_digest
from memwarden.core.condition import FAILS, HOLDS
from memwarden.core.event import (
    ADMITTED,
    FAILED,
    FORGOTTEN,
    MISSED,
    PAID,
    PURGED,
    REINSTATED,
    REJECTED,
    REVOKED,
    Event,
)
from memwarden.core.note import ARCHIVED, CANDIDATE, DEBT, Note, place_of
from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.core.supersession import binding, superseded

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from memwarden.core.memory import Memory

ACTIVE = "active"
OWED = "owed"
SETTLED = "paid"
SUPERSEDED = "superseded"
RETIRED = "revoked"
EXPIRED = "expired"
NOT_YET = "not-yet"
TURNED_DOWN = "rejected"
LIVE = (ACTIVE, OWED)
# A paid debt keeps its predecessors silent: what it stood for is done.
SUPERSEDING = (ACTIVE, OWED, SETTLED)

DECLARED = "declared"


class Account(NamedTuple):
    """What one note's events add up to for one condition digest.

    ``paid`` is the event that paid the debt as its condition stands now; ``awaits_red`` says that the
    condition still held when the debt was reinstated, so that it pays by itself only once it has been
    seen failing.  ``retired`` is the standing ``revoked`` or ``rejected`` event, ``reinstated`` the last
    one; ``gone`` is a ``forgotten`` or ``purged`` event.
    """

    misses: int = 0
    paid: Event | None = None
    awaits_red: bool = False
    admitted: Event | None = None
    retired: Event | None = None
    reinstated: Event | None = None
    gone: Event | None = None


NOTHING = Account()


class Standing(NamedTuple):
    """``name`` is one of the contract's words; ``by`` is the ID of the note that supersedes this one;
    ``reason`` is what the revoking, rejecting or last reinstating event says."""

    name: str
    misses: int = 0
    paid: Event | None = None
    admitted: Event | None = None
    reason: str = ""
    by: str = ""
    awaits_red: bool = False
    reinstated: Event | None = None

    @property
    def live(self) -> bool:
        """Whether the note is delivered and routed: active, or owed."""
        return self.name in LIVE


def standings(memory: Memory, today: str) -> dict[str, Standing]:
    """The standing of every readable note, by path, on the date ``today``."""
    accounts = {note.path: account_of(note, memory.events) for note in memory.notes}
    alone = {note.path: _alone(note, accounts[note.path], today) for note in memory.notes}
    links: dict[str, tuple[str, ...]] = {}
    linking = [note for note in memory.notes if note.supersedes and alone[note.path] in SUPERSEDING]
    if linking:
        from memwarden.core.fitness import unfit_among  # only supersession asks what a note is worth
        from memwarden.core.neighbours import registry_of

        faults = unfit_among(memory, linking)
        bound = binding(memory.notes, registry_of(memory))
        for note in linking:
            if note.path in bound and note.path not in faults:
                links[note.id] = links.get(note.id, ()) + bound[note.path]
    by = superseded(links, links)
    found = {}
    plain: dict[str, Standing] = {}  # most notes have no events, and stand as others do
    for note in memory.notes:
        name, account = alone[note.path], accounts[note.path]
        successor = by.get(note.id, "") if by and name in SUPERSEDING else ""
        if account is not NOTHING or successor:
            found[note.path] = _standing(SUPERSEDED if successor else name, account, successor)
            continue
        if name not in plain:
            plain[name] = _standing(name, NOTHING, "")
        found[note.path] = plain[name]
    return found


def account_of(note: Note, events: Mapping[str, tuple[Event, ...]]) -> Account:
    """What the events of a note add up to, for its condition as it stands now."""
    of_note = events.get(note.id, ()) if note.id else ()
    if not of_note:
        return NOTHING
    return fold(of_note, condition_digest(note.condition) if note.lifecycle == DEBT else "")


def fold(events: Iterable[Event], digest: str) -> Account:
    """The account for the condition ``digest`` ("" for a debt without a condition)."""
    account = NOTHING
    for event in in_order(events):
        account = _after(account, event, digest)
    return account


def in_order(events: Iterable[Event]) -> list[Event]:
    """Events by (seq, at, file name), each once: causal order survives clocks that disagree."""
    ordered = sorted(events, key=lambda event: (event.seq, event.at, event.path.rpartition("/")[2]))
    found: list[Event] = []
    tied: list[Event] = []
    for event in ordered:
        if tied and (tied[0].seq, tied[0].at) != (event.seq, event.at):
            tied = []
        if all(old._replace(path="") != event._replace(path="") for old in tied):
            tied.append(event)
            found.append(event)
    return found


def in_history(events: Mapping[str, tuple[Event, ...]]) -> list[Event]:
    """The events of many notes, the earliest first.  Of one note their number decides, whatever the clocks
    said; of several the time; and of one second, where nothing tells, the note's ID."""
    dated: list[tuple[str, str, int, Event]] = []
    for note, of_note in events.items():
        latest = ""
        for at, event in enumerate(in_order(of_note)):
            latest = max(latest, event.at)
            dated.append((latest, note, at, event))
    return [event for *_, event in sorted(dated, key=lambda one: one[:3])]


def next_seq(events: Iterable[Event]) -> int:
    """One more than the highest that has been seen."""
    return max((event.seq for event in events), default=0) + 1


def seen_failing(events: Iterable[Event], digest: str) -> bool:
    """Whether some event holds a failing verdict for this condition: red came before green."""
    return any(_is_red(event, digest) for event in events)


def _after(account: Account, event: Event, digest: str) -> Account:
    """The account once one more event has happened."""
    kind = event.kind
    if kind == MISSED:
        return account._replace(misses=account.misses + int(event.facts.get("count", 1)))
    if kind == PAID:
        return account._replace(paid=event) if _pays(account, event, digest) else account
    if kind == REINSTATED:
        awaits = _digest_of(event) == digest and verdict_in(event.facts) == HOLDS
        return account._replace(paid=None, retired=None, reinstated=event, awaits_red=awaits)
    if kind in (REVOKED, REJECTED):
        return account._replace(retired=event)
    if kind in (FORGOTTEN, PURGED):
        return account._replace(gone=event)
    if kind == ADMITTED:
        account = account._replace(admitted=event)
    return account._replace(awaits_red=False) if _is_red(event, digest) else account


def _pays(account: Account, event: Event, digest: str) -> bool:
    """A payment counts for the condition it names, once; after a reinstatement whose verdict still held
    only a declared one counts until the condition has been seen failing."""
    if account.paid is not None or _digest_of(event) != digest:
        return False
    return not account.awaits_red or event.facts.get("how") == DECLARED


def _is_red(event: Event, digest: str) -> bool:
    if not digest or _digest_of(event) != digest:
        return False
    return event.kind == FAILED or (event.kind in (ADMITTED, REINSTATED) and verdict_in(event.facts) == FAILS)


def _digest_of(event: Event) -> str:
    return str(event.facts.get("condition_digest") or "")


def verdict_in(facts: Mapping[str, Any]) -> str:
    """The state of the verdict that an event's facts hold, or ""."""
    verdict = facts.get("verdict")
    return str(verdict.get("state", "")) if isinstance(verdict, dict) else ""


def _alone(note: Note, account: Account, today: str) -> str:
    """The standing's name as if no note superseded another."""
    place = place_of(note.path)
    if place == ARCHIVED:
        return ARCHIVED
    retired = account.retired.kind if account.retired else ""
    if account.gone is not None or retired == REVOKED:
        return RETIRED
    if place == CANDIDATE:
        return TURNED_DOWN if retired == REJECTED else CANDIDATE
    if note.expires and today > note.expires:
        return EXPIRED
    if note.not_before and today < note.not_before:
        return NOT_YET
    if note.lifecycle == DEBT:
        return SETTLED if account.paid is not None else OWED
    return ACTIVE


def _standing(name: str, account: Account, by: str) -> Standing:
    telling = account.gone or account.retired or account.reinstated
    reason = str(telling.facts.get("reason", "")) if telling is not None else ""
    if account.gone is not None:
        reason = account.gone.kind
    return Standing(
        name,
        account.misses,
        account.paid,
        account.admitted,
        reason,
        by,
        account.awaits_red,
        account.reinstated,
    )
