"""One law for preview, apply and pre-commit: a change may add no error that was not there before."""

from __future__ import annotations

from collections.abc import Iterable

from memwarden.core.memory import Memory
from memwarden.core.neighbours import neighbourhood
from memwarden.core.record import NamedTuple
from memwarden.errors import ERROR, Finding
from memwarden.rules.checking import already_there, check
from memwarden.rules.scene import Context


class Judgement(NamedTuple):
    """What a change adds: errors, which forbid it, and the rest, which is worth a look."""

    errors: tuple[Finding, ...]
    others: tuple[Finding, ...]


def judge_change(before: Memory, after: Memory, context: Context, changed: Iterable[str]) -> Judgement:
    """What is wrong with the memory after a change of these files and was not before it; ``context`` is
    that of the memory after it, but for its base."""
    before, after = neighbourhood(before, after, changed)
    context = context._replace(base=before, recheck=False)
    old = check(before, context)
    new = check(after, context._replace(standings=None))
    added = [one for one, known in zip(new, already_there(new, old), strict=True) if not known]
    return Judgement(
        tuple(one for one in added if one.severity == ERROR),
        tuple(one for one in added if one.severity != ERROR),
    )
