"""The words of one delivery: facts about a recorded note, never orders, and nothing that hides or forges.

A note's text is quoted line by line, so that no body can pass for another note or for the host's own
words; control characters become visible and secrets are masked.  Every delivery comes through here, so
the module imports next to nothing and takes whatever has a note's and an anchor's fields.
"""

from memwarden.core.secret_signs import may_hold_secret
from memwarden.core.visible import plain, visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Protocol

    class Told(Protocol):
        """What is told of a note; ``condition`` is a record, or the plain tuple of one."""

        @property
        def id(self) -> str: ...
        @property
        def path(self) -> str: ...
        @property
        def title(self) -> str: ...
        @property
        def lifecycle(self) -> str: ...
        @property
        def created(self) -> str: ...
        @property
        def condition(self) -> Any: ...

    class Touched(Protocol):
        """An anchor."""

        @property
        def kind(self) -> str: ...
        @property
        def text(self) -> str: ...


FRAME = "Recorded project memory about what this tool call touches. It is context, not permission."
# The characters that may come with the deliveries of an answer: its frame, and the lines at its end.
FRAMING = 400

# Words of ``core.note`` and of ``core.turn.session``, whose records a telling has no need of.
DEBT = "debt"
WARN, REFUSE = "warn", "refuse"


def told_text(
    note: "Told", level: str, anchor: "Touched", misses: int, body: str, seen: str = "", came_back: str = ""
) -> str:
    """What is told about one note.

    ``seen`` says what judging its condition saw; ``came_back`` is the date of a payment that no longer
    holds.
    """
    lines = [_headline(note, anchor)]
    if note.lifecycle == DEBT:
        lines += _account(note, misses, seen, came_back)
    if level != WARN:
        lines.append(_why_asked(misses, level))
    told = visible(_discreet(body)).strip("\n")
    # A body that is its title alone has been told by the headline.
    quoted = [] if told == f"# {note.title}" else [f"> {line}".rstrip() for line in told.split("\n")]
    return "\n".join([_discreet(plain(line)) for line in lines] + quoted)


def framed(texts: "Sequence[str]", omitted: int = 0) -> str:
    """What the model reads: every delivery's text, framed; "" where there is none."""
    if not texts and not omitted:
        return ""
    parts = [FRAME, *texts]
    if omitted:
        noun = "note does" if omitted == 1 else "notes do"
        parts.append(f"{omitted} more {noun} not fit here; mem touch or mem list --anchor shows them.")
    return "\n\n".join(parts)


def _headline(note: "Told", anchor: "Touched") -> str:
    what = "Debt" if note.lifecycle == DEBT else "Rule"
    touched = f"the command /{anchor.text}/" if anchor.kind == "command" else anchor.text
    return f"{what} {note.id} ({note.path}), recorded for {touched}: {note.title}"


def _account(note: "Told", misses: int, seen: str, came_back: str) -> list[str]:
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
        from memwarden.core.turn.wording import in_words  # only a debt has a condition

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


def _discreet(text: str) -> str:
    if not may_hold_secret(text):
        return text
    from memwarden.core.secrets import redact  # regular expressions, for the few that may hold one

    return redact(text)
