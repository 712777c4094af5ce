"""Conditions on structured data: text at a dotted key of a TOML, JSON or YAML file.

Scalars are compared as they were written (``1.10`` stays ``1.10``): numbers are not read as numbers.
"""

from __future__ import annotations

from memwarden.core.condition import CANNOT_TELL, FAILS, HOLDS, DataTest, Verdict
from memwarden.core.data_files import JSON, LOCK, TOML, YAML, data_kind
from memwarden.core.record import TYPE_CHECKING
from memwarden.core.workspace import Unreadable
from memwarden.judge.files import finder
from memwarden.judge.reader import MOST_ITEMS, Reader, excerpt, is_glob

if TYPE_CHECKING:
    from typing import Any

MOST_YAML = 1 << 20


def judge_data(test: DataTest, reader: Reader) -> Verdict:
    """``data_matches``: some file that the path means has matching text at the key."""
    find = finder(test.pattern, test.literal)
    try:
        key = parse_key(test.key)
    except ValueError as error:
        raise Unreadable(str(error)) from None
    targets = reader.targets(test.path)
    if not targets:
        what = "matches no file" if is_glob(test.path) else "is not there"
        return Verdict(FAILS, f"{test.path} {what}", ({"path": test.path, "note": what},))
    blocked: list[str] = []
    items: list[dict[str, Any]] = []
    seen = ""
    for path in targets:
        try:
            texts = scalars(documents(path, reader.text(path)), key)
        except Unreadable as reason:
            blocked.append(f"{path} {reason}")
            items.insert(0, {"path": path, "note": str(reason)})
            continue
        for text in texts:
            if (start := find(text)) is not None:
                item = reader.item(path, "matches") | {"key": test.key, "excerpt": excerpt(text, start)}
                return Verdict(HOLDS, f"{path}: {test.key} matches", (item,))
        seen = f"{test.key} is {excerpt(texts[0])!r}" if texts else f"has no text at {test.key}"
        items.append(reader.item(path, seen) | {"key": test.key})
    if blocked:
        return Verdict(CANNOT_TELL, blocked[0], tuple(items[:MOST_ITEMS]))
    where = targets[0] if len(targets) == 1 else f"{len(targets)} files"
    return Verdict(FAILS, f"{where}: {seen}", tuple(items[:MOST_ITEMS]))


def parse_key(text: str) -> tuple[str, ...]:
    """The steps of a dotted key: ``a.b``, ``a."x.y"``, ``a\\.b``, ``a[0]``, ``a.0``.

    Raises ``ValueError``, saying what is wrong, for a key that cannot be one.
    """
    steps: list[str] = []
    word: list[str] = []
    at, fresh, quoted = 0, True, False
    while at < len(text):
        char = text[at]
        if char == "\\":
            if at + 1 == len(text):
                raise ValueError(f"the key {text} ends in a lone backslash")
            word.append(text[at + 1])
            at += 1
        elif char in "\"'" and fresh and not word:
            end = text.find(char, at + 1)
            if end < 0:
                raise ValueError(f"the key {text} has an unclosed quote")
            word.append(text[at + 1 : end])
            at, quoted = end, True
        elif char == ".":
            if not word and not quoted and fresh:
                raise ValueError(f"the key {text} has an empty step")
            if word or quoted:
                steps.append("".join(word))
            word, fresh, quoted = [], True, False
            at += 1
            continue
        elif char == "[" and (end := text.find("]", at)) > 0 and text[at + 1 : end].isdecimal():
            if word or quoted:
                steps.append("".join(word))
            steps.append(text[at + 1 : end])
            word, fresh, quoted = [], False, False
            at = end + 1
            continue
        else:
            word.append(char)
        fresh = False
        at += 1
    if not word and not quoted and fresh:
        raise ValueError(f"the key {text!r} has an empty step")
    if word or quoted:
        steps.append("".join(word))
    return tuple(steps)


def documents(path: str, text: str) -> list[Any]:
    """The documents of a data file; YAML may hold several.  Raises :class:`Unreadable`."""
    text = str(text)  # parsers in C take no subclass
    kind = data_kind(path)
    if kind == LOCK:
        kind = JSON if text.lstrip().startswith("{") else TOML
    try:
        if kind == TOML:
            import tomllib  # each parser only where such a file is asked about

            return [tomllib.loads(text, parse_float=str)]
        if kind == JSON:
            import json

            return [json.loads(text, parse_int=str, parse_float=str, parse_constant=str)]
        if kind == YAML:
            return _yaml(text)
    except (ValueError, RecursionError) as error:
        what = "is nested too deeply" if isinstance(error, RecursionError) else "does not parse"
        raise Unreadable(f"{what} as {kind.upper()}") from None
    raise Unreadable("is not a TOML, JSON or YAML file")


def _yaml(text: str) -> list[Any]:
    """Scalars stay text and tags are ignored, so nothing is constructed; aliases are shared, not copied."""
    if len(text) > MOST_YAML:
        raise Unreadable("is YAML of more than 1 MiB")
    import yaml

    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    try:
        return list(yaml.load_all(text, Loader=loader))
    except yaml.YAMLError:
        raise ValueError("not YAML") from None


def scalars(found: list[Any], key: tuple[str, ...]) -> list[str]:
    """The text at ``key`` in each document: a scalar, or the scalars of a list."""
    texts: list[str] = []
    for document in found:
        value = document
        for step in key:
            value = _step(value, step)
            if value is None:
                break
        for one in value if isinstance(value, list) else [value]:
            if one is not None and not isinstance(one, dict | list):
                texts.append(_as_text(one))
    return texts


def _step(value: Any, step: str) -> Any:
    if isinstance(value, dict):
        found = value.get(step)
        # JSON's null is a value that was written, unlike a key that is not there.
        return "null" if found is None and step in value else found
    if isinstance(value, list) and step.isdecimal() and len(step) < 9 and int(step) < len(value):
        return value[int(step)]
    return None


def _as_text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else str(value)
