"""What is unsafe in a file's text, whatever kind of file it is: secrets, and characters that hide.

Part of reading a file, so that what is known of an unchanged file need not be looked for again.
"""

from __future__ import annotations

from collections.abc import Iterator

from memwarden.core.secrets import find_secrets
from memwarden.core.visible import is_hidden, plain
from memwarden.errors import ERROR, WARNING, Finding

SECRET_LIKE = "M701"  # noqa: S105 (the code of a rule)
HIDDEN = "M702"

# Characters that reorder the text around them: what a reviewer sees is not what is there.
OVERRIDES = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


def text_findings(path: str, text: str) -> Iterator[Finding]:
    """What is unsafe in one file's text."""
    for secret in find_secrets(text):
        line, column = _place(text, secret.start)
        message = f"this looks like a secret ({secret.kind})"
        fix = "take it out, and revoke it where it was issued"
        yield Finding(SECRET_LIKE, ERROR, message, path, line, column, fix=fix)
    yield from _hidden(path, text)


def _hidden(path: str, text: str) -> Iterator[Finding]:
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    if text.replace("\n", "").replace("\t", "").isprintable():
        return
    told: set[str] = set()
    for at, char in enumerate(text):
        if is_hidden(char) and char not in told:
            told.add(char)
            line, column = _place(text, at)
            count = text.count(char)
            times = f", {count} times" if count > 1 else ""
            harmful = char in OVERRIDES or ord(char) < 0xA0
            yield Finding(
                HIDDEN,
                ERROR if harmful else WARNING,
                f"the character {plain(char)} is invisible here{times}",
                path,
                line,
                column,
                fix="remove it, or write it as an escape",
            )


def _place(text: str, at: int) -> tuple[int, int]:
    """Line and column, both from 1."""
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
