"""RE2 and what it must not match."""

from __future__ import annotations

import pytest

from memwarden.edit.pattern import BadPattern, check_pattern, compiled


@pytest.mark.parametrize(
    "pattern", ["foo", "^foo$", r"a\.b", "(a+)+$", "[0-9]{3}", r"\bfoo\b", r"\w+\(", r"[ \t]+$"]
)
def test_pattern_that_says_something_is_fine(pattern: str) -> None:
    assert check_pattern(pattern) is None


@pytest.mark.parametrize(
    "pattern",
    ["", ".*", "|x", "x|", "^", "$", "(?m)^", "x*", ".", ".+", r"\S", "[^a]", r"\n", r"\s", r"\s$", "(?s)."],
)
def test_pattern_that_is_true_of_any_text_is_refused(pattern: str) -> None:
    assert "match" in (check_pattern(pattern) or "")


def test_the_reason_shows_no_more_than_was_written() -> None:
    for pattern in ("(a", "[", "(?=x)", "*"):
        assert "(?m)" not in (check_pattern(pattern) or "")


@pytest.mark.parametrize("pattern", ["[", "(a", "a{9999999}", "(?=x)", r"(a)\1", "*", "x" * 5000, "\ud800"])
def test_pattern_that_is_not_re2_is_refused_with_the_reason(pattern: str) -> None:
    assert check_pattern(pattern)
    with pytest.raises(BadPattern):
        compiled(pattern)


def test_lines_are_matched_one_by_one() -> None:
    assert compiled("^b$").search("a\nb\nc") is not None


def test_literal_means_itself() -> None:
    assert compiled("a.b", literal=True).search("axb") is None
    assert compiled("a.b", literal=True).search("xa.bx") is not None


def test_hostile_pattern_takes_linear_time() -> None:
    assert compiled("(a+)+$").search("a" * 50000 + "!") is None
