"""The forms in which texts are compared: one spelling for all, and every text that bytes may be read as."""

from __future__ import annotations

import re
from html import unescape
from unicodedata import normalize

from memwarden.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|x[0-9a-fA-F]{2}|\r?\n[ \t]*|.)", re.DOTALL)
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_PLAIN = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v", "_": "\u00a0", "N": "\u0085"}
_GAPS = re.compile(r"[\W_]+")
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


def normal_form(text: str) -> str:
    """``text`` as texts are compared: NFKC, case folded, white space as single blanks."""
    if not text.isascii():
        text = normalize("NFKC", normalize("NFKC", text).casefold())
    else:
        text = text.lower()
    return " ".join(text.split())


def normal_texts(data: bytes) -> Iterator[str]:
    """Every text that the bytes may be read as, in :func:`normal_form`: as they stand, then with the
    escapes that they hold resolved."""
    text = _decoded(data)
    yield normal_form(text)
    for resolved in _resolved(text):
        yield normal_form(resolved)


def slug_words(name: str) -> str:
    """A name as the words of a slug, with a dash around each."""
    return _GAPS.sub("-", f"-{name}-")


def _decoded(data: bytes) -> str:
    if data[:2] in _UTF16:
        return data.decode("utf-16", "replace")
    return data.decode("utf-8-sig", "surrogateescape")


def _resolved(text: str) -> Iterator[str]:
    if "\\" in text:
        once = _unescaped(text)
        yield once
        if "\\" in once:
            yield _unescaped(once)
    if "%" in text:
        from urllib.parse import unquote_to_bytes  # it loads a lot, and few contents have a percent sign

        whole = unquote_to_bytes(text.encode("utf-8", "surrogateescape")).decode("utf-8", "surrogateescape")
        yield whole
        if "\\" in whole:
            yield _unescaped(whole)
    if "&" in text:
        yield unescape(text)


def _unescaped(text: str) -> str:
    found = _ESCAPE.sub(_character, text)
    return _PAIR.sub(lambda pair: pair[0].encode("utf-16", "surrogatepass").decode("utf-16"), found)


def _character(match: re.Match[str]) -> str:
    said = match[1]
    if said[0] in "uUx" and len(said) > 1:
        code = int(said[1:], 16)
        return chr(code) if code < 0x110000 else match[0]
    if said[0] in "\r\n":
        return ""  # a line of YAML that is continued
    return _PLAIN.get(said, said)
