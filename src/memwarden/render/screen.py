"""One screen for every command: rich on a terminal, plain text elsewhere, aligned in both.

Rich is imported here and nowhere else.  What a page says is decided by the page; this room knows only
tables, headings and styles, and that text from notes is never markup.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from io import StringIO
from re import findall
from unicodedata import east_asian_width

from memwarden.core.record import NamedTuple
from memwarden.core.visible import plain

PLAIN_WIDTH = 100


class Column(NamedTuple):
    """A table's column: ``style`` is a rich style, ``styles`` those of particular cells; a ``flexible`` one
    gives way on a narrow screen, and keeps the end of a cell where that says more (``tail``: a path)."""

    title: str
    style: str = ""
    flexible: bool = False
    right: bool = False
    tail: bool = False
    styles: Mapping[str, str] = {}


def colourful(wanted: bool) -> bool:
    """Whether standard output is a terminal that should see colour."""
    return (
        wanted and sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
    )


def width() -> int:
    """The columns that the screen has; a pipe has as many as a line needs, bounded for tables."""
    if sys.stdout.isatty():
        from shutil import get_terminal_size  # only a terminal asks, here and below

        return get_terminal_size((80, 24)).columns
    columns = os.environ.get("COLUMNS", "")
    return int(columns) if columns.isdecimal() and int(columns) else PLAIN_WIDTH  # what is no width is none


def table(columns: Sequence[Column], rows: Iterable[Sequence[str]], color: bool) -> str:
    """An aligned table with a heading line, without rules; "" where there is no row."""
    cells = [[plain(cell) for cell in row] for row in rows]
    if not cells:
        return ""
    widths = [max(cell_width(c), *(cell_width(row[i]) for row in cells)) for i, c in _titles(columns)]
    if sys.stdout.isatty() or os.environ.get("COLUMNS"):
        widths = _narrowed(columns, widths, width())
    lines = [_line([c.title.upper() for c in columns], columns, widths, ["dim"] * len(columns), color)]
    styles = [c.style for c in columns]
    lines += [_line(row, columns, widths, styles, color) for row in cells]
    return "".join(line + "\n" for line in lines)


def styled(text: str, style: str, color: bool) -> str:
    """``text`` in a rich style where the screen shows colour, else as it is."""
    if not style or not colourful(color):
        return text
    from rich.console import Console  # costs as much as starting Python three times over
    from rich.text import Text

    out = StringIO()
    console = Console(file=out, force_terminal=True, width=10_000, highlight=False, soft_wrap=True)
    console.print(Text(text, style=style), end="")
    return out.getvalue()


def cell_width(text: str) -> int:
    """Screen cells that ``text`` takes: East Asian wide characters take two."""
    if text.isascii():
        return len(text)
    return sum(2 if east_asian_width(char) in "WF" else 1 for char in text)


def fitted(text: str, cells: int) -> str:
    """``text`` cut to ``cells`` with an ellipsis where it is longer."""
    if cell_width(text) <= cells:
        return text
    kept, used = "", 0
    for char in text:
        size = cell_width(char)
        if used + size > cells - 1:
            break
        kept, used = kept + char, used + size
    return kept + "…"


def many(count: int, word: str) -> str:
    """``1 error``, ``2 errors``."""
    return f"{count} {word}{'' if count == 1 else 's'}"


def fitted_end(text: str, cells: int) -> str:
    """The end of ``text``, after an ellipsis where it is longer than ``cells``."""
    return fitted(text[::-1], cells)[::-1]


def wrapped(text: str, first: str = "", later: str = "") -> str:
    """``text`` after ``first``, on as many lines as a terminal needs, each but the first after ``later``;
    elsewhere on one line."""
    if not sys.stdout.isatty() or cell_width(first + text) <= width():
        return first + text
    return "\n".join(folded(text, width(), first, later))


def folded(text: str, cells: int, first: str = "", later: str = "") -> list[str]:
    """``text`` on lines of at most ``cells``, ``first`` before the first and ``later`` before the others.

    Measured in cells, unlike :mod:`textwrap`.  A word stays whole, so that a path can be copied, but one
    in a script that is written without spaces is cut where the line ends.
    """
    lines, line, empty = [], first, True
    for spaces, word in findall("( *)([^ ]+)", text):
        gap = "" if empty else spaces
        if not empty and cell_width(line + gap + word) > cells and _fits(word, cells, later):
            lines.append(line)
            line, gap = later, ""
        while cell_width(line + gap + word) > cells and cell_width(word) > len(word):
            room = max(cells - cell_width(line + gap), 2 if empty else 0)
            piece = _beginning(word, room)
            lines.append(line + gap + piece if piece else line)
            line, gap, word, empty = later, "", word[len(piece) :], True
        if word:
            line, empty = line + gap + word, False
    return lines if empty else [*lines, line]


def _fits(word: str, cells: int, later: str) -> bool:
    """Whether a word goes to a line of its own, rather than being cut where it begins."""
    return cell_width(word) == len(word) or cell_width(later + word) <= cells


def _beginning(text: str, cells: int) -> str:
    """As much of ``text`` as ``cells`` hold."""
    used = 0
    for at, char in enumerate(text):
        used += cell_width(char)
        if used > cells:
            return text[:at]
    return text


def _titles(columns: Sequence[Column]) -> list[tuple[int, str]]:
    return [(index, column.title) for index, column in enumerate(columns)]


def _narrowed(columns: Sequence[Column], widths: list[int], screen: int) -> list[int]:
    """Take what is missing from the flexible columns, the widest first, down to twelve cells."""
    narrowed = list(widths)
    excess = sum(narrowed) + 2 * (len(narrowed) - 1) - screen
    while excess > 0:
        choices = [i for i, column in enumerate(columns) if column.flexible and narrowed[i] > 12]
        if not choices:
            break
        widest = max(choices, key=lambda i: narrowed[i])
        narrowed[widest] -= 1
        excess -= 1
    return narrowed


def _line(
    row: Sequence[str], columns: Sequence[Column], widths: list[int], styles: Sequence[str], color: bool
) -> str:
    parts = []
    for index, cell in enumerate(row):
        column = columns[index]
        shown = fitted_end(cell, widths[index]) if column.tail else fitted(cell, widths[index])
        padding = " " * (widths[index] - cell_width(shown))
        text = styled(shown, column.styles.get(cell, styles[index]), color)
        parts.append(padding + text if column.right else text + padding)
    return "  ".join(parts).rstrip()
