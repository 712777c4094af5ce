"""The answer to one event, once there may be something to say: the rest of the program behind the hook."""

from __future__ import annotations

from memwarden.core.actor import AGENT, Actor
from memwarden.core.record import TYPE_CHECKING
from memwarden.edge.place import find_place, require_memory, require_protocol
from memwarden.hosts import (
    BEFORE,
    CLOSE,
    COMPACTION,
    MOST_CHARACTERS,
    PLAN,
    PROMPT,
    RAN,
    START,
    SUB_CLOSE,
    Answer,
    Request,
    encode,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

    from memwarden.core.turn.speech import Delivery
    from memwarden.edge.place import Place
    from memwarden.edge.reading.full_look import FullLook


def speak(host: ModuleType, request: Request, root: str, now: str) -> str:
    """What the host is to read, as text: its own dialect, or its least."""
    place = find_place(root)
    require_memory(place)
    require_protocol(place)
    if request.kind not in (BEFORE, RAN):
        from memwarden.edge.turn.hooklog import heard

        heard(place.private, host.NAME)
    answer = _answer(host, request, place, now)
    said = host.render(request, answer) if answer is not None else {}
    if not said:
        least: str = host.least(request.event)
        return least
    return encode(said)


def _answer(host: ModuleType, request: Request, place: Place, now: str) -> Answer | None:
    if request.kind in (BEFORE, RAN, SUB_CLOSE):
        return _touch(host, request, place, now) if request.touches() else None
    if request.kind == CLOSE:
        _close(host, request, place, now)
    if request.kind in (START, PROMPT):
        return _looking(host, request, place, now)
    if request.kind == COMPACTION:
        _compaction(host, request, place)
    return None


def _touch(host: ModuleType, request: Request, place: Place, now: str) -> Answer:
    from memwarden.edge.turn.touching import Touch, touch

    told = touch(
        place,
        Touch(
            writes=request.writes,
            reads=request.reads,
            command=request.command,
            shell="powershell" if request.tool.lower() == "powershell" else "",
            cwd=request.cwd,
            session=request.session,
            agent=request.agent,
            event=request.event,
            call=request.call,
            ran=request.kind != BEFORE,
            ask=host.asks(request),
            refuse=host.refuses(request),
            tell=host.tells(request),
            most=MOST_CHARACTERS,
        ),
        now,
        _actor(host),
    )
    if told.degraded and request.kind == BEFORE:
        from memwarden.edge.turn.hooklog import record

        for note in told.degraded:
            record(
                place.private,
                now,
                host.NAME,
                request.event,
                f"{note}: degraded, no ask here: on_no_ask decided",
            )
    if not told.deliveries and not told.omitted:
        return Answer()
    return _within_cap(told.deliveries, told.omitted, told.context, told.ask, told.refusal)


def _within_cap(deliveries: Sequence[Delivery], omitted: int, context: str, ask: str, refusal: str) -> Answer:
    """Each text as long as a host takes it.  A refusal's reason reaches the model by itself, so the
    context beside it holds the rest only."""
    from memwarden.core.turn.speech import context_text

    if refusal:
        context = context_text([one for one in deliveries if one.level == "warn"], omitted)
    return Answer(_capped(context), _capped(ask), _capped(refusal))


def _capped(text: str) -> str:
    """A text that one note alone makes too long, without what the note quotes of itself."""
    from memwarden.core.turn.speech import characters

    if characters(text) <= MOST_CHARACTERS:
        return text
    lines = [line for line in text.split("\n") if line != ">" and not line.startswith("> ")]
    lines.append("Its text is longer than a host takes: mem show shows it.")
    return "\n".join(lines)[:MOST_CHARACTERS]


def _close(host: ModuleType, request: Request, place: Place, now: str) -> None:
    from memwarden.edge.turn.closing import Close, close

    asked = Close(request.session, agent=request.agent, read_only=request.mode == PLAN)
    closed = close(place, asked, now, _actor(host))
    if closed.held:
        from memwarden.edge.turn.hooklog import record

        record(place.private, now, host.NAME, request.event, f"{closed.held}; what waits is written later")


def _actor(host: ModuleType) -> Actor:
    """A hook acts for the agent that called it, whatever the environment says."""
    return Actor(AGENT, host.ACTOR)


def _looking(host: ModuleType, request: Request, place: Place, now: str) -> Answer | None:
    """Each start and each prompt looks at every note's file, so that no touch of the coming turn has to; the
    look goes on while the rest is loaded."""
    from memwarden.edge.reading.full_look import begin

    begun = begin(place.root, place.private)
    try:
        answer = _start if request.kind == START else _prompt
        return answer(host, request, place, now, begun)
    finally:
        if begun is not None:
            begun.close()


def _start(
    host: ModuleType, request: Request, place: Place, now: str, begun: FullLook | None
) -> Answer | None:
    from memwarden.hosts.briefing import briefing

    if request.source in ("compact", "clear"):
        _forget_speech(request, place)
    return Answer(context=briefing(place, now[:10], request.session, begun=begun))


def _prompt(
    host: ModuleType, request: Request, place: Place, now: str, begun: FullLook | None
) -> Answer | None:
    if host.tells(request) and request.session:
        from memwarden.edge.turn.due import take_due

        if take_due(place, request.session):
            from memwarden.hosts.briefing import briefing

            return Answer(context=briefing(place, now[:10], request.session, begun=begun))
    if begun is None or not begun.holds() or not begun.reader.is_of(now[:10]):
        from memwarden.edge.reading.opening import open_memory

        open_memory(place)  # which writes the index anew
    return None


def _compaction(host: ModuleType, request: Request, place: Place) -> None:
    _forget_speech(request, place)
    if request.session and host.BRIEF_WITH_PROMPT:
        from memwarden.edge.turn.due import mark_due

        mark_due(place, request.session)


def _forget_speech(request: Request, place: Place) -> None:
    from memwarden.edge.turn.ledger import note_compaction

    note_compaction(place, request.session, request.agent)
