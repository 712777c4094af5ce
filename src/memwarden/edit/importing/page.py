"""A foreign Markdown page as entries: its sections, and the list entries and prose before them.

CommonMark decides what is a heading: one inside a fence, a quote or a comment is none.  The words of an
entry are the source's own lines.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memwarden.core.record import NamedTuple
from memwarden.edit.markdown import blocks, unclosed_fence

if TYPE_CHECKING:
    from collections.abc import Iterable

    from markdown_it.token import Token

ITEM = "item"
PROSE = "prose"
CODE = "code"
COMMENT = "comment"

LONGEST_TITLE = 100
NEVER_CLOSED = "a comment or a fence that is never closed: what follows it is read as a part of it"

_MARKER = re.compile(r"[ ]{0,3}(?:[-*+]|[0-9]{1,9}[.)])(?:[ \t]+|$)")
_SENTENCE = re.compile(rf"(.{{12,{LONGEST_TITLE}}}?[.!?])(?:\s|$)")


class Section(NamedTuple):
    """What stands under one heading: ``text`` are the lines below it, the first of which is ``first``."""

    line: int
    title: str
    text: str
    first: int
    level: int = 2


class Block(NamedTuple):
    """One thing before the first section: a list entry, prose, a code block, or a comment."""

    kind: str
    line: int
    text: str


class Page(NamedTuple):
    """``title`` is the first H1.  ``code`` are the lines (from 1) inside code blocks; ``open`` is the line of
    a comment or a fence that is never closed and hides what follows, or 0."""

    title: str = ""
    blocks: tuple[Block, ...] = ()
    sections: tuple[Section, ...] = ()
    code: frozenset[int] = frozenset()
    open: int = 0


def read_page(text: str, deepest: int = 2) -> Page:
    """The page; headings down to the level ``deepest`` open sections, but for the first H1."""
    text = text.replace("\r\n", "\n")
    lines = text.split("\n")
    title = ""
    heads: list[tuple[int, int, str, int]] = []  # first line, line after, text, level
    tops: list[tuple[int, Token]] = []  # with their places among the tokens
    code: set[int] = set()
    unclosed = 0
    tokens = blocks(text)
    for at, token in enumerate(tokens):
        if token.type in ("fence", "code_block", "html_block") and token.map:
            code.update(range(token.map[0] + 1, token.map[1] + 1))
            if token.type == "html_block" and token.content.lstrip().startswith("<!--"):
                unclosed = unclosed or (0 if "-->" in token.content else token.map[0] + 1)
        if token.level or not token.map:
            continue
        if token.type == "heading_open" and int(token.tag[1]) <= deepest:
            words = " ".join(tokens[at + 1].content.split())
            if not words:
                continue  # a heading that says nothing opens nothing
            if not title and token.tag == "h1" and not heads:
                title = words
                heads.append((token.map[0], token.map[1], "", 1))
            else:
                heads.append((token.map[0], token.map[1], words, int(token.tag[1])))
        elif token.nesting >= 0:
            tops.append((at, token))
    sections = []
    for at, (start, body, words, level) in enumerate(heads):
        end = heads[at + 1][0] if at + 1 < len(heads) else len(lines)
        if words:
            sections.append(Section(start + 1, words, "\n".join(lines[body:end]), body + 1, level))
    first = next((start for start, _, words, _ in heads if words), len(lines))
    before = [(at, token) for at, token in tops if token.map and token.map[0] < first]
    return Page(
        title,
        tuple(_blocks(before, tokens, lines)),
        tuple(sections),
        frozenset(code),
        unclosed or unclosed_fence(text),
    )


def _blocks(tops: list[tuple[int, Token]], tokens: list[Token], lines: list[str]) -> Iterable[Block]:
    labelled = False
    for at, token in tops:
        assert token.map
        start, end = token.map
        text = "\n".join(lines[start:end]).strip("\n")
        if token.type.endswith("_list_open") and not labelled:
            yield from _items(at, tokens, lines)
        elif token.type in ("fence", "code_block"):
            yield Block(CODE, start + 1, text)
        elif token.type == "html_block" and text.lstrip().startswith("<!--"):
            yield Block(COMMENT, start + 1, text)
        elif token.type != "hr":
            yield Block(PROSE, start + 1, text)
        labelled = token.type == "paragraph_open" and text.rstrip().endswith(":")


def _items(opening: int, tokens: list[Token], lines: list[str]) -> Iterable[Block]:
    for at in range(opening + 1, len(tokens)):
        token = tokens[at]
        if token.level == 0:
            return
        if token.type == "list_item_open" and token.level == 1 and token.map:
            start, end = token.map
            yield Block(ITEM, start + 1, _without_marker(lines[start:end]))


def _without_marker(lines: list[str]) -> str:
    marker = _MARKER.match(lines[0])
    width = len(marker[0]) if marker else 0
    rest = [line[min(width, len(line) - len(line.lstrip(" "))) :] for line in lines[1:]]
    return "\n".join([lines[0][width:], *rest]).strip()


def title_of(text: str) -> tuple[str, str]:
    """A short title for a text, and the body that it leaves: "" where the title says all of it."""
    words = " ".join(_plain_words(text.strip()).split())
    if len(words) <= LONGEST_TITLE and "\n" not in text.strip():
        return words, ""
    sentence = _SENTENCE.match(words)
    if sentence:
        return sentence[1], text.strip()
    if len(words) <= LONGEST_TITLE:
        return words, text.strip()
    cut = words[: LONGEST_TITLE - 1]
    return (cut.rpartition(" ")[0] or cut).rstrip(" ,;:-") + "\u2026", text.strip()


def _plain_words(text: str) -> str:
    """The first paragraph: what a title is made of."""
    return re.split(r"\n[ \t]*\n|\n[ ]*(?=[-*+][ ])", text, maxsplit=1)[0]
