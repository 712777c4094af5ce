"""A touch whose answer is known: what its notes say was worked out before, and everything stands as it did.

Most touches of a session come upon files that were touched before and have not changed since.  What the
full way (``touching``) found to say about one path, whatever the session, is kept in private state with
everything that it rests on (``keeping_touch``); here it is only compared and told, to whom it was not told
yet.  What is not as plain as that is the full way's, which would say the same.
"""

from memwarden.edge.answers.recall import forget, kept_answer
from memwarden.edge.index_read import open_index, touch_question
from memwarden.edge.turn.appending import LockedLines
from memwarden.edge.turn.counting import add_fires
from memwarden.edge.turn.session_file import MOST_BYTES, session_key, session_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TypeAlias

    from memwarden.core.turn.lines import Line

    # kind and text of an anchor, and the files (path, digest, ...) as they stand
    Spot: TypeAlias = tuple[str, str, tuple[str, ...]]
    # the note's ID, what is told of it, whether it is a debt, the anchors that are touched
    Telling: TypeAlias = tuple[str, str, bool, list[Spot]]
    Heard: TypeAlias = set[tuple[str, str, str, str]]

# Words of a ledger, as ``core.turn.session`` has them (which costs a touch four more modules).
EVENT, TOLD, COMPACTED, WARN, RULE = "event", "told", "compacted", "warn", "rule "


class Caller:
    """Who touches: a host's session, its subagent ("" for none), the event and the tool call's ID."""

    __slots__ = ("agent", "call", "event", "session")

    def __init__(self, session: str, agent: str, event: str, call: str) -> None:
        self.session = session
        self.agent = agent
        self.event = event
        self.call = call


def known_touch(
    root: str, private: str, path: str, write: bool, caller: Caller, today: str, most: int
) -> str | None:
    """What the model is to read before a tool reads or writes ``path``; None where the full way has to say,
    as it has to of more than ``most`` characters."""
    asked = touch_question(root, path, write)
    kept = kept_answer(asked, root, private)
    index, day, head, frame, tellings = kept[1] if kept else ("", "", "", "", [])
    reader = open_index(private) if day == today else None
    if reader is None or reader.head["id"] != index or not reader.fresh(root, today):
        forget(asked, private)
        return None
    try:
        ledger = LockedLines(session_path(private, caller.session)).__enter__()
    except OSError:
        return None
    try:
        new = _unheard(ledger, tellings, caller)
        text = "\n\n".join((frame, *(one[1] for one in new or ())))
        if new is None or len(text) > most:
            return None
        _note(ledger, new, caller, head)
        if new:
            _count(private, new, caller)
    except OSError:
        return None
    finally:
        ledger.__exit__()
    return text if new else ""


def _unheard(ledger: LockedLines, tellings: "list[Telling]", caller: Caller) -> "list[Telling] | None":
    """The notes that the caller was not told yet; None where the ledger leaves more to decide."""
    if ledger.size() > MOST_BYTES:
        return None
    heard = _heard(ledger.read(), caller)
    if heard is None:
        return None
    if caller.call and (EVENT, caller.agent, caller.event, caller.call) in heard:
        caller.call = ""  # this event was processed before: there is nothing to say or note
        return []
    return _not_told(tellings, heard)


def _note(ledger: LockedLines, new: "list[Telling]", caller: Caller, head: str) -> None:
    lines: list[Line] = [(EVENT, caller.agent, caller.event, caller.call)] if caller.call else []
    if new:
        lines += _told(new, caller, str(ledger.now()), head)
    ledger.append(lines)


def _heard(lines: "Iterable[Line]", caller: Caller) -> "Heard | None":
    """What the ledger says was told as a warning to the caller, as (note, kind and text of the anchor, ""),
    and the events of its calls; None where a line is not as it should be."""
    heard: Heard = set()
    for line in lines:
        if line[0] == EVENT and len(line) == 4 and line[3]:
            heard.add(line)
        elif line[0] == TOLD:
            if len(line) < 9 or not line[7].isdecimal() or not len(line) % 2:
                return None
            if line[1] == caller.agent and line[2] == WARN:
                heard.add((line[3], line[4].removeprefix(RULE), line[5], ""))
        elif line[0] == COMPACTED and len(line) == 2 and line[1] in ("", caller.agent):
            heard = {one for one in heard if one[3]}
    return heard


def _not_told(tellings: "list[Telling]", heard: "Heard") -> "list[Telling] | None":
    """The notes of which nothing was heard; None where one was told for some of its anchors,
    since then it is told for another."""
    new = []
    for telling in tellings:
        told = [(telling[0], kind, text, "") in heard for kind, text, _ in telling[3]]
        if not any(told):
            new.append(telling)
        elif not all(told):
            return None
    return new


def _count(private: str, new: "list[Telling]", caller: Caller) -> None:
    try:
        add_fires(private, [one[0] for one in new], session_key(caller.session)[:12])
    except OSError:  # a hook speaks also where it can count nothing
        return


def _told(new: "list[Telling]", caller: Caller, at: str, head: str) -> "list[Line]":
    return [
        (TOLD, caller.agent, WARN, note, kind if debt else RULE + kind, text, caller.call, at, head, *files)
        for note, _, debt, spots in new
        for kind, text, files in spots
    ]
