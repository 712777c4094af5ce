"""A word is offered in place of another only where a slip of the fingers lies between them."""

from __future__ import annotations

import pytest

from memwarden.core.nearest import Nearest, is_near


@pytest.mark.parametrize(
    ("word", "known"),
    [
        ("tuoch", "touch"),
        ("serach", "search"),
        ("explane", "explain"),
        ("Sub", "subject"),
        ("lits", "list"),
        ("behaviour", "behavior"),
        ("decisons", "decisions"),
        ("file-contain", "file_contains"),
        ("ad", "add"),
    ],
)
def test_a_slip_or_a_beginning_is_near(word: str, known: str) -> None:
    assert is_near(word, known)


@pytest.mark.parametrize(
    ("word", "known"),
    [("nosuch", "touch"), ("nonsense", "close"), ("status", "stats x"), ("", "add"), ("xy", "")],
)
def test_sharing_letters_is_not_near(word: str, known: str) -> None:
    assert not is_near(word, known)


def test_only_near_words_are_offered_the_best_first() -> None:
    known = Nearest(["touch", "requests", "request-id"])
    assert known.to("nosuch") == ()
    assert known.to("reqests") == ("requests",)
    assert known.to("request") == ("requests", "request-id")
