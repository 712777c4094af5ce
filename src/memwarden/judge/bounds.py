"""The lowest version that a declared range admits, in three dialects; "" where there is none.

PEP 440 specifiers, Poetry's caret and tilde, and npm's ranges.  Anything that is not understood has no
lowest version: the judge then cannot tell, which never pays.
"""

from __future__ import annotations

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import InvalidVersion, Version

DIGITS = frozenset("0123456789")


def lowest_pep440(text: str) -> str:
    """The greatest of the lower bounds of ``>=1.2,!=1.3,<2``, if the whole set admits it."""
    try:
        specifiers = SpecifierSet(text)
    except InvalidSpecifier:
        return ""
    bounds = []
    for one in specifiers:
        if one.operator in (">=", "~=", "==", "==="):
            try:
                bounds.append(Version(one.version.removesuffix(".*")))
            except InvalidVersion:
                return ""
        elif one.operator == ">":
            return ""  # admits nothing lowest
    if not bounds:
        return ""
    lowest = max(bounds)
    return str(lowest) if specifiers.contains(lowest, prereleases=True) else ""


def lowest_poetry(text: str) -> str:
    """As PEP 440, with ``^1.2``, ``~1.2`` and a bare ``1.2``; alternatives (``||``) take the lowest."""
    alternatives = [part.strip() for part in text.replace("||", "|").split("|")]
    if len(alternatives) > 1:
        return _least([lowest_poetry(part) for part in alternatives])
    parts = []
    for part in text.split(","):
        word = part.strip()
        if word.startswith(("^", "~")) and not word.startswith("~="):
            word = ">=" + word[1:].strip()
        elif word[:1] in DIGITS:
            word = "==" + word
        if word != "*":
            parts.append(word)
    return lowest_pep440(",".join(parts))


def lowest_npm(text: str) -> str:
    """The lowest of ``^1.2.3``, ``~1.2``, ``1.x``, ``>=1 <2``, ``1.2 - 2`` and their ``||``."""
    lows = []
    for alternative in text.split("||"):
        words = alternative.replace(">= ", ">=").replace("< ", "<").replace("<= ", "<=").split()
        if len(words) == 3 and words[1] == "-":
            words = [">=" + words[0]]
        bounds = [_npm_bound(word) for word in words if not word.startswith("<")]
        if not bounds or "" in bounds:
            return ""
        lows.append(_greatest(bounds))
    return _least(lows)


def _npm_bound(word: str) -> str:
    """The lower bound of one comparator."""
    if word.startswith(">") and not word.startswith(">="):
        return ""
    bare = word.removeprefix(">=").lstrip("^~=v")
    parts = bare.split(".")
    while len(parts) > 1 and parts[-1] in ("x", "X", "*"):
        parts.pop()
    if not parts[0] or not DIGITS.issuperset(parts[0]):
        return ""
    try:
        return str(Version(".".join(parts)))
    except InvalidVersion:
        return ""


def _least(versions: list[str]) -> str:
    return "" if "" in versions or not versions else min(versions, key=Version)


def _greatest(versions: list[str]) -> str:
    return max(versions, key=Version)
