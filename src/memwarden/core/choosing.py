"""Which notes a person asked to see: the filters of ``mem list`` and ``mem search``."""

from __future__ import annotations

from memwarden.core.containing import compared, head_of
from memwarden.core.fitness import known_facets
from memwarden.core.glob import matches
from memwarden.core.memory import Memory
from memwarden.core.note import ARCHIVED, CANDIDATE, DEBT, RULE, Note, module_of
from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.core.registry import Registry
from memwarden.core.standing import (
    ACTIVE,
    EXPIRED,
    NOT_YET,
    OWED,
    RETIRED,
    SETTLED,
    SUPERSEDED,
    TURNED_DOWN,
)
from memwarden.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from memwarden.core.standing import Standing


STANDINGS = (
    *(CANDIDATE, ACTIVE, OWED, SETTLED, SUPERSEDED),
    *(RETIRED, EXPIRED, NOT_YET, TURNED_DOWN, ARCHIVED),
)


# Words that people use for a standing, and that look like none of them.
MEANT = {"retired": ARCHIVED, "done": SETTLED, "open": OWED, "live": ACTIVE, "inbox": CANDIDATE}


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
    modules = memory.modules
    registry = Registry(memory.subjects)
    subject = registry.canonical(wanted.subject) or wanted.subject if wanted.subject else ""
    text = compared(wanted.text)

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


def require_known(memory: Memory, wanted: Wanted) -> None:
    """Raise :class:`UsageError` for a filter that no note could ever pass: a mistyped word must not look
    like an empty memory.  A word that some note uses, rightly or not, may always be asked for."""
    if wanted.lifecycle:
        _require("lifecycle", wanted.lifecycle, (RULE, DEBT))
    if wanted.standing:
        _require("standing", wanted.standing, STANDINGS)
    if wanted.facet:
        used = {note.facet for note in memory.notes}
        _require("facet", wanted.facet, sorted({*known_facets(memory.manifest), *used} - {""}))
    if wanted.module:
        declared = memory.modules
        used = {module_of(note.path, declared) for note in memory.notes}
        names = [module.rstrip("/") for module in dict.fromkeys((*declared, *sorted(used)))]
        _require("module", wanted.module.rstrip("/"), names)
    if wanted.subject:
        registry = Registry(memory.subjects)
        if wanted.subject not in {note.subject for note in memory.notes}:
            registry.require(wanted.subject)


def _require(what: str, word: str, known: Sequence[str]) -> None:
    if word in known:
        return
    from memwarden.core.nearest import Nearest  # only an error comes here

    near = (MEANT[word],) if MEANT.get(word) in known else Nearest(known).to(word, 1)
    raise UsageError(
        f"unknown {what} {word!r}; known: {', '.join(known)}", f"did you mean {near[0]}?" if near else ""
    )


def _is_about(note: Note, subject: str, registry: Registry) -> bool:
    """Whether the note's subject is the one asked for, or an aspect of it."""
    own = registry.canonical(note.subject) or note.subject
    return own == subject or ("#" not in subject and own.partition("#")[0] == subject)


def _anchored(note: Note, path: str) -> bool:
    return any(anchor.kind == "path" and matches(anchor.text, path) for anchor in note.anchors)


def _contains(note: Note, text: str, body: Callable[[Note], str]) -> bool:
    return text in head_of(note) or text in compared(body(note))
