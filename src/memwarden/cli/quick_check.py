"""A quick door for ``mem check``, past the parser.

Paths, other ways of printing, another state than the tree or the index, and whatever is not plainly right
are left to the parser.  Either way the same function answers.
"""

from __future__ import annotations

from memwarden.cli.check_request import Wanted, check_memory
from memwarden.cli.plain_words import COMMON_FLAGS, Options, answered, common_of
from memwarden.cli.plain_words import taken_apart as parted
from memwarden.core.dates import is_date
from memwarden.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from memwarden.cli.stage import Common

OPTIONS = Options(frozenset({"--now"}), frozenset(), COMMON_FLAGS | {"--staged", "--strict"})


def run(words: list[str]) -> int:
    """The exit code of ``mem WORDS``, which begin with ``check``."""
    given = taken_apart(words[1:])
    if given is None:
        from memwarden.cli.app import run as parsed  # what this door is for is not to load it

        return parsed(words)
    common, wanted = given
    return answered("check", common, lambda command: check_memory(command, wanted))


def taken_apart(words: list[str]) -> tuple[Common, Wanted] | None:
    """What the words ask for; None for words that are not plainly those of a check."""
    found = parted(words, OPTIONS)
    if found is None:
        return None
    given, paths = found
    if paths or ("now" in given and not is_date(given["now"])):
        return None
    common = common_of(given)
    return common, Wanted(**given)
