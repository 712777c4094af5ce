"""Which notes a person asked to see: the filters of ``mem list`` and ``mem search``."""

from __future__ import annotations

from memwarden.core.glob import matches
from memwarden.core.memory import Memory
from memwarden.core.note import Note, module_of
from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.core.registry import Registry, folded

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from memwarden.core.standing import Standing


class Wanted(NamedTuple):
    """Filters that must all hold; an empty one holds for every note."""

    lifecycle: str = ""
    standing: str = ""
    module: str = ""
    subject: str = ""
    facet: str = ""
    anchor: str = ""
    text: str = ""


def choose(
    memory: Memory, standings: Mapping[str, Standing], wanted: Wanted, body: Callable[[Note], str]
) -> list[Note]:
    """The notes for which every filter holds, by path.

    ``subject`` compares identities, so an alias finds what the ID finds; ``anchor`` is a path that the
    note's anchors match; ``text`` is looked for, case and width aside, in title, subject, tags, file
    name and body.
    """
    modules = memory.manifest.modules() if memory.manifest is not None else ()
    registry = Registry(memory.subjects)
    subject = registry.canonical(wanted.subject) or wanted.subject if wanted.subject else ""
    text = _words(wanted.text)

    def fits(note: Note) -> bool:
        return (
            wanted.lifecycle in ("", note.lifecycle)
            and wanted.standing in ("", standings[note.path].name)
            and wanted.facet in ("", note.facet)
            and wanted.module.rstrip("/") in ("", module_of(note.path, modules).rstrip("/"))
            and (not subject or _is_about(note, subject, registry))
            and (not wanted.anchor or _anchored(note, wanted.anchor))
            and (not text or _contains(note, text, body))
        )

    return [note for note in memory.notes if fits(note)]


def _is_about(note: Note, subject: str, registry: Registry) -> bool:
    """Whether the note's subject is the one asked for, or an aspect of it."""
    own = registry.canonical(note.subject) or note.subject
    return own == subject or ("#" not in subject and own.partition("#")[0] == subject)


def _anchored(note: Note, path: str) -> bool:
    return any(anchor.kind == "path" and matches(anchor.text, path) for anchor in note.anchors)


def _contains(note: Note, text: str, body: Callable[[Note], str]) -> bool:
    head = "\n".join((note.title, note.subject, note.id, note.path.rpartition("/")[2], *note.tags))
    return text in _words(head) or text in _words(body(note))


def _words(text: str) -> str:
    """Text as it is compared: case, width and runs of white space aside."""
    return " ".join(folded(text).split())
