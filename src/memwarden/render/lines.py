"""Text laid on lines by the cells of a screen: what one sees as one character is never cut apart, a path
never at all."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from re import escape, findall, search, split

from memwarden.core.record import NamedTuple
from memwarden.render.screen import cell_width, graphemes, width

SPACELESS = "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]"  # Thai, Lao, Burmese, Khmer


class Whole(str):
    """Text that stays on one line, whatever is in it: a path, so that it can be copied."""

    __slots__ = ()


class Word(NamedTuple):
    """What a line takes or leaves: the spaces before it, and whether it may never be cut."""

    gap: str
    text: str
    whole: bool


def wrapped(text: str | Sequence[str], first: str = "", later: str = "") -> str:
    """``text`` after ``first``, on as many lines as a terminal needs, each but the first after ``later``;
    elsewhere on one line."""
    whole = first + (text if isinstance(text, str) else "".join(text))
    if not sys.stdout.isatty() or cell_width(whole) <= width():
        return whole
    return "\n".join(folded(text, width(), first, later))


def fitted(text: str, cells: int) -> str:
    """``text`` cut to ``cells`` with an ellipsis where it is longer."""
    return text if cell_width(text) <= cells else _beginning(text, cells - 1) + "…"


def fitted_end(text: str, cells: int) -> str:
    """The end of ``text``, after an ellipsis where it is longer than ``cells``."""
    if cell_width(text) <= cells:
        return text
    used, start = 0, len(text)
    for at, _, size in reversed(graphemes(text)):
        used += size
        if used > cells - 1:
            break
        start = at
    return "…" + text[start:]


def folded(text: str | Iterable[str], cells: int, first: str = "", later: str = "") -> list[str]:
    """``text`` on lines of at most ``cells``, ``first`` before the first and ``later`` before the others.

    Measured in cells, unlike :mod:`textwrap`.  A word stays whole, but one in a script that is written
    without spaces is cut where the line ends.  The text may come in parts; one that is :class:`Whole` runs
    over the edge where it does not fit, on a line of its own.
    """
    lines, line, empty = [], first, True
    for gap, word, whole in _words((text,) if isinstance(text, str) else text):
        gap = "" if empty else gap
        is_cut = not whole and _is_dense(word) and cell_width(later + word) > cells
        if not empty and not is_cut and cell_width(line + gap + word) > cells:
            lines.append(line)
            line, gap = later, ""
        while not whole and cell_width(line + gap + word) > cells and _is_dense(word):
            room = max(cells - cell_width(line + gap), 2 if empty else 0)
            piece = _beginning(word, room)
            lines.append(line + gap + piece if piece else line)
            line, gap, word, empty = later, "", word[len(piece) :], True
        if word:
            line, empty = line + gap + word, False
    return lines if empty else [*lines, line]


def parted(text: str, paths: Iterable[str]) -> list[str]:
    """``text`` in parts, of which each of the ``paths`` that it names is whole."""
    odd = {path for path in paths if " " in path or not path.isascii()}  # no other one is ever broken
    if not odd:
        return [text]
    found = split("(" + "|".join(map(escape, sorted(odd, key=len, reverse=True))) + ")", text)
    return [Whole(part) if part in odd else part for part in found if part]


def with_paths(text: str) -> list[str]:
    """A sentence of ours in parts: a word of it that has a slash is a path, and whole."""
    return parted(text, [word for word in text.split(" ") if "/" in word])


def _words(parts: Iterable[str]) -> list[Word]:
    """The words of all parts; what touches a whole part is one word with it."""
    found: list[Word] = []
    gap = ""
    for part in parts:
        whole = isinstance(part, Whole)
        for spaces, text in [("", part)] if whole else findall("( *)([^ ]*)", part):
            gap += spaces
            if not text:
                continue
            if gap or not found:
                found.append(Word(gap, text, whole))
            else:
                last = found.pop()
                found.append(Word(last.gap, last.text + text, last.whole or whole))
            gap = ""
    return found


def _is_dense(word: str) -> bool:
    """Whether something in the word is of a script that puts no spaces between words."""
    return not word.isascii() and (
        bool(search(SPACELESS, word)) or any(size > 1 for *_, size in graphemes(word))
    )


def _beginning(text: str, cells: int) -> str:
    """As much of ``text`` as ``cells`` hold."""
    if text.isascii():
        return text[: max(cells, 0)]
    used = 0
    for at, _, size in graphemes(text):
        used += size
        if used > cells:
            return text[:at]
    return text
