"""The answer to one event, once there may be something to say: the rest of the program behind the hook."""

from __future__ import annotations

from memwarden.core.record import TYPE_CHECKING
from memwarden.edge.hooklog import heard
from memwarden.edge.place import find_place
from memwarden.hosts import COMPACTION, PROMPT, START, Answer, Request

if TYPE_CHECKING:
    from types import ModuleType

    from memwarden.edge.place import Place


def speak(host: ModuleType, request: Request, root: str, cwd: str, now: str) -> str:
    """What the host is to read, as text: its own dialect, or its least."""
    place = find_place(root)
    if request.kind not in ("before", "ran", "failed"):
        heard(place.private, host.NAME)
    answer = _answer(host, request, place, now)
    said = host.render(request, answer) if answer is not None else {}
    if not said:
        least: str = host.least(request.event)
        return least
    return encode(said)


def _answer(host: ModuleType, request: Request, place: Place, now: str) -> Answer | None:
    if request.kind == START:
        return _start(request, place, now)
    if request.kind == PROMPT:
        return _prompt(host, request, place, now)
    if request.kind == COMPACTION:
        _compaction(host, request, place)
    return None


def _start(request: Request, place: Place, now: str) -> Answer:
    from memwarden.hosts.briefing import briefing

    if request.source in ("compact", "clear"):
        _forget_speech(request, place)
    return Answer(context=briefing(place, now[:10]))


def _prompt(host: ModuleType, request: Request, place: Place, now: str) -> Answer | None:
    """Each prompt looks at every note's file, so that no touch of the coming turn has to."""
    refresh_index(place)
    if not host.tells(request) or not request.session:
        return None
    from memwarden.hosts.briefing import briefing, take_due

    return Answer(context=briefing(place, now[:10])) if take_due(place, request.session) else None


def _compaction(host: ModuleType, request: Request, place: Place) -> None:
    _forget_speech(request, place)
    if request.session and host.BRIEF_WITH_PROMPT:
        from memwarden.hosts.briefing import mark_due

        mark_due(place, request.session)


def _forget_speech(request: Request, place: Place) -> None:
    from memwarden.edge.ledger import note_compaction

    note_compaction(place, request.session, request.agent)


def refresh_index(place: Place) -> None:
    """Compare every file of the memory with the index, and write it anew where one differs."""
    from memwarden.edge.index_read import Damaged, open_index
    from memwarden.edge.tree_stamps import same

    reader = open_index(place.private)
    try:
        if reader is not None and same(place.root, *reader.file.get("tree")):
            return
    except Damaged:
        pass
    from memwarden.edge.opening import open_memory

    open_memory(place)


def encode(value: object) -> str:
    """JSON without the module ``json``, which would cost as much as the answer."""
    try:
        from _json import encode_basestring
    except ImportError:
        import json

        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return _encode(value, encode_basestring)


def _encode(value: object, quote: object) -> str:
    if isinstance(value, dict):
        pairs = (f"{_encode(key, quote)}:{_encode(item, quote)}" for key, item in value.items())
        return "{" + ",".join(pairs) + "}"
    return quote(str(value))  # type: ignore[operator, no-any-return]
