"""A Markdown trigger table as a harvest: rows that tie a path or a command to a sentence.

The columns are known by their headings.  A row whose ID is struck through was paid; every other row waits
in the inbox for a person, who says whether it is a rule or a debt.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from memwarden.core.glob import check_glob
from memwarden.core.note import CANDIDATE, DEBT, RULE
from memwarden.core.paths import check_path
from memwarden.core.record import NamedTuple
from memwarden.edit.importing.harvest import PAID, Claim, Harvest, Loss
from memwarden.edit.importing.page import NEVER_CLOSED, title_of
from memwarden.edit.markdown import table_blocks, unclosed_fence, unclosed_html
from memwarden.edit.pattern import check_pattern
from memwarden.errors import UsageError

if TYPE_CHECKING:
    from markdown_it.token import Token

PATH, COMMAND, EITHER = "path", "command", "either"
# The words of a heading that tell what its column holds, the first that fits.
HEADINGS = (
    ("id", r"^(?:id|no\.?|nr\.?|#|key|ref|debt id)$"),
    (COMMAND, r"\b(?:command|commands|cmd|shell|running|bash)\b"),
    (PATH, r"\b(?:path|paths|file|files|glob|folder|touching|editing)\b"),
    (EITHER, r"\b(?:trigger|triggers|pattern|match|matches|when|anchor|anchors|if|on)\b"),
    ("kind", r"\b(?:kind|type|lifecycle)\b"),
    ("text", r"\b(?:note|lesson|rule|sentence|say|says|text|warning|message|remember|reminder|debt|what|then"
             r"|do|why|description|advice|action)\b"),
)  # fmt: skip

_REGEX_SIGNS = re.compile(r"\\[bdswBDSW.]|\.\*|\.\+|\(\?|[\^$|]|\[[^\]]+\]")
_META = re.compile(r"([.^$*+?{}\[\]()|\\])")


class _Cell(NamedTuple):
    """``words`` without marks, the code spans in them, and whether all of it is struck through."""

    words: str = ""
    codes: tuple[str, ...] = ()
    struck: bool = False


class _Row(NamedTuple):
    line: int
    cells: tuple[_Cell, ...]


class _Table(NamedTuple):
    head: _Row
    rows: tuple[_Row, ...]


def read(texts: Mapping[str, str], named: Mapping[str, str] | None = None) -> Harvest:
    """The harvest of the tables in a page, which a person ``named`` so; raises :class:`UsageError` where
    none is a trigger table."""
    claims: list[Claim] = []
    lost: list[Loss] = []
    for path, text in sorted(texts.items()):
        unclosed = unclosed_fence(text) or unclosed_html(text)
        if unclosed:
            lost.append(Loss(path, unclosed, NEVER_CLOSED))
        found = [(table, _columns(table.head)) for table in _tables(text)]
        if not any(_is_usable(columns) for _, columns in found):
            raise UsageError(
                f"{(named or {}).get(path, path)} has no trigger table: no column for a path or a command"
                " beside one for a sentence",
                "name the columns, for example | ID | Path | Lesson |",
            )
        for table, columns in found:
            if _is_usable(columns):
                lost += _unread(path, table, columns)
                _harvest(path, table, columns, claims, lost)
            else:
                lost.append(Loss(path, table.head.line, "a table without a trigger and a sentence"))
    return Harvest(tuple(claims), lost=tuple(lost))


def _is_usable(columns: Mapping[str, int]) -> bool:
    return "text" in columns and any(kind in columns for kind in (PATH, COMMAND, EITHER))


def _columns(head: _Row) -> dict[str, int]:
    found: dict[str, int] = {}
    for at, cell in enumerate(head.cells):
        words = cell.words.lower()
        kind = next((kind for kind, pattern in HEADINGS if re.search(pattern, words)), "")
        if kind and kind not in found:
            found[kind] = at
    return found


def _unread(path: str, table: _Table, columns: Mapping[str, int]) -> list[Loss]:
    """The columns that say something and are not read."""
    taken = set(columns.values())
    return [
        Loss(path, table.head.line, f"the column {cell.words!r} is not read")
        for at, cell in enumerate(table.head.cells)
        if at not in taken and any(at < len(row.cells) and row.cells[at].words for row in table.rows)
    ]


def _harvest(
    path: str, table: _Table, columns: dict[str, int], claims: list[Claim], lost: list[Loss]
) -> None:
    settles = any(_is_struck(row, columns) for row in table.rows)
    for row in table.rows:
        text = _cell(row, columns, "text").words
        anchors = []
        for kind in (PATH, COMMAND, EITHER):
            cell = _cell(row, columns, kind)
            for pattern in _patterns(cell):
                if kind != COMMAND and not cell.codes and _is_prose(pattern, kind):
                    why = f"{pattern!r} is prose: put the path or the command into backticks"
                    lost.append(Loss(path, row.line, why))
                    continue
                read_as = _kind_of(pattern) if kind == EITHER else kind
                anchor = _anchor(read_as, pattern)
                if anchor is None:
                    lost.append(Loss(path, row.line, f"{pattern!r} is no {read_as} that can be watched for"))
                else:
                    anchors.append(anchor)
        if not text:
            lost.append(Loss(path, row.line, "a row without a sentence"))
            continue
        struck = _is_struck(row, columns)
        mark = _cell(row, columns, "id").words
        lifecycle = DEBT if struck or settles or "debt" in _cell(row, columns, "kind").words.lower() else RULE
        title, body = title_of(text)
        why = "struck through in the source" if struck else "a row of the table: a rule, or a debt that ends?"
        claims.append(
            Claim(
                path,
                row.line,
                title,
                body,
                PAID if struck else CANDIDATE,
                "debts/" if struck else "",
                why,
                lifecycle=lifecycle,
                anchors=tuple(dict.fromkeys(anchors)),
                tags=(mark,) if mark else (),
                mark=mark,
            )
        )


def _is_struck(row: _Row, columns: Mapping[str, int]) -> bool:
    """Whether the row's ID is struck through, or where there is none, its sentence."""
    cell = _cell(row, columns, "id")
    return cell.struck if cell.words else _cell(row, columns, "text").struck


def _cell(row: _Row, columns: Mapping[str, int], kind: str) -> _Cell:
    at = columns.get(kind, -1)
    return row.cells[at] if 0 <= at < len(row.cells) else _Cell()


def _patterns(cell: _Cell) -> tuple[str, ...]:
    """The code spans of a cell; without any, its words as one pattern, or as several with commas between."""
    if cell.codes:
        return tuple(code.strip() for code in cell.codes if code.strip())
    return tuple(part.strip() for part in cell.words.split(",") if part.strip())


def _is_prose(pattern: str, kind: str) -> bool:
    """Whether words that nobody marked as code are no path: a path is one word, and where a command may stand
    too, one that looks like a path."""
    return re.search(r"\s", pattern) is not None or (kind == EITHER and _kind_of(pattern) == COMMAND)


def _kind_of(pattern: str) -> str:
    """A pattern with blanks, or one word without a slash, a dot or a star, is a command."""
    if re.search(r"\s", pattern):
        return COMMAND
    return PATH if re.search(r"[/.*]", pattern) and not pattern.startswith(("^", "\\b")) else COMMAND


def _anchor(kind: str, pattern: str) -> tuple[str, str] | None:
    if kind == PATH:
        glob = pattern.removeprefix("./")
        return None if check_glob(glob) or check_path(glob.lstrip("/") or "") else (PATH, glob)
    regex = pattern if _REGEX_SIGNS.search(pattern) else _META.sub(r"\\\1", pattern)
    return None if check_pattern(regex) else (COMMAND, regex)


def _tables(text: str) -> list[_Table]:
    tables: list[_Table] = []
    rows: list[_Row] = []
    cells: list[_Cell] = []
    line = 0
    for token in table_blocks(text.replace("\r\n", "\n")):
        if token.type == "table_open":
            rows = []
        elif token.type == "tr_open":
            cells, line = [], (token.map[0] + 1 if token.map else 0)
        elif token.type == "inline" and line:
            cells.append(_cell_of(token))
        elif token.type == "tr_close":
            rows.append(_Row(line, tuple(cells)))
            line = 0
        elif token.type == "table_close" and rows:
            tables.append(_Table(rows[0], tuple(rows[1:])))
    return tables


def _cell_of(token: Token) -> _Cell:
    words: list[str] = []
    codes: list[str] = []
    depth = 0
    open_text = False
    for child in token.children or ():
        if child.type == "s_open":
            depth += 1
        elif child.type == "s_close":
            depth -= 1
        elif child.content:
            words.append(f"`{child.content}`" if child.type == "code_inline" else child.content)
            codes += [child.content] if child.type == "code_inline" else []
            open_text = open_text or (depth == 0 and bool(child.content.strip()))
    said = " ".join("".join(words).split())
    return _Cell(said, tuple(codes), bool(said) and not open_text)
