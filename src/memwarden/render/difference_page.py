"""A difference for a terminal: headings with counts, one line a note, its details wrapped below it."""

from __future__ import annotations

from memwarden.core.record import TYPE_CHECKING
from memwarden.core.visible import plain
from memwarden.render.difference_words import Quoted, sections
from memwarden.render.screen import cell_width, fitted, folded, styled, width

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
    if found.empty and not found.unrouted:
        return ""
    lines = [f"{plain(before)} -> {plain(after)}"]
    for section in sections(found):
        lines += ["", *_section(section, color)]
    if found.unrouted:
        lines += ["", f"The tasks could not be compared: {plain(found.unrouted)}"]
    return "\n".join(lines) + "\n"


def _section(section: Section, color: bool) -> Iterator[str]:
    heading = f"{section.heading} ({len(section.entries)})"
    yield styled(heading, STYLES.get(section.heading, "bold"), color)
    for entry in section.entries:
        yield from _entry(entry, color)


def _entry(entry: Entry, color: bool) -> Iterator[str]:
    lead = f"  {plain(entry.name):<10}  " if entry.name else "  "
    yield styled(lead, "cyan", color) + fitted(_text(entry.title), _columns() - cell_width(lead))
    indent = " " * (len(lead) if entry.name else INDENT)
    for line in entry.details:
        text = _text(line)
        for row in _wrapped(text, indent):
            yield styled(row, MARKS.get(text[:2], "dim"), color)


def _wrapped(text: str, indent: str) -> list[str]:
    """The text on as many lines as it needs; a mark at its beginning hangs."""
    hang = indent + "  " if text[:2] in MARKS else indent
    return folded(text, _columns(), indent, hang) or [indent]


def _text(line: Line) -> str:
    return "".join(plain(part.text if isinstance(part, Quoted) else part) for part in line)


def _columns() -> int:
    return min(width(), MOST_COLUMNS)
