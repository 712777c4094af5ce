"""What else would pay is said when a condition is written."""

from __future__ import annotations

import pytest

from memwarden.core.condition import Combined, DateTest, PathTest, TextTest
from memwarden.judge.vacuity import shortcuts

from .ground import Files

CONTENT = {"a.py": b"import time\nsleep(3)\n", "b.go": b"package b\n", "c.json": b"{}"}


def hows(condition, files=CONTENT):
    return [shortcut.how for shortcut in shortcuts(condition, Files(files))]


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (
            TextTest("file_contains", "a.py", "frozen_clock"),
            ["the word in a comment", "a longer word that contains it"],
        ),
        (TextTest("file_contains", "a.py", r"\bfrozen_clock\b"), ["the word in a comment"]),
        (TextTest("file_contains", "a.py", r"^[^#\n]*\bfrozen_clock\b"), []),
        (
            TextTest("file_contains", "a.py", r"^from clocks import frozen"),
            ["a longer word that contains it"],
        ),
        (
            TextTest("file_contains", "b.go", "Frozen", literal=True),
            ["the word in a comment", "a longer word that contains it"],
        ),
        (TextTest("file_contains", "c.json", '"strict": true', literal=True), []),
        (TextTest("file_lacks", "a.py", "sleep"), ["emptying the file"]),
        (PathTest("file_exists", "docs/x.md"), ["an empty file"]),
        (PathTest("file_absent", "a.py"), []),
        (DateTest("after", "2030-01-01"), []),
        (
            Combined(
                "all",
                (TextTest("file_lacks", "a.py", "sleep"), TextTest("file_contains", "a.py", "import", True)),
            ),
            [],
        ),
        (
            Combined("any", (TextTest("file_lacks", "a.py", "sleep"), PathTest("file_absent", "a.py"))),
            ["emptying the file", "deleting it"],
        ),
    ],
)
def test_each_shortcut_is_tried_out(condition, expected):
    assert hows(condition) == expected


def test_a_condition_that_holds_already_has_no_shortcut():
    assert hows(TextTest("file_contains", "a.py", "sleep")) == []


def test_the_stricter_form_withstands_the_shortcut_and_accepts_the_change():
    [shortcut, *_] = shortcuts(TextTest("file_contains", "a.py", "frozen_clock"), Files(CONTENT))
    assert shortcut.stricter == r"file_contains: {path: 'a.py', pattern: '^[^#\n]*\bfrozen_clock\b'}"
    stricter = TextTest("file_contains", "a.py", r"^[^#\n]*\bfrozen_clock\b")
    assert shortcuts(stricter, Files(CONTENT)) == ()
