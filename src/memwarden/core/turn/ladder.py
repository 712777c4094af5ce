"""What a touch says: a debt gets louder while it is ignored, a rule never does.

Every decision of a touch is made here, from values.  What must be looked up (a verdict, a note's text,
whether a payment still stands in history) is asked through functions, and only where it matters.
"""

from __future__ import annotations

from memwarden.core.condition import FAILS, HOLDS, Combined, CommandTest, DateTest, TagTest, has_command
from memwarden.core.dates import days_between
from memwarden.core.note import DEBT
from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.core.standing import DECLARED, LIVE, OWED, SETTLED
from memwarden.core.turn.session import ASK, REFUSE, WARN
from memwarden.core.turn.speech import FRAMING, Delivery, characters, order_key

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memwarden.core.condition import Condition, Verdict
    from memwarden.core.manifest import Settings
    from memwarden.core.note import Anchor, Note
    from memwarden.core.standing import Standing
    from memwarden.core.turn.pending import Pending
    from memwarden.core.turn.session import Asked, Session


# Why a debt whose condition holds is told as owed.
STALE_GREEN = "as when the debt was reinstated; it pays once that was seen to fail and holds again"


class Match(NamedTuple):
    """A note that a touch brings up: through which anchors, and whether one of them is written."""

    note: Note
    standing: Standing
    anchors: tuple[Anchor, ...]
    write: bool


class Abilities(NamedTuple):
    """What the host can do with the answer: ask a person, refuse the call, tell the model, and take how many
    characters at once (``most``; 0: any number).  ``before``: the tool has not run yet."""

    ask: bool = True
    refuse: bool = False
    tell: bool = True
    before: bool = True
    most: int = 0


class World(NamedTuple):
    """What a decision may look up.

    ``judge`` gives a condition's verdict now.  ``stands`` tells whether a command condition's payment
    is in HEAD's history, ``committed`` whether a payment's event is in HEAD's tree.  ``rests`` tells
    whether the tool call that an ask was put before has run.  ``tell`` gives a delivery's text and its
    estimated tokens.  ``digest`` names a condition.
    """

    judge: Callable[[Note], Verdict]
    stands: Callable[[Standing], bool]
    committed: Callable[[Standing], bool]
    rests: Callable[[Match, Asked], bool]
    tell: Callable[[Match, str, Anchor, int, str, str], tuple[str, int]]
    digest: Callable[[Condition | None], str]


class Decision(NamedTuple):
    """What a touch comes to.

    ``told`` holds every (match, anchor, level) that was said, ``payments`` and ``failures`` the notes
    whose condition was seen to hold, or to fail where red must come first, with the verdict;
    ``degraded`` the IDs of notes whose ask had to be something else, ``waiting`` how many of the omitted
    notes would have asked.
    """

    deliveries: tuple[Delivery, ...] = ()
    told: tuple[tuple[Match, Anchor, str], ...] = ()
    payments: tuple[tuple[Note, Verdict], ...] = ()
    failures: tuple[tuple[Note, Verdict], ...] = ()
    omitted: int = 0
    degraded: tuple[str, ...] = ()
    waiting: int = 0


class _Owed(NamedTuple):
    """A note to be told, before its level is known."""

    match: Match
    misses: int = 0
    seen: str = ""
    came_back: str = ""


def decide(
    matches: Sequence[Match],
    settings: Settings,
    pending: Pending,
    world: World,
    today: str,
    session: Session | None = None,
    agent: str = "",
    abilities: Abilities = Abilities(),  # noqa: B008  (a record)
) -> Decision:
    """What to say about the notes that a touch brings up."""
    payments: list[tuple[Note, Verdict]] = []
    failures: list[tuple[Note, Verdict]] = []
    said: list[tuple[Delivery, _Owed, Anchor]] = []
    degraded: list[str] = []
    for match in matches:
        owed = _owed(match, settings, pending, world, today, payments, failures)
        if owed is None:
            continue
        level = _level(owed, settings, abilities, session)
        if level != _wanted(owed, settings):
            degraded.append(match.note.id)
        anchor = _anchor_to_speak(match, level, session, agent, world, settings) if level else None
        if anchor is None or (level == WARN and not abilities.tell):
            continue
        text, tokens = world.tell(match, level, anchor, owed.misses, owed.seen, owed.came_back)
        note = match.note
        delivery = Delivery(
            note.id, level, anchor, note.title, text, note.path, note.lifecycle, owed.misses, tokens
        )
        said.append((delivery, owed, anchor))
    said.sort(key=lambda entry: order_key(entry[0]))
    kept = _within(said, settings.deliver_tokens, abilities.most)
    told = [
        (owed.match, anchor, delivery.level) for delivery, owed, _ in kept for anchor in owed.match.anchors
    ]
    return Decision(
        tuple(delivery for delivery, _, _ in kept),
        tuple(told),
        tuple(payments),
        tuple(failures),
        len(said) - len(kept),
        tuple(degraded),
        _asking(said) - _asking(kept),
    )


def _owed(
    match: Match,
    settings: Settings,
    pending: Pending,
    world: World,
    today: str,
    payments: list[tuple[Note, Verdict]],
    failures: list[tuple[Note, Verdict]],
) -> _Owed | None:
    """The note with what is to be said about it, or None where it has nothing to say."""
    note, standing = match.note, match.standing
    if note.lifecycle != DEBT:
        return _Owed(match) if standing.name in LIVE else None
    misses = standing.misses + pending.misses.get(note.id, 0)
    if standing.name == SETTLED:
        return _come_back(match, misses, settings, world, today)
    if standing.name != OWED:
        return None
    if note.condition is None:
        return _Owed(match, misses)
    verdict = world.judge(note)
    # A digest costs more than all the rest of a touch, and few touches need one.
    digest = world.digest(note.condition) if pending.verdicts else ""
    if pending.pays(note.id, digest):
        return _Owed(match, misses, verdict.why, today) if verdict.state == FAILS else None
    if verdict.state == HOLDS and may_pay(standing, pending, note, digest):
        payments.append((note, verdict))
        return None
    if verdict.state == FAILS and standing.awaits_red and not pending.fails(note.id, digest):
        failures.append((note, verdict))
    if verdict.state == HOLDS:
        return _Owed(match, misses, f"{verdict.why}, {STALE_GREEN}")
    return _Owed(match, misses, verdict.why)


def may_pay(standing: Standing, pending: Pending, note: Note, digest: str) -> bool:
    """Whether a holding condition pays by itself: after a reinstatement while it held, only once it has
    been seen failing."""
    return not standing.awaits_red or pending.fails(note.id, digest)


def _come_back(match: Match, misses: int, settings: Settings, world: World, today: str) -> _Owed | None:
    """A paid debt is silent, unless its payment is young or uncommitted and no longer true here."""
    note, standing = match.note, match.standing
    paid = standing.paid
    if paid is None or note.condition is None or paid.facts.get("how") == DECLARED:
        return None
    day = paid.at[:10]
    if has_command(note.condition):
        return None if world.stands(standing) else _Owed(match, misses, "", day)
    if not has_files(note.condition):
        return None
    if is_old(day, today, settings) and world.committed(standing):
        return None
    verdict = world.judge(note)
    return _Owed(match, misses, verdict.why, day) if verdict.state == FAILS else None


def is_old(day: str, today: str, settings: Settings) -> bool:
    """Whether a payment of that day is past the days in which it is judged again."""
    return days_between(day, today) >= settings.recheck_days


def has_files(condition: Condition) -> bool:
    """Whether some part of the condition looks at files."""
    if isinstance(condition, Combined):
        return any(has_files(part) for part in condition.parts)
    return not isinstance(condition, CommandTest | DateTest | TagTest)


def rests_on_files(note: Note, standing: Standing) -> bool:
    """Whether a debt stands as paid because of files, so that files alone can take that back."""
    paid = standing.paid
    if note.lifecycle != DEBT or standing.name != SETTLED or paid is None or note.condition is None:
        return False
    if paid.facts.get("how") == DECLARED or has_command(note.condition):
        return False
    return has_files(note.condition)


def _wanted(owed: _Owed, settings: Settings) -> str:
    """The rung by the contract alone: an ask before the write of a debt that was ignored long enough."""
    match = owed.match
    if match.note.lifecycle == DEBT and match.write and owed.misses >= settings.ask_after:
        return ASK
    return WARN


def _level(owed: _Owed, settings: Settings, abilities: Abilities, session: Session | None) -> str:
    """The rung as this host can climb it; "" where the write is let through."""
    level = _wanted(owed, settings)
    if level != ASK or (abilities.ask and abilities.before):
        return level
    refused = session is not None and owed.match.note.id in session.refused
    if not abilities.before and refused:
        return ""  # the model has read it as the reason of the refusal
    if not abilities.refuse or not abilities.before or settings.on_no_ask == "warn":
        return WARN
    if settings.on_no_ask == "deny":
        return REFUSE
    if session is None:
        return WARN  # deny-once needs a memory of the first time
    return "" if refused else REFUSE


def _anchor_to_speak(
    match: Match, level: str, session: Session | None, agent: str, world: World, settings: Settings
) -> Anchor | None:
    """The first matched anchor for which this was not said yet, or None where all of it was."""
    for anchor in match.anchors:
        if session is None or not session.told(agent, match.note.id, anchor, level):
            return anchor
        if level == REFUSE and settings.on_no_ask == "deny":
            return anchor
        if level == ASK:
            asked = session.asked.get((agent, match.note.id, anchor))
            if asked is None or not world.rests(match, asked):
                return anchor
    return None


def _asking(said: list[tuple[Delivery, _Owed, Anchor]]) -> int:
    return sum(delivery.level != WARN for delivery, _, _ in said)


def _within(
    said: list[tuple[Delivery, _Owed, Anchor]], budget: int, most: int
) -> list[tuple[Delivery, _Owed, Anchor]]:
    """What fits: whole notes while there is room, and the asks whatever the budget, as far as the host takes
    them; what it would cut away was never told."""
    room = budget - sum(delivery.tokens for delivery, _, _ in said if delivery.level != WARN)
    left = most - FRAMING
    kept: list[tuple[Delivery, _Owed, Anchor]] = []
    for entry in said:
        delivery = entry[0]
        size, tokens = characters(delivery.text) + 2, delivery.tokens if delivery.level == WARN else 0
        if (tokens and tokens > room) or (most and kept and size > left):
            continue
        room, left = room - tokens, left - size
        kept.append(entry)
    return kept
