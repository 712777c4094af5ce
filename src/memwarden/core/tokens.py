"""How many tokens a text is worth, estimated the same way for every script and on every machine.

A budget needs no model's exact count; it needs a number that no script gets for free (a Japanese note
is not a quarter of its size), that never shrinks when text is added, and that costs nothing to compute.
"""

# Quarters of a token, so that the sum is exact and is rounded once.
_ASCII = 1
_OTHER = 2
_WIDE = 4


def estimate(text: str) -> int:
    """ASCII characters / 4, other characters / 2, East Asian wide ones 1 each; rounded up, at least 1."""
    return max(1, -(-_quarters(text) // 4))


def _quarters(text: str) -> int:
    if text.isascii():
        return len(text) * _ASCII
    from unicodedata import east_asian_width  # a shared library that plain ASCII need not load

    total = 0
    for char in text:
        if char < "\x80":
            total += _ASCII
        else:
            total += _WIDE if east_asian_width(char) in "WF" else _OTHER
    return total
