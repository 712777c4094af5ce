"""Conditions on files: there or not, containing or lacking a text."""

from __future__ import annotations

from memwarden.core.condition import CANNOT_TELL, FAILS, HOLDS, Verdict
from memwarden.core.pattern_text import text_of
from memwarden.core.record import TYPE_CHECKING
from memwarden.core.workspace import OTHER, Unreadable
from memwarden.judge.reader import MOST_ITEMS, UNMERGED, Reader, Text, is_glob

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from memwarden.core.condition import PathTest, TextTest

    # Where the first match in a text starts; None where there is none.
    Finder: TypeAlias = Callable[[str], int | None]

# RE2 is linear, but in the product of text and compiled program; this is about three seconds.
MOST_WORK = 4_000_000_000


def judge_path(test: PathTest, reader: Reader) -> Verdict:
    """``file_exists`` and ``file_absent``: a folder counts as much as a file; what is neither counts
    as nothing known."""
    found = reader.targets(test.path)
    wants = test.kind == "file_exists"
    if not found:
        state = FAILS if wants else HOLDS
        what = "matches no file" if is_glob(test.path) else "is not there"
        return Verdict(state, f"{test.path} {what}", ({"path": test.path, "note": what},))
    odd = [path for path in found if _is_odd(path, reader)]
    if odd and (not wants or len(odd) == len(found)):
        entry = reader.entry(odd[0])
        if entry is not None and entry.unmerged:
            raise Unreadable(f"{odd[0]} {UNMERGED}")
        raise Unreadable(f"{odd[0]} is not a regular file or folder inside the repository")
    path = next(path for path in found if path not in odd)
    return Verdict(HOLDS if wants else FAILS, f"{path} is there", (reader.item(path, "is there"),))


def _is_odd(path: str, reader: Reader) -> bool:
    entry = reader.entry(path)
    return entry is not None and entry.kind == OTHER


def judge_text(test: TextTest, reader: Reader) -> Verdict:
    """``file_contains`` and ``file_lacks``."""
    find = finder(test.pattern, test.literal)
    targets = reader.targets(test.path)
    wants = test.kind == "file_contains"
    if not targets:
        what = "matches no file" if is_glob(test.path) else "is not there"
        why = f"{test.path} {what}" if wants else f"anchor gone: {test.path} {what}"
        return Verdict(FAILS, why, ({"path": test.path, "note": what},))
    blocked: list[str] = []
    items: list[dict[str, Any]] = []
    for path in targets:
        try:
            text = reader.text(path)
            start = find(text)
        except Unreadable as reason:
            blocked.append(f"{path} {reason}")
            items.insert(0, {"path": path, "note": str(reason)})
            continue
        if start is not None:
            item = reader.match(path, text, start)
            where = f"{path}:{item['line']}"
            return Verdict(HOLDS if wants else FAILS, f"{where} has a match", (item,))
        if len(items) < MOST_ITEMS:
            items.append(reader.item(path, "no match" if text else "no match: the file is empty"))
    evidence = tuple(items[:MOST_ITEMS])
    if blocked:
        more = f" (and {len(blocked) - 1} more)" if len(blocked) > 1 else ""
        return Verdict(CANNOT_TELL, blocked[0] + more, evidence)
    where = targets[0] if len(targets) == 1 else f"{len(targets)} files"
    return Verdict(FAILS if wants else HOLDS, f"no match in {where}", evidence)


def finder(pattern: str, literal: bool) -> Finder:
    """How to look for a pattern: as plain text wherever that means the same, else by RE2.

    Raises :class:`Unreadable` for a pattern that does not compile.
    """
    if not pattern:
        raise Unreadable("an empty pattern matches everything")
    plain = pattern if literal else text_of(pattern)
    if plain:
        needle = plain.replace("\r\n", "\n")
        return lambda text: at if (at := text.find(needle)) >= 0 else None
    from memwarden.edit.pattern import BadPattern, compiled  # RE2 costs half of Python's start

    try:
        regex = compiled(pattern)
    except BadPattern as bad:
        raise Unreadable(f"the pattern {bad}") from None

    def search(text: str) -> int | None:
        if regex.programsize * len(text) > MOST_WORK:
            raise Unreadable("is too large for so complex a pattern")
        if not isinstance(text, Text):
            found = regex.search(text)
            return None if found is None else int(found.start())
        found = regex.search(text.data)  # RE2 would encode the whole text anew for each pattern
        if found is None:
            return None
        start = int(found.start())
        return start if text.isascii() else len(text.data[:start].decode("utf-8", "surrogatepass"))

    return search
