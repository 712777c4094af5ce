"""What is to be forgotten, as something that can be searched for in any bytes and any name.

A text is found whatever its case, width and white space, and through the escapes in which our own
formats and their neighbours write it: JSON and YAML (``\\u00e9``, ``\\n``), percent signs, entities.
A name is searched for its text and for the slug that a title leaves in a file's name.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property
from itertools import accumulate

from memwarden.core.event import FORGOTTEN, PURGED
from memwarden.core.identity import slug
from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.edit.normal_texts import normal_form, normal_texts, slug_words
from memwarden.edit.pattern import compiled_bytes
from memwarden.edit.sieve import NOTHING, sieve_parts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any


TEXT = "text"
TITLE = "title"
PATH = "path"
SUBJECT = "subject"

_FEW = 4
_BATCH = 1 << 18
_ESCAPING = (b"\\", b"%", b"&")
_RUN = re.compile(r"[a-z0-9]+")
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
        self._looks = 0
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

    @property
    def name_runs(self) -> frozenset[str]:
        """Plain ASCII that tells one of the texts has one of these in it, in small letters; empty where
        that cannot be said."""
        return frozenset() if "" in self._name_runs else frozenset(self._name_runs)

    @property
    def spans(self) -> bool:
        """Whether a text, or the slug that it leaves, may go over several names of a path in a row."""
        return any("/" in mark.text for mark in self.marks) or any("-" in one for one in self._slugs)

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
        """A cheap no: plain ASCII without any escape that lacks the longest word of every text, and
        whatever else the sieve passes by."""
        if data.isascii() and b"" not in self._runs:
            low = data.lower()
            if not any(run in low for run in self._runs) and not any(sign in data for sign in _ESCAPING):
                return False
        if "sieve" not in self.__dict__ and self._looks < _FEW and len(data) < _BATCH:
            self._looks += 1  # a few contents are sooner read than a sieve is made
            return True
        sieve = self.sieve
        return sieve is None or sieve.search(data) is not None

    @cached_property
    def sieve(self) -> Any | None:
        """What finds every content that may hold one of the texts or name one of the notes; None where
        that cannot be said of any content."""
        parts = self.sieve_parts
        return None if parts is None else compiled_bytes(b"|".join(parts) or NOTHING)

    @cached_property
    def sieve_parts(self) -> list[bytes] | None:
        """The alternatives of that pattern."""
        return sieve_parts([mark.text for mark in self.marks], sorted(self.ids))

    def sifted(
        self,
        contents: Iterable[tuple[str, bytes]],
        clear: Callable[[list[tuple[str, bytes]]], None] | None = None,
    ) -> Iterator[tuple[str, bytes]]:
        """Those of many small contents, each with a name for it, that the sieve finds something in; all
        the others are told to ``clear``: they have nothing of this very topic."""
        batch: list[tuple[str, bytes]] = []
        size = 0
        for one in contents:
            batch.append(one)
            size += len(one[1])
            if size > _BATCH:
                yield from self._sifted(batch, clear)
                batch, size = [], 0
        yield from self._sifted(batch, clear)

    def _sifted(
        self, batch: list[tuple[str, bytes]], clear: Callable[[list[tuple[str, bytes]]], None] | None
    ) -> Iterator[tuple[str, bytes]]:
        sieve = self.sieve
        if sieve is None:
            yield from batch
            return
        found = _hits(sieve, batch)
        if clear is not None:
            hit = {name for name, _ in found}
            clear(batch if not hit else [one for one in batch if one[0] not in hit])
        yield from found

    def telling(self, names: Iterable[str]) -> set[str]:
        """Those of many names or paths that tell one of the texts."""
        if not self.marks:
            return set()
        listed = list(names)
        rest = listed
        if "" not in self._name_runs:
            # What is plain ASCII has to have one of the runs, and nearly nothing has.
            low = "\n".join(listed).lower()
            plain = low.isascii()
            if plain and not any(run in low for run in self._name_runs):
                return set()
            small = low.split("\n")
            if not plain or len(small) != len(listed):
                small = [name.lower() for name in listed]
            rest = [] if plain else [name for name in listed if not name.isascii()]
            for run in self._name_runs:
                rest += [name for name, letters in zip(listed, small, strict=True) if run in letters]
        return set(filter(self.in_name, rest))


def _hits(sieve: Any, batch: list[tuple[str, bytes]]) -> list[tuple[str, bytes]]:
    """Those contents that the sieve finds something in, by one look at all of them in a row."""
    data = b"\n".join([data for _, data in batch])
    hit = sieve.search(data)
    if hit is None:
        return []
    ends = list(accumulate([len(data) + 1 for _, data in batch]))
    found: list[tuple[str, bytes]] = []
    known = 0
    while hit is not None:
        # What begins in one content and ends in another is of neither, and may hide what is of one.
        first, last = bisect_right(ends, hit.start()), bisect_right(ends, hit.end() - 1)
        found += batch[max(first, known) : max(last, known) + 1]
        known = max(last, known) + 1
        # The next look begins with the end of a line, as every content does.
        hit = sieve.search(data, ends[known - 1] - 1) if known < len(batch) else None
    return found


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
