"""The YAML that nearly every note is written in, read without a YAML parser.

It reads mappings and lists in block style, nested by indentation; every key a plain word, every value on its
key's or dash's own line: plain text, quoted text whose only escapes are of the quote and the backslash, or a
flow list or mapping of words and quoted texts.

It is equal to the parser because it reads nothing else.  Such a line means the same wherever it stands, but
for how far it is indented, and of indentation only what YAML cannot take otherwise is followed: further in
below a key that has no value yet, further out to a column that is open.  Whatever is not certainly of this
form (comments, anchors, tags, block scalars, text on several lines, a key that stands twice, odd blanks,
wrong YAML too) is None here and left to :mod:`memwarden.edit.frontmatter`.  Every value is the text that was
typed, as there.  A property test holds the two equal over frontmatters made and mutated.
"""

from __future__ import annotations

import re

from memwarden.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

LONGEST_LINE = 1000  # YAML bounds the length of what may be a key
MOST_INDENT = 8  # and we bound how deep frontmatter nests

# A line: its indentation, dash, key, and as value either a text without any sign of YAML's or the rest.
LINE = re.compile(
    r"^( *)(- )?(?:([A-Za-z_][A-Za-z0-9_-]*):(?: |(?=\n)))?"
    r"(?:([A-Za-z0-9_./][^:#\n]*(?<! ))?|([^\n]+))\n",
    re.MULTILINE,
)
_STARTS_PLAIN = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./")
_DOUBLE = r'"(?:[^"\\]|\\["\\])*"'
_SINGLE = r"'(?:[^']|'')*'"
_QUOTED = re.compile(f"{_DOUBLE}|{_SINGLE}")
_ESCAPE = re.compile(r"\\(.)")
# In flow style only words that mean nothing to YAML, and quoted texts.
_WORD = r"[A-Za-z0-9_./][A-Za-z0-9_./*-]*"
_ITEM = rf"(?:{_WORD}(?: {_WORD})*|{_DOUBLE}|{_SINGLE})"
_FLOW_LIST = re.compile(rf"\[{_ITEM}(?:, {_ITEM})*\]")
_FLOW_MAPPING = re.compile(rf"\{{[A-Za-z_]+: {_ITEM}(?:, [A-Za-z_]+: {_ITEM})*\}}")
ITEMS = re.compile(rf"(?:([A-Za-z_]+): )?({_ITEM})(?:, )?")


def plain_values(block: str) -> dict[str, Any] | None:
    """What a block of frontmatter holds; None for what only a YAML parser can tell."""
    if not block.replace("\n", "").isprintable():
        return None
    if len(block) > LONGEST_LINE and len(max(block.split("\n"), key=len)) > LONGEST_LINE:
        return None
    values: dict[str, Any] = {}
    into: Any = values  # the mapping or list that lines at ``column`` belong to
    column = 0
    waiting = ""  # its last key, as long as that has no value
    outer: list[tuple[int, Any]] = []  # the columns further out that are open
    for blanks, dash, key, plain, rest in LINE.findall(block if block[-1:] == "\n" else block + "\n"):
        value = plain or (_value(rest) if rest else "")
        at = len(blanks)
        if value is None or at > MOST_INDENT:
            return None
        while at < column:
            (column, into), waiting = outer.pop(), ""
        if dash:
            if into.__class__ is dict:  # a list begins
                if not waiting:
                    return None
                items: list[Any] = []
                into[waiting] = items
                outer.append((column, into))
                column, into, waiting = at, items, ""
            elif at > column:
                return None
            if not key:
                if not plain and not rest:
                    return None
                into.append(value)
                continue
            outer.append((column, into))
            into.append({})
            column, into = at + 2, into[-1]
        else:
            if into.__class__ is list and at == column:  # the list ends that began at its key's own column
                column, into = outer.pop()
            if at > column:  # a mapping begins
                if not waiting:
                    return None
                into[waiting] = {}
                outer.append((column, into))
                column, into = at, into[waiting]
        if not key or key in into:
            return None
        into[key] = value
        waiting = "" if plain or rest else key
    return values


def _value(text: str) -> Any:
    """What stands after a key or a dash; None where that is not certain."""
    first = text[0]
    if first in _STARTS_PLAIN:
        return None if ": " in text or " #" in text or text[-1] in " :" else text
    if first in "\"'":
        inside = text[1:-1]
        if text[-1] == first and first not in inside and "\\" not in inside and len(text) > 1:
            return inside
        return _unquoted(text) if _QUOTED.fullmatch(text) else None
    if first == "[" and _FLOW_LIST.fullmatch(text):
        return [_unquoted(item) for _, item in ITEMS.findall(text, 1, len(text) - 1)]
    if first == "{" and _FLOW_MAPPING.fullmatch(text):
        pairs = ITEMS.findall(text, 1, len(text) - 1)
        found = {key: _unquoted(item) for key, item in pairs}
        return found if len(found) == len(pairs) else None
    return None


def _unquoted(text: str) -> str:
    if text[0] == '"':
        return _ESCAPE.sub(r"\1", text[1:-1]) if "\\" in text else text[1:-1]
    return text[1:-1].replace("''", "'") if text[0] == "'" else text
