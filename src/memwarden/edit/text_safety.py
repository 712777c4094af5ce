"""What is unsafe in a file's text, its name and its values, whatever kind of file it is: secrets, and
characters that hide.

Part of reading a file, so that what is known of an unchanged file need not be looked for again.  A value
may hold what the text does not show: YAML and JSON write any character as an escape.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from memwarden.core.record import TYPE_CHECKING
from memwarden.core.secret_signs import ANYWHERE, FORMS, INSIDE, PIECES
from memwarden.core.secrets import find_secrets, may_hold_secret
from memwarden.core.visible import is_hidden, plain
from memwarden.errors import ERROR, WARNING, Finding

if TYPE_CHECKING:
    from memwarden.edit.pattern import Regex

SECRET_LIKE = "M701"  # noqa: S105 (the code of a rule)
HIDDEN = "M702"

# Characters that reorder the text around them: what a reviewer sees is not what is there.
OVERRIDES = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"

# The bytes of plain text: what is left of a text without them is little, and has all that may hide.
_ASCII = bytes(range(0x20, 0x7F)) + b"\n\t"


def is_plain(path: str, text: str) -> bool:
    """Whether one look tells that nothing is unsafe in a file's text and name, as with nearly all."""
    if not path.isprintable() or not text.replace("\n", "").replace("\t", "").isprintable():
        return False
    return not may_hold_secret(f"{text}\n{path.replace('/', chr(10))}")


def are_plain(paths: Sequence[str], contents: Sequence[bytes]) -> bool:
    """Whether one look at many files tells that nothing is unsafe in any of them; else each is to be looked
    at alone.  A line end of two characters is as good as one."""
    if not "".join(paths).isprintable():
        return False
    names = "\n".join(paths).replace("/", "\n").encode()
    whole = b"\n".join((names, *contents)).replace(b"\r\n", b"\n")
    try:
        seen = whole.translate(None, _ASCII).decode()
    except UnicodeDecodeError:
        return False
    return seen.isprintable() and _signs().search(whole) is None


@lru_cache(maxsize=1)
def _signs() -> Regex:
    """A pattern that finds, in bytes, every sign of ``secret_signs``, in short words too."""
    from memwarden.edit.pattern import compiled_bytes  # re2: only whoever reads many files pays for it

    starting = [form for piece in PIECES if piece not in INSIDE for form in FORMS.get(piece, (piece,))]
    inside = [*sorted(INSIDE), *ANYWHERE]
    first, others = ("|".join(map(re.escape, some)) for some in (starting, inside))
    return compiled_bytes(f"(?:^|[^A-Za-z0-9_])(?:{first})|{others}".encode())


def text_findings(path: str, text: str) -> Iterator[Finding]:
    """What is unsafe in one file's text."""
    for secret in find_secrets(text):
        line, column = _place(text, secret.start)
        message = f"this looks like a secret ({secret.kind})"
        fix = "take it out, and revoke it where it was issued"
        yield Finding(SECRET_LIKE, ERROR, message, path, line, column, fix=fix)
    yield from _hidden(path, text)


def name_findings(path: str) -> Iterator[Finding]:
    """What is unsafe in a file's own name, and in those of the folders that it lies in."""
    for secret in find_secrets(path.replace("/", "\n")):
        message = f"the file's name has what looks like a secret ({secret.kind})"
        fix = "rename it (git mv), and revoke it where it was issued"
        yield Finding(SECRET_LIKE, ERROR, message, path, fix=fix)
    if not path.isprintable():
        for char in dict.fromkeys(path):
            if is_hidden(char) or char in "\t\n":
                message = f"the file's name has the invisible character {plain(char)}"
                yield Finding(HIDDEN, _severity(char), message, path, fix="rename it (git mv)")


def value_findings(
    path: str, written: str, values: object, place: Callable[[str], tuple[int, int]], root: str = ""
) -> Iterator[Finding]:
    """What is unsafe in parsed values and does not stand in the text that they were ``written`` as;
    ``place`` gives the line and column of a key path."""
    if "\\" not in written:
        return  # only an escape makes a value another text than the one that is seen
    for key, text in _texts(values, root):
        if text in written:
            continue
        for secret in find_secrets(text):
            message = f"{key} has what looks like a secret ({secret.kind})"
            fix = "take it out, and revoke it where it was issued"
            yield Finding(SECRET_LIKE, ERROR, message, path, *place(key), key, fix=fix)
        for char in dict.fromkeys(text.replace("\r\n", "\n")):
            if is_hidden(char) and char not in written:
                message = f"{key} has the invisible character {plain(char)}, written as an escape"
                yield Finding(HIDDEN, _severity(char), message, path, *place(key), key, fix="take it out")


def _texts(value: object, key: str) -> Iterator[tuple[str, str]]:
    """Every text in the value, names of keys too, with its key path."""
    if isinstance(value, str):
        yield key, value
    elif isinstance(value, list):
        for at, item in enumerate(value):
            yield from _texts(item, f"{key}[{at}]")
    elif isinstance(value, dict):
        for name, inner in value.items():
            inside = f"{key}.{plain(str(name))}" if key else plain(str(name))
            yield inside, str(name)
            yield from _texts(inner, inside)


def _severity(char: str) -> str:
    return ERROR if char in OVERRIDES or ord(char) < 0xA0 else WARNING


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
            yield Finding(
                HIDDEN,
                _severity(char),
                f"the character {plain(char)} is invisible here{times}",
                path,
                line,
                column,
                fix="remove it; in prose, name it instead, as in U+202E",
            )


def _place(text: str, at: int) -> tuple[int, int]:
    """Line and column, both from 1."""
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
