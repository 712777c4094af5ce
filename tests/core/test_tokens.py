"""The estimate of tokens: exact arithmetic, no script for free."""

from __future__ import annotations

import pytest

from memwarden.core.tokens import estimate


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 1),
        ("ok", 1),
        ("abcd", 1),
        ("abcde", 2),
        ("a" * 400, 100),
        ("é", 1),
        ("éé", 1),
        ("ééé", 2),
        ("日本語", 3),
        ("日本語a", 4),
        ("ＡＢ", 2),
        ("ab日", 2),
        ("한국어", 3),
        ("\U0001f600", 1),
    ],
)
def test_estimate_counts_quarters_and_rounds_once(text: str, tokens: int) -> None:
    assert estimate(text) == tokens
