"""A text that is given on standard input, for commands that must not load what else can be said."""

from __future__ import annotations

import sys

from memwarden.errors import UsageError

MOST_INPUT = 1024 * 1024


def standard_input(what: str) -> str:
    """All of standard input as text."""
    data = sys.stdin.buffer.read(MOST_INPUT + 1)
    if len(data) > MOST_INPUT:
        raise UsageError(f"{what} on standard input is larger than 1 MiB", "one note is one claim")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError(f"{what} on standard input is not UTF-8", "give text") from None
