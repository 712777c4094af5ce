"""Where a text stands, said without the text: a file by the digest of its path, and a span in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memwarden.core.canonical import hex_digest
from memwarden.core.workspace import Unreadable
from memwarden.edit.topic import Topic, normal_form, normal_texts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memwarden.core.memory import Memory


def path_digest(path: str) -> str:
    """How an intent names a file."""
    return hex_digest(path.encode("utf-8", "surrogateescape"))[:32]


def find_span(memory: Memory, topic: Topic, paths: Iterable[str]) -> dict[str, Any] | None:
    """Where the one text of a topic stands in one of these files, as an intent may say it."""
    [mark] = topic.marks
    for part in ("content", "name"):
        for path in paths:
            for number, text in enumerate(readings(memory, path, part)):
                at = text.find(mark.text)
                if at >= 0:
                    end = at + len(mark.text)
                    return {
                        "file": path_digest(path),
                        "part": part,
                        "reading": number,
                        "start": at,
                        "end": end,
                    }
    return None


def readings(memory: Memory, path: str, part: str) -> Iterator[str]:
    """Every text that a part of a file may be read as: its ``name``, or its ``content``."""
    if part == "name":
        yield normal_form(path)
        return
    try:
        yield from normal_texts(memory.workspace.read(path))
    except Unreadable:
        return
