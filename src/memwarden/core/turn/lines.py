"""Private state as lines of fields: one fact a line, appended in one write, readable by eye.

JSON would cost every tool call of an agent its import, and a line must survive whatever text is in it:
``%``, tabs and line ends are written as ``%25``, ``%09``, ``%0A`` and ``%0D``.
"""

TYPE_CHECKING = False  # this module is on the path of every touch: it imports nothing
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TypeAlias

    Line: TypeAlias = tuple[str, ...]

# What every delivery counts; how the lines add up is ``counts``.
FIRE = "fire"  # note, session
WRITE = "write"  # note, session: the anchor of a delivered rule was written
SESSION = "session"  # session: one that touched anything of the memory

_ESCAPES = str.maketrans({"%": "%25", "\t": "%09", "\n": "%0A", "\r": "%0D", "\0": "%00"})
_LONGEST = 1 << 20


def encode(lines: "Iterable[Line]") -> bytes:
    """The bytes of some lines, each ended."""
    text = "".join("\t".join(field.translate(_ESCAPES) for field in line) + "\n" for line in lines)
    return text.encode("utf-8", "surrogateescape" if _is_escaped(text) else "backslashreplace")


def decode(data: bytes) -> "Iterator[Line]":
    """The lines in ``data``; one that was cut short or is absurdly long is left out."""
    for raw in data.split(b"\n")[:-1]:
        if not raw or len(raw) > _LONGEST:
            continue
        yield tuple(_unescaped(field) for field in raw.decode("utf-8", "surrogateescape").split("\t"))


def _is_escaped(text: str) -> bool:
    """Whether every surrogate in it stands for a byte, as in an odd file name."""
    return all(not "\ud800" <= char <= "\udfff" or "\udc80" <= char <= "\udcff" for char in text)


def _unescaped(field: str) -> str:
    if "%" not in field:
        return field
    head, *rest = field.split("%")
    out = [head]
    for part in rest:
        char = {"25": "%", "09": "\t", "0A": "\n", "0D": "\r", "00": "\0"}.get(part[:2])
        out.append(char + part[2:] if char else "%" + part)
    return "".join(out)
