"""The YAML that nearly every note is written in, read without a YAML parser.

One key a line, its value beside it as a plain or a quoted text, as a flow list or mapping of simple words,
or below it as a list or a mapping one level deep.  That takes a tenth of what composing nodes takes, and
most commands then never load the parser.  Whatever is not certainly of this form, wrong YAML too, is None
here and left to :mod:`memwarden.edit.frontmatter`; a property test holds the two equal.
"""

from __future__ import annotations

import re

from memwarden.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

LONGEST_LINE = 1000  # YAML bounds the length of what may be a key

_LINE = re.compile(r"( *)(- )?(?:([A-Za-z_][A-Za-z0-9_-]*):(?: |$))?(.*)")
# In a flow list and a flow mapping only words that mean nothing to YAML.
_WORD = r"[A-Za-z0-9_./][A-Za-z0-9_./*-]*"
_FLOW_LIST = re.compile(rf"\[{_WORD}(?:, {_WORD})*\]")
_FLOW_MAPPING = re.compile(rf"\{{[A-Za-z_]+: {_WORD}(?:, [A-Za-z_]+: {_WORD})*\}}")
_STARTS_PLAIN = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./")


def plain_values(block: str) -> dict[str, Any] | None:
    """What a block of frontmatter holds; None for what only a YAML parser can tell."""
    if not block.replace("\n", "").isprintable():
        return None
    values: dict[str, Any] = {}
    inner: Any = None  # the list or mapping below ``last``, whose lines are indented by ``depth``
    last = ""
    depth = -1
    match = _LINE.fullmatch
    for line in block.removesuffix("\n").split("\n"):
        found = match(line)
        if found is None or len(line) > LONGEST_LINE:
            return None
        blanks, dash, key, rest = found.groups()
        indent = len(blanks)
        if not dash and not indent:
            if key is None or key in values:
                return None
            last, inner, depth = key, None, -1 if not rest else -2
        elif not last or depth == -2 or (depth >= 0 and indent != depth):
            return None  # below a value, or further in or out than the line before
        elif depth < 0:
            depth, inner = indent, [] if dash else {}
            values[last] = inner
        value = _value(rest)
        if value is None:
            return None
        if not dash and not indent:
            values[key] = value
        elif dash:
            if inner.__class__ is not list or not rest:
                return None
            inner.append(value if key is None else {key: value})
        else:
            if inner.__class__ is not dict or key is None or key in inner or not rest:
                return None
            inner[key] = value
    return values


def _value(text: str) -> Any:
    """What stands after a key or a dash; None where that is not certain."""
    if not text:
        return ""
    first = text[0]
    if first in _STARTS_PLAIN:
        if ": " in text or " #" in text or text[-1] in " :":
            return None
        return text
    if first in "\"'":
        inside = text[1:-1]
        return inside if len(text) > 1 and text[-1] == first and _is_literal(inside, first) else None
    if first == "[" and _FLOW_LIST.fullmatch(text):
        return text[1:-1].split(", ")
    if first == "{" and _FLOW_MAPPING.fullmatch(text):
        pairs = [pair.partition(": ") for pair in text[1:-1].split(", ")]
        found = {key: value for key, _, value in pairs}
        return found if len(found) == len(pairs) else None
    return None


def _is_literal(inside: str, quote: str) -> bool:
    return quote not in inside and "\\" not in inside
