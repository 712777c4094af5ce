"""Splicing generated frontmatter: one field changes, every other byte stays."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwarden.edit.document import append_to_list, remove_field, set_field, set_text
from memwarden.edit.fields import fields_of
from memwarden.edit.frontmatter import split
from memwarden.errors import UsageError

pytestmark = pytest.mark.property

words = st.sampled_from(
    ["a", "a b", "x.py", "src/**/*.py", "2026-11-30", "0123", "no", "caf\u00e9", "a-b", "(x)"]
)
values_any = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=12)
comment = st.sampled_from(["", "", "  # why", " # a: b", "\t# tab"])


@st.composite
def scalar_source(draw: st.DrawFn) -> str:
    word = draw(words)
    return draw(st.sampled_from([word, f"'{word}'", f'"{word}"']))


@st.composite
def field_source(draw: st.DrawFn, key: str) -> list[str]:
    """One field as its author may have written it."""
    gap = draw(st.sampled_from([" ", "  ", "\t"]))
    end = draw(comment)
    form = draw(st.integers(0, 6))
    items = draw(st.lists(scalar_source(), min_size=1, max_size=3))
    if form <= 1:
        return [f"{key}:{gap}{items[0]}{end}"]
    if form == 2:
        return [f"{key}:{gap}[{', '.join(items)}]{end}"]
    if form == 3:
        indent = draw(st.sampled_from(["", "  ", "    "]))
        return [f"{key}:{end}"] + [f"{indent}- {item}{draw(comment)}" for item in items]
    if form == 4:
        return [f"{key}:", f"  inner: {items[0]}{end}", "  more: {p: 1, q: [a]}"]
    if form == 5:
        return [f"{key}: |", f"  {items[0]}", "    deeper", ""]
    return [f"{key}:{end}"]


@st.composite
def note_source(draw: st.DrawFn) -> tuple[bytes, list[str]]:
    """A file's bytes and its keys, in the author's order."""
    keys = draw(st.permutations(["id", "facet", "anchors", "tags", "zeta"]))[: draw(st.integers(1, 5))]
    lines: list[str] = []
    for key in keys:
        lines += draw(st.lists(st.sampled_from(["# c", "", "  # indented"]), max_size=2))
        lines += draw(field_source(key))
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    body = draw(st.sampled_from(["", "# T", "# T\n\nx\n", "\n---\n", "no heading"]))
    text = newline.join(["---", *lines, draw(st.sampled_from(["---", "---  "]))])
    text += newline + body.replace("\n", newline)
    return draw(st.sampled_from([b"", b"\xef\xbb\xbf"])) + text.encode(), keys


def parsed(data: bytes) -> dict[str, Any]:
    return fields_of(split(data)).values


def field_lines(data: bytes, key: str) -> range:
    """The lines (from 0) from a key to the line before the next key: what its edit may touch."""
    fields = fields_of(split(data))
    marks = [pair[0].start_mark.line + 1 for pair in fields.node.value]
    names = [pair[0].value for pair in fields.node.value]
    at = names.index(key)
    end = marks[at + 1] if at + 1 < len(marks) else split(data).text[: split(data).end].count("\n")
    return range(marks[at], end)


@given(note_source(), words, st.data())
def test_one_edit_touches_only_its_own_lines(
    source: tuple[bytes, list[str]], value: str, data: st.DataObject
) -> None:
    before, keys = source
    key = data.draw(st.sampled_from(keys))
    after = set_field(before, key, value)
    assert set_field(after, key, value) == after
    assert parsed(after) == {**parsed(before), key: value}
    old, new = before.split(b"\n"), after.split(b"\n")
    span = field_lines(before, key)
    assert new[: span.start] == old[: span.start]
    kept = len(old) - span.stop
    assert new[len(new) - kept :] == old[len(old) - kept :]


@given(note_source(), words)
def test_new_field_adds_lines_and_changes_none(source: tuple[bytes, list[str]], value: str) -> None:
    before, _ = source
    after = set_field(before, "fresh", value)
    assert parsed(after) == {**parsed(before), "fresh": value}
    rest = after.split(b"\n")
    added = [line for line in rest if line.startswith(b"fresh:")]
    assert len(added) == 1
    rest.remove(added[0])
    assert rest == before.split(b"\n")
    assert remove_field(after, "fresh") == before


@given(note_source(), words, st.data())
def test_item_at_the_end_of_a_list_keeps_the_others(
    source: tuple[bytes, list[str]], value: str, data: st.DataObject
) -> None:
    before, keys = source
    key = data.draw(st.sampled_from(keys))
    old = parsed(before)[key]
    if isinstance(old, dict) or "\n" in old:
        return  # a mapping is no list, and a text of several lines is no item of one
    items = old if isinstance(old, list) else [old] if old else []
    after = append_to_list(before, key, value)
    wanted = items if value in items else [*items, value]
    assert parsed(after)[key] == wanted or (value in items and after == before)
    assert append_to_list(after, key, value) == after


@given(note_source(), st.data())
def test_removed_field_is_gone_and_the_rest_is_there(
    source: tuple[bytes, list[str]], data: st.DataObject
) -> None:
    before, keys = source
    key = data.draw(st.sampled_from(keys))
    after = remove_field(before, key)
    assert parsed(after) == {name: value for name, value in parsed(before).items() if name != key}
    assert set(after.split(b"\n")) <= set(before.split(b"\n"))


@given(note_source(), values_any, st.data())
def test_no_value_injects_anything(source: tuple[bytes, list[str]], value: str, data: st.DataObject) -> None:
    before, keys = source
    key = data.draw(st.sampled_from(keys))
    try:
        after = set_field(before, key, value)
    except UsageError:
        return
    assert parsed(after) == {**parsed(before), key: value}
    assert split(after).text[split(after).body :] == split(before).text[split(before).body :]


@given(note_source(), words, st.data())
def test_text_at_depth_is_replaced_alone(
    source: tuple[bytes, list[str]], value: str, data: st.DataObject
) -> None:
    before, keys = source
    key = data.draw(st.sampled_from(keys))
    old = parsed(before)[key]
    place = f"{key}.inner" if isinstance(old, dict) else f"{key}[0]" if isinstance(old, list) else key
    after = set_text(before, place, value)
    assert fields_of(split(after)).place(place)[0] == fields_of(split(before)).place(place)[0]
    new = parsed(after)[key]
    found = new["inner"] if isinstance(new, dict) else new[0] if isinstance(new, list) else new
    assert found == value
