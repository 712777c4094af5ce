"""A quick door for ``mem add``: its words taken apart by hand, for a fifth of what the parser costs.

Whatever is not plainly right here (help, a mistake, an option of another version) is left to the parser,
which says what is wrong.  The table below is held equal to the parser's own by a test.
"""

from __future__ import annotations

from memwarden.cli.add_request import Claims, Wording, add_note
from memwarden.cli.stage import Common, failed
from memwarden.core.record import TYPE_CHECKING
from memwarden.errors import MemError

if TYPE_CHECKING:
    from typing import Any

TEXTS = {
    "--title", "--body", "--until", "--subject", "--facet", "--module", "--exception-to", "--verify",
    "--expires", "--not-before", "--lock-timeout", "--root", "--now",
}  # fmt: skip
LISTS = {"--anchor", "--on-command", "--evidence", "--supersedes", "--tag"}
FLAGS = {"--debt", "--new-subject", "--candidate", "--apply", "--json", "--quiet", "-q", "--no-color"}


class Command:
    """The running command, as far as the rest of the program asks."""

    info_name: str | None = "add"

    def __init__(self, common: Common) -> None:
        self.obj: Any = common


def quick_add(words: list[str]) -> int | None:
    """The exit code of ``mem add WORDS``, or None where the parser must look at them."""
    given = taken_apart(words)
    if given is None:
        return None
    options = Common(
        given.pop("root", ""),
        given.pop("now", ""),
        given.pop("json", False),
        given.pop("quiet", False),
        not given.pop("no_color", False),
    )
    wording = Wording(**{key: given.pop(key) for key in Wording._fields if key in given})
    try:
        return add_note(Command(options), wording, Claims(**given))
    except MemError as error:
        return failed(error, "add", options.json)
    except (Exception, KeyboardInterrupt) as error:
        from memwarden.cli.app import ended  # rare, and it loads the parser

        return ended(error, "add", options.json)


def taken_apart(words: list[str]) -> dict[str, Any] | None:
    """The options by name, and TEXT; None for words that are not plainly those of ``add``."""
    given: dict[str, Any] = {}
    rest = list(reversed(words))
    texts: list[str] = []
    while rest:
        word = rest.pop()
        if word == "--":
            texts += reversed(rest)
            break
        if not word.startswith("-") or word == "-":
            texts.append(word)
            continue
        name, equals, value = word.partition("=")
        if name in FLAGS and not equals:
            given["quiet" if name == "-q" else _key(name)] = True
            continue
        if name not in TEXTS and name not in LISTS:
            return None
        if not equals:
            if not rest:
                return None
            value = rest.pop()
        if name in LISTS:
            given.setdefault(_key(name), []).append(value)
        else:
            given[_key(name)] = value
    if len(texts) > 1:
        return None
    if texts:
        given["text"] = texts[0]
    return _with_seconds(given)


def _with_seconds(given: dict[str, Any]) -> dict[str, Any] | None:
    if "lock_timeout" in given:
        try:
            given["lock_timeout"] = float(given["lock_timeout"])
        except ValueError:
            return None
    return given


def _key(option: str) -> str:
    return option.lstrip("-").replace("-", "_")
