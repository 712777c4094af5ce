"""M2xx: why a note was admitted, and whether that can still be looked at."""

from __future__ import annotations

from collections.abc import Iterator

from memwarden.core.event import ADMITTED
from memwarden.core.fitness import PATH_EVIDENCE, without_evidence
from memwarden.core.note import CANDIDATE, Evidence, Note, place_of
from memwarden.core.record import TYPE_CHECKING
from memwarden.core.workspace import FILE, Unreadable
from memwarden.errors import ERROR, NOTICE, Finding
from memwarden.rules.scene import Scene

if TYPE_CHECKING:
    from typing import Any


def active_note_has_evidence(scene: Scene) -> Iterator[Finding]:
    """An active note has no qualifying evidence.

    Why: writing an observation down is cheap; becoming trusted memory takes evidence that a person can look
    at. What an agent said or a conversation held makes a candidate only, and the note is not delivered.

    Fix: cite one of `user`, `file`, `doc`, `test`, `issue`, `pr` or `commit`, or move the note to
    `memory/inbox/`.

    Example: `evidence: [{agent: claude-code}]` in `memory/decisions/`.
    """
    yield from scene.lacking(without_evidence(note) for note in scene.active)


def new_evidence_is_there(scene: Scene) -> Iterator[Finding]:
    """A newly added evidence path does not exist, or is not a regular file.

    Why: evidence that nobody can open is none. Only what this change adds is an error; a file that vanished
    after its admission is drift (M203), because evidence answers why a note was admitted, not whether it
    is true forever.

    Fix: correct the path, add the file, or cite something else. A `#fragment` or `::node` may follow it.

    Example: `evidence: [{test: tests/test_retyr.py}]`.
    """
    for note in scene.citing:
        for at, evidence in _paths(note):
            if _pin(scene, note, evidence) or not _is_new(scene, note, evidence):
                continue
            entry = scene.tree.entry(evidence.path)
            if entry is None or entry.kind != FILE:
                what = "is not there" if entry is None else "is not a regular file"
                if entry is not None and entry.unmerged:
                    what = "is not merged yet"
                yield Finding(
                    "M202",
                    ERROR,
                    f"the evidence {evidence.path} {what}",
                    note.path,
                    key=f"evidence[{at}].{evidence.key}",
                    note=note.id,
                    fix="correct the path, or cite something that is there",
                )


def evidence_is_as_pinned(scene: Scene) -> Iterator[Finding]:
    """An evidence file changed or vanished since it was pinned (notice).

    Why: the note was admitted on what the file said then. It is still delivered: someone may want to look
    whether it still holds. The notice goes away when the file is as it was; no event is needed.

    Fix: read the file again; where the note still holds, `mem admit` pins its evidence anew; else supersede
    it, or revoke it.

    Example: `docs/adr-7.md` was rewritten after the note that cites it was admitted.
    """
    for note in scene.citing:
        for at, evidence in _paths(note) if scene.standings[note.path].live else ():
            path, pinned = evidence.path, _pin(scene, note, evidence)
            entry = scene.tree.entry(path)
            if entry is None and (pinned or not _is_new(scene, note, evidence)):
                yield _drift(note, at, evidence, f"the evidence {path} is no longer there")
            elif pinned and entry is not None and not _is_as_pinned(scene, path, pinned):
                yield _drift(note, at, evidence, f"the evidence {path} changed since the note was admitted")


def admission_is_recorded(scene: Scene) -> Iterator[Finding]:
    """An active note has no `admitted` event (notice).

    Why: it was put there by hand, which is as good as a command: review is its admission. What is missing
    are the pinned evidence and, for a debt, the verdict that its condition once failed.

    Fix: nothing, if it was reviewed; `mem admit` records it, and pins the evidence.

    Example: a note written directly into `memory/decisions/` in a pull request.
    """
    for note in scene.live:
        if note.id and all(event.kind != ADMITTED for event in scene.memory.events.get(note.id, ())):
            yield Finding(
                "M204",
                NOTICE,
                "no admission is recorded; review was it",
                note.path,
                note=note.id,
                fix=f"nothing, if it was reviewed; mem admit {note.id} records it",
            )


def cited_commit_is_there(scene: Scene) -> Iterator[Finding]:
    """A newly cited commit is not in this repository.

    Why: an object ID that names no commit cannot be looked at.

    Fix: give the ID of a commit that is in the repository's history; in a shallow clone, fetch more.

    Example: `evidence: [{commit: 7c1f0e5}]` where no commit begins with that.
    """
    known = scene.context.has_commit
    if known is None:
        return
    for note in scene.active:
        for at, evidence in enumerate(note.evidence):
            if evidence.key == "commit" and _is_new(scene, note, evidence) and not known(evidence.value):
                yield Finding(
                    "M205",
                    ERROR,
                    f"no commit {evidence.value} is here",
                    note.path,
                    key=f"evidence[{at}].commit",
                    note=note.id,
                    fix="cite a commit of this repository",
                )


def evidence_has_its_form(scene: Scene) -> Iterator[Finding]:
    """A piece of evidence is of an unknown kind or form.

    Why: evidence that cannot be read does not count.

    Fix: write each as one key and its value: `user`, `file`, `doc`, `test`, `issue`, `pr`, `commit`,
    `agent` or `conversation`.

    Example: `evidence: [{url: https://example.org}]`.
    """
    yield from scene.read("M111")


def _paths(note: Note) -> list[tuple[int, Evidence]]:
    return [(at, evidence) for at, evidence in enumerate(note.evidence) if evidence.key in PATH_EVIDENCE]


def _is_new(scene: Scene, note: Note, evidence: Evidence) -> bool:
    """Whether this change adds the evidence; without history everything is new, and so is what a
    candidate brings, for in the inbox nobody asks whether it is there."""
    before = scene.before(note)
    if note in before and place_of(note.path) != CANDIDATE:
        return False  # as nearly always: the change left the note alone
    active = (old for old in before if place_of(old.path) != CANDIDATE)
    return all(evidence not in old.evidence for old in active)


def _pin(scene: Scene, note: Note, evidence: Evidence) -> str:
    """The blob ID that the last admission pinned for the evidence, or ""."""
    for event in reversed(scene.memory.events.get(note.id, ()) if note.id else ()):
        if event.kind == ADMITTED:
            pins = event.facts.get("blobs")
            return _pinned(pins, evidence.path) if isinstance(pins, dict) else ""
    return ""


def _pinned(pins: dict[str, Any], path: str) -> str:
    pin = pins.get(path)
    return pin if isinstance(pin, str) else ""


def _is_as_pinned(scene: Scene, path: str, pinned: str) -> bool:
    """Whether the file is still the pinned blob, but for its line ends; what cannot be read cannot be
    said to have changed."""
    workspace = scene.memory.workspace
    try:
        if workspace.blob(path) == pinned:
            return True
        plain = workspace.read(path).replace(b"\r\n", b"\n")
    except Unreadable:
        return True
    return pinned in (_blob_id(plain, pinned), _blob_id(plain.replace(b"\n", b"\r\n"), pinned))


def _blob_id(content: bytes, like: str) -> str:
    """The ID that git gives a content, in the hash of the repository whose ID ``like`` is."""
    from hashlib import sha1, sha256  # only a file that changed comes here

    data = b"blob %d\0" % len(content) + content
    if len(like) == 64:
        return sha256(data).hexdigest()
    return sha1(data, usedforsecurity=False).hexdigest()


def _drift(note: Note, at: int, evidence: Evidence, message: str) -> Finding:
    return Finding(
        "M203",
        NOTICE,
        message,
        note.path,
        key=f"evidence[{at}].{evidence.key}",
        note=note.id,
        fix=f"look whether the note still holds; then mem admit {note.id}",
    )
