"""From what a note or a person wrote to a condition, with every refusal that can be seen in the text.

A condition that is not understood is an error, never "no condition": a debt that nothing can pay, or
that everything pays, is worse than none.
"""

from __future__ import annotations

import re

from memwarden.core.condition import (
    KINDS,
    MOST_DEEP,
    Combined,
    CommandTest,
    DataTest,
    DateTest,
    PathTest,
    TagTest,
    TextTest,
    VersionTest,
)
from memwarden.core.data_files import known_names, may_be_data
from memwarden.core.dates import is_date
from memwarden.core.paths import check_path, normal
from memwarden.core.record import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from memwarden.core.condition import Condition

INVALID = "M106"
LEAVES = "M108"

LONGEST_TIMEOUT = 3600
MOST_RUNS = 100
# Letters, digits and signs without a meaning in RE2, and the dot: valid, and true of no empty text.
PLAIN_PATTERN = re.compile(r"""[\w ./:;,='"<>@#%&!~`-]*\w[\w ./:;,='"<>@#%&!~`-]*""", re.ASCII)
OPPOSITES = {"file_contains": "file_lacks", "file_lacks": "file_contains"}


class Problem(NamedTuple):
    """One reason why a condition is refused; ``key`` is the key path to it (``condition.all[1].path``)."""

    key: str
    message: str
    fix: str = ""
    code: str = INVALID


def read_condition(raw: object, key: str) -> tuple[Condition | None, list[Problem]]:
    """The condition that ``raw`` (text, lists and mappings) writes, or None with every problem."""
    problems: list[Problem] = []
    condition = _read(raw, key, 0, False, problems)
    return (None if problems else condition), problems


def nearest(name: str, known: Sequence[str]) -> str:
    """``(did you mean x?)`` where one of the known names is close, else the list of them."""
    from difflib import get_close_matches  # only a refusal pays for it

    close = get_close_matches(name.lower().replace("-", "_"), known, 1) or get_close_matches(name, known, 1)
    return f"did you mean {close[0]}?" if close else "known: " + ", ".join(known)


def _read(raw: object, key: str, depth: int, negated: bool, problems: list[Problem]) -> Condition | None:
    if not isinstance(raw, dict) or not raw:
        problems.append(Problem(key, "a condition is a mapping with one predicate", _example()))
        return None
    if len(raw) > 1:
        names = ", ".join(str(name) for name in raw)
        problems.append(
            Problem(key, f"a condition has one predicate, not {len(raw)} ({names})", "use all: or any:")
        )
        return None
    kind, value = next(iter(raw.items()))
    place = f"{key}.{kind}"
    if kind not in KINDS:
        problems.append(Problem(key, f"unknown predicate {kind!r}", nearest(str(kind), KINDS)))
        return None
    if kind in ("all", "any", "not"):
        return _combined(kind, value, place, depth + 1, negated, problems)
    if negated and kind in OPPOSITES:
        problems.append(
            Problem(place, f"not over {kind} would hold for a missing file", f"use {OPPOSITES[kind]} instead")
        )
        return None
    return _READERS[kind](value, place, problems)


def _example() -> str:
    return "for example: file_contains: {path: src/x.py, pattern: new_name}"


def _combined(
    kind: str, value: object, key: str, depth: int, negated: bool, problems: list[Problem]
) -> Condition | None:
    if depth > MOST_DEEP:
        problems.append(Problem(key, f"conditions nest at most {MOST_DEEP} deep"))
        return None
    if kind == "not":
        part = _read(value, key, depth, True, problems)
        return Combined("not", (part,)) if part else None
    if not isinstance(value, list) or not value:
        problems.append(Problem(key, f"{kind} takes a list of at least one condition"))
        return None
    parts = [_read(item, f"{key}[{index}]", depth, negated, problems) for index, item in enumerate(value)]
    return Combined(kind, tuple(part for part in parts if part))


def _path_test(kind: str) -> Callable[[object, str, list[Problem]], Condition | None]:
    def read(value: object, key: str, problems: list[Problem]) -> Condition | None:
        path = _path(value, key, problems)
        if path and ("*" in path or "?" in path):
            problems.append(Problem(key, f"{kind} takes one path, not a glob"))
        return PathTest(kind, path)

    return read


def _text_test(kind: str) -> Callable[[object, str, list[Problem]], Condition | None]:
    def read(value: object, key: str, problems: list[Problem]) -> Condition | None:
        facts = _mapping(value, key, ("path", "pattern", "text"), ("path",), problems)
        if facts is None:
            return None
        path = _path(facts["path"], key + ".path", problems)
        pattern, literal = _pattern(facts, key, problems)
        return TextTest(kind, path, pattern, literal)

    return read


def _data_test(value: object, key: str, problems: list[Problem]) -> Condition | None:
    facts = _mapping(value, key, ("path", "key", "pattern", "text"), ("path", "key"), problems)
    if facts is None:
        return None
    path = _path(facts["path"], key + ".path", problems)
    if path and not may_be_data(path):
        what = f"{path!r} is not by its name a file of TOML, JSON or YAML, so no key leads into it"
        problems.append(Problem(key + ".path", what, f"known: {known_names()}; else use file_contains"))
    dotted = _text(facts["key"], key + ".key", "the dotted key", problems)
    pattern, literal = _pattern(facts, key, problems)
    return DataTest("data_matches", path, dotted, pattern, literal)


def _version_test(value: object, key: str, problems: list[Problem]) -> Condition | None:
    facts = _mapping(value, key, ("of", "is"), ("of", "is"), problems)
    if facts is None:
        return None
    name = _text(facts["of"], key + ".of", "the name", problems)
    within = _text(facts["is"], key + ".is", "the version specifier", problems)
    if within:
        from packaging.specifiers import InvalidSpecifier, SpecifierSet  # only version conditions need it

        try:
            SpecifierSet(within)
        except InvalidSpecifier:
            problems.append(
                Problem(key + ".is", f"{within!r} is not a PEP 440 version specifier", "for example: >=2.32")
            )
    return VersionTest("version", name, within)


def _tag_test(value: object, key: str, problems: list[Problem]) -> Condition | None:
    glob = _text(value, key, "the tag glob", problems)
    if glob and not glob.strip("*"):
        problems.append(Problem(key, "git_tag: * holds for every tag", "for example: git_tag: v2.*"))
    return TagTest("git_tag", glob)


def _date_test(value: object, key: str, problems: list[Problem]) -> Condition | None:
    date = _text(value, key, "the date", problems)
    if date and not is_date(date):
        problems.append(Problem(key, f"{date!r} is not a date", "write it as 2026-11-30"))
    return DateTest("after", date)


def _command_test(value: object, key: str, problems: list[Problem]) -> Condition | None:
    facts = _mapping(value, key, ("run", "timeout", "runs", "expect"), ("run",), problems)
    if facts is None:
        return None
    return CommandTest(
        "command",
        _words(facts["run"], key + ".run", problems),
        _number(facts.get("timeout", 0), key + ".timeout", 1, LONGEST_TIMEOUT, problems)
        if "timeout" in facts
        else 0,
        _number(facts.get("runs", 1), key + ".runs", 1, MOST_RUNS, problems),
        _number(facts.get("expect", 0), key + ".expect", 0, 255, problems),
    )


_READERS: dict[str, Callable[[object, str, list[Problem]], Condition | None]] = {
    "file_exists": _path_test("file_exists"),
    "file_absent": _path_test("file_absent"),
    "file_contains": _text_test("file_contains"),
    "file_lacks": _text_test("file_lacks"),
    "data_matches": _data_test,
    "version": _version_test,
    "git_tag": _tag_test,
    "after": _date_test,
    "command": _command_test,
}


def _mapping(
    value: object, key: str, known: tuple[str, ...], required: tuple[str, ...], problems: list[Problem]
) -> dict[str, Any] | None:
    """``value`` as a mapping of known keys that has the required ones."""
    kind = key.rsplit(".", 1)[-1]
    if not isinstance(value, dict):
        problems.append(Problem(key, f"{kind} takes a mapping with " + ", ".join(required)))
        return None
    before = len(problems)
    for name in value:
        if name not in known:
            problems.append(
                Problem(f"{key}.{name}", f"{kind} has no key {name!r}", nearest(str(name), known))
            )
    for name in required:
        if name not in value:
            problems.append(Problem(key, f"{kind} lacks {name}"))
    return value if len(problems) == before else None


def _text(value: object, key: str, what: str, problems: list[Problem]) -> str:
    if not isinstance(value, str) or not value.strip():
        problems.append(
            Problem(key, f"{what} is empty" if isinstance(value, str) else f"{what} must be text")
        )
        return ""
    return value


def _path(value: object, key: str, problems: list[Problem]) -> str:
    path = _text(value, key, "the path", problems)
    if not path:
        return ""
    reason = check_path(path)
    if reason:
        problems.append(Problem(key, f"{path!r} {reason}", "name a file inside the repository", LEAVES))
        return ""
    path = normal(path)
    if path.split("/", 1)[0].lower() == "memory":
        problems.append(
            Problem(
                key,
                f"{path!r} is in memory/, which never satisfies a condition",
                "name a file of the project",
            )
        )
    return path


def _pattern(facts: dict[str, Any], key: str, problems: list[Problem]) -> tuple[str, bool]:
    if ("pattern" in facts) == ("text" in facts):
        problems.append(Problem(key, "write one of pattern (a regular expression) or text (as it stands)"))
        return "", False
    if "text" in facts:
        return _text(facts["text"], key + ".text", "the text to find", problems), True
    pattern = facts["pattern"]
    if not isinstance(pattern, str):
        problems.append(Problem(key + ".pattern", "the pattern must be text"))
        return "", False
    if len(pattern) < 200 and PLAIN_PATTERN.fullmatch(pattern):
        return pattern, False
    from memwarden.edit.pattern import check_pattern  # re2: only patterns that need judging pay for it

    reason = check_pattern(pattern)
    if reason:
        problems.append(Problem(key + ".pattern", f"the pattern {pattern[:80]!r} {reason}"))
    return pattern, False


def _words(value: object, key: str, problems: list[Problem]) -> tuple[str, ...]:
    words: list[object]
    if isinstance(value, str):
        from shlex import split as split_words

        try:
            words = list(split_words(value))
        except ValueError as error:
            problems.append(Problem(key, f"the command does not split into words: {error}"))
            return ()
    else:
        words = value if isinstance(value, list) else []
    texts = tuple(word for word in words if isinstance(word, str))
    if not texts or len(texts) != len(words) or not texts[0].strip():
        problems.append(
            Problem(key, "run is a list of words, or a string of them", "for example: [pytest, -q]")
        )
    elif any("\0" in word for word in texts):
        problems.append(Problem(key, "a word of the command has a NUL character"))
    return texts


def _number(value: object, key: str, least: int, most: int, problems: list[Problem]) -> int:
    text = str(value)
    if isinstance(value, bool) or not (text.isascii() and text.isdigit() and len(text) < 10):
        problems.append(Problem(key, f"{text!r} is not a whole number from {least} to {most}"))
        return least
    if not least <= int(text) <= most:
        problems.append(Problem(key, f"{text} is outside {least} to {most}"))
    return int(text)
