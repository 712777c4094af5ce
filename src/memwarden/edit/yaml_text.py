"""Values as YAML that cannot be anything else: no value can add a key, a comment or another type.

A plain word stays plain; whatever YAML could read in another way is quoted.  Everything is written on one
line, so that a splice never changes the lines around it.
"""

from __future__ import annotations

import re

from memwarden.core.dates import is_date
from memwarden.core.record import TYPE_CHECKING
from memwarden.core.visible import is_hidden, plain
from memwarden.errors import UsageError

if TYPE_CHECKING:
    from typing import TypeAlias

    Value: TypeAlias = "str | list[Value] | dict[str, Value]"

# What ends a plain scalar: a comment, a key's colon; inside [] and {} also their own signs.
_BREAKS_PLAIN = re.compile(r"[ \t]#|:(?:[ \t]|$)")
_BREAKS_FLOW = re.compile(r"[,\[\]{}]|[ \t]#|:(?![\w./])")
# What YAML readers other than ours take for a number, a truth value or nothing.  A small whole number
# and a date may stay plain.
_OTHER_TYPES = re.compile(
    r"[-+.]?[0-9][0-9_,.:]*(?:e[-+]?[0-9]+)?|0x[0-9a-f_]+|0o?[0-7_]+|\.inf|\.nan"
    r"|y|n|yes|no|on|off|true|false|null|~",
    re.IGNORECASE,
)
_SMALL = re.compile(r"0|[1-9][0-9]{0,8}")
_KEY = re.compile(r"[a-z0-9_.-]+", re.IGNORECASE)
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t"}


def scalar(text: str, style: str = "", lines: bool = False, in_flow: bool = False) -> str:
    """One text as a YAML scalar on one line, in the given quotes where they can hold it.

    Control and invisible characters are refused; ``lines`` allows line breaks and tabs (escaped);
    ``in_flow`` says that it stands inside ``[]`` or ``{}``.
    """
    for char in text:
        if is_hidden(char) or (char in "\n\t" and not lines):
            raise UsageError(
                f"the value {plain(text[:60])!r} has a control or invisible character",
                "give the value on one line, in visible characters",
            )
    if "\n" in text or "\t" in text or style == '"':
        return '"' + "".join(_ESCAPES.get(char, char) for char in text) + '"'
    if style == "'" or not _is_plain(text, in_flow):
        return "'" + text.replace("'", "''") + "'"
    return text


def _is_plain(text: str, in_flow: bool) -> bool:
    if not text or text != text.strip() or not text.isprintable():
        return False
    if not (text[0].isalnum() or text[0] in "_./(+") or text.startswith("..."):
        return False
    if (_BREAKS_FLOW if in_flow else _BREAKS_PLAIN).search(text):
        return False
    return is_date(text) or bool(_SMALL.fullmatch(text)) or not _OTHER_TYPES.fullmatch(text)


def flow(value: Value, lines: bool = False) -> str:
    """Any value on one line: ``[a, b]``, ``{path: x, pattern: y}``."""
    if isinstance(value, str):
        return scalar(value, lines=lines, in_flow=True)
    if isinstance(value, list):
        return "[" + ", ".join(flow(each, lines) for each in value) + "]"
    return "{" + ", ".join(f"{key(name)}: {flow(inner, lines)}" for name, inner in value.items()) + "}"


def item(value: Value, lines: bool = False) -> str:
    """A block list's item after its dash: ``test: x`` for a mapping of one text, else as :func:`flow`."""
    if isinstance(value, str):
        return scalar(value, lines=lines)
    if isinstance(value, dict) and len(value) == 1:
        name, inner = next(iter(value.items()))
        if isinstance(inner, str):
            return f"{key(name)}: {scalar(inner, lines=lines)}"
        if isinstance(inner, dict) and inner:
            return f"{key(name)}: {flow(inner, lines)}"
    return flow(value, lines)


def key(name: str) -> str:
    """A mapping's key."""
    return name if _KEY.fullmatch(name) and _is_plain(name, in_flow=True) else scalar(name, "'")


def field_lines(name: str, value: Value, indent: str = "") -> list[str]:
    """A top-level field as lines: lists in block style, a condition with its predicate on a line."""
    lines = name in ("condition", "verify")
    head = f"{indent}{key(name)}:"
    if isinstance(value, str):
        return [f"{head} {scalar(value)}"]
    if isinstance(value, list):
        if not value:
            return [f"{head} []"]
        return [head] + [f"{indent}  - {item(each, lines)}" for each in value]
    if len(value) != 1:
        return [f"{head} {flow(value, lines)}"]
    kind, inner = next(iter(value.items()))
    if isinstance(inner, list) and inner:
        return [head, f"{indent}  {key(kind)}:"] + [f"{indent}    - {item(each, lines)}" for each in inner]
    return [head, f"{indent}  {key(kind)}: {flow(inner, lines)}"]
