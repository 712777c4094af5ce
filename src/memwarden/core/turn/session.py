"""What one agent session was told and did: a fold over the lines of its ledger.

A session and its subagents share one ledger.  Speech is counted by agent, because each has a context of
its own; charges are counted for the session as a whole.  Lines that are not understood are skipped.
"""

from __future__ import annotations

from memwarden.core.note import Anchor
from memwarden.core.record import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memwarden.core.turn.lines import Line

WARN = "warn"
ASK = "ask"
REFUSE = "refuse"

EVENT = "event"  # agent, event, call: processed
TOLD = "told"  # agent, level, note, anchor kind, anchor text, call, baseline...
SEEN = "seen"  # note, baseline...: how the anchored files stood when a turn closed
RAN = "ran"  # agent, call: the tool call has run
WROTE = "wrote"  # path: a tool that ran wrote it
HIT = "hit"  # note, anchor text, ran or told: a command that the anchor matches has run, or will
COMPACTED = "compacted"  # agent ("": all of them)
CHARGED = "charged"  # note
COUNTED = "counted"  # note: that a rule's anchor was written in this session is counted
CLOSED = "closed"  # a turn has closed
RETURNED = "returned"  # note: the session was told at its start that this payment no longer holds


class Baseline(NamedTuple):
    """How things stood: the file system's time in nanoseconds, HEAD's commit, and the digest of each
    named file's content ("" for one that was not there)."""

    at: int = 0
    head: str = ""
    files: tuple[tuple[str, str], ...] = ()


class Asked(NamedTuple):
    """An ask or refusal of one anchor: the tool calls it was put before, and how things stood."""

    calls: tuple[str, ...]
    order: int
    baseline: Baseline


class Session:
    """A session's ledger, folded."""

    def __init__(self) -> None:
        self.events: set[tuple[str, str, str]] = set()
        self.spoken: set[tuple[str, str, Anchor, str]] = set()
        self.asked: dict[tuple[str, str, Anchor], Asked] = {}
        self.refused: set[str] = set()
        self.delivered: dict[str, int] = {}
        self.baselines: dict[tuple[str, Anchor], Baseline] = {}
        self.ran: set[tuple[str, str]] = set()
        self.written: list[tuple[int, str]] = []
        self.hits: list[tuple[int, str, str, bool]] = []
        self.charged: dict[str, int] = {}
        self.counted: set[str] = set()
        self.returned: set[str] = set()
        self.closed = -1
        self.order = 0

    def told(self, agent: str, note: str, anchor: Anchor, level: str) -> bool:
        """Whether this was said to this agent already, and stays said."""
        return (agent, note, anchor, level) in self.spoken

    def anchors_of(self, note: str) -> list[tuple[Anchor, Baseline]]:
        """The anchors that a note was delivered for, and how things stood then."""
        return [(anchor, found) for (owner, anchor), found in self.baselines.items() if owner == note]


def fold(lines: Iterable[Line]) -> Session:
    """The session that the lines of a ledger tell."""
    session = Session()
    for line in lines:
        take(session, line)
    return session


def take(session: Session, line: Line) -> None:
    """Count one more line; what is not understood is skipped."""
    session.order += 1
    kind, fields = line[0], line[1:]
    if kind == EVENT and len(fields) == 3:
        session.events.add((fields[0], fields[1], fields[2]))
    elif kind == TOLD and len(fields) >= 8:
        _take_told(session, fields)
    elif kind == SEEN and len(fields) >= 3:
        baseline = _baseline(fields[1:])
        for owner, anchor in session.baselines:
            if baseline and owner == fields[0]:
                session.baselines[owner, anchor] = baseline
    elif kind == RAN and len(fields) == 2:
        session.ran.add((fields[0], fields[1]))
    elif kind == WROTE and len(fields) == 1:
        session.written.append((session.order, fields[0]))
    elif kind == HIT and len(fields) == 3:
        session.hits.append((session.order, fields[0], fields[1], fields[2] == "ran"))
    elif kind == COMPACTED and len(fields) == 1:
        session.spoken = {
            said for said in session.spoken if said[3] != WARN or (fields[0] and said[0] != fields[0])
        }
    elif kind == CHARGED and len(fields) == 1:
        session.charged[fields[0]] = session.order
    elif kind == COUNTED and len(fields) == 1:
        session.counted.add(fields[0])
    elif kind == CLOSED:
        session.closed = session.order
    elif kind == RETURNED and len(fields) == 1:
        session.returned.add(fields[0])


def told_line(
    agent: str, level: str, note: str, anchor: Anchor, call: str, baseline: Baseline, debt: bool
) -> Line:
    """The line that says that a note was delivered; only a debt's delivery can be charged."""
    kind = anchor.kind if debt else "rule " + anchor.kind
    return (TOLD, agent, level, note, kind, anchor.text, call, *_fields(baseline))


def seen_line(note: str, baseline: Baseline) -> Line:
    """The line that says how the files of a note's anchors stand: what is written from here on counts."""
    return (SEEN, note, *_fields(baseline))


def _take_told(session: Session, fields: Line) -> None:
    agent, level, note, kind, text, call = fields[:6]
    baseline = _baseline(fields[6:])
    if baseline is None or level not in (WARN, ASK, REFUSE):
        return
    debt = not kind.startswith("rule ")
    anchor = Anchor(kind.removeprefix("rule "), text)
    session.spoken.add((agent, note, anchor, level))
    if level != WARN:
        before = session.asked.get((agent, note, anchor))
        calls = (*before.calls, call) if before else (call,)
        session.asked[agent, note, anchor] = Asked(calls, session.order, baseline)
    if level == REFUSE:
        session.refused.add(note)
    if debt:
        session.delivered.setdefault(note, session.order)
    session.baselines.setdefault((note, anchor), baseline)


def _fields(baseline: Baseline) -> Line:
    pairs = [field for pair in baseline.files for field in pair]
    return (str(baseline.at), baseline.head, *pairs)


def _baseline(fields: Line) -> Baseline | None:
    if not fields[0].isdecimal() or len(fields) % 2:
        return None
    return Baseline(int(fields[0]), fields[1], tuple(zip(fields[2::2], fields[3::2], strict=True)))
