"""What is kept about notes outside the tree: found in every worktree's private state, and taken out of it.

What can be built again (index, answers) is dropped whole.  Logs of lines lose the lines that name a note or
tell the topic; a previewed plan that does is dropped.  All locks must be held while something is taken out.
"""

from __future__ import annotations

import os
from contextlib import suppress

from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.core.turn.lines import encode
from memwarden.edge.place import Place
from memwarden.edge.turn.appending import BESIDE, LockedLines
from memwarden.edit.erasure import Gone
from memwarden.edit.normal_texts import normal_texts
from memwarden.edit.span import PRIVATE, path_digest, span_in, text_at
from memwarden.edit.topic import Mark, Topic

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

MAIN = "main"
PLANS, JOURNALS, INDEXES, LEDGERS = "plans", "journals", "indexes", "ledgers"
PENDING, COUNTS, LOG, ANSWERS, OTHER = "pending", "counts", "hook log", "answers", "other private state"
EDITS = "kept edits"
PRIVATE_SCOPES = (PLANS, JOURNALS, INDEXES, LEDGERS, PENDING, COUNTS, LOG, ANSWERS, EDITS, OTHER)
_BY_NAME = {
    "plans": PLANS,
    "journal": JOURNALS,
    "staging": JOURNALS,
    "sessions": LEDGERS,
    "pending": PENDING,
    "counts": COUNTS,
    "hook.log": LOG,
    "answers": ANSWERS,
    "edits": EDITS,
}
_REBUILT = (INDEXES, ANSWERS)
REBUILT = "it is dropped whole, and built again when it is needed"
_LINES = (LEDGERS, PENDING, COUNTS)


class Kept(NamedTuple):
    """One file of private state: its scope, its path below the common git directory, and in full."""

    scope: str
    path: str
    full: str


def worktree_places(place: Place) -> tuple[Place, ...]:
    """Every worktree of the repository as a place, sorted by private folder.

    A ``root`` may be gone (a worktree whose folder was removed keeps its private state until git prunes
    it), and is "" where there is none to be seen from here, as in a bare repository.
    """
    found = {place.git_dir: place}
    top = os.path.dirname(place.common_dir) if os.path.basename(place.common_dir) == ".git" else ""
    found.setdefault(place.common_dir, Place(top, place.common_dir, place.common_dir))
    folder = os.path.join(place.common_dir, "worktrees")
    for name in _listed(folder):
        git_dir = os.path.join(folder, name)
        if os.path.isdir(git_dir):
            found.setdefault(git_dir, Place(_root_of(git_dir), git_dir, place.common_dir))
    return tuple(sorted(found.values(), key=lambda one: one.private))


def worktree_name(place: Place) -> str:
    """What git calls a worktree; the main one has no name of its own."""
    return MAIN if place.git_dir == place.common_dir else os.path.basename(place.git_dir)


def private_files(places: Sequence[Place]) -> Iterator[Kept]:
    """Every file of the private state of some worktrees, sorted by path."""
    for place in places:
        for folder, folders, names in os.walk(place.private):
            folders.sort()
            for name in sorted(names):
                full = os.path.join(folder, name)
                inner = os.path.relpath(full, place.private)
                yield Kept(_scope(inner), os.path.relpath(full, place.common_dir), full)


def private_traces(places: Sequence[Place], topic: Topic) -> list[tuple[Kept, str]]:
    """The files of private state that tell the topic or name a note of it, and why they are counted."""
    found = []
    for kept in private_files(places):
        why = _why(kept, topic)
        if why:
            found.append((kept, why))
    return found


def is_rebuilt(scope: str) -> bool:
    """Whether what a scope holds is dropped whole whenever anything is erased, whatever it tells."""
    return scope in _REBUILT


def drop_rebuilt(places: Sequence[Place], topic: Topic) -> list[tuple[str, str]]:
    """Take out what tells the topic and is built again when it is needed, with no plan and no lock: nothing
    is lost by it.  The result is what was dropped, by its scope."""
    dropped = []
    for kept in list(private_files(places)):
        if kept.scope in _REBUILT and still_tells(kept, topic):
            with suppress(OSError):
                os.unlink(kept.full)
            stays = "; it could not be removed" if os.path.lexists(kept.full) else ""
            dropped.append((kept.scope, f"{kept.path}: it told the topic, and is built again{stays}"))
    return dropped


def private_span(places: Sequence[Place], topic: Topic) -> dict[str, Any] | None:
    """Where the one text of a topic stands in private state, for a plan that has nothing else to erase."""
    [mark] = topic.marks
    for kept, _ in private_traces(places, topic):
        if kept.scope not in (*_REBUILT, OTHER):
            found = span_in(kept.path, PRIVATE, normal_texts(_bytes(kept)), mark.text)
            if found is not None:
                return found
    return None


def with_private_text(places: Sequence[Place], topic: Topic, intent: Mapping[str, Any]) -> Topic:
    """The topic with the text that only private state holds; raises :class:`Gone` where it moved."""
    marks = list(topic.marks)
    for span in intent["marks"]:
        if span["part"] == PRIVATE:
            files = [kept for kept in private_files(places) if path_digest(kept.path) == span["file"]]
            text = text_at(span, normal_texts(_bytes(files[0]))) if files else ""
            if not text:
                raise Gone("what is to be erased is not where it was", "run the command again")
            marks.append(Mark(text))
    return Topic(marks, topic.ids, topic.paths)


def _bytes(kept: Kept) -> bytes:
    try:
        with open(kept.full, "rb") as file:
            return file.read()
    except OSError:
        return b""


def scrub(places: Sequence[Place], topic: Topic, but: str = "") -> None:
    """Take out of private state all that names a note or tells the topic; ``but`` is a file that stays."""
    for kept in list(private_files(places)):
        with suppress(OSError):  # whatever stays is found by the search afterwards, and told
            if not but or os.path.normpath(kept.full) != os.path.normpath(but):
                _scrub(kept, topic)


def _scrub(kept: Kept, topic: Topic) -> None:
    if kept.scope in _REBUILT:
        os.unlink(kept.full)
    elif not _why(kept, topic):
        return
    elif kept.scope in (PLANS, EDITS, JOURNALS):  # no journal is open under its worktree's lock
        os.unlink(kept.full)
    elif kept.scope in _LINES:
        with LockedLines(kept.full) as file:
            lines = file.read()
            file.replace(line for line in lines if not _tells(encode([line]), topic))
    elif kept.scope == LOG:
        with open(kept.full, "r+b") as log:
            rest = [line for line in log.read().splitlines(keepends=True) if not _tells(line, topic)]
            log.seek(0)
            log.write(b"".join(rest))
            log.truncate()


def _why(kept: Kept, topic: Topic) -> str:
    try:
        with open(kept.full, "rb") as file:
            if kept.scope in _REBUILT:
                return REBUILT
            data = file.read()
    except OSError:
        return "it cannot be read"
    if topic.in_name(os.path.basename(kept.full)):
        return "its name"
    return "it names the note" if topic.names(data) else "it holds the text" if topic.in_content(data) else ""


def still_tells(kept: Kept, topic: Topic) -> bool:
    """Whether a file that is there after all was taken out tells anything, even one that is built again."""
    try:
        with open(kept.full, "rb") as file:
            return _tells(file.read(), topic) or topic.in_name(os.path.basename(kept.full))
    except FileNotFoundError:
        return False
    except OSError:
        return True


def _tells(data: bytes, topic: Topic) -> bool:
    return topic.names(data) or topic.in_content(data)


def _scope(inner: str) -> str:
    first = inner.split(os.sep)[0]
    return INDEXES if first.startswith("index") else _BY_NAME.get(first.removesuffix(BESIDE), OTHER)


def _root_of(git_dir: str) -> str:
    """The top of a linked worktree, from the file that git keeps about it."""
    try:
        with open(os.path.join(git_dir, "gitdir"), encoding="utf-8", errors="surrogateescape") as file:
            text = file.read(4096).strip()
    except OSError:
        return ""
    return os.path.dirname(os.path.normpath(os.path.join(git_dir, text))) if text else ""


def _listed(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []
