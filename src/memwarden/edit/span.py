"""Where a text stands, said without the text: a file by the digest of its path, and a span in it."""

from __future__ import annotations

from memwarden.core.canonical import hex_digest
from memwarden.core.record import TYPE_CHECKING
from memwarden.core.workspace import FILE, Unreadable
from memwarden.edit.normal_texts import normal_form, normal_texts
from memwarden.edit.starter import AGENT_FILES
from memwarden.edit.topic import Topic

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any

    from memwarden.core.memory import Memory

# The part of a file that a span is in; private state is read by whoever may.
CONTENT, NAME, PRIVATE = "content", "name", "private"


def path_digest(path: str) -> str:
    """How an intent names a file."""
    return hex_digest(path.encode("utf-8", "surrogateescape"))[:32]


def find_span(memory: Memory, topic: Topic, paths: Iterable[str]) -> dict[str, Any] | None:
    """Where the one text of a topic stands in one of these files, as an intent may say it."""
    [mark] = topic.marks
    listed = list(paths)
    for part in (CONTENT, NAME):
        for path in listed:
            found = span_in(path, part, readings(memory, topic, path, part), mark.text)
            if found is not None:
                return found
    return None


def span_in(path: str, part: str, texts: Iterable[str], wanted: str) -> dict[str, Any] | None:
    """The span of a text in one of the readings of a file."""
    for number, text in enumerate(texts):
        at = text.find(wanted)
        if at >= 0:
            end = at + len(wanted)
            return {"file": path_digest(path), "part": part, "reading": number, "start": at, "end": end}
    return None


def text_at(span: Mapping[str, Any], texts: Iterable[str]) -> str:
    """The text that stands at a span of the file with these readings, or ""."""
    for number, text in enumerate(texts):
        if number == span["reading"]:
            return text[span["start"] : span["end"]]
    return ""


def spans_of(intent: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The spans in the tree of what an intent erases."""
    return [span for span in intent["marks"] if span["part"] != PRIVATE]


def read_back(memory: Memory, span: Mapping[str, Any], likely: Iterable[str] = ()) -> str:
    """The text that stands at a span, from the file that holds it; "" where that is gone.  Whoever knows
    which files it is ``likely`` in spares the digests of the others."""
    for path in (*likely, *managed_paths(memory)):
        if path_digest(path) == span["file"]:
            text = text_at(span, readings(memory, None, path, span["part"]))
            if text:
                return text
    return ""


def readings(memory: Memory, topic: Topic | None, path: str, part: str) -> Iterator[str]:
    """Every text that a part of a file may be read as; none of a content that lacks the ``topic``."""
    if part == NAME:
        yield normal_form(path)
        return
    try:
        data = memory.workspace.read(path)
    except Unreadable:
        return
    if topic is None or topic.in_content(data):
        yield from normal_texts(data)


def managed_paths(memory: Memory) -> Iterator[str]:
    """Every file of the memory, and the agent files that are there."""
    yield from memory.workspace.paths("memory")
    for path in AGENT_FILES.values():
        try:
            entry = memory.workspace.entry(path)
        except Unreadable:
            continue
        if entry is not None and entry.kind == FILE:
            yield path


def line_of(topic: Topic, data: bytes) -> int:
    """The line (from 1) at which a text of the topic begins in a content that holds one, the first by
    where it ends."""
    lines = data.split(b"\n")
    for number, line in enumerate(lines, 1):
        if topic.in_content(line):
            return number
    # It goes over several lines: the first that it may end at, then the last that it may begin at.
    end = _first(len(lines), lambda count: topic.in_content(b"\n".join(lines[:count])))
    before = _first(end, lambda count: not topic.in_content(b"\n".join(lines[count:end])))
    return max(before, 1)


def _first(most: int, holds: Callable[[int], bool]) -> int:
    """The least number up to ``most`` for which something holds that goes on to hold once it does."""
    least = 0
    while least < most:
        middle = (least + most) // 2
        if holds(middle):
            most = middle
        else:
            least = middle + 1
    return least
