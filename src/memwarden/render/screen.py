"""What a screen is: how wide, in how many colours, and how many cells a text takes on it.

Rich is imported here and nowhere else, and only where it is needed: by a terminal that shows colour, and for
text that is not ASCII.
"""

from __future__ import annotations

import os
import sys
from io import StringIO

PLAIN_WIDTH = 100
NEWEST = "latest"  # edition of Unicode: the same page wherever it is written
FLAG_LETTERS = frozenset(map(chr, range(0x1F1E6, 0x1F200)))


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
    """Screen cells that ``text`` takes: an accent takes none, a wide character or a picture two."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text, NEWEST)


def graphemes(text: str) -> list[tuple[int, int, int]]:
    """Where each grapheme begins and ends, and its cells."""
    if text.isascii():
        return [(at, at + 1, 1) for at in range(len(text))]
    from rich.cells import split_graphemes

    spans: list[tuple[int, int, int]] = []
    for start, end, size in split_graphemes(text, NEWEST)[0]:
        if spans and text[start] in FLAG_LETTERS and text[slice(*spans[-1][:2])] in FLAG_LETTERS:
            begun, _, one = spans.pop()  # two letters are one flag
            spans.append((begun, end, one + size))
        else:
            spans.append((start, end, size))
    return spans


def many(count: int, word: str) -> str:
    """``1 error``, ``2 errors``."""
    return f"{count} {word}{'' if count == 1 else 's'}"
