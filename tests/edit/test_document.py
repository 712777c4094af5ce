"""Editing in place: only the lines that must change do."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from typing import Any

import pytest

from memwarden.edit.document import (
    append_to_list,
    remove_field,
    set_body,
    set_field,
    set_text,
    set_title,
)
from memwarden.edit.fields import fields_of
from memwarden.edit.fresh import new_note
from memwarden.edit.frontmatter import split
from memwarden.edit.note_reader import read_note
from memwarden.errors import UsageError

NOTE = b"""---
# who owns this
zeta:    "kept"   # odd spacing
id: n-4f7k2m9q
facet:   'behavior'  # why
condition:
  # the proof
  file_contains: {path: tests/a.py,   pattern: frozen_clock}
anchors:   # two
  - tests/a.py   # the test
  # and the source

  - "src/a.py"
tags: [ a,  b ]   # free
text: |
  kept
    as is

empty:
created: 2026-11-30
# the end
---
# Title

body without a final newline"""

Edit = Callable[[bytes], bytes]


def changed(before: bytes, after: bytes) -> list[str]:
    """The lines that went (-) and came (+)."""
    lines = difflib.ndiff(before.decode().split("\n"), after.decode().split("\n"))
    return sorted(line for line in lines if line[:1] in "+-")


EDITS: list[tuple[Edit, list[str]]] = [
    (
        lambda d: set_field(d, "facet", "security"),
        ["- facet:   'behavior'  # why", "+ facet:   'security'  # why"],
    ),
    (
        lambda d: set_field(d, "zeta", 'a "b"'),
        ['- zeta:    "kept"   # odd spacing', '+ zeta:    "a \\"b\\""   # odd spacing'],
    ),
    (lambda d: set_field(d, "created", "2026-12-01"), ["- created: 2026-11-30", "+ created: 2026-12-01"]),
    (lambda d: set_field(d, "empty", "x: y"), ["- empty:", "+ empty: 'x: y'"]),
    (lambda d: set_field(d, "subject", "path:a#b"), ["+ subject: path:a#b"]),
    (lambda d: set_field(d, "supersedes", ["n-00000000"]), ["+ supersedes:", "+   - n-00000000"]),
    (lambda d: append_to_list(d, "anchors", "docs/**"), ["+   - docs/**"]),
    (lambda d: append_to_list(d, "anchors", {"command": "git push"}), ["+   - command: git push"]),
    (
        lambda d: append_to_list(d, "tags", "c, d"),
        ["- tags: [ a,  b ]   # free", "+ tags: [ a,  b, 'c, d' ]   # free"],
    ),
    (lambda d: append_to_list(d, "evidence", {"user": "Ada, #1"}), ["+ evidence:", "+   - user: 'Ada, #1'"]),
    (lambda d: set_field(d, "anchors", ["src/a.py"]), ["-   - tests/a.py   # the test"]),
    (lambda d: set_field(d, "anchors", ["tests/a.py", "b"]), ['-   - "src/a.py"', "+   - b"]),
    (
        lambda d: set_text(d, "condition.file_contains.path", "x, y.py"),
        [
            "-   file_contains: {path: tests/a.py,   pattern: frozen_clock}",
            "+   file_contains: {path: 'x, y.py',   pattern: frozen_clock}",
        ],
    ),
    (lambda d: set_text(d, "anchors[1]", "src/b.py"), ['-   - "src/a.py"', '+   - "src/b.py"']),
    (lambda d: remove_field(d, "facet"), ["- facet:   'behavior'  # why"]),
    (lambda d: remove_field(d, "empty"), ["- empty:"]),
    (lambda d: remove_field(d, "text"), ["- text: |", "-   kept", "-     as is"]),
    (lambda d: remove_field(d, "nothing"), []),
    (lambda d: set_title(d, "Another"), ["- # Title", "+ # Another"]),
    (lambda d: set_body(d, "new"), ["- # Title", "- ", "- body without a final newline", "+ new"]),
]


@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("newline", [b"\n", b"\r\n"])
@pytest.mark.parametrize(("edit", "lines"), EDITS)
def test_edit_changes_the_lines_it_must_and_twice_is_once(
    edit: Edit, lines: list[str], newline: bytes, bom: bytes
) -> None:
    before = bom + NOTE.replace(b"\n", newline)
    after = edit(before)
    assert edit(after) == after
    assert after.startswith(bom)
    assert after.count(b"\n") == after.count(newline)
    assert changed(NOTE, after.removeprefix(bom).replace(b"\r\n", b"\n")) == sorted(lines)


def test_same_value_gives_the_same_bytes() -> None:
    assert set_field(NOTE, "facet", "behavior") is NOTE
    assert set_field(NOTE, "anchors", ["tests/a.py", "src/a.py"]) is NOTE
    assert append_to_list(NOTE, "anchors", "src/a.py") is NOTE
    assert set_text(NOTE, "anchors[0]", "tests/a.py") is NOTE
    assert set_title(NOTE, "Title") == NOTE
    assert set_field(b"---\nanchors: a.py\n---\n", "anchors", ["a.py"]) == b"---\nanchors: a.py\n---\n"


@pytest.mark.parametrize(
    ("before", "key", "value", "after"),
    [
        ("", "a", "b", "---\na: b\n---\n"),
        ("plain\r\n", "a", "b", "---\r\na: b\r\n---\r\nplain\r\n"),
        ("---\n---\nx", "a", "b", "---\na: b\n---\nx"),
        ("---\n# c\n---\nx", "a", "b", "---\n# c\na: b\n---\nx"),
        ("---\nz: |+\n  x\n\n---\n", "a", "b", "---\nz: |+\n  x\n\na: b\n---\n"),
        ("---\n  z: 1\n---\n", "a", "b", "---\n  z: 1\n  a: b\n---\n"),
        ("---\n{z: 1}\n---\n", "a", "b: c", "---\n{z: 1, a: 'b: c'}\n---\n"),
        ("---\nanchors: x\n---\n", "anchors", ["x", "w"], "---\nanchors: [x, w]\n---\n"),
        ("---\nanchors: # none\n---\n", "anchors", ["x"], "---\nanchors: [x] # none\n---\n"),
        ("---\nanchors: [x]\n---\n", "anchors", [], "---\nanchors: []\n---\n"),
        ("---\nanchors:\n- x\nb: c\n---\n", "anchors", ["x", "w"], "---\nanchors:\n- x\n- w\nb: c\n---\n"),
        ("---\nanchors:\n-   x\n---\n", "anchors", ["x", "w"], "---\nanchors:\n-   x\n-   w\n---\n"),
        ("---\nanchors:\n- x\nb: c\n---\n", "anchors", [], "---\nanchors: []\nb: c\n---\n"),
        ("---\nanchors: [\n  x,\n]\n---\n", "anchors", ["x", "w"], "---\nanchors: [\n  x, w,\n]\n---\n"),
        ("---\na:\n  b: 1\n  c: 2\nd: e\n---\n", "a", "f", "---\na: f\nd: e\n---\n"),
        ("---\na: >-\n  b\n  c\n\nd: e\n---\n", "a", "f", "---\na: f\n\nd: e\n---\n"),
        ("---\na: 'b\n  c'\nd: e\n---\n", "a", "f", "---\na: 'f'\nd: e\n---\n"),
        ('---\n"a": b\n---\n', "a", "c", '---\n"a": c\n---\n'),
    ],
)
def test_odd_forms_are_edited_in_their_own_form(before: str, key: str, value: Any, after: str) -> None:
    assert set_field(before.encode(), key, value).decode() == after


@pytest.mark.parametrize(
    "value", ["x\nlifecycle: rule", "a\x1b[31m", "a\u202eb", "a\tb", "\0", "a\x85b", "a\u2028b"]
)
def test_control_character_is_refused(value: str) -> None:
    with pytest.raises(UsageError, match="control or invisible"):
        set_field(NOTE, "subject", value)
    with pytest.raises(UsageError):
        set_title(NOTE, value + "\x1b")


@pytest.mark.parametrize(
    "value",
    [
        *(
            "---",
            "...",
            "- a",
            "a: b",
            "a #b",
            "#a",
            "",
            " a ",
            "'",
            '"',
            "no",
            "0123",
            "1e3",
            "~",
            "*a",
            "&a",
        ),
        *("!a", "{a", "[a", "%a", "@a", "`a", "|", ">", "? a", "a:", "<<", "\U0001f600", "caf\u00e9", "a\\b"),
        *("null", "2026-11-30"),
    ],
)
def test_value_can_be_nothing_but_itself(value: str) -> None:
    for key in ("facet", "empty", "fresh"):
        after = set_field(NOTE, key, value)
        assert fields_of(split(after)).values == {**fields_of(split(NOTE)).values, key: value}
        after = set_field(NOTE, "tags", ["a", value, "b"])
        assert fields_of(split(after)).values["tags"] == ["a", value, "b"]


def test_pattern_in_a_condition_may_have_line_breaks() -> None:
    condition = {"file_contains": {"path": "a", "text": "x\n\ty"}}
    assert fields_of(split(set_field(NOTE, "condition", condition))).values["condition"] == condition


@pytest.mark.parametrize(
    "data", [b"---\na: [\n---\n", b"---\n", b"\xff", b"<<<<<<< x\n", b"---\na: 1\na: 2\n---\n"]
)
def test_broken_file_is_never_written(data: bytes) -> None:
    for edit in (
        lambda d: set_field(d, "a", "b"),
        lambda d: remove_field(d, "a"),
        lambda d: set_body(d, "x"),
    ):
        with pytest.raises(UsageError):
            edit(data)


def test_edit_that_cannot_be_read_back_is_refused() -> None:
    with pytest.raises(UsageError):
        remove_field(b"---\n{a: 1, b: 2}\n---\n", "b")
    with pytest.raises(UsageError):
        set_text(NOTE, "anchors[7]", "x")
    with pytest.raises(UsageError):
        set_body(NOTE, "<<<<<<< x\n")


@pytest.mark.parametrize(
    ("body", "title", "after"),
    [
        ("Old\n===\n\ntext\n", "New", "New\n===\n\ntext\n"),
        ("text\n", "New", "# New\n\ntext\n"),
        ("", "New", "# New\n"),
        ("```\n# no\n```\n# Old #\n", "New", "```\n# no\n```\n# New\n"),
        ("# A\n", "C#", "# C#\n"),
        ("# A\n", "a #", "# a \\#\n"),
        ("# A ##\n", "A", "# A ##\n"),
    ],
)
def test_title_is_set_where_it_stands(body: str, title: str, after: str) -> None:
    data = ("---\na: b\n---\n" + body).encode()
    assert set_title(data, title).decode() == "---\na: b\n---\n" + after
    assert set_title(set_title(data, title), title) == set_title(data, title)


def test_new_note_has_the_documented_form_and_reads_back() -> None:
    data = new_note(
        {
            "created": "2026-11-30",
            "id": "n-4f7k2m9q",
            "subject": "path:tests/test_retry.py",
            "facet": "behavior",
            "lifecycle": "debt",
            "condition": {"file_contains": {"path": "tests/test_retry.py", "pattern": "frozen_clock"}},
            "anchors": ["tests/test_retry.py"],
            "evidence": [{"test": "tests/test_retry.py"}],
            "tags": [],
            "expires": "",
        },
        "test_retry.py is flaky until it uses frozen_clock",
        "The back-off test sleeps on the wall clock; under load it fails one run in thirty.",
    )
    assert (
        data.decode()
        == """---
id: n-4f7k2m9q
subject: path:tests/test_retry.py
facet: behavior
lifecycle: debt
condition:
  file_contains: {path: tests/test_retry.py, pattern: frozen_clock}
anchors:
  - tests/test_retry.py
evidence:
  - test: tests/test_retry.py
created: 2026-11-30
---
# test_retry.py is flaky until it uses frozen_clock

The back-off test sleeps on the wall clock; under load it fails one run in thirty.
"""
    )
    assert read_note("memory/debts/x.md", data)[1] == ()


@pytest.mark.parametrize("body", ["---\na: b\n---", "# H\n- x\n```\ny\n```", "Title\n===", "", "\n\nx\n\n"])
def test_new_notes_body_round_trips(body: str) -> None:
    data = new_note({"id": "n-4f7k2m9q"}, "T", body)
    note, findings = read_note("memory/inbox/x.md", data)
    assert note is not None
    assert (note.title, findings) == ("T", ())
    assert body.strip("\n") in data.decode()


def test_new_note_does_not_repeat_its_heading() -> None:
    assert new_note({"id": "n-4f7k2m9q"}, "T", "# T\n\nx").decode().count("# T") == 1


@pytest.mark.parametrize(("title", "body"), [("", "x"), ("a\x1b", "x"), ("T", "<<<<<<< x\n"), ("T", "a\0b")])
def test_new_note_that_would_be_broken_is_refused(title: str, body: str) -> None:
    with pytest.raises(UsageError):
        new_note({"id": "n-4f7k2m9q"}, title, body)
