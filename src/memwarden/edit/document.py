"""Editing a note's file in place: splices by the parser's own marks, every other byte kept.

Each function takes a file's bytes and gives the new bytes; giving the same value twice changes nothing.
After every splice the result is read back: the field has the value that was asked for, every other field
and the body are as they were, or the edit is refused.
"""

from __future__ import annotations

import re

from memwarden.core.record import TYPE_CHECKING
from memwarden.edit.fence import Split, Unsound, split
from memwarden.edit.fields import Fields, fields_of
from memwarden.edit.fresh import heading_text
from memwarden.edit.markdown import heading_lines
from memwarden.edit.nodes import end_of, is_block, is_scalar, node_at
from memwarden.edit.yaml_text import field_lines, flow, item, scalar
from memwarden.edit.yaml_text import key as key_text
from memwarden.errors import UsageError

if TYPE_CHECKING:
    from typing import Any

    from memwarden.edit.yaml_text import Value

BOM = b"\xef\xbb\xbf"
# The fields whose texts may have line breaks: a pattern or a literal text in a condition.
_WITH_LINES = ("condition", "verify")


def set_field(data: bytes, key: str, value: Value) -> bytes:
    """The file with the top-level field ``key`` set to ``value``; added after the last key where it is
    missing, behind a fence of its own where the file has none."""
    parts, fields = _read(data)
    if key in fields.values:
        old = fields.values[key]
        if old == value or (isinstance(value, list) and isinstance(old, str) and [old] == value):
            return data
        text = _replaced(parts, fields, key, old, value)
    else:
        text = _with_new_field(parts, fields, key, value)
    return _checked(data, parts, text, {**fields.values, key: value})


def set_text(data: bytes, key_path: str, text: str) -> bytes:
    """The file with one text at any depth replaced (``condition.all[1].file_contains.path``)."""
    parts, fields = _read(data)
    found = node_at(fields.node, key_path)
    if found is None or not is_scalar(found.value):
        raise UsageError(f"there is no text at {key_path}", "name a field that the note has")
    if found.value.value == text:
        return data
    lines = key_path.startswith(_WITH_LINES)
    new = _spliced_scalar(parts, found.value, text, in_flow=found.in_flow, lines=lines)
    return _checked(data, parts, new, _with_text(fields.values, key_path, text))


def remove_field(data: bytes, key: str) -> bytes:
    """The file without the lines of the top-level field ``key``: comments above it stay, comments below
    that are indented deeper are its own."""
    parts, fields = _read(data)
    if key not in fields.values:
        return data
    found = node_at(fields.node, key)
    assert found is not None
    block = parts.block
    start = block.rfind("\n", 0, found.key.start_mark.index) + 1
    end = _line_end(block, end_of(found.value, block))
    end = _past_own_comments(block, end, found.key.start_mark.column)
    if block[start : found.key.start_mark.index].strip():
        raise UsageError(f"{key} shares its line with another field", "put each field on a line of its own")
    values = {name: value for name, value in fields.values.items() if name != key}
    return _checked(data, parts, _spliced(parts, start, end, ""), values)


def append_to_list(data: bytes, key: str, value: Value) -> bytes:
    """The file with ``value`` at the end of the list ``key``; nothing changes where it is there already."""
    _, fields = _read(data)
    old = fields.values.get(key, [])
    items = old if isinstance(old, list) else [old] if old != "" else []
    return data if value in items else set_field(data, key, [*items, value])


def set_body(data: bytes, body: str) -> bytes:
    """The file with another body, in the file's own line ends."""
    parts, fields = _read(data)
    newline = _newline(parts.text)
    new = body.replace("\r\n", "\n").replace("\n", newline)
    if new == parts.text[parts.body :]:
        return data
    head = parts.text[: parts.body]
    if parts.fenced and new and not head.endswith("\n"):
        head += newline
    text = head + new
    _refuse_broken(_encoded(parts, text), fields.values, new)
    return _encoded(parts, text)


def set_title(data: bytes, title: str) -> bytes:
    """The file with another first heading; one is added where the body has none."""
    wanted = heading_text(title)
    parts, _ = _read(data)
    body = parts.text[parts.body :]
    span = heading_lines(body)
    newline = _newline(parts.text)
    if span is None:
        lines = body.lstrip("\r\n")
        return set_body(data, f"# {wanted}{newline}" + (newline + lines if lines else ""))
    rows = body.split("\n")
    ending = "\r" if rows[span[0]].endswith("\r") else ""
    if rows[span[0]].lstrip(" ").startswith("#"):
        content = re.sub(
            r"(?:^|[ \t]+)#+[ \t]*$", "", rows[span[0]].lstrip(" ").rstrip("\r")[1:].strip(" \t")
        )
        new_rows = [f"# {wanted}{ending}"] if content != wanted else rows[span[0] : span[1]]
    elif [row.strip() for row in rows[span[0] : span[1] - 1]] == [wanted]:
        new_rows = rows[span[0] : span[1]]
    else:
        new_rows = [wanted + ending, rows[span[1] - 1]]
    return set_body(data, "\n".join(rows[: span[0]] + new_rows + rows[span[1] :]))


def _read(data: bytes) -> tuple[Split, Fields]:
    parts = split(data)
    try:
        if parts.fault:
            raise Unsound(parts.fault)
        return parts, fields_of(parts)
    except Unsound as unsound:
        fault = unsound.fault
        raise UsageError(
            f"line {fault.line}: {fault.message}", fault.fix or "repair the file first"
        ) from None


def _replaced(parts: Split, fields: Fields, key: str, old: Any, value: Value) -> str:
    found = node_at(fields.node, key)
    assert found is not None
    block, node = parts.block, found.value
    lines = key in _WITH_LINES
    if isinstance(value, str) and is_scalar(node):
        return _spliced_scalar(parts, node, value, in_flow=found.in_flow, lines=lines)
    if isinstance(value, list) and isinstance(old, list) and value and old:
        text = _edited_list(parts, node, old, value, lines)
        if text is not None:
            return text
    start, end = node.start_mark.index, end_of(node, block)
    if not is_block(node) or found.in_flow:
        gap = "" if block[start - 1 : start] in " \t\n[{,-" else " "
        return _spliced(parts, start, end, gap + flow(value, lines))
    newline = _newline(parts.text)
    line_start = block.rfind("\n", 0, found.key.start_mark.index) + 1
    indent = block[line_start : found.key.start_mark.index]
    rewritten = newline.join(field_lines(key, value, indent))
    return _spliced(parts, line_start, end, rewritten)


def _edited_list(parts: Split, node: Any, old: list[Any], value: list[Value], lines: bool) -> str | None:
    """The text with a list changed item by item, so that the other items keep their lines and comments;
    None where only rewriting the whole list will do."""
    block, nodes = parts.block, node.value
    common = 0
    while common < min(len(old), len(value)) and old[common] == value[common]:
        common += 1
    if common == len(old):
        return _with_items(parts, node, value[common:], lines)
    if len(old) == len(value):
        text = block
        for index in reversed(range(common, len(old))):
            if old[index] != value[index]:
                new = flow(value[index], lines) if node.flow_style else item(value[index], lines)
                text = text[: nodes[index].start_mark.index] + new + text[end_of(nodes[index], block) :]
        return parts.text[: parts.start] + text + parts.text[parts.end :]
    if node.flow_style:
        return None
    kept = _kept(old, value)
    if kept is None:
        return None
    text = block
    for index in reversed(range(len(old))):
        if index not in kept:
            start = block.rfind("\n", 0, nodes[index].start_mark.index) + 1
            if block[start : nodes[index].start_mark.index].strip() != "-":
                return None
            text = text[:start] + text[_line_end(block, end_of(nodes[index], block)) :]
    return parts.text[: parts.start] + text + parts.text[parts.end :]


def _kept(old: list[Any], value: list[Value]) -> set[int] | None:
    """Which of the old items stay, where the new list is the old one with some taken out."""
    kept: set[int] = set()
    position = 0
    for wanted in value:
        while position < len(old) and old[position] != wanted:
            position += 1
        if position == len(old):
            return None
        kept.add(position)
        position += 1
    return kept


def _with_items(parts: Split, node: Any, items: list[Value], lines: bool) -> str:
    block = parts.block
    last = node.value[-1]
    end = end_of(last, block)
    if node.flow_style:
        return _spliced(parts, end, end, "".join(", " + flow(each, lines) for each in items))
    dash = block.rfind("-", 0, node.value[0].start_mark.index)
    indent = block[block.rfind("\n", 0, dash) + 1 : dash]
    if indent.strip():
        return _spliced(parts, node.start_mark.index, end, flow([*_values(node), *items], lines))
    gap = block[dash + 1 : node.value[0].start_mark.index]
    gap = gap if gap.strip(" ") == "" and gap else " "
    newline = _newline(parts.text)
    at = _line_end(block, end)
    return _spliced(parts, at, at, "".join(f"{indent}-{gap}{item(each, lines)}{newline}" for each in items))


def _values(node: Any) -> list[Any]:
    from memwarden.edit.nodes import value_of

    return [value_of(inner) for inner in node.value]


def _spliced_scalar(parts: Split, node: Any, text: str, *, in_flow: bool, lines: bool) -> str:
    block = parts.block
    start, end = node.start_mark.index, end_of(node, block)
    style = node.style if node.style in ("'", '"') else ""
    new = scalar(text, style, lines, in_flow)
    if start == end:
        new = (" " if block[start - 1 : start] not in (" ", "\t") else "") + new
        if block[end : end + 1] not in ("", "\n", "\r", " ", "\t", ",", "]", "}"):
            new += " "
    return _spliced(parts, start, end, new)


def _with_new_field(parts: Split, fields: Fields, key: str, value: Value) -> str:
    newline = _newline(parts.text)
    if not parts.fenced:
        head = ["---", *field_lines(key, value), "---"]
        return newline.join(head) + newline + parts.text
    node, block = fields.node, parts.block
    if node is None:
        return _spliced(parts, len(block), len(block), newline.join(field_lines(key, value)) + newline)
    if node.flow_style:
        at = end_of(node.value[-1][1], block) if node.value else node.start_mark.index + 1
        lines = key in _WITH_LINES
        comma = ", " if node.value else ""
        return _spliced(parts, at, at, f"{comma}{key_text(key)}: {flow(value, lines)}")
    last = node.value[-1][1]
    if is_scalar(last) and last.style in ("|", ">"):
        at = last.end_mark.index
    else:
        at = _line_end(block, end_of(last, block))
    indent = " " * node.start_mark.column
    return _spliced(parts, at, at, newline.join(field_lines(key, value, indent)) + newline)


def _spliced(parts: Split, start: int, end: int, new: str) -> str:
    """The file's text with a span of the frontmatter replaced; offsets count within the frontmatter."""
    text = parts.text
    return text[: parts.start + start] + new + text[parts.start + end :]


def _past_own_comments(block: str, offset: int, column: int) -> int:
    """The offset after the comment lines that are indented deeper than the field at ``column``."""
    while True:
        end = _line_end(block, offset)
        line = block[offset:end]
        content = line.lstrip(" \t")
        if not content.startswith("#") or len(line) - len(content) <= column:
            return offset
        offset = end


def _line_end(block: str, offset: int) -> int:
    """The offset after the line that ``offset`` is on."""
    found = block.find("\n", offset)
    return len(block) if found < 0 else found + 1


def _newline(text: str) -> str:
    """The file's dominant line end."""
    windows = text.count("\r\n")
    return "\r\n" if windows * 2 > text.count("\n") else "\n"


def _with_text(values: dict[str, Any], key_path: str, text: str) -> dict[str, Any]:
    """A copy of the values with one text replaced."""
    steps = [name or int(index) for name, index in re.findall(r"([^.\[\]]+)|\[(\d+)\]", key_path)]

    def changed(value: Any, rest: list[Any]) -> Any:
        if not rest:
            return text
        if isinstance(value, dict):
            return {k: changed(v, rest[1:]) if k == rest[0] else v for k, v in value.items()}
        return [changed(v, rest[1:]) if i == rest[0] else v for i, v in enumerate(value)]

    return changed(values, steps)  # type: ignore[no-any-return]


def _encoded(parts: Split, text: str) -> bytes:
    return (BOM if parts.bom else b"") + text.encode()


def _checked(data: bytes, parts: Split, text: str, wanted: dict[str, Any]) -> bytes:
    """The new bytes, read back: exactly the wanted fields, and the same body."""
    new = _encoded(parts, text)
    _refuse_broken(new, wanted, parts.text[parts.body :])
    return new


def _refuse_broken(new: bytes, wanted: dict[str, Any], body: str) -> None:
    parts, fields = _read(new)
    if fields.values != wanted or parts.text[parts.body :] != body:
        raise UsageError(
            "this frontmatter cannot be edited safely in the form it is written in",
            "edit it by hand, each field on lines of its own",
        )
