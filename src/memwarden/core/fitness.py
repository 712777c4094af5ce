"""What makes a note unfit to be delivered: the few faults that leave no one to answer for it.

An unfit note is omitted as ``invalid`` from every pack and never speaks at a touch.  A note is unfit
where its file or one of its events could not be read, or where, outside the inbox and the archive, it
lacks an ID, a subject, a facet that the memory knows, or evidence that qualifies.  Every other fault,
such as a secret in the text, is reported and the note still delivers.
"""

from __future__ import annotations

from memwarden.core.note import ACTIVE, place_of
from memwarden.core.record import TYPE_CHECKING
from memwarden.core.subject import FACETS
from memwarden.errors import ERROR, Finding

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from memwarden.core.manifest import Manifest
    from memwarden.core.memory import Memory
    from memwarden.core.note import Note

# Evidence that can make a note active; the rest only accompanies a candidate.
QUALIFYING = ("user", "file", "doc", "test", "issue", "pr", "commit")
PATH_EVIDENCE = ("file", "doc", "test")
EVENTS = "memory/events/"
UNREADABLE = "M006"
# What is wrong with the words, not with the reading of them.
ABOUT_TEXT = ("M701", "M702")


def unfit(memory: Memory) -> dict[str, tuple[Finding, ...]]:
    """The path of every unfit note with the errors that make it so."""
    return unfit_among(memory, memory.notes, memory.broken)


def unfit_among(
    memory: Memory, notes: Collection[Note], broken: Iterable[str] = ()
) -> dict[str, tuple[Finding, ...]]:
    """:func:`unfit`, for whoever asks about some notes only."""
    found: dict[str, list[Finding]] = {path: [] for path in broken}
    paths = {note.path for note in notes}
    lost = lost_events(memory.findings)
    for note in notes if lost else ():
        if note.id in lost:
            found.setdefault(note.path, []).append(lost[note.id])
    for finding in memory.findings:
        if finding.severity != ERROR or finding.code in ABOUT_TEXT:
            continue
        if finding.path in found or finding.path in paths:
            found.setdefault(finding.path, []).append(finding)
    known = known_facets(memory.manifest)
    malformed = malformed_fields(memory)
    for note in notes:
        lacking = lacks(note, known)
        if lacking and note.path in malformed:
            lacking = [one for one in lacking if one.key not in malformed[note.path]]
        if lacking:
            found.setdefault(note.path, []).extend(lacking)
    return {path: tuple(findings) for path, findings in found.items()}


def lost_events(findings: Iterable[Finding]) -> dict[str, Finding]:
    """The IDs whose events cannot all be read, each with the finding: without them nobody knows how a
    note stands."""
    lost = (one for one in findings if one.code == UNREADABLE and one.path.startswith(EVENTS))
    return {one.path.split("/")[2]: one for one in lost}


def malformed_fields(memory: Memory) -> dict[str, frozenset[str]]:
    """By path, the fields that are there and could not be read as they stand: of these the reader's own
    finding is told, and not also that the note lacks them."""
    found: dict[str, frozenset[str]] = {}
    for one in memory.findings:
        if one.key and one.severity == ERROR and one.code not in ABOUT_TEXT:
            field = one.key.partition(".")[0].partition("[")[0]
            found[one.path] = found.get(one.path, frozenset()) | {field}
    return found


def remarks(memory: Memory) -> dict[str, tuple[Finding, ...]]:
    """By path, what is odd about a file and leaves its note fit: it may not mean what its author meant."""
    found: dict[str, tuple[Finding, ...]] = {}
    for one in memory.findings:
        if one.severity != ERROR:
            found[one.path] = (*found.get(one.path, ()), one)
    return found


def lacks(note: Note, facets: frozenset[str]) -> list[Finding]:
    """What an active note lacks before it may be delivered; nothing for any other note."""
    if place_of(note.path) != ACTIVE:
        return []
    if note.id and note.subject and note.facet in facets and qualifies(note):
        return []
    checks = (without_id(note), *without_key(note), unknown_facet(note, facets), without_evidence(note))
    return [finding for finding in checks if finding is not None]


def known_facets(manifest: Manifest | None) -> frozenset[str]:
    """The contract's facets and those that the manifest adds."""
    return frozenset((*FACETS, *manifest.settings.facets)) if manifest else frozenset(FACETS)


def qualifies(note: Note) -> bool:
    """Whether some evidence of the note can make it active."""
    return any(evidence.key in QUALIFYING and evidence.value.strip() for evidence in note.evidence)


def without_id(note: Note) -> Finding | None:
    """M005: an active note without an identity."""
    if note.id:
        return None
    return Finding(
        "M005",
        ERROR,
        "a note outside the inbox has no ID",
        note.path,
        key="id",
        fix="move it to memory/inbox/ and run mem admit, which mints one",
    )


def without_key(note: Note) -> tuple[Finding, ...]:
    """M101: an active note that names no subject or no facet."""
    if note.subject and note.facet:
        return ()
    return tuple(
        Finding(
            "M101",
            ERROR,
            f"an active note has no {field}",
            note.path,
            key=field,
            note=note.id,
            fix=f"add `{field}:` to the frontmatter",
        )
        for field, value in (("subject", note.subject), ("facet", note.facet))
        if not value
    )


def unknown_facet(note: Note, facets: frozenset[str]) -> Finding | None:
    """M103: a facet that neither the contract nor the manifest knows."""
    if not note.facet or note.facet in facets:
        return None
    return Finding(
        "M103",
        ERROR,
        f"unknown facet {note.facet!r}",
        note.path,
        key="facet",
        note=note.id,
        fix=f"{_meant(note.facet, facets)}use one of {', '.join(sorted(facets))}, or add it to `facets` "
        "in the manifest",
    )


def _meant(facet: str, facets: frozenset[str]) -> str:
    from memwarden.core.nearest import Nearest  # only a mistake comes here

    near = Nearest(sorted(facets)).to(facet, 1)
    return f"did you mean {near[0]}? Or " if near else ""


def without_evidence(note: Note) -> Finding | None:
    """M201: nothing that the note cites can make it active."""
    if qualifies(note):
        return None
    has = ", ".join(dict.fromkeys(evidence.key for evidence in note.evidence))
    return Finding(
        "M201",
        ERROR,
        f"an active note has only {has} evidence" if has else "an active note has no evidence",
        note.path,
        key="evidence",
        note=note.id,
        fix=f"cite one of {', '.join(QUALIFYING)}, or move the note to memory/inbox/",
    )
