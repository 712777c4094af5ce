"""The deliveries of one touch, put together: for the model, for the person who decides, in order."""

from __future__ import annotations

from memwarden.core.note import DEBT
from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.core.turn.session import ASK, REFUSE, WARN
from memwarden.core.turn.telling import FRAMING as FRAMING
from memwarden.core.turn.telling import framed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memwarden.core.note import Anchor


class Delivery(NamedTuple):
    """One note as it is told: ``level`` is ``warn``, ``ask`` or ``refuse``."""

    id: str
    level: str
    anchor: Anchor
    title: str
    text: str
    path: str = ""
    lifecycle: str = DEBT
    misses: int = 0
    tokens: int = 0


def context_text(deliveries: Sequence[Delivery], omitted: int) -> str:
    """What the model reads: every delivery, framed; "" where there is none."""
    return framed([delivery.text for delivery in deliveries], omitted)


def characters(text: str) -> int:
    """How many characters of a text hosts count: UTF-16 units, as JavaScript has them."""
    return len(text) if text.isascii() else len(text) + sum(char > "\uffff" for char in text)


def ask_text(deliveries: Sequence[Delivery], waiting: int = 0, level: str = ASK) -> str:
    """What the person who decides reads: all asks in one, and how many more are ``waiting`` for the room;
    "" where there is none."""
    asks = [delivery.text for delivery in deliveries if delivery.level == level]
    if asks and waiting:
        noun = "debt that asks does" if waiting == 1 else "debts that ask do"
        asks.append(f"{waiting} more {noun} not fit here; mem debts shows all.")
    return "\n\n".join(asks)


def refusal_text(deliveries: Sequence[Delivery], again: bool, waiting: int = 0) -> str:
    """What stands in place of an ask where nobody can answer one; ``again``: the same call made once
    more goes through."""
    text = ask_text(deliveries, waiting, REFUSE)
    if not text:
        return ""
    last = "The same call, made again, is let through." if again else "This stays so until the debt is paid."
    if again and waiting:
        last = "The same call, made again, is let through when each of them was told once."
    return f"{text}\n\n{last}"


def order_key(delivery: Delivery) -> tuple[int, int, str, str]:
    """Asks first, then debts by misses, then rules, then by path and ID."""
    rung = 0 if delivery.level != WARN else 1 if delivery.lifecycle == DEBT else 2
    return rung, -delivery.misses, delivery.path, delivery.id
