"""Subjects that erasing leaves without a note: nobody asked for their files to go, and they tell a topic."""

from __future__ import annotations

from memwarden.core.record import TYPE_CHECKING
from memwarden.core.workspace import Unreadable

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from memwarden.core.memory import Memory
    from memwarden.core.note import Note
    from memwarden.core.registry import Registry
    from memwarden.core.subject import Subject


def lone_subjects(
    memory: Memory, registry: Registry, going: Iterable[Note], files: Collection[str]
) -> tuple[Subject, ...]:
    """The registered subjects, and those merged into them, whose last notes are among ``files`` while
    their own are not; one that a file which cannot be understood names is not called lone."""
    about = {subject.id for note in going if (subject := registry.subject(note.subject))}
    if not about:
        return ()
    for text in {note.subject for note in memory.notes if note.path not in files}:
        subject = registry.subject(text)
        about.discard(subject.id if subject else "")
    if about:
        about.difference_update(_named_by(about, _unread(memory, files)))
    return tuple(
        one for one in memory.subjects if registry.forwarded(one.id) in about and one.path not in files
    )


def _unread(memory: Memory, files: Collection[str]) -> Iterator[bytes]:
    for path in memory.broken:
        if path not in files:
            try:
                yield memory.workspace.read(path)
            except Unreadable:
                continue


def _named_by(subjects: Iterable[str], contents: Iterable[bytes]) -> set[str]:
    wanted = {one: one.encode() for one in subjects}
    return {one for data in contents for one, name in wanted.items() if name in data}
