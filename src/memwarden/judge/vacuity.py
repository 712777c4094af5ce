"""What else would pay a debt: accidents and shortcuts, tried out when the condition is written.

Each shortcut is really made, in a copy of the workspace that exists in memory only, and the condition is
judged there.  A person sees "would also be paid by: the word in a comment" before the debt exists, with
a stricter form to use instead.
"""

from __future__ import annotations

from memwarden.core.condition import HOLDS, DataTest, PathTest, TextTest
from memwarden.core.condition_parts import simple_parts
from memwarden.core.pattern_text import META
from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.core.workspace import FILE, FOLDER, Overlay, Unreadable
from memwarden.judge.files import finder
from memwarden.judge.judge import judge
from memwarden.judge.reader import Reader, Surroundings, is_glob

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from memwarden.core.condition import Condition
    from memwarden.core.workspace import Workspace

    # What one shortcut does to the files: new contents by path, None for a removal.
    Changes: TypeAlias = dict[str, bytes | None]
    Shortening: TypeAlias = Callable[[tuple[Condition, ...], Reader], Changes]

# How a line of each kind of file says "comment", and the class of characters that cannot precede code.
HASH = ("# {}", "#")
SLASHES = ("// {}", "/")
DASHES = ("-- {}", "-")
MARKUP = ("<!-- {} -->", "")
COMMENTS = {
    **dict.fromkeys(("c", "cc", "cpp", "cs", "css", "dart", "go", "h", "hpp", "java", "js", "jsx"), SLASHES),
    **dict.fromkeys(("kt", "mjs", "php", "proto", "rs", "scala", "scss", "swift", "ts", "tsx"), SLASHES),
    **dict.fromkeys(("hs", "lua", "sql"), DASHES),
    **dict.fromkeys(("htm", "html", "md", "svg", "vue", "xml"), MARKUP),
    **dict.fromkeys(("csv", "json", "lock", "rst", "txt"), None),
}
# Regex pieces and a plain text that each of them matches, longest first.
SAMPLES = (
    ("(?i)", ""), ("(?:", ""), ("\\s+", " "), ("\\s*", " "), ("\\b", ""), ("\\d+", "1"), ("\\w+", "x"),
    ("[^\\n]*", " "), (".*?", " "), (".*", " "), (".+", " "), ("\\s", " "), ("\\d", "1"), ("\\w", "x"),
)  # fmt: skip


class Shortcut(NamedTuple):
    """One way to pay that the author may not have meant, and a condition that it would not satisfy
    (as the note would write it; "" where there is none to propose)."""

    how: str
    stricter: str = ""


def shortcuts(condition: Condition, workspace: Workspace) -> tuple[Shortcut, ...]:
    """What else would make a condition hold that does not hold now; () where it holds already."""
    if judge(condition, workspace, Surroundings(blobs=False)).state == HOLDS:
        return ()
    leaves = tuple(simple_parts(condition))
    found = []
    for how, shorten, stricter in SHORTCUTS:
        changes = shorten(leaves, Reader(workspace, Surroundings(blobs=False)))
        if (
            changes
            and judge(condition, Overlay(workspace, changes), Surroundings(blobs=False)).state == HOLDS
        ):
            found.append(Shortcut(how, stricter(leaves)))
    return tuple(found)


def _files(leaf: Condition, reader: Reader) -> list[str]:
    """The files that a text or data condition reads now."""
    if not isinstance(leaf, TextTest | DataTest):
        return []
    try:
        return [path for path in reader.targets(leaf.path) if _kind(path, reader) == FILE]
    except Unreadable:
        return []


def _kind(path: str, reader: Reader) -> str:
    try:
        entry = reader.entry(path)
    except Unreadable:
        return ""
    return entry.kind if entry else ""


def _emptied(leaves: tuple[Condition, ...], reader: Reader) -> Changes:
    return {path: b"" for leaf in leaves for path in _files(leaf, reader)}


def _deleted(leaves: tuple[Condition, ...], reader: Reader) -> Changes:
    return {path: None for leaf in leaves for path in _files(leaf, reader)}


def _created_empty(leaves: tuple[Condition, ...], reader: Reader) -> Changes:
    wanted = [leaf.path for leaf in leaves if isinstance(leaf, PathTest) and leaf.kind == "file_exists"]
    return {path: b"" for path in wanted if not is_glob(path) and _kind(path, reader) != FOLDER}


def _commented(leaves: tuple[Condition, ...], reader: Reader) -> Changes:
    return _with_lines(leaves, reader, _comment_line)


def _inside_a_word(leaves: tuple[Condition, ...], reader: Reader) -> Changes:
    return _with_lines(leaves, reader, _longer_word)


def _with_lines(
    leaves: tuple[Condition, ...], reader: Reader, line_for: Callable[[TextTest, str], str]
) -> Changes:
    """One line appended to the first file of every ``file_contains``, where a line can be made."""
    changes: Changes = {}
    for leaf in leaves:
        if not isinstance(leaf, TextTest) or leaf.kind != "file_contains":
            continue
        path = next(iter(_files(leaf, reader)), "" if is_glob(leaf.path) else leaf.path)
        line = line_for(leaf, path) if path else ""
        if not line:
            continue
        try:
            before = changes.get(path) or (reader.workspace.read(path) if _kind(path, reader) else b"")
        except Unreadable:
            continue
        changes[path] = before + b"\n" + line.encode("utf-8", "replace") + b"\n"
    return changes


def _comment_line(test: TextTest, path: str) -> str:
    style = _comment_style(path)
    text = sample(test)
    return style[0].format(text) if style and text else ""


def _longer_word(test: TextTest, path: str) -> str:
    text = sample(test)
    if not text or _comment_style(path) is None:
        return ""
    return text + "z" if _is_word(text[-1]) else "z" + text if _is_word(text[0]) else ""


def _comment_style(path: str) -> tuple[str, str] | None:
    return COMMENTS.get(path.rpartition(".")[2].lower(), HASH)


def sample(test: TextTest) -> str:
    """A one-line text that the pattern matches, or "" where none is easily made."""
    text = test.pattern
    if not test.literal and not META.isdisjoint(text):
        for piece, plain in SAMPLES:
            text = text.replace(piece, plain)
        for char in "\\^$+*?(){}|":
            text = text.replace(char, "")
    text = text.strip()
    if not text or "\n" in text:
        return ""
    try:
        return text if finder(test.pattern, test.literal)(text) is not None else ""
    except Unreadable:
        return ""


def _is_word(char: str) -> bool:
    return char.isalnum() or char == "_"


def _stricter_text(leaves: tuple[Condition, ...]) -> str:
    """The same word, whole, on a line where no comment has begun."""
    for leaf in leaves:
        if isinstance(leaf, TextTest) and leaf.kind == "file_contains" and (text := sample(leaf)):
            style = _comment_style(leaf.path)
            start = f"^[^{style[1]}\\n]*" if style and style[1] else ""
            before = "\\b" if _is_word(text[0]) else ""
            after = "\\b" if _is_word(text[-1]) else ""
            pattern = start + before + _escaped(text) + after
            return _written(leaf._replace(pattern=pattern, literal=False))
    return ""


def _escaped(text: str) -> str:
    return "".join("\\" + char if char in META else char for char in text)


def _stricter_whole(leaves: tuple[Condition, ...]) -> str:
    """The same, and something that must stay in the file."""
    for leaf in leaves:
        if isinstance(leaf, TextTest) and leaf.kind == "file_lacks":
            stays = f"file_contains: {{path: {_quoted(leaf.path)}, text: 'WHAT MUST STAY'}}"
            return f"all: [{{{_written(leaf)}}}, {{{stays}}}]"
    return ""


def _stricter_file(leaves: tuple[Condition, ...]) -> str:
    for leaf in leaves:
        if isinstance(leaf, PathTest) and leaf.kind == "file_exists":
            return f"file_contains: {{path: {_quoted(leaf.path)}, text: 'WHAT IT MUST SAY'}}"
    return ""


def _written(leaf: TextTest) -> str:
    how = "text" if leaf.literal else "pattern"
    return f"{leaf.kind}: {{path: {_quoted(leaf.path)}, {how}: {_quoted(leaf.pattern)}}}"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


SHORTCUTS: tuple[tuple[str, Shortening, Callable[[tuple[Condition, ...]], str]], ...] = (
    ("emptying the file", _emptied, _stricter_whole),
    ("deleting it", _deleted, _stricter_whole),
    ("an empty file", _created_empty, _stricter_file),
    ("the word in a comment", _commented, _stricter_text),
    ("a longer word that contains it", _inside_a_word, _stricter_text),
)
