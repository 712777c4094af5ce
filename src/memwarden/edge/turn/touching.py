"""A touch, from a tool call to an answer: the plain command and every host's hook come through here.

Find the notes, lock the session's ledger, decide, and note what was said.  What was seen to be paid waits
in private state, or is written at once where the caller is a plain command.
"""

from __future__ import annotations

from memwarden.core.canonical import condition_digest
from memwarden.core.glob import matches
from memwarden.core.note import DEBT
from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.core.turn.ladder import Abilities, Match, World, decide
from memwarden.core.turn.pending import FAILED, PAID
from memwarden.core.turn.session import HIT, RAN, WROTE, take, told_line
from memwarden.core.turn.speech import ask_text, context_text, refusal_text
from memwarden.core.turn.telling import told_text
from memwarden.edge.command.judging import judge_now
from memwarden.edge.reading.note_source import note_source
from memwarden.edge.tree.touched_paths import Touches, touches
from memwarden.edge.turn.ledger import open_ledger, session_key
from memwarden.edge.turn.pending import add_verdicts
from memwarden.edge.turn.waiting import read_pending
from memwarden.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memwarden.core.actor import Actor
    from memwarden.core.note import Anchor, Note
    from memwarden.core.standing import Standing
    from memwarden.core.turn.ladder import Decision
    from memwarden.core.turn.lines import Line
    from memwarden.core.turn.session import Asked, Session
    from memwarden.core.turn.speech import Delivery
    from memwarden.edge.place import Place
    from memwarden.edge.reading.whole_memory import NoteSource
    from memwarden.edge.turn.ledger import Ledger


class Touch(NamedTuple):
    """A tool is about to read or write paths or to run a command; ``ran``: it has done so.

    Paths are as the host wrote them, relative ones in ``cwd`` (the top of the repository where empty).
    ``event`` and ``call`` name the tool call, so that it is processed once.  ``ask``, ``refuse``, ``tell``
    and ``most`` are what the host can do with the answer.  ``at_once``: write payments now, waiting for
    other writers for ``patience`` seconds.
    """

    writes: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()
    command: str = ""
    shell: str = ""
    cwd: str = ""
    session: str = ""
    agent: str = ""
    event: str = ""
    call: str = ""
    ran: bool = False
    ask: bool = True
    refuse: bool = False
    tell: bool = True
    most: int = 0
    at_once: bool = False
    patience: float = 10.0


class Touched(NamedTuple):
    """The answer: what to tell, in order, and what was seen to be paid.

    ``context`` is for the model, ``ask`` for the person who decides, ``refusal`` stands in place of an
    ask.  ``degraded`` are the notes whose ask became something else; ``omitted`` did not fit.
    """

    deliveries: tuple[Delivery, ...] = ()
    paid: tuple[str, ...] = ()
    omitted: int = 0
    degraded: tuple[str, ...] = ()
    context: str = ""
    ask: str = ""
    refusal: str = ""


NOTHING = Touched()


def touch(place: Place, request: Touch, now: str, actor: Actor, source: NoteSource | None = None) -> Touched:
    """Bring up the notes that the tool call touches."""
    found = touches(place, request.writes, request.reads, request.command, request.shell, request.cwd)
    if not any(found):
        return NOTHING
    source = source or note_source(place, now[:10])
    matched = [
        match
        for candidate in source.matching((*found.writes, *found.reads), found.commands)
        if (match := match_of(candidate.note, candidate.standing, found)) is not None
    ]
    if not matched:
        return NOTHING
    ledger = open_ledger(place, request.session)
    if ledger is None:
        return _answer(place, request, now, actor, source, matched, found, None)
    with ledger:
        event = request.event or ("ran" if request.ran else "before")
        if not ledger.claim(request.agent, event, request.call):
            return NOTHING
        told = _answer(place, request, now, actor, source, matched, found, ledger)
        try:
            ledger.write()
        except OSError:  # a full disk: what cannot be noted is told as it is without a session
            ledger.drop()
            return _answer(place, request, now, actor, source, matched, found, None)
        return told


def match_of(note: Note, standing: Standing, found: Touches) -> Match | None:
    """The note's anchors that a tool call touches, those that it writes first."""
    written: list[Anchor] = []
    read: list[Anchor] = []
    for anchor in note.anchors:
        if anchor.kind == "command":
            if any(_runs(anchor.text, text) for text in found.commands):
                written.append(anchor)
        elif any(matches(anchor.text, path) for path in found.writes):
            written.append(anchor)
        elif any(matches(anchor.text, path) for path in found.reads):
            read.append(anchor)
    if not written and not read:
        return None
    return Match(note, standing, (*written, *read), bool(written))


def _runs(pattern: str, text: str) -> bool:
    from memwarden.edit.pattern import BadPattern, compiled  # RE2: only command anchors need it

    try:
        return compiled(pattern).search(text) is not None
    except BadPattern:
        return False


def _answer(
    place: Place,
    request: Touch,
    now: str,
    actor: Actor,
    source: NoteSource,
    matched: list[Match],
    found: Touches,
    ledger: Ledger | None,
) -> Touched:
    session = ledger.session if ledger else None
    ran = _run_lines(request, matched, found)
    if session is not None and request.ran:
        for line in ran:  # so that an ask which was put before this call rests
            take(session, line)
    able = Abilities(request.ask, request.refuse, request.tell, not request.ran, request.most)
    world = _world(place, source, session, request, now)
    settings = source.settings
    decision = decide(matched, settings, read_pending(place), world, now[:10], session, request.agent, able)
    if ledger:
        if decision.told:
            _note_told(place, ledger, request, decision, found)
        ledger.add(*ran)
    _keep(place, request, decision, matched, now, actor)
    paid = tuple(note.id for note, _ in decision.payments)
    shown = decision.deliveries
    return Touched(
        shown,
        paid,
        decision.omitted,
        decision.degraded,
        context_text(shown, decision.omitted),
        ask_text(shown, decision.waiting),
        refusal_text(shown, settings.on_no_ask == "deny-once", decision.waiting),
    )


def _keep(
    place: Place, request: Touch, decision: Decision, matched: Iterable[Match], now: str, actor: Actor
) -> None:
    """Note what was seen and what was told; a hook speaks also where it can note nothing.

    What was seen failing after a reinstatement waits, with the payment that rests on it, for the next close
    or settle to record: a touch writes payments alone.
    """
    try:
        add_verdicts(place, FAILED, decision.failures, "touch", now, actor)
        add_verdicts(place, PAID, decision.payments, "touch", now, actor)
        if decision.deliveries:
            from memwarden.edge.turn.counting import count_fires

            key = session_key(request.session) if request.session else ""
            count_fires(place, [delivery.id for delivery in decision.deliveries], key[:12])
    except OSError as error:
        if request.at_once and decision.payments:
            raise Refused(
                f"$GIT_DIR/mem cannot be written: {error.strerror}", "mend its permissions"
            ) from None
        return
    waits = {match.note.id for match in matched if match.standing.awaits_red}
    seen = {note.id for note, _ in decision.payments} - waits
    if request.at_once and seen:
        from memwarden.edge.turn.receipts import flush

        flush(place, now, actor, only=seen, timeout=request.patience)


def _run_lines(request: Touch, matched: Iterable[Match], found: Touches) -> list[Line]:
    """What the ledger is told of the tool call itself, after what was delivered for it.

    What ran has written; what is only announced has not.  A command that comes without a call's ID is
    counted when it is announced, since nobody will say that it ran.
    """
    if not request.ran and (request.call or not found.commands):
        return []
    lines: list[Line] = []
    if request.ran:
        if request.call:
            lines.append((RAN, request.agent, request.call))
        lines += [(WROTE, path) for path in found.writes if not path.startswith("memory/")]
    how = "ran" if request.ran else "told"
    for match in matched:
        commands = [anchor for anchor in match.anchors if anchor.kind == "command"]
        lines += [(HIT, match.note.id, anchor.text, how) for anchor in commands]
    return lines


def _note_told(place: Place, ledger: Ledger, request: Touch, decision: Decision, found: Touches) -> None:
    from memwarden.edge.turn.baseline import baseline_of  # only a delivery needs to know how files stood

    at = ledger.now()
    touched = (*found.writes, *found.reads)
    for match, anchor, level in decision.told:
        near = [path for path in touched if anchor.kind == "path" and matches(anchor.text, path)]
        before = baseline_of(place, at, (anchor,), near)
        note = match.note
        debt = note.lifecycle == DEBT
        ledger.add(told_line(request.agent, level, note.id, anchor, request.call, before, debt))


def _world(place: Place, source: NoteSource, session: Session | None, request: Touch, now: str) -> World:
    def tell(
        match: Match, level: str, anchor: Anchor, misses: int, seen: str, came_back: str
    ) -> tuple[str, int]:
        from memwarden.core.tokens import estimate

        text = told_text(match.note, level, anchor, misses, source.body(match.note), seen, came_back)
        return text, estimate(text)

    def rests(match: Match, asked: Asked) -> bool:
        if session is None:
            return False
        if any(call and (request.agent, call) in session.ran for call in asked.calls):
            return True
        return any(
            writes_of(place, session, match.note, anchor, asked.order, sure=True) is not None
            for anchor in match.anchors
        )

    def committed(standing: Standing) -> bool:
        from memwarden.edge.turn.payment_place import is_committed

        return is_committed(place, standing)

    def stands(standing: Standing) -> bool:
        from memwarden.edge.turn.payment_place import stands_in_history

        return stands_in_history(place, standing)

    return World(
        lambda note: judge_now(place, note, now[:10]), stands, committed, rests, tell, condition_digest
    )


def writes_of(
    place: Place, session: Session, note: Note, anchor: Anchor, since: int, sure: bool = False
) -> tuple[str, ...] | None:
    """The files of a note's anchor that were written after a line of the ledger, by a tool call that ran
    or, as their content tells, by anything else; None where nothing was.

    A command names no file.  ``sure``: one that was only announced does not count.
    """
    if anchor.kind == "command":
        hits = ((order, owner, text) for order, owner, text, ran in session.hits if ran or not sure)
        found = any(order > since and (owner, text) == (note.id, anchor.text) for order, owner, text in hits)
        return () if found else None
    told = [path for order, path in session.written if order > since and matches(anchor.text, path)]
    if told:
        return tuple(told)
    before = session.baselines.get((note.id, anchor))
    if before is None:
        return None
    from memwarden.edge.turn.baseline import changed_files

    return changed_files(place, anchor, before) or None
