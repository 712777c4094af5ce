"""The known words nearest to a mistyped one, without comparing it with every known word.

Candidates come from shared three-letter pieces, so that a memory with thousands of subjects, all of
them mistyped, costs no more than a walk over its letters.
"""

from __future__ import annotations

from memwarden.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

# A piece that more words than this share says nothing about any of them.
MOST_SHARED = 100
MOST_COMPARED = 8


class Nearest:
    """An index of known words, built when the first question comes."""

    def __init__(self, words: Iterable[str]) -> None:
        self._words = words
        self._holders: dict[str, list[str]] | None = None

    def to(self, word: str, most: int = 3) -> tuple[str, ...]:
        """Up to ``most`` known words that look like ``word``, the best first."""
        from difflib import get_close_matches  # only an error comes here

        candidates = self._sharing(word)
        folded: dict[str, str] = {}
        for candidate in candidates:
            folded.setdefault(candidate.casefold(), candidate)
        return tuple(folded[found] for found in get_close_matches(word.casefold(), folded, most, 0.6))

    def _sharing(self, word: str) -> list[str]:
        holders = self._index()
        counts: dict[str, int] = {}
        for piece in sorted(_pieces(word)):
            for holder in holders.get(piece, ()):
                counts[holder] = counts.get(holder, 0) + 1
        return sorted(counts, key=lambda holder: (-counts[holder], holder))[:MOST_COMPARED]

    def _index(self) -> dict[str, list[str]]:
        if self._holders is None:
            self._holders = {}
            for word in dict.fromkeys(self._words):
                for piece in _pieces(word):
                    holders = self._holders.setdefault(piece, [])
                    if len(holders) <= MOST_SHARED:
                        holders.append(word)
        return self._holders


def _pieces(word: str) -> set[str]:
    """The three-letter runs of a word with its edges marked, so that a short word has some too."""
    framed = f"^{word.casefold()}$"
    return {framed[at : at + 3] for at in range(max(1, len(framed) - 2))}
