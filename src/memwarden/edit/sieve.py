"""One look at a large piece of bytes that says where a topic cannot be, so that the rest is left alone.

A text is found in any case, width and composition and through escapes (``normal_texts``), which takes a
decoding and two normalisations.  But a run of its letters stands in the bytes as it is, or some of its
characters are written in one of the ways that can be listed: RE2 looks for all of them at once, in linear
time.  What it finds is only *perhaps* the topic; what it passes by certainly is not.
"""

from __future__ import annotations

from functools import lru_cache
from html import unescape
from html.entities import html5
from unicodedata import combining, normalize

from memwarden.core.record import TYPE_CHECKING
from memwarden.edit.normal_texts import normal_form

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

# All characters beyond ASCII that normal_form changes are in these ranges.
CHANGING = (
    (0xA0, 0x587), (0x675, 0x678), (0x958, 0xA5E), (0xB5C, 0xB5D), (0xE33, 0xFB9), (0x10A0, 0x10FC),
    (0x13F8, 0x13FD), (0x1C80, 0x2189), (0x222C, 0x2230), (0x2329, 0x232A), (0x2460, 0x24EA),
    (0x2A0C, 0x2ADC), (0x2C00, 0x2D6F), (0x2E9F, 0x33FF), (0xA640, 0xA69D), (0xA722, 0xA7FF),
    (0xAB5C, 0xABBF), (0xF900, 0xFFEE), (0x10400, 0x10427), (0x104B0, 0x104D3), (0x10570, 0x10595),
    (0x10780, 0x107BF), (0x10C80, 0x10CB2), (0x10D50, 0x10D65), (0x118A0, 0x118BF), (0x16E40, 0x16EBF),
    (0x1CCD6, 0x1CCF9), (0x1D15E, 0x1D1C0), (0x1D400, 0x1D7FF), (0x1E030, 0x1E06D), (0x1E900, 0x1E921),
    (0x1EE00, 0x1EEBB), (0x1F100, 0x1F251), (0x1FBF0, 0x1FBF9), (0x2F800, 0x2FA1D),
)  # fmt: skip
# Those of them are in these that become, or contribute, a letter or digit of ASCII.
PLAIN_CHANGING = (
    (0xAA, 0x1F3), (0x2B0, 0x2E3), (0x1D2C, 0x1DBB), (0x1E9A, 0x1E9E), (0x2070, 0x20A8), (0x2100, 0x2189),
    (0x2460, 0x24EA), (0x2C7C, 0x2C7D), (0x3250, 0x33FF), (0xA7F2, 0xA7F4), (0xFB00, 0xFB06),
    (0xFF10, 0xFF5A), (0x107A5, 0x107A5), (0x1D400, 0x1D7FF), (0x1F100, 0x1F190), (0x1FBF0, 0x1FBF9),
)  # fmt: skip
_JAMO = range(0x1100, 0x1200)
_SYLLABLES = range(0xAC00, 0xD7A4)
# Its small form under a letter turns into a letter of its own, out of order.
_IOTA = "\u03b9"
_BLANKS = rb"(?:[ \t]|%20|%09)*"
# What an escape may leave between two letters: a backslash, or one with the end of a line that goes on.
_BETWEEN = rb"(?:(?:\\|%5[cC]|(?:\r|%0[dD])?(?:\n|%0[aA]))" + _BLANKS + rb")*"
_UTF16 = rb"(?:\A|\n)(?:\xff\xfe|\xfe\xff)"
# An escape that is itself escaped.
_TWICE = (
    rb"\\(?:u005|x5|U0000005)[cC]|%5[cC]|\\[uUx][0-9a-fA-F]*%[0-9a-fA-F]|\\%[57][58]"
    rb"|\\(?:u[0-9a-fA-F]{0,3}|x[0-9a-fA-F]?|U[0-9a-fA-F]{0,7})\\"
)
NOTHING = rb"[^\x00-\xff]"
# How contents begin that no sieve sees into: gzip, zip (and what is one inside: documents, wheels, jars),
# bzip2, xz, zstd, 7z, rar, PDF, compress, lz4, lzma, lzip, cabinets, zlib by itself (as in loose objects of
# git), packs and bundles of git.
COMPRESSED = (
    b"\x1f\x8b", b"PK\x03\x04", b"PK\x07\x08", b"BZh", b"\xfd7zXZ\0", b"\x28\xb5\x2f\xfd",
    b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a", b"%PDF-", b"\x1f\x9d", b"\x04\x22\x4d\x18", b"\x5d\0\0", b"LZIP",
    b"MSCF\0", b"x\x01", b"x\x9c", b"x\xda", b"PACK\0\0\0", b"# v2 git bundle", b"# v3 git bundle",
)  # fmt: skip
_FIRST_BYTES = frozenset(one[:1] for one in COMPRESSED)


def is_compressed(data: bytes) -> bool:
    """Whether a content begins as one does that no sieve sees into."""
    return data[:1] in _FIRST_BYTES and data.startswith(COMPRESSED)


def sieve_parts(texts: Iterable[str], ids: Iterable[str]) -> list[bytes] | None:
    """The alternatives of a pattern that finds every content which may hold one of these texts in normal
    form or one of the IDs; None where that cannot be said of any content."""
    parts = [escaped(one.encode()) for one in ids]
    for text in texts:
        run = run_of(text)
        if not run:
            return None
        parts += _parts_of(run)
    return list(dict.fromkeys(parts))


@lru_cache(maxsize=64)
def _parts_of(run: str) -> list[bytes]:
    return [_run(run), *_odd_parts(run), _UTF16, _TWICE]


def run_of(text: str) -> str:
    """The longest run of letters and digits, each of which some character brought into a normal form by
    itself, without help of its neighbours; "" where there is none."""
    runs = "".join(char if _stands_alone(char) else " " for char in text).split()
    return max(runs, key=lambda run: len(run.encode()), default="")


def _stands_alone(char: str) -> bool:
    if char.isascii():
        return char.isalnum()
    if ord(char) in _SYLLABLES:
        return True
    alone = normalize("NFD", char) == char and not combining(char) and char != _IOTA
    return alone and char.isalnum() and ord(char) not in _JAMO


@lru_cache(maxsize=2)
def folded(plain: bool = False) -> Mapping[str, str]:
    """The characters beyond ASCII that :func:`normal_form` changes, and into what; ``plain``: at least those
    that bring a letter or digit of ASCII."""
    ranges = PLAIN_CHANGING if plain else CHANGING
    chars = [chr(code) for first, last in ranges for code in range(first, last + 1)]
    joined = "\0".join(chars)
    forms = normalize("NFKC", normalize("NFKC", joined).casefold()).split("\0")
    return {char: form for char, form in zip(chars, forms, strict=True) if char != form}


def _run(run: str) -> bytes:
    """The run as it may be written, one character after the other."""
    singles: dict[str, list[str]] = {char: [char] for char in run}
    for char, form in folded(run.isascii()).items():
        if form in singles:
            singles[form].append(char)
    return _BETWEEN.join(_character(char, singles[char]) for char in run)


def _character(char: str, spellings: list[str]) -> bytes:
    if char.isascii():
        spellings = [*spellings, char.upper()]
    escapes = [form for one in _primary(char) for form in _escapes(ord(one))]
    percent = _one_of({one.encode() for one in spellings}, _either, _either_class)
    return b"(?:" + b"|".join([percent, *escapes]) + b")"


def _primary(char: str) -> set[str]:
    return {char, char.upper()} if len(char.upper()) == 1 else {char}


def _escapes(code: int) -> Iterator[bytes]:
    """The ways of JSON, YAML and HTML to write a character; the backslash before it is taken as there."""
    if code < 0x10000:
        yield b"(?i:u%04x)" % code
    if code < 0x100:
        yield b"(?i:x%02x)" % code
    yield b"(?i:U%08x)" % code
    yield b"&#0*%d;?" % code
    yield b"&#[xX]0*(?i:%x);?" % code


def _odd_parts(run: str) -> list[bytes]:
    """Where some character brings more than one of the run at once, or is itself escaped."""
    singles, several = [], []
    changing = folded(run.isascii())
    for char, form in changing.items():
        if len(form) == 1:
            if form in run:
                singles.append(char)
        elif _overlaps(form, run):
            several.append(char)
    if any(ord(char) in _SYLLABLES for char in run):
        jamo = {chr(code) for code in _JAMO}
        several += [*jamo, *(char for char, form in changing.items() if not jamo.isdisjoint(form))]
    parts = [_one_of({char.encode() for char in several}, _either, _either_class)] if several else []
    plain = {one for char in run for one in _primary(char)}
    codes = sorted({ord(char) for char in (*singles, *several) if char not in plain})
    beyond = [code for code in (*codes, *map(ord, plain)) if code > 0xFFFF]
    small = [b"%04x" % code for code in codes if code < 0x10000]
    small += {b"%04x" % (0xD800 + ((code - 0x10000) >> 10)) for code in beyond}
    numbers = [*codes, *_renamed(codes), *_vanishing()]
    for prefix, digits, end in (
        (rb"\\u", small, b""),
        (rb"\\x", [b"%02x" % code for code in codes if code < 0x100], b""),
        (rb"\\U", [b"%08x" % code for code in codes], b""),
        (rb"&#0*", [b"%d" % code for code in numbers], rb"(?:[^0-9]|\z)"),
        (rb"&#[xX]0*", [b"%x" % code for code in numbers], rb"(?:[^0-9a-fA-F]|\z)"),
    ):
        if digits:
            parts.append(prefix + b"(?i:" + _one_of(digits, _byte, _class) + b")" + end)
    names = [name.encode() for name, means in html5.items() if _overlaps(normal_form(means), run)]
    if names:
        parts.append(b"&" + _one_of(names, _byte, _class))
    return parts


def _overlaps(form: str, run: str) -> bool:
    """Whether the form can give a part of the run: laid over it somehow, they agree where they meet."""
    if form in run or run in form:
        return True
    if run[0] not in form and run[-1] not in form:
        return False
    most = min(len(form), len(run))
    return any(form.endswith(run[:size]) or form.startswith(run[-size:]) for size in range(1, most))


@lru_cache(maxsize=1)
def _vanishing() -> tuple[int, ...]:
    """The numbers that a character reference may have and then stands for nothing."""
    planes = [plane * 0x10000 + end for plane in range(17) for end in (0xFFFE, 0xFFFF)]
    numbers = [*range(1, 0xA0), *range(0xFDD0, 0xFDF0), *planes]
    return tuple(number for number in numbers if not unescape(f"&#{number};"))


def _renamed(codes: Iterable[int]) -> list[int]:
    """The numbers that HTML reads as characters of the old Western code page."""
    wanted = set(codes)
    return [number for number in range(0x80, 0xA0) if set(map(ord, unescape(f"&#{number};"))) & wanted]


def _one_of(found: Iterable[bytes], one: Any, many: Any) -> bytes:
    """A pattern for each of several byte strings; common beginnings are written once."""
    heads: dict[int, set[bytes]] = {}
    for item in found:
        heads.setdefault(item[0], set()).add(item[1:])
    ends = [head for head, rest in heads.items() if rest == {b""}]
    parts = [many(sorted(ends))] if ends else []
    for head, rest in sorted(heads.items()):
        if rest != {b""}:
            parts.append(one(head) + _one_of(rest - {b""}, one, many) + (b"?" if b"" in rest else b""))
    return b"(?:" + b"|".join(parts) + b")"


def escaped(data: bytes) -> bytes:
    """A pattern for these bytes."""
    return b"".join(map(_byte, data))


def _byte(value: int) -> bytes:
    char = b"%c" % value
    return char if char.isalnum() else b"\\x%02x" % value


def _class(values: list[int]) -> bytes:
    return b"[" + b"".join(map(_byte, values)) + b"]" if len(values) > 1 else _byte(values[0])


def _either(value: int) -> bytes:
    """A byte, as it is or after a percent sign."""
    return b"(?:" + _byte(value) + b"|%" + b"(?i:%02x))" % value


def _either_class(values: list[int]) -> bytes:
    coded = _one_of([b"%02x" % value for value in values], _byte, _class)
    return b"(?:" + _class(values) + b"|%(?i:" + coded + b"))"
