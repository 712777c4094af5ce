"""A quick door for ``mem add``, past the parser."""

from __future__ import annotations

from memwarden.cli.add_request import Claims, Wording, add_note
from memwarden.cli.plain_words import COMMON_FLAGS, COMMON_TEXTS, Options, answered, common_of
from memwarden.cli.plain_words import taken_apart as parted
from memwarden.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

TEXTS = COMMON_TEXTS | {
    "--title", "--body", "--until", "--subject", "--facet", "--module", "--exception-to", "--verify",
    "--expires", "--not-before", "--lock-timeout",
}  # fmt: skip
LISTS = frozenset({"--anchor", "--on-command", "--evidence", "--supersedes", "--tag"})
FLAGS = COMMON_FLAGS | {"--debt", "--new-subject", "--candidate", "--apply"}


def quick_add(words: list[str]) -> int | None:
    """The exit code of ``mem add WORDS``, or None where the parser must look at them."""
    given = taken_apart(words)
    if given is None:
        return None
    common = common_of(given)
    wording = Wording(**{key: given.pop(key) for key in Wording._fields if key in given})
    return answered("add", common, lambda command: add_note(command, wording, Claims(**given)))


def taken_apart(words: list[str]) -> dict[str, Any] | None:
    """The options by name, and TEXT; None for words that are not plainly those of ``add``."""
    found = parted(words, Options(TEXTS, LISTS, FLAGS))
    if found is None or len(found[1]) > 1:
        return None
    given, others = found
    return {**given, "text": others[0]} if others else given
