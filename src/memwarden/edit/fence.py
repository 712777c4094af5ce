"""The fence law: what is frontmatter and what is body, decided on the bytes, before any YAML is read.

Only a first line of exactly ``---`` opens frontmatter and only such a line at column 0 closes it.  What
merely looks like frontmatter is a fault with its line, never silently "no metadata".
"""

from __future__ import annotations

import re

from memwarden.core.record import NamedTuple

MOST_FRONTMATTER = 64 * 1024
MOST_NOTE = 1024 * 1024

UNREADABLE = "M001"
CONFLICT = "M002"

FENCE = re.compile(r"^---[ \t]*\r?$", re.MULTILINE)
_OPENING = re.compile(r"---[ \t]*\r?(?:\n|\Z)")
_CONFLICT = re.compile(r"^(?:<<<<<<<|>>>>>>>|\|\|\|\|\|\|\|)(?: |\r?$)", re.MULTILINE)
# A thematic break of CommonMark, which is not our fence: ----, ***, - - -, and an indented ---.
_BREAK = re.compile(r" {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})\r?(?:\n|\Z)")
_COMMENT_THEN_FENCE = re.compile(r"\s*<!--(?:(?!-->).)*-->\s*?^---[ \t]*\r?$", re.DOTALL | re.MULTILINE)
_BLANKS_THEN_FENCE = re.compile(r"\s+^---[ \t]*\r?$", re.MULTILINE)


class Fault(NamedTuple):
    """Why a file's frontmatter cannot be read: one clear reason at one place (from 1; 0: whole file)."""

    code: str
    message: str
    line: int = 0
    column: int = 0
    fix: str = ""


class Unsound(Exception):
    """Carries a :class:`Fault` out of the parser."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message)
        self.fault = fault


class Split(NamedTuple):
    """A file's text (without its BOM) and where its parts are, as offsets into ``text``.

    ``fenced``: it has frontmatter, ``text[start:end]``; the body is ``text[body:]``.  ``near`` tells
    that the first line looks like a fence but is none.  With a ``fault`` the offsets mean nothing.
    """

    text: str = ""
    bom: bool = False
    fenced: bool = False
    start: int = 0
    end: int = 0
    body: int = 0
    near: bool = False
    fault: Fault | None = None

    @property
    def block(self) -> str:
        return self.text[self.start : self.end]

    @property
    def body_line(self) -> int:
        return self.text.count("\n", 0, self.body) + 1


def split(data: bytes) -> Split:
    """Where a file's frontmatter and body are; never raises."""
    if len(data) > MOST_NOTE:
        fix = "split it: one file, one claim"
        return _faulty(f"the file is larger than 1 MiB ({len(data)} bytes)", 1, fix)
    bom = data.startswith(b"\xef\xbb\xbf")
    try:
        text = (data[3:] if bom else data).decode()
    except UnicodeDecodeError as error:
        return Split(fault=_undecodable(data, error.start))
    if "\0" in text:
        return Split(fault=_undecodable(data, data.index(b"\0")))
    if "<<<<<<<" in text or ">>>>>>>" in text or "|||||||" in text:
        marker = _CONFLICT.search(text)
        if marker:
            line = text.count("\n", 0, marker.start()) + 1
            fix = "resolve the conflict; indent an example of one by four blanks"
            return _faulty("conflict markers of an unfinished merge", line, fix, CONFLICT)
    if text.startswith("---\n"):
        # The first line that begins like a fence: a plain one, as nearly always, closes.
        end = text.find("\n---", 3, MOST_FRONTMATTER // 4)
        if end > 0 and text.startswith("\n", end + 4):
            return Split(text, bom, True, 4, end + 1, end + 5)
    opening = _OPENING.match(text)
    if opening is None:
        return _unfenced(text, bom)
    closing = FENCE.search(text, opening.end(), opening.end() + MOST_FRONTMATTER + 8)
    if closing is None:
        fix = "close the frontmatter with a line of exactly ---, or take the first line out"
        return _faulty("the frontmatter that line 1 opens is never closed (or is over 64 KiB)", 1, fix)
    if len(text[opening.end() : closing.start()].encode()) > MOST_FRONTMATTER:
        return _faulty("the frontmatter is over 64 KiB", 1, "move prose into the body")
    end = closing.end()
    return Split(text, bom, True, opening.end(), closing.start(), end + 1 if end < len(text) else end)


def _unfenced(text: str, bom: bool) -> Split:
    if text[:1] in ("<", "\n", "\r", " ", "\t") and (
        _COMMENT_THEN_FENCE.match(text) or _BLANKS_THEN_FENCE.match(text)
    ):
        return _faulty(
            "something stands before the opening --- (a comment or a blank line)",
            1,
            "make --- the first line of the file",
        )
    return Split(text, bom, near=_BREAK.match(text) is not None)


def _undecodable(data: bytes, offset: int) -> Fault:
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return Fault(UNREADABLE, "the file is UTF-16, not UTF-8", 1, 1, "save it as UTF-8")
    line_start = data.rfind(b"\n", 0, offset) + 1
    what = "a NUL byte" if data[offset : offset + 1] == b"\0" else "a byte that is not UTF-8"
    line = data.count(b"\n", 0, offset) + 1
    return Fault(UNREADABLE, f"the file has {what}", line, offset - line_start + 1, "save it as UTF-8 text")


def _faulty(message: str, line: int, fix: str, code: str = UNREADABLE) -> Split:
    return Split(fault=Fault(code, message, line, 1, fix))
