"""Where things stand in a JSON text, so that one can be put in or taken out and every other byte stays.

The standard library reads JSON but forgets where it was.  Positions here come from its own decoder
(``raw_decode`` says where each value ends), so what counts as JSON is decided by it alone; comments,
trailing commas and duplicate keys are refused rather than lost.
"""

from __future__ import annotations

import json
from typing import Any

from memwarden.core.record import NamedTuple

_DECODER = json.JSONDecoder()
_BLANKS = " \t\r\n"


class Child(NamedTuple):
    """A member of an object (with its ``key``) or an element of an array: where it starts (at its key, if
    it has one), where its value starts, and where both end."""

    key: str
    start: int
    value: int
    end: int


class Insertion(NamedTuple):
    """Text to put in at an offset."""

    at: int
    text: str


class NotEditable(ValueError):
    """The text is not JSON that can be edited safely; the message says why."""


def parse(text: str) -> dict[str, Any]:
    """The object that a settings file holds.  Raises :class:`NotEditable` with the line."""
    try:
        value = json.loads(text, object_pairs_hook=_no_duplicates, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise NotEditable(f"line {error.lineno}: {error.msg}") from None
    except RecursionError:
        raise NotEditable("it is nested too deep") from None
    if not isinstance(value, dict):
        raise NotEditable("it is not an object")
    return value


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise NotEditable("it has a key twice")
    return found


def _no_constant(name: str) -> None:
    raise NotEditable(f"{name} is no JSON")


def root(text: str) -> int:
    """The offset of the outermost value."""
    return _skip(text, 0)


def children(text: str, at: int) -> list[Child]:
    """What the object or array that starts at ``at`` holds."""
    found = []
    named = text[at] == "{"
    here = _skip(text, at + 1)
    while text[here] not in "}]":
        start, key = here, ""
        if named:
            key, here = _DECODER.raw_decode(text, here)
            here = _skip(text, _skip(text, here) + 1)
        _, end = _DECODER.raw_decode(text, here)
        found.append(Child(key, start, here, end))
        here = _skip(text, end)
        if text[here] == ",":
            here = _skip(text, here + 1)
    return found


def child(text: str, at: int, key: str) -> Child | None:
    """The member called ``key`` of the object at ``at``."""
    return next((found for found in children(text, at) if found.key == key), None)


def adding(text: str, at: int, additions: list[tuple[str, Any]]) -> Insertion:
    """What puts ``additions`` (key and value; the key is "" in an array) at the end of the container that
    starts at ``at``, in the text's own indentation and newlines."""
    there = children(text, at)
    newline = "\r\n" if "\r\n" in text else "\n"
    unit = _unit(text)
    if there and not _starts_line(text, there[-1].start):
        written = [_written(key, value, None, "", "") for key, value in additions]
        return Insertion(there[-1].end, "".join(", " + one for one in written))
    own = _indent(text, at)
    indent = _indent(text, there[-1].start) if there else own + unit
    written = [_written(key, value, unit, newline, indent) for key, value in additions]
    body = ("," + newline + indent).join(written)
    if there:
        return Insertion(there[-1].end, "," + newline + indent + body)
    blank = text[at + 1 : _skip(text, at + 1)]
    return Insertion(at + 1, newline + indent + body + ("" if "\n" in blank else newline + own))


def insert(text: str, insertions: list[Insertion]) -> tuple[str, list[tuple[int, int]]]:
    """The text with every insertion made, and the (start, length) of each in the new text."""
    spans, parts, last, grown = [], [], 0, 0
    for at, new in sorted(insertions):
        parts += [text[last:at], new]
        spans.append((at + grown, len(new)))
        grown += len(new)
        last = at
    return "".join((*parts, text[last:])), spans


def take_out(text: str, spans: list[tuple[int, int]]) -> str:
    """The text without the given (start, length) spans: the inverse of :func:`insert`."""
    for start, length in sorted(spans, reverse=True):
        text = text[:start] + text[start + length :]
    return text


def without(text: str, at: int, unwanted: list[int]) -> str:
    """The text without those children, by position, of the container that starts at ``at``."""
    for number in sorted(unwanted, reverse=True):
        there = children(text, at)
        gone = there[number]
        if number > 0:
            text = text[: there[number - 1].end] + text[gone.end :]
        elif len(there) > 1:
            text = text[: gone.start] + text[there[1].start :]
        else:
            text = text[: at + 1] + text[_skip(text, gone.end) :]
    return text


def _written(key: str, value: Any, unit: str | None, newline: str, indent: str) -> str:
    shown = json.dumps(value, ensure_ascii=False, indent=unit)
    if unit is not None:
        shown = shown.replace("\n", newline + indent)
    return f"{json.dumps(key, ensure_ascii=False)}: {shown}" if key else shown


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in _BLANKS:
        at += 1
    return at


def _indent(text: str, at: int) -> str:
    """The blanks at the start of the line that ``at`` is on."""
    start = text.rfind("\n", 0, at) + 1
    end = start
    while end < len(text) and text[end] in " \t":
        end += 1
    return text[start:end]


def _starts_line(text: str, at: int) -> bool:
    return text[text.rfind("\n", 0, at) + 1 : at].strip(" \t") == "" and "\n" in text[:at]


def _unit(text: str) -> str:
    """The text's own step of indentation; two blanks where it shows none."""
    start = root(text)
    there = children(text, start)
    if there and _starts_line(text, there[0].start):
        return _indent(text, there[0].start)[len(_indent(text, start)) :] or "  "
    return "  "
