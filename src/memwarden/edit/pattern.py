"""RE2 in one room: linear time, so that a hostile pattern cannot hang a hook.

Imported only where a note really has a pattern: it costs as much as half of Python's start.
"""

from __future__ import annotations

from functools import lru_cache

import re2

from memwarden.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any, TypeAlias

    Regex: TypeAlias = Any  # re2 ships no types: an object with search, finditer, match

LONGEST = 4096
# What we put before every pattern; no message shows it.
OURS = "(?m)"
# A pattern that finds something in each of these finds something in any text worth the name.
ANY_TEXT = ("a", "Z", "5", "-", "\u00e9")


class BadPattern(ValueError):
    """The pattern is not RE2; the text says why, as the end of a sentence."""


@lru_cache(maxsize=1024)
def compiled(pattern: str, literal: bool = False) -> Regex:
    """The pattern in multi-line mode (``^`` and ``$`` match at line ends); raises :class:`BadPattern`."""
    if len(pattern) > LONGEST:
        raise BadPattern(f"is longer than {LONGEST} characters")
    options = re2.Options()
    options.log_errors = False
    source = re2.escape(pattern) if literal else OURS + pattern
    try:
        return re2.compile(source, options)
    except re2.error as error:
        raise BadPattern(f"is not a valid RE2 pattern: {_reason(error)}") from None
    except UnicodeEncodeError:
        raise BadPattern("is not valid text") from None


def check_pattern(pattern: str) -> str | None:
    """Why a condition may not use ``pattern``, as the end of a sentence: invalid, empty, or true of
    any text.  None where it is fine."""
    if not pattern:
        return "is empty: it would match everything"
    try:
        regex = compiled(pattern)
    except BadPattern as bad:
        return str(bad)
    if regex.search("") is not None or regex.search("\n") is not None:
        return "matches everything (it matches the empty string or any line's end)"
    if all(regex.search(probe) is not None for probe in ANY_TEXT):
        return "matches everything (any character will do)"
    return None


def _reason(error: Exception) -> str:
    told = error.args[0] if error.args else "it does not parse"
    text = told.decode(errors="replace") if isinstance(told, bytes) else str(told)
    return text.replace(OURS, "", 1) if OURS in text else text


@lru_cache(maxsize=4)
def compiled_bytes(pattern: bytes) -> Regex:
    """A pattern of our own over bytes as they are."""
    options = re2.Options()
    options.log_errors = False
    options.encoding = re2.Options.Encoding.LATIN1
    options.dot_nl = True
    options.max_mem = 1 << 26
    return re2.compile(pattern, options)
