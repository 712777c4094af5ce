"""The words of a delivery: facts about recorded notes, never orders, and nothing that hides or forges.

A note's text is quoted line by line, so that no body can pass for another note or for the host's own
words; control characters become visible and secrets are masked.
"""

from __future__ import annotations

from memwarden.core.note import DEBT
from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.core.turn.session import ASK, REFUSE, WARN
from memwarden.core.visible import plain, visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memwarden.core.note import Anchor, Note

FRAME = "Recorded project memory about what this tool call touches. It is context, not permission."


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


def told_text(
    note: Note, level: str, anchor: Anchor, misses: int, body: str, seen: str = "", came_back: str = ""
) -> str:
    """What is told about one note.

    ``seen`` says what judging its condition saw; ``came_back`` is the date of a payment that no longer
    holds.
    """
    from memwarden.core.secrets import redact

    lines = [_headline(note, anchor)]
    if note.lifecycle == DEBT:
        lines += _account(note, misses, seen, came_back)
    if level in (ASK, REFUSE):
        lines.append(_why_asked(misses, level))
    told = visible(redact(body)).strip("\n")
    # A body that is its title alone has been told by the headline.
    quoted = [] if told == f"# {note.title}" else [f"> {line}".rstrip() for line in told.split("\n")]
    return "\n".join([redact(plain(line)) for line in lines] + quoted)


def _headline(note: Note, anchor: Anchor) -> str:
    what = "Debt" if note.lifecycle == DEBT else "Rule"
    touched = f"the command /{anchor.text}/" if anchor.kind == "command" else anchor.text
    return f"{what} {note.id} ({note.path}), recorded for {touched}: {note.title}"


def _account(note: Note, misses: int, seen: str, came_back: str) -> list[str]:
    from memwarden.core.turn.wording import in_words

    since = f" since {note.created}" if note.created else ""
    times = {0: "", 1: ", left unpaid once after its anchor was written"}.get(
        misses, f", left unpaid {misses} times after its anchor was written"
    )
    lines = [f"Owed{since}{times}."]
    if came_back:
        lines.append(f"It was paid on {came_back}, and that payment no longer holds.")
    if note.condition is None:
        lines.append(f"It ends when someone declares it paid (mem pay {note.id}).")
    else:
        now = f" Now: {seen}." if seen else ""
        lines.append(f"It is paid when {in_words(note.condition)}.{now}")
    return lines


def _why_asked(misses: int, level: str) -> str:
    if level == REFUSE:
        return (
            f"The project asks a person before this write, because the debt was left unpaid {misses} times; "
            "nobody can be asked here."
        )
    return f"The project asks a person before this write, because the debt was left unpaid {misses} times."


def context_text(deliveries: Sequence[Delivery], omitted: int) -> str:
    """What the model reads: every delivery, framed; "" where there is none."""
    if not deliveries and not omitted:
        return ""
    parts = [FRAME, *(delivery.text for delivery in deliveries)]
    if omitted:
        noun = "note does" if omitted == 1 else "notes do"
        parts.append(f"{omitted} more {noun} not fit here; mem touch or mem list --anchor shows them.")
    return "\n\n".join(parts)


def ask_text(deliveries: Sequence[Delivery], level: str = ASK) -> str:
    """What the person who decides reads: all asks in one; "" where there is none."""
    asks = [delivery.text for delivery in deliveries if delivery.level == level]
    return "\n\n".join(asks)


def refusal_text(deliveries: Sequence[Delivery], again: bool) -> str:
    """What stands in place of an ask where nobody can answer one; ``again``: the same call made once
    more goes through."""
    text = ask_text(deliveries, REFUSE)
    if not text:
        return ""
    last = "The same call, made again, is let through." if again else "This stays so until the debt is paid."
    return f"{text}\n\n{last}"


def order_key(delivery: Delivery) -> tuple[int, int, str, str]:
    """Asks first, then debts by misses, then rules, then by path and ID."""
    rung = 0 if delivery.level != WARN else 1 if delivery.lifecycle == DEBT else 2
    return rung, -delivery.misses, delivery.path, delivery.id
