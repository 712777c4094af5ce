"""What is to be forgotten, as something that can be searched for in any bytes and any name.

A text is found whatever its case, width and white space, and through the escapes in which our own
formats and their neighbours write it: JSON and YAML (``\\u00e9``, ``\\n``), percent signs, entities.
A name is searched for its text and for the slug that a title leaves in a file's name.
"""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING
from unicodedata import normalize
from urllib.parse import unquote_to_bytes

from memwarden.core.event import FORGOTTEN, PURGED
from memwarden.core.identity import slug
from memwarden.core.record import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

TEXT = "text"
TITLE = "title"
PATH = "path"
SUBJECT = "subject"

_FEW = 4
_CODED = re.compile(rb"\\[uUx0]|%[0-9a-fA-F]{2}|&#?\w+;|\\\r?\n")
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|x[0-9a-fA-F]{2}|\r?\n[ \t]*|.)", re.DOTALL)
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_PLAIN = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v", "_": "\u00a0", "N": "\u0085"}
_GAPS = re.compile(r"[\W_]+")
_RUN = re.compile(r"[a-z0-9]+")
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_ID = re.compile(rb"n-[0-9a-z]{8}")
# A note that says it is one of these, or an event about one, unless it is the trace that forgetting leaves.
_SAYS = re.compile(
    rb"^[ \t]*[\"']?id[\"']?[ \t]*:[ \t]*[\"']?(n-[0-9a-z]{8})\b|\"note\"\s*:\s*\"(n-[0-9a-z]{8})\"",
    re.MULTILINE,
)
_ERASED = re.compile(rb'"kind"[ \t]*:[ \t]*"(?:%s|%s)"' % (FORGOTTEN.encode(), PURGED.encode()))


class Mark(NamedTuple):
    """A text in :func:`normal_form` that must stand nowhere; ``whole``: only as whole words."""

    text: str
    kind: str = TEXT
    whole: bool = False


class Topic:
    """What is to be forgotten: texts, note IDs, and the paths of files (as they are and were)."""

    def __init__(self, marks: Iterable[Mark], ids: Iterable[str] = (), paths: Iterable[str] = ()) -> None:
        self.marks = tuple(sorted({mark for mark in marks if mark.text}))
        self.ids = frozenset(ids)
        self.paths = frozenset(paths)
        self._ids = frozenset(one.encode() for one in self.ids)
        self._runs = tuple({_pivot(mark.text).encode() for mark in self.marks})
        self._slugs = tuple({found for mark in self.marks if (found := _slug_of(mark))})
        # A slug may be cut off before the longest word of its title.
        self._name_runs = {_pivot(text) for text in (*(mark.text for mark in self.marks), *self._slugs)}

    def __bool__(self) -> bool:
        return bool(self.marks or self.ids or self.paths)

    def without(self, *kinds: str) -> Topic:
        """The topic without the marks of some kinds."""
        return Topic((mark for mark in self.marks if mark.kind not in kinds), self.ids, self.paths)

    def in_content(self, data: bytes) -> bool:
        """Whether one of the texts stands in the bytes of a file."""
        return bool(self.marks) and self._may_hold(data) and any(map(self.in_normal, normal_texts(data)))

    def in_text(self, text: str) -> bool:
        """Whether one of the texts stands in a text that is not escaped."""
        return bool(self.marks) and self.in_normal(normal_form(text))

    def in_normal(self, text: str) -> bool:
        """Whether one of the texts stands in a text in :func:`normal_form`."""
        return any(
            mark.text in text and (not mark.whole or _as_words(mark.text, text)) for mark in self.marks
        )

    def in_name(self, name: str) -> bool:
        """Whether one of the texts, or the slug that it leaves, stands in a name or a path."""
        if not self.marks:
            return False
        if name.isascii() and "" not in self._name_runs:
            low = name.lower()
            if not any(run in low for run in self._name_runs):
                return False
        found = normal_form(name)
        if self.in_normal(found):
            return True
        if not self._slugs:
            return False
        words = slug_words(found)
        return any(f"-{one}-" in words for one in self._slugs)

    def is_about(self, data: bytes) -> bool:
        """Whether the bytes are one of the notes, or an event of one that tells something about it."""
        if not self.names(data):
            return False
        said = any(one in self._ids for pair in _SAYS.findall(data) for one in pair)
        return said and not _ERASED.search(data)

    def names(self, data: bytes) -> bool:
        """Whether the bytes name one of the notes by its ID."""
        if len(self._ids) > _FEW:
            return not self._ids.isdisjoint(_ID.findall(data))
        return any(one in data for one in self._ids)

    def is_in(self, data: bytes) -> bool:
        """Whether the bytes hold one of the texts or one of the notes."""
        return self.is_about(data) or self.in_content(data)

    def _may_hold(self, data: bytes) -> bool:
        """A cheap no: plain ASCII without any escape that lacks the longest word of every text."""
        if not data.isascii() or b"" in self._runs:
            return True
        low = data.lower()
        for run in self._runs:
            if run in low:
                return True
        return (b"\\" in data or b"%" in data or b"&" in data) and _CODED.search(data) is not None


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


def _pivot(text: str) -> str:
    """The longest run of ASCII letters and digits, which no escape of ours takes apart."""
    return max(_RUN.findall(text), key=len, default="") if text.isascii() else ""


def _slug_of(mark: Mark) -> str:
    if mark.kind == PATH:
        return ""
    found = slug(mark.text)
    return found if found not in ("note", mark.text) and any(map(str.isalnum, mark.text)) else ""


def _as_words(text: str, whole: str) -> bool:
    at = whole.find(text)
    while at >= 0:
        before, after = whole[at - 1 : at], whole[at + len(text) : at + len(text) + 1]
        if not (before.isalnum() and text[0].isalnum()) and not (after.isalnum() and text[-1].isalnum()):
            return True
        at = whole.find(text, at + 1)
    return False
