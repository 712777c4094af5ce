"""CommonMark in one room: markdown-it-py for whoever needs structure, cheap scans for whoever does not.

Parsing a body costs ten times what reading its note costs, so the two questions asked of every note (its
first H1, a fence that is never closed) are answered by a line scan where that is certain, and by
markdown-it only where it is not.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise

from memwarden.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_FIRST_LINE_H1 = re.compile(r"(?:[ \t]*\n)* {0,3}#(?:[ \t]+([^\n]*))?(?:\n|\Z)")
_MAYBE_H1 = re.compile(r"^ {0,3}(?:#(?:[ \t]|$)|=+[ \t]*$)", re.MULTILINE)
_CLOSING_HASHES = re.compile(r"(?:^|[ \t]+)#+[ \t]*$")
_FENCE_LINE = re.compile(r"^[ \t>*+\-0-9.)]*(?:```|~~~)", re.MULTILINE)
_FENCE_CLOSE = re.compile(r"[ \t>]*(`{3,}|~{3,})[ \t]*$")
# The blocks of HTML that CommonMark ends by a mark of their own, not at a blank line.
_HTML_ENDS = (
    *(("<!--", "-->"), ("<?", "?>"), ("<![cdata[", "]]>"), ("<!", ">")),
    *(("<script", "</script>"), ("<pre", "</pre>"), ("<style", "</style>"), ("<textarea", "</textarea>")),
)
_HEADING_LINE = re.compile(r"[ \t>]*#{1,6}[ \t]")


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt  # 40 ms: only for bodies that the scans cannot judge

    return MarkdownIt("commonmark")


@lru_cache(maxsize=1)
def _table_parser() -> MarkdownIt:
    from markdown_it import MarkdownIt  # as above

    return MarkdownIt("commonmark").enable(["table", "strikethrough"])


def table_blocks(text: str) -> list[Token]:
    """As :func:`blocks`, with the tables and the struck-through text that GitHub adds to CommonMark."""
    return _table_parser().parse(text)


def blocks(text: str) -> list[Token]:
    """The text's CommonMark tokens; ``token.map`` has exact line spans (from 0, end exclusive)."""
    return _parser().parse(text)


def first_heading(body: str) -> str:
    """The source of the first H1 outside containers, fences and comments; "" where there is none."""
    text = body.replace("\r\n", "\n") if "\r" in body else body
    first = _FIRST_LINE_H1.match(text)
    if first and "\r" not in (first[1] or ""):
        heading = (first[1] or "").strip(" \t")
        return _CLOSING_HASHES.sub("", heading).strip(" \t") if heading[-1:] == "#" else heading
    if not _MAYBE_H1.search(text) and "\r" not in text:
        return ""
    for opening, inline in pairwise(blocks(text)):
        if _is_title(opening):
            return " ".join(inline.content.split())
    return ""


def heading_lines(body: str) -> tuple[int, int] | None:
    """The lines (from 0, end exclusive) of the first H1 outside containers; None where there is none."""
    for token in blocks(body):
        if _is_title(token) and token.map:
            return token.map[0], token.map[1]
    return None


def _is_title(token: Token) -> bool:
    return token.type == "heading_open" and token.tag == "h1" and token.level == 0


def unclosed_fence(body: str) -> int:
    """The line (from 1, in the body) of a code fence that is never closed and so swallows a later
    heading; 0 where there is none."""
    if "```" not in body and "~~~" not in body:
        return 0
    text = body.replace("\r\n", "\n")
    if len(_FENCE_LINE.findall(text)) % 2 == 0 and _evenly_fenced(text):
        return 0
    lines = text.split("\n")
    for token in blocks(text):
        if token.type != "fence" or token.map is None:
            continue
        start, end = token.map
        inside = lines[start + 1 : end]
        closed = _FENCE_CLOSE.match(inside[-1]) if inside else None
        if closed and closed[1].startswith(token.markup):
            continue
        if any(_HEADING_LINE.match(line) for line in inside):
            return start + 1
    return 0


def unclosed_html(body: str) -> int:
    """The line (from 1, in the body) of an HTML comment or a like block that is never closed and so
    swallows a later heading; 0 where there is none."""
    if "<" not in body:
        return 0
    for token in blocks(body.replace("\r\n", "\n")):
        if token.type != "html_block" or token.map is None or token.level:
            continue
        begun = token.content.lstrip().casefold()
        end = next((end for start, end in _HTML_ENDS if begun.startswith(start)), "")
        inside = token.content.split("\n")[1:]
        if end and end not in begun and any(_HEADING_LINE.match(line) for line in inside):
            return token.map[0] + 1
    return 0


def _evenly_fenced(text: str) -> bool:
    """Whether every fence at the left edge is closed by a bare fence of its own kind and length: the
    plain case, where nothing is left to ask."""
    opener = ""
    for match in re.finditer(r"^([ \t>*+\-0-9.)]*)(`{3,}|~{3,})([^\n]*)$", text, re.MULTILINE):
        indent, marks, rest = match.groups()
        if indent.strip(" ") or len(indent) > 3:
            return False
        if not opener:
            if marks[0] == "`" and "`" in rest:
                return False
            opener = marks
        elif marks[0] == opener[0] and len(marks) >= len(opener) and not rest.strip():
            opener = ""
    return not opener
