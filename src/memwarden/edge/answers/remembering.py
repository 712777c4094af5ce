"""Keeping a command's answer for :mod:`recall`: run it under a witness, and write down what it said."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

from memwarden.core.record import TYPE_CHECKING
from memwarden.edge.answers.answer_file import AnswerFile, leads
from memwarden.edge.answers.recall import today
from memwarden.edge.place import find_place
from memwarden.edge.reading import witness
from memwarden.edge.writing.journal import journal_file
from memwarden.errors import MemError

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

MOST_BYTES = 16 << 20


def remembered(asked: str, words: list[str], run: Callable[[], int]) -> int:
    """Run a command; keep what it says for the next time that it is asked, if that can be vouched for."""
    day = today()
    try:
        place = find_place(os.getcwd())
        file = AnswerFile(place.private, asked)
    except (OSError, MemError):
        return run()
    saying = _Saying()
    code = -1
    seen = witness.watch(place)
    try:
        seen.links.update(leads(words))
        for path in list(seen.links):
            seen.saw(path)
        seen.saw(journal_file(place))
        with saying:
            code = run()
    finally:
        witness.rest()
        # What was read in memory/ must be covered by an index.
        covered = bool(seen.tree or not seen.read_memory)
        if covered and seen.sound and saying.whole and code in (0, 1) and today() == day:
            said = [(number, b"".join(parts)) for number, parts in saying.said]
            with suppress(OSError, ValueError):
                file.keep(seen.tree, seen.looks, seen.folders, seen.links, code, said)
        file.close()
    return code


class _Saying:
    """Both output streams, with a copy of what passes: runs of (1 or 2, parts), in order."""

    def __init__(self) -> None:
        self.said: list[tuple[int, list[bytes]]] = []
        self.whole = True
        self._size = 0

    def note(self, number: int, data: bytes) -> None:
        self._size += len(data)
        if self._size > MOST_BYTES:
            self.whole = False
            self.said.clear()
        if not self.whole:
            return
        if not self.said or self.said[-1][0] != number:
            self.said.append((number, []))
        self.said[-1][1].append(data)

    def __enter__(self) -> None:
        self._streams = sys.stdout, sys.stderr
        sys.stdout = _Copied(sys.stdout, 1, self)
        sys.stderr = _Copied(sys.stderr, 2, self)

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        with suppress(OSError):
            sys.stdout.flush()
            sys.stderr.flush()
        sys.stdout, sys.stderr = self._streams
        if kind is not None:
            self.whole = False


class _Copied:
    """A text stream that notes what is written to it and to its bytes below."""

    def __init__(self, stream: Any, number: int, saying: _Saying) -> None:
        self._stream = stream
        self._number = number
        self._saying = saying

    @property
    def buffer(self) -> _Copied:
        return _Copied(self._stream.buffer, self._number, self._saying)

    def write(self, data: Any) -> Any:
        try:
            taken = self._stream.write(data)
        except OSError:
            self._saying.whole = False
            raise
        if isinstance(data, str):
            noted = data.encode(self._stream.encoding or "utf-8", self._stream.errors or "strict")
        else:
            noted = bytes(data[:taken]) if taken else b""
        self._saying.note(self._number, noted)
        return taken

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
