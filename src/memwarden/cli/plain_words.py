"""Words of a command line taken apart by hand, for a fifth of what the parser costs.

Whatever is not plainly right (help, a mistake, an option of another version) is left to the parser, which
says what is wrong.  Each quick door has a table of its options, held equal to the parser's own by a test.
"""

from __future__ import annotations

from memwarden.cli.stage import Common, failed
from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.errors import MemError

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

COMMON_TEXTS = frozenset({"--root", "--now"})
COMMON_FLAGS = frozenset({"--json", "--quiet", "-q", "--no-color"})


class Options(NamedTuple):
    """The options of a command: with a text, with one text or more, without."""

    texts: frozenset[str]
    lists: frozenset[str]
    flags: frozenset[str]


class Command:
    """The running command, as far as the rest of the program asks."""

    def __init__(self, name: str, common: Common) -> None:
        self.info_name: str | None = name
        self.obj: Any = common


def taken_apart(words: list[str], options: Options) -> tuple[dict[str, Any], list[str]] | None:
    """The options by name, and the other words; None for words that are not plainly right."""
    given: dict[str, Any] = {}
    rest = list(reversed(words))
    others: list[str] = []
    while rest:
        word = rest.pop()
        if word == "--":
            others += reversed(rest)
            break
        if not word.startswith("-") or word == "-":
            others.append(word)
            continue
        name, equals, value = word.partition("=")
        if name in options.flags and not equals:
            given["quiet" if name == "-q" else _key(name)] = True
            continue
        if name not in options.texts and name not in options.lists:
            return None
        if not equals:
            if not rest:
                return None
            value = rest.pop()
        if name in options.lists:
            given.setdefault(_key(name), []).append(value)
        else:
            given[_key(name)] = value
    return (given, others) if _with_seconds(given) else None


def common_of(given: dict[str, Any]) -> Common:
    """The common options, taken out of those that were given."""
    return Common(
        given.pop("root", ""),
        given.pop("now", ""),
        given.pop("json", False),
        given.pop("quiet", False),
        not given.pop("no_color", False),
    )


def answered(verb: str, common: Common, answer: Callable[[Command], int]) -> int:
    """The exit code of a command that came in by a quick door, however it ends."""
    try:
        return answer(Command(verb, common))
    except MemError as error:
        return failed(error, verb, common.json)
    except (Exception, KeyboardInterrupt) as error:
        from memwarden.cli.app import ended  # rare, and it loads the parser

        return ended(error, verb, common.json)


def _with_seconds(given: dict[str, Any]) -> bool:
    """Turn the seconds into a number; False where they are none."""
    if "lock_timeout" in given:
        try:
            given["lock_timeout"] = float(given["lock_timeout"])
        except ValueError:
            return False
    return True


def _key(option: str) -> str:
    return option.lstrip("-").replace("-", "_")
