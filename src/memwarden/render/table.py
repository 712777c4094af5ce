"""A table: aligned in cells, narrow where the screen is, plain where there is none.  Text from notes is never
markup."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping, Sequence

from memwarden.core.record import NamedTuple
from memwarden.core.visible import plain
from memwarden.render.lines import fitted, fitted_end
from memwarden.render.screen import cell_width, styled, width

LEAST_CELLS = 12  # of a column that gives way


class Column(NamedTuple):
    """A table's column: ``style`` is a rich style, ``styles`` those of particular cells; a ``flexible`` one
    gives way on a narrow screen, and keeps the end of a cell where that says more (``tail``: a path); a
    ``spare`` one is left out where even that is too much."""

    title: str
    style: str = ""
    flexible: bool = False
    right: bool = False
    tail: bool = False
    spare: bool = False
    styles: Mapping[str, str] = {}


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


def _titles(columns: Sequence[Column]) -> list[tuple[int, str]]:
    return [(index, column.title) for index, column in enumerate(columns)]


def _narrowed(columns: Sequence[Column], widths: list[int], screen: int) -> list[int]:
    """Take what is missing from the flexible columns, the widest first, down to twelve cells; where that is
    not enough, leave out a spare one (no cells), the last first."""
    narrowed = list(widths)
    while sum(narrowed) + 2 * (sum(map(bool, narrowed)) - 1) > screen:
        roomy = [i for i, column in enumerate(columns) if column.flexible and narrowed[i] > LEAST_CELLS]
        if roomy:
            narrowed[max(roomy, key=lambda i: narrowed[i])] -= 1
            continue
        spare = [i for i, column in enumerate(columns) if column.spare and narrowed[i]]
        if not spare:
            break
        return _narrowed(columns, [0 if i == spare[-1] else cells for i, cells in enumerate(widths)], screen)
    return narrowed


def _line(
    row: Sequence[str], columns: Sequence[Column], widths: list[int], styles: Sequence[str], color: bool
) -> str:
    parts = []
    for index, cell in enumerate(row):
        if not widths[index]:
            continue
        column = columns[index]
        shown = fitted_end(cell, widths[index]) if column.tail else fitted(cell, widths[index])
        padding = " " * (widths[index] - cell_width(shown))
        text = styled(shown, column.styles.get(cell, styles[index]), color)
        parts.append(padding + text if column.right else text + padding)
    return "  ".join(parts).rstrip()
