"""What of a regular expression is plain text: often all of it, and then no engine is needed to look for it.

An engine costs a hook half of Python's start.  ``time\\.sleep\\(`` is a plain text with its signs escaped;
``clock\\(\\d+\\)`` is found in no text that lacks ``clock(``.  Only RE2's simplest rules are used here, and
where anything else is in a pattern nothing is said of it.
"""

META = frozenset("\\.^$*+?()[]{}|")
# Escapes of one character that match a character, or a place, of some kind.
KINDS = frozenset("dDwWsSbBAz")


def text_of(pattern: str) -> str | None:
    """The one text that a pattern matches, or None where it may match others."""
    runs, whole = _runs(pattern)
    return runs[0] if whole and len(runs) == 1 else None


def needed_by(pattern: str) -> str:
    """The longest text known to be in every match of a pattern; "" where none is."""
    return max(_runs(pattern)[0], key=len, default="")


def _runs(pattern: str) -> tuple[list[str], bool]:
    """Texts that every match has, in order, and whether they are all of the pattern."""
    if META.isdisjoint(pattern):
        return [pattern] if pattern else [], True
    if "|" in pattern or "(?" in pattern:
        return [], False
    runs = [""]
    whole = True
    at = 0
    while at < len(pattern):
        char = pattern[at]
        at += 1
        if char == "\\":
            char = pattern[at : at + 1]
            at += 1
            if char in KINDS and char:
                char, whole = "", False
            elif not char.isascii() or char.isalnum() or char in ("", "_"):
                return [], False  # \Q, \x, \p and their like change what follows
        elif char in ".^$":
            char, whole = "", False
        elif char in META:
            if char not in "*+?":
                return [run for run in _until(runs, char) if run], False
            whole = False
            if char != "+":
                runs[-1] = runs[-1][:-1]
            runs.append("")
            continue
        if char:
            runs[-1] += char
        else:
            runs.append("")
    return [run for run in runs if run], whole


def _until(runs: list[str], char: str) -> list[str]:
    """The texts before a bracket that is not looked into; the letter before a ``{`` need not be there."""
    return [*runs[:-1], runs[-1][:-1]] if char == "{" else runs
