"""What was seen but is not an event yet: payments, misses and failing verdicts that wait in private state.

Hooks do not dirty the working tree in the middle of work, so what they see waits here until a turn closes
at a quiet moment.  ``touch``, ``close``, ``debts`` and ``stats`` count it as if it were recorded.
"""

from __future__ import annotations

from memwarden.core.record import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from memwarden.core.turn.lines import Line

PAID = "paid"  # note, digest, at, actor kind, actor name, commit, branch, dirty, how, evidence as JSON
MISSED = "missed"  # note, at, actor kind, actor name, paths...
RECORDED = (
    "recorded"  # note, path of an event: the misses of the note before it are in there, where it is there
)
FAILED = "failed"  # note, digest, at, actor kind, actor name, commit, branch, dirty, evidence as JSON


class Seen(NamedTuple):
    """One verdict that waits to be recorded: a payment, or a failing one that must come before it."""

    kind: str
    note: str
    digest: str
    at: str
    actor: tuple[str, str]
    commit: str
    branch: str
    dirty: bool
    how: str
    evidence: str


class Pending:
    """Everything that waits, by note."""

    def __init__(self) -> None:
        self.verdicts: list[Seen] = []
        self.misses: dict[str, int] = {}
        self.paths: dict[str, dict[str, None]] = {}
        self.missers: dict[str, tuple[str, str]] = {}
        self._marks: set[tuple[str, str, str]] = set()

    def __bool__(self) -> bool:
        return bool(self.verdicts or self.misses)

    def pays(self, note: str, digest: str) -> bool:
        """Whether a payment of this condition waits."""
        return (PAID, note, digest) in self._marks

    def fails(self, note: str, digest: str) -> bool:
        """Whether a failing verdict of this condition waits."""
        return (FAILED, note, digest) in self._marks

    def take(self, line: Line) -> None:
        """Count one line; what is not understood is skipped."""
        if line[0] in (PAID, FAILED) and len(line) == 11:
            kind, note, digest, at, actor_kind, actor, commit, branch, dirty, how, evidence = line
            if (kind, note, digest) not in self._marks:
                self._marks.add((kind, note, digest))
                who = (actor_kind, actor)
                seen = Seen(kind, note, digest, at, who, commit, branch, dirty == "1", how, evidence)
                self.verdicts.append(seen)
        elif line[0] == MISSED and len(line) >= 5:
            note = line[1]
            self.misses[note] = self.misses.get(note, 0) + 1
            self.paths.setdefault(note, {}).update(dict.fromkeys(line[5:]))
            self.missers[note] = (line[3], line[4])


def fold(lines: Iterable[Line]) -> Pending:
    """What the lines add up to."""
    pending = Pending()
    for line in lines:
        pending.take(line)
    return pending


def unrecorded(lines: Iterable[Line], is_there: Callable[[str], bool]) -> list[Line]:
    """The lines without the misses that an event holds already: whoever wrote it was cut short before these
    could be taken out."""
    kept: list[Line] = []
    for line in lines:
        if line[0] != RECORDED:
            kept.append(line)
        elif len(line) == 3 and is_there(line[2]):
            kept = [one for one in kept if one[:2] != (MISSED, line[1])]
    return kept


def verdict_line(seen: Seen) -> Line:
    """The line that a verdict waits as; :func:`fold` reads it."""
    return (
        seen.kind,
        seen.note,
        seen.digest,
        seen.at,
        *seen.actor,
        seen.commit,
        seen.branch,
        "1" if seen.dirty else "0",
        seen.how,
        seen.evidence,
    )


def miss_line(note: str, at: str, actor: tuple[str, str], paths: Iterable[str]) -> Line:
    """The line that one miss of a debt waits as; ``paths`` are what was written past it."""
    return (MISSED, note, at, *actor, *paths)
