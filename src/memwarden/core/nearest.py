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
# Letters that are compared.
LONGEST = 80


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
        close = get_close_matches(word.casefold(), folded, MOST_COMPARED, 0.6)
        return tuple(folded[found] for found in close if is_near(word, found))[:most]

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


def is_near(word: str, other: str) -> bool:
    """Whether one word may be the other mistyped: a slip in each four letters, one more where they begin
    alike, or a beginning of it.  Sharing many letters alone (``nosuch``, ``touch``) is no slip."""
    one, two = word.casefold(), other.casefold()
    if min(len(one), len(two)) >= 3 and (two.startswith(one) or one.startswith(two)):
        return True
    longest = max(len(one), len(two))
    slips = max(1, longest // (3 if one[:1] == two[:1] else 4))
    return _distance(one[:LONGEST], two[:LONGEST]) <= slips


def _distance(one: str, two: str) -> int:
    """Letters to change, add, leave out or swap with their neighbour."""
    before: list[int] = []
    row = list(range(len(two) + 1))
    for at, letter in enumerate(one, 1):
        last, row, before = before, [at], row
        for there, other in enumerate(two, 1):
            steps = [before[there] + 1, row[there - 1] + 1, before[there - 1] + (letter != other)]
            if at > 1 and there > 1 and (letter, one[at - 2]) == (two[there - 2], other):
                steps.append(last[there - 2] + 1)
            row.append(min(steps))
    return row[-1]


def _pieces(word: str) -> set[str]:
    """The three-letter runs of a word with its edges marked, so that a short word has some too."""
    framed = f"^{word.casefold()}$"
    return {framed[at : at + 3] for at in range(max(1, len(framed) - 2))}
