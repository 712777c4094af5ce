"""One spelling for names that people write by hand: case and blanks do not make another task."""

from __future__ import annotations


def folded_words(text: str) -> str:
    """``text`` in the form in which two spellings of one name are equal."""
    return " ".join(text.casefold().split())
