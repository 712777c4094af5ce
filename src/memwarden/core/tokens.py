"""How many tokens a text is worth, estimated the same way for every script and on every machine.

A budget needs no model's exact count; it needs a number that no script gets for free (a Japanese note
is not a quarter of its size), that never shrinks when text is added, and that costs nothing to compute.
"""

# Quarters of a token, so that the sum is exact and is rounded once.
_ASCII = 1
_OTHER = 2
_WIDE = 4
# More characters than these no language has, so they are not remembered.
MOST_KNOWN = 10_000


def estimate(text: str) -> int:
    """ASCII characters / 4, other characters / 2, East Asian wide ones 1 each; rounded up, at least 1."""
    return max(1, -(-_quarters(text) // 4))


def _quarters(text: str) -> int:
    if text.isascii():
        return len(text) * _ASCII
    return sum(map(_worth.__getitem__, text))


class _Worth(dict[str, int]):
    """What each character is worth, looked up once: a text has the same ones again and again."""

    def __missing__(self, char: str) -> int:
        if char < "\x80":
            worth = _ASCII
        else:
            from unicodedata import east_asian_width  # a shared library that plain ASCII need not load

            worth = _WIDE if east_asian_width(char) in "WF" else _OTHER
        if len(self) < MOST_KNOWN:
            self[char] = worth
        return worth


_worth = _Worth()
