"""The pages that a manifest is written as, taken apart line by line without a Markdown parser.

Headings, paragraphs and one level of ``-`` entries, of plain words and code spans: loading the parser for
them costs more than reading a hundred notes.  A page with anything else is None here and left to
:mod:`memwarden.edit.outline`; a property test holds the two equal.
"""

from __future__ import annotations

import re

from memwarden.core.record import NamedTuple

HEADING = "heading"
PARAGRAPH = "paragraph"
ITEM = "item"
NESTED = "nested"

_TEXT = r"[A-Za-z0-9 .,:;/()'+=-]"
_CODE = r"`(?! )[A-Za-z0-9 .,:;/()'+=*_?{}\[\]-]+(?<! )`(?!`)"
_LINE = re.compile(rf"(?:(#{{1,6}}) +|(- ))?(?=[A-Za-z`])((?:{_TEXT}|{_CODE})+)(?<! )")
_CODES = re.compile(r"`([^`]*)`")


class Span(NamedTuple):
    """One line of a paragraph as a reader sees it, without comments: ``text``, the code spans in it,
    and ``prose``, the text without them."""

    text: str
    codes: tuple[str, ...] = ()
    prose: str = ""


class Piece(NamedTuple):
    """One block at the top of a document.

    ``kind`` is ``heading``, ``paragraph``, ``item`` (one entry of a list at the top: its first
    paragraph) or ``nested`` (a list inside such an entry).  ``raw`` is the source of ``spans``.
    """

    kind: str
    line: int
    level: int = 0
    spans: tuple[Span, ...] = ()
    raw: str = ""

    @property
    def text(self) -> str:
        return " ".join(" ".join(span.text for span in self.spans).split())


def plain_pieces(text: str) -> list[Piece] | None:
    """The headings, paragraphs and list entries of a plain page; None for one that may be none."""
    found: list[Piece] = []
    before = ""  # the kind of the line just above, "" where that is blank
    for number, line in enumerate(text.split("\n"), 1):
        if not line:
            before = ""
            continue
        match = _LINE.fullmatch(line)
        if match is None:
            return None
        hashes, dash, words = match.groups()
        spans = (_span(words),)
        if hashes:
            found.append(Piece(HEADING, number, len(hashes), spans, words))
        elif dash:
            found.append(Piece(ITEM, number, 0, spans, words))
        elif before == ITEM:
            return None  # it goes on with the entry
        elif before == PARAGRAPH:
            last = found[-1]
            found[-1] = last._replace(spans=last.spans + spans, raw=f"{last.raw}\n{words}")
        else:
            found.append(Piece(PARAGRAPH, number, 0, spans, words))
        before = found[-1].kind
    return found


def _span(words: str) -> Span:
    if "`" not in words:
        return Span(words, (), words)
    return Span(words.replace("`", "").strip(), tuple(_CODES.findall(words)), _CODES.sub("", words).strip())
