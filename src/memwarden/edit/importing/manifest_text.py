"""Lines put into the manifest where they belong: below the last line of their section, nothing else moved."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memwarden.core.spelling import folded_words
from memwarden.edit.fence import split
from memwarden.edit.outline import HEADING, ITEM, pieces
from memwarden.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

# Where a section that is not there goes: before the first of those that follow it here.
ORDER = ("Always load", "Tasks", "Areas", "Profiles", "Explicit only", "Budgets")

_NUMBER = re.compile(r"[0-9]+(?=\D*$)")


def with_entries(data: bytes, section: str, entries: Sequence[str], task: str = "") -> bytes:
    """The manifest with list entries at the end of a section, or of one task in it; the section, or the
    task, is added where it is missing.

    Raises :class:`UsageError` where a list there would not be read: behind a fence or a comment that is
    never closed.
    """
    if not entries:
        return data
    parts = split(data)
    ending = "\r" if "\r\n" in parts.text else ""
    lines = parts.text.split("\n")
    shift = parts.body_line - 1
    heads = [
        (piece.line + shift - 1, piece.level, folded_words(piece.text))
        for piece in pieces(parts.text[parts.body :])
        if piece.kind == HEADING
    ]
    span = _span(heads, len(lines), 2, section, 0, len(lines))
    block = [f"- {entry}" for entry in entries]
    if span is None:
        at = _before(heads, section, len(lines))
        block = ["", f"## {section}", *(["", f"### {task}"] if task else []), *block]
    else:
        inner = _span(heads, len(lines), 3, task, *span) if task else span
        if inner is None:
            at, block = span[1], ["", f"### {task}", *block]
        else:
            at = inner[1]
            block = [*_gap(lines[inner[0] + 1 : inner[1]]), *block]
    text = "\n".join(_put(lines, at, [line + ending for line in block], ending))
    seen = [piece.raw for piece in pieces(text[parts.body :]) if piece.kind == ITEM]
    if any(entry not in seen for entry in entries):
        raise UsageError(
            f"memory/manifest.md: nothing can be added to {section}",
            "close the code fence or the comment that is open there",
        )
    return _bytes(data, text)


def with_budget(data: bytes, module: str, tokens: int) -> bytes:
    """The manifest with another number behind a budget that it has, or with a new budget."""
    parts = split(data)
    lines = parts.text.split("\n")
    shift, section = parts.body_line - 1, ""
    for piece in pieces(parts.text[parts.body :]):
        if piece.kind == HEADING and piece.level <= 2:
            section = folded_words(piece.text)
        at = piece.line + shift - 1
        if section == "budgets" and piece.kind == ITEM and piece.text.partition(":")[0].strip() == module:
            lines[at] = _NUMBER.sub(str(tokens), lines[at])
            return _bytes(data, "\n".join(lines))
    return with_entries(data, "Budgets", [f"{module}: {tokens}"])


def _span(
    heads: list[tuple[int, int, str]], end: int, level: int, name: str, first: int, last: int
) -> tuple[int, int] | None:
    """The heading's line and the line after what stands below it."""
    for at, (line, depth, text) in enumerate(heads):
        if depth == level and text == folded_words(name) and first <= line < last:
            following = [other for other, deep, _ in heads[at + 1 :] if deep <= level]
            return line, min([*following, end])
    return None


def _before(heads: list[tuple[int, int, str]], section: str, end: int) -> int:
    later = {folded_words(name) for name in ORDER[ORDER.index(section) + 1 :]}
    return next((line for line, level, text in heads if level == 2 and text in later), end)


def _gap(above: list[str]) -> list[str]:
    """A blank line where a list would else run on from prose."""
    last = next((line for line in reversed(above) if line.strip()), "")
    is_list = not last or last.lstrip().startswith(("-", "*", "+")) or last.startswith(("Also:", " "))
    return [] if is_list else [""]


def _put(lines: list[str], at: int, new: list[str], ending: str) -> list[str]:
    """``new`` before line ``at``, behind the last line that is not blank."""
    while at > 0 and not lines[at - 1].strip():
        at -= 1
    before, rest = lines[:at], lines[at:]
    if ending and not rest and before:
        before[-1] += ending  # the last line had no end
    if not rest:
        rest = [""]
    elif rest[0].strip():
        rest = [ending, *rest]
    return [*before, *new, *rest]


def _bytes(data: bytes, text: str) -> bytes:
    return (b"\xef\xbb\xbf" if data.startswith(b"\xef\xbb\xbf") else b"") + text.encode()
