"""A difference as Markdown, fit for a pull-request comment or a job summary.

A note can be written by anybody, and a comment is rendered with powers that a note must not have: HTML,
headings, images, links, mentions that notify people, references to issues.  Whatever comes from a note is
therefore a code span, in which no host finds any of these; everything outside of the spans is ours.
"""

from __future__ import annotations

from memwarden.core.record import TYPE_CHECKING
from memwarden.core.visible import plain
from memwarden.render.difference_words import TITLE, Quoted, sections
from memwarden.render.lines import fitted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memwarden.core.compare.difference import Difference
    from memwarden.render.difference_words import Entry, Line, Section

# A comment on GitHub holds 65,536 characters; a reader gives up long before.
MOST_CHARACTERS = 60_000
MOST_ENTRIES = 50
MOST_DETAILS = 12
MOST_QUOTED = 300
MOST_AGAIN = 80  # of a title that stands in full above


def markdown(found: Difference, before: str, after: str) -> str:
    """What lies between ``before`` and ``after``, for a page that people discuss."""
    head = ["### Memory", "", f"{code(before)} → {code(after)}"]
    if found.same:
        same = "Neither side has a memory." if found.nowhere else "The memory says the same."
        return "\n".join((*head, "", same)) + "\n"
    lines = list(head)
    told: set[str] = set()
    for section in sections(found):
        lines += ["", *_section(section, told)]
    if found.unrouted:
        lines += ["", f"The tasks could not be compared: {code(found.unrouted)}"]
    return _bounded(lines)


def code(text: str, most: int = MOST_QUOTED) -> str:
    """``text`` as a code span, whatever it contains."""
    shown = fitted(plain(text), most)
    if not shown.strip():
        return "(empty)"
    longest = run = 0
    for char in shown:
        run = run + 1 if char == "`" else 0
        longest = max(longest, run)
    fence = "`" * (longest + 1)
    pad = " " if shown[0] in "` " or shown[-1] in "` " else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def _section(section: Section, told: set[str]) -> Iterator[str]:
    yield f"**{section.heading}** ({len(section.entries)})"
    yield ""
    for entry in section.entries[:MOST_ENTRIES]:
        yield from _entry(entry, told)
    left = len(section.entries) - MOST_ENTRIES
    if left > 0:
        yield f"- and {left} more: `mem diff` shows them all"


def _entry(entry: Entry, told: set[str]) -> Iterator[str]:
    name = f" {code(entry.name)}" if entry.name else ""
    yield f"- {_text(entry.title, told)}{name}"
    for line in entry.details[:MOST_DETAILS]:
        yield f"  - {_text(line, told)}"
    left = len(entry.details) - MOST_DETAILS
    if left > 0:
        yield f"  - and {left} more"


def _text(line: Line, told: set[str]) -> str:
    """A line's parts; our own marks at its beginning would open a list."""
    shown = "".join(
        _span(part, told) if isinstance(part, Quoted) else part.replace("->", "→") for part in line
    )
    marks = {"+ ": "now ", "- ": "no longer "}
    return marks[shown[:2]] + shown[2:] if shown[:2] in marks else shown


def _span(part: Quoted, told: set[str]) -> str:
    """A part as a code span; a title that was ``told`` already is shortened."""
    again = part.kind == TITLE and part.text in told
    if part.kind == TITLE:
        told.add(part.text)
    return code(part.text, MOST_AGAIN if again else MOST_QUOTED)


def _bounded(lines: list[str]) -> str:
    size = 0
    for at, line in enumerate(lines):
        size += len(line) + 1
        if size > MOST_CHARACTERS:
            return "\n".join((*lines[:at], "", "The rest is cut here: `mem diff` shows it all.")) + "\n"
    return "\n".join(lines) + "\n"
