"""Keeping a command's answer for :mod:`answers`: run it under a witness, and write down what it said."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

from memwarden.core.record import TYPE_CHECKING
from memwarden.edge import witness
from memwarden.edge.answers import FOLDER, name_of, today
from memwarden.edge.index_build import keyed_bytes
from memwarden.edge.index_read import program_mark
from memwarden.edge.journal import journal_file
from memwarden.edge.place import find_place
from memwarden.errors import MemError

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from memwarden.edge.witness import Witness

MOST_BYTES = 16 << 20
MOST_ANSWERS = 64


def remembered(asked: str, words: list[str], run: Callable[[], int]) -> int:
    """Run a command; keep what it says for the next time that it is asked, if that can be vouched for."""
    day = today()
    try:
        place = find_place(os.getcwd())
        folder = os.path.join(place.private, FOLDER)
        os.makedirs(folder, mode=0o700, exist_ok=True)
        path = os.path.join(folder, name_of(asked))
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW
        target = os.open(f"{path}.{os.getpid()}", flags, 0o600)
    except (OSError, MemError):
        return run()
    saying = _Saying()
    seen = witness.watch(place)
    try:
        for word in words:
            _saw_word(seen, word)
        seen.saw(journal_file(place))
        with saying:
            code = run()
    finally:
        witness.rest()
        kept = False
        with suppress(OSError, ValueError):
            since = os.fstat(target).st_mtime_ns
            if seen.sound and saying.whole and code in (0, 1) and today() == day and _is_old(seen, since):
                with os.fdopen(target, "wb", closefd=False) as file:
                    file.write(keyed_bytes(_values(asked, seen, saying, code), program_mark()))
                os.rename(f"{path}.{os.getpid()}", path)
                kept = True
        os.close(target)
        with suppress(OSError):
            if kept:
                _make_room(folder)
            else:
                os.unlink(f"{path}.{os.getpid()}")
    return code


def _saw_word(seen: Witness, word: str) -> None:
    """A word of the command line may be a path, and a path may lead through links."""
    text = word.partition("=")[2] if word.startswith("-") else word
    if text and "\0" not in text:
        whole = os.path.join(os.getcwd(), text)
        seen.links[whole] = os.path.realpath(whole)


def _is_old(seen: Witness, since: int) -> bool:
    """Whether every look is older than the beginning, so that any later change shows; and whether what
    was read in ``memory/`` is covered by an index."""
    stamps = [stamp for stamp in seen.looks.values() if stamp is not None]
    return all(stamp[0] < since and stamp[1] < since for stamp in stamps) and bool(
        seen.tree or not seen.read_memory
    )


def _values(asked: str, seen: Witness, saying: _Saying, code: int) -> dict[str, Any]:
    there = {path: stamp for path, stamp in seen.looks.items() if stamp is not None}
    return {
        "rests on": {
            "asked": asked,
            "code": code,
            "tree": seen.tree,
            "paths": list(there),
            "stamps": list(there.values()),
            "absent": [path for path, stamp in seen.looks.items() if stamp is None],
            "links": list(seen.links.items()),
        },
        "said": [(number, b"".join(parts)) for number, parts in saying.said],
    }


def _make_room(folder: str) -> None:
    """Only the answers that were given last stay."""
    found = sorted((entry.stat().st_mtime_ns, entry.path) for entry in os.scandir(folder))
    for _, path in found[:-MOST_ANSWERS]:
        os.unlink(path)


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
        if isinstance(data, str):
            noted = data.encode(self._stream.encoding or "utf-8", self._stream.errors or "strict")
        else:
            noted = bytes(data)
        self._saying.note(self._number, noted)
        try:
            return self._stream.write(data)
        except OSError:
            self._saying.whole = False
            raise

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
