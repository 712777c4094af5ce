"""EXPR of the command line."""

from __future__ import annotations

from typing import Any

import pytest

from memwarden.edit.expression import parse_expr, parse_yaml_condition
from memwarden.errors import UsageError


@pytest.mark.parametrize(
    ("text", "raw"),
    [
        ("exists:a/b", {"file_exists": "a/b"}),
        ("absent:a", {"file_absent": "a"}),
        ("contains:a.py:x:y", {"file_contains": {"path": "a.py", "pattern": "x:y"}}),
        ("lacks:a.py:x", {"file_lacks": {"path": "a.py", "pattern": "x"}}),
        ("after:2026-12-01", {"after": "2026-12-01"}),
        ("command:pytest -q 'a b'", {"command": {"run": "pytest -q 'a b'"}}),
    ],
)
def test_expression_is_a_condition_in_one_word(text: str, raw: dict[str, Any]) -> None:
    assert parse_expr(text) == raw


@pytest.mark.parametrize("text", ["", "exists", "contain:a:b", "contains:a", "file_exists:x"])
def test_unknown_form_names_the_forms(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_expr(text)
    assert ":" in caught.value.next_step


@pytest.mark.parametrize(
    "text", ["file_exists: a", "condition:\n  file_exists: a\n", "\ufeff{file_exists: a}\r\n"]
)
def test_yaml_is_read_alone_or_under_its_key(text: str) -> None:
    assert parse_yaml_condition(text) == {"file_exists": "a"}


@pytest.mark.parametrize(
    ("text", "line"), [("a: 1\na: 2", "line 2"), ("a: &x 1", "line 1"), ("- a", "line 1"), ("a: @", "line 1")]
)
def test_bad_yaml_is_refused_at_its_line(text: str, line: str) -> None:
    with pytest.raises(UsageError, match=line):
        parse_yaml_condition(text)


@pytest.mark.parametrize("text", ["", "condition:", "# nothing"])
def test_empty_condition_is_an_error(text: str) -> None:
    with pytest.raises(UsageError, match="empty"):
        parse_yaml_condition(text)
