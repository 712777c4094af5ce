"""A page as its headings, paragraphs and list entries: the part of CommonMark that the manifest uses.

What looks like a heading inside a code fence, a quote or an HTML comment is none.  Everything here
speaks of lines (from 1) and plain text; no token leaves this module.
"""

from __future__ import annotations

from memwarden.core.record import TYPE_CHECKING
from memwarden.edit.markdown import blocks
from memwarden.edit.plain_outline import HEADING, ITEM, NESTED, PARAGRAPH, Piece, Span, plain_pieces

if TYPE_CHECKING:
    from collections.abc import Iterator

    from markdown_it.token import Token

# Whoever asks for pieces needs their kinds.
__all__ = ["HEADING", "ITEM", "NESTED", "PARAGRAPH", "Piece", "Span", "parsed_pieces", "pieces"]


def pieces(text: str) -> list[Piece]:
    """The headings, paragraphs and list entries at the top of a document, in order."""
    found = plain_pieces(text)
    return parsed_pieces(text) if found is None else found


def parsed_pieces(text: str) -> list[Piece]:
    """:func:`pieces` by the Markdown parser."""
    found: list[Piece] = []
    stack: list[str] = []
    level = 0
    entry: Token | None = None  # an entry of a list at the top whose first paragraph has not come yet
    # A line ends at a newline alone, here as everywhere; a carriage return inside one is a blank.
    for token in blocks(text.replace("\r\n", "\n").replace("\r", " ")):
        if token.nesting == 1:
            if token.type == "list_item_open" and len(stack) == 1:
                entry = token
            if token.type.endswith("_list_open") and len(stack) == 2 and stack[1] == "list_item_open":
                found.append(Piece(NESTED, _line(token)))
            if token.type == "heading_open":
                level = int(token.tag[1])
            stack.append(token.type)
        elif token.nesting == -1:
            if stack.pop() == "list_item_open" and len(stack) == 1 and entry is not None:
                found.append(Piece(ITEM, _line(entry)))
                entry = None
        elif token.type == "inline":
            if stack == ["heading_open"]:
                found.append(_piece(HEADING, token, level))
            elif stack == ["paragraph_open"]:
                found.append(_piece(PARAGRAPH, token))
            elif len(stack) == 3 and stack[1:] == ["list_item_open", "paragraph_open"] and entry is not None:
                entry = None
                found.append(_piece(ITEM, token))
    return found


def _piece(kind: str, token: Token, level: int = 0) -> Piece:
    return Piece(kind, _line(token), level, tuple(_spans(token)), token.content)


def _spans(token: Token) -> Iterator[Span]:
    """Inline content line by line."""
    shown: list[str] = []
    codes: list[str] = []
    prose: list[str] = []
    for child in token.children or ():
        if child.type in ("softbreak", "hardbreak"):
            yield Span("".join(shown).strip(), tuple(codes), "".join(prose).strip())
            shown, codes, prose = [], [], []
        elif child.type == "code_inline":
            codes.append(child.content)
            shown.append(child.content)
        elif child.content and not (child.type == "html_inline" and child.content.startswith("<!--")):
            shown.append(child.content)
            prose.append(child.content)
    yield Span("".join(shown).strip(), tuple(codes), "".join(prose).strip())


def _line(token: Token) -> int:
    return token.map[0] + 1 if token.map else 0
