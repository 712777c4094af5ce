"""A quick door for ``mem check``: its few plain words taken apart by hand.

Paths, other ways of printing, another state than the tree or the index, and whatever is not plainly right
are left to the parser.  Either way the same function answers.
"""

from __future__ import annotations

from memwarden.cli.check_request import Wanted, check_memory
from memwarden.cli.stage import Common, failed
from memwarden.core.dates import is_date
from memwarden.core.record import TYPE_CHECKING
from memwarden.errors import MemError

if TYPE_CHECKING:
    from typing import Any


class Command:
    """The running command, as far as the rest of the program asks."""

    info_name: str | None = "check"

    def __init__(self, common: Common) -> None:
        self.obj: Any = common


def run(words: list[str]) -> int:
    """The exit code of ``mem WORDS``, which begin with ``check``."""
    given = taken_apart(words[1:])
    if given is None:
        from memwarden.cli.app import run as parsed  # what this door is for is not to load it

        return parsed(words)
    common, wanted = given
    try:
        return check_memory(Command(common), wanted)
    except MemError as error:
        return failed(error, "check", common.json)
    except (Exception, KeyboardInterrupt) as error:
        from memwarden.cli.app import ended  # rare, and it loads the parser

        return ended(error, "check", common.json)


def taken_apart(words: list[str]) -> tuple[Common, Wanted] | None:
    """What the words ask for; None for words that are not plainly those of a check."""
    common, wanted = Common(), Wanted()
    rest = list(reversed(words))
    while rest:
        word = rest.pop()
        name, _, date = word.partition("=")
        if word == "--staged":
            wanted = wanted._replace(staged=True)
        elif word == "--strict":
            wanted = wanted._replace(strict=True)
        elif word == "--json":
            common = common._replace(json=True)
        elif word in ("--quiet", "-q"):
            common = common._replace(quiet=True)
        elif word == "--no-color":
            common = common._replace(color=False)
        elif name == "--now":
            date = rest.pop() if word == name and rest else date
            if not is_date(date):
                return None
            common = common._replace(now=date)
        else:
            return None
    return common, wanted
