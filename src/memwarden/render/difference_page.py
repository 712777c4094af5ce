"""A difference for a terminal: headings with counts, a note's title in full once, its details below it."""

from __future__ import annotations

from memwarden.core.record import TYPE_CHECKING
from memwarden.core.visible import plain
from memwarden.render.difference_words import PATH, TITLE, Quoted, sections
from memwarden.render.lines import Whole, fitted, folded, parted
from memwarden.render.screen import cell_width, styled, width
from memwarden.render.table import LEAST_CELLS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memwarden.core.compare.difference import Difference
    from memwarden.render.difference_words import Entry, Line, Section

MOST_COLUMNS = 120
STYLES = {"Debts paid": "bold green", "Debts opened": "bold yellow", "Debts missed": "bold red"}
MARKS = {"+ ": "green", "- ": "red"}
INDENT = 4


def page(found: Difference, before: str, after: str, color: bool) -> str:
    """What lies between ``before`` and ``after``, for a person at a screen; "" where nothing does."""
    if found.same:
        return ""
    lines = [f"{plain(before)} -> {plain(after)}"]
    told: set[str] = set()
    for section in sections(found):
        lines += ["", *_section(section, told, color)]
    if found.unrouted:
        lines += ["", f"The tasks could not be compared: {plain(found.unrouted)}"]
    return "\n".join(lines) + "\n"


def _section(section: Section, told: set[str], color: bool) -> Iterator[str]:
    heading = f"{section.heading} ({len(section.entries)})"
    yield styled(heading, STYLES.get(section.heading, "bold"), color)
    for entry in section.entries:
        yield from _entry(entry, told, color)


def _entry(entry: Entry, told: set[str], color: bool) -> Iterator[str]:
    lead = f"  {plain(entry.name):<10}  " if entry.name else "  "
    hang = " " * (cell_width(lead) if entry.name else INDENT)
    head, *more = _rows(entry.title, lead, hang, told)
    yield styled(lead, "cyan", color) + head[len(lead) :]
    yield from more
    for line in entry.details:
        mark = line[0] if isinstance(line[0], str) else ""
        for row in _rows(line, hang, hang + "  ", told):
            yield styled(row, MARKS.get(mark, "dim"), color)


def _rows(line: Line, first: str, later: str, told: set[str]) -> list[str]:
    """The line on as many rows as it needs: on one, where it gives a title that was ``told`` already."""
    parts: list[str] = []
    for part in line:
        if not isinstance(part, Quoted):
            parts.append(plain(part))
        elif part.kind == PATH:
            parts.append(Whole(plain(part.text)))
        elif part.kind == TITLE and part.text in told:
            rest = cell_width(first) + sum(cell_width(plain(other)) for other in _others(line, part))
            parts.append(Whole(fitted(plain(part.text), max(_columns() - rest, LEAST_CELLS))))
        else:
            parts += parted(plain(part.text), map(plain, part.paths))
    told.update(part.text for part in line if isinstance(part, Quoted) and part.kind == TITLE)
    return folded(parts, _columns(), first, later) or [first]


def _others(line: Line, title: Quoted) -> Iterator[str]:
    """The texts beside a title."""
    for part in line:
        if part is not title:
            yield part.text if isinstance(part, Quoted) else part


def _columns() -> int:
    return min(width(), MOST_COLUMNS)
