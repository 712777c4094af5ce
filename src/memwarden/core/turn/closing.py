"""What the end of a turn comes to: debts that were written past are charged once, or paid."""

from __future__ import annotations

from memwarden.core.condition import FAILS, HOLDS
from memwarden.core.note import DEBT
from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.core.standing import OWED, SETTLED
from memwarden.core.turn.ladder import may_pay, rests_on_files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from memwarden.core.condition import Condition, Verdict
    from memwarden.core.note import Note
    from memwarden.core.standing import Standing
    from memwarden.core.turn.pending import Pending


class Due(NamedTuple):
    """A note that this turn concerns: was it delivered in the session, was its anchor written since
    (and which files, where they are known), and was it charged already?"""

    note: Note
    standing: Standing
    delivered: bool
    written: bool
    charged: bool = False
    paths: tuple[str, ...] = ()


class Closing(NamedTuple):
    """``missed`` are the debts to charge, ``paid`` and ``failed`` those whose verdict is to be recorded,
    ``doubtful`` the recorded payments that do not hold in the working tree: a regression where they do
    not hold at HEAD either."""

    missed: tuple[Due, ...] = ()
    paid: tuple[tuple[Note, Verdict], ...] = ()
    failed: tuple[tuple[Note, Verdict], ...] = ()
    doubtful: tuple[Note, ...] = ()


def decide(
    dues: Iterable[Due],
    pending: Pending,
    judge: Callable[[Note], Verdict],
    digest: Callable[[Condition | None], str],
) -> Closing:
    """Charge, pay, or leave alone, debt by debt; a rule is never charged."""
    missed: list[Due] = []
    paid: list[tuple[Note, Verdict]] = []
    failed: list[tuple[Note, Verdict]] = []
    doubtful: list[Note] = []
    for due in dues:
        note, standing = due.note, due.standing
        if note.lifecycle != DEBT:
            continue
        charge = due.delivered and due.written and not due.charged
        if standing.name == SETTLED:
            if rests_on_files(note, standing) and judge(note).state == FAILS:
                doubtful.append(note)
            continue
        if standing.name != OWED:
            continue
        if note.condition is None:
            missed += [due] if charge else []
            continue
        verdict = judge(note)
        key = digest(note.condition) if pending.verdicts else ""
        if pending.pays(note.id, key):
            missed += [due] if charge and verdict.state == FAILS else []
            continue
        if verdict.state == HOLDS and may_pay(standing, pending, note, key):
            paid.append((note, verdict))
            continue
        if verdict.state == FAILS and standing.awaits_red and not pending.fails(note.id, key):
            failed.append((note, verdict))
        missed += [due] if charge else []
    return Closing(tuple(missed), tuple(paid), tuple(failed), tuple(doubtful))
