"""A quick door for ``mem purge`` and ``mem apply``, past the parser."""

from __future__ import annotations

from memwarden.cli.plain_words import (
    COMMON_FLAGS,
    COMMON_TEXTS,
    Command,
    Options,
    answered,
    common_of,
    taken_apart,
)
from memwarden.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

OPTIONS = {
    "purge": Options(
        COMMON_TEXTS | {"--subject", "--match", "--lock-timeout"}, frozenset(), COMMON_FLAGS | {"--apply"}
    ),
    "apply": Options(COMMON_TEXTS | {"--lock-timeout"}, frozenset(), COMMON_FLAGS),
}


def run(words: list[str]) -> int:
    """The exit code of ``mem WORDS``, which begin with one of these verbs."""
    verb = words[0]
    found = taken_apart(words[1:], OPTIONS[verb])
    if found is None or (verb == "apply" and len(found[1]) != 1):
        from memwarden.cli.app import run as parsed  # what this door is for is not to load it

        return parsed(words)
    given, others = found
    common = common_of(given)
    answer = _purge if verb == "purge" else _apply
    return answered(verb, common, lambda command: answer(command, others, given))


def _purge(command: Command, others: list[str], given: dict[str, Any]) -> int:
    from memwarden.cli.erase_request import purge_memory  # a plan of another kind needs none of it
    from memwarden.cli.from_here import note_said

    given.pop("lock_timeout", None)  # a preview takes no lock
    return purge_memory(command, [note_said(name) for name in others], **given)


def _apply(command: Command, others: list[str], given: dict[str, Any]) -> int:
    from memwarden.cli.apply_request import apply_plan

    return apply_plan(command, others[0], **given)
