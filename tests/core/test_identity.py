"""IDs and file names."""

from __future__ import annotations

import pytest

from memwarden.core.identity import mint_id, note_file_name, slug
from memwarden.core.note import is_note_id
from memwarden.errors import MemError


def test_minted_id_is_a_note_id() -> None:
    assert mint_id(lambda n: bytes(range(n)), ()) == "n-01234567"
    assert is_note_id(mint_id(lambda n: b"\xff" * n, ()))


def test_colliding_id_is_drawn_again() -> None:
    draws = iter([b"\0" * 8, b"\0" * 8, b"\1" * 8])
    assert mint_id(lambda n: next(draws), {"n-00000000"}) == "n-11111111"


def test_broken_randomness_is_an_error_not_a_hang() -> None:
    with pytest.raises(MemError, match="no free note ID"):
        mint_id(lambda n: b"\0" * n, {"n-00000000"})


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Hello, World!", "hello-world"),
        ("test_retry.py is flaky", "test-retry-py-is-flaky"),
        ("Don't use it", "dont-use-it"),
        ("\u00dcn\u00efcode stra\u00dfe", "unicode-strasse"),
        ("\u0130stanbul", "istanbul"),
        ("\u518d\u8a66\u884c", "\u518d\u8a66\u884c"),
        ("\uff21\uff22\uff23", "abc"),
        ("CON", "con-note"),
        ("nul", "nul-note"),
        ("../../etc/passwd", "etc-passwd"),
        ("\U0001f600", "note"),
        ("", "note"),
        ("---", "note"),
        ("a\0b\nc", "a-b-c"),
    ],
)
def test_slug_is_a_name_that_every_system_takes(title: str, name: str) -> None:
    assert slug(title) == name
    assert slug(name) == name


def test_slug_is_cut_at_a_word_and_never_too_long() -> None:
    assert slug("word " * 40) == "-".join(["word"] * 12)
    assert len(slug("a" * 500)) == 60
    assert len(slug("\u30c7" * 500).encode()) <= 120


def test_file_name_carries_the_id() -> None:
    assert note_file_name("Retry policy", "n-4f7k2m9q") == "retry-policy-4f7k2m9q.md"
