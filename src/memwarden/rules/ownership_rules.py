"""M3xx: subjects, who owns what, and who supersedes whom."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from memwarden.core.event import FORGOTTEN, PURGED
from memwarden.core.fitness import unfit_among
from memwarden.core.note import ACTIVE, CANDIDATE, RULE, Note, place_of, scope_of
from memwarden.core.ownership import clashes, owner_key, owners, refusal
from memwarden.core.subject import PROJECT
from memwarden.core.supersession import binding, circles, claim_of, revived
from memwarden.errors import ERROR, WARNING, Finding
from memwarden.rules.scene import Scene


def key_has_one_owner(scene: Scene) -> Iterator[Finding]:
    """Two active rules own one scope, subject and facet.

    Why: where two notes govern the same thing nobody knows which one holds. Two branches may each add
    one; after the merge both are delivered as contested until a person decides. An area note that says
    otherwise than the project's must say so with `exception_to`.

    Fix: one of three ways out: supersede the older note (`supersedes: [ID]`), choose another facet, or narrow
    the subject with an `#aspect`. For an area note: `exception_to: ID`.

    Example: two notes in `memory/decisions/` with `subject: pypi:requests` and `facet: version-policy`.
    """
    for first, second in clashes(owners(scene.memory.notes, scene.standings, scene.registry)):
        message, fix = refusal(second, first, scene.registry)
        yield Finding("M301", ERROR, message, second.path, key="subject", note=second.id, fix=fix)


def successors_and_exceptions_hold(scene: Scene) -> Iterator[Finding]:
    """A supersede or exception target is missing, mismatched or cyclic, or its successor no longer counts.

    Why: a supersession that cannot stand would silence a note by mistake, so it has no effect on any
    standing: the target is delivered as before. Only an active successor of the same lifecycle, scope,
    subject (with its aspect) and facet supersedes: a debt never silences a rule, nor a note of an area one
    of the project. Where the successor is revoked, archived, expired or invalid the predecessor is live
    again, and this names the chain.

    Fix: name an existing note with the same lifecycle, scope, subject and facet; break the circle; or, where
    a predecessor came back, decide which of the two holds.

    Example: `supersedes: [n-4f7k2m9q]` where no note has that ID.
    """
    bound = binding(scene.memory.notes, scene.registry)
    rings = circles({note.id: bound[note.path] for note in scene.active if note.path in bound})
    for note in scene.active:
        for at, target in enumerate(note.supersedes):
            why = _superseding_fault(scene, note, target, rings)
            if why:
                yield _fault(note, why, f"supersedes[{at}]")
        if note.exception_to:
            why = _exception_fault(scene, note)
            if why:
                yield _fault(note, why, "exception_to")
    yield from _came_back(scene, bound)


def spelling_has_one_subject(scene: Scene) -> Iterator[Finding]:
    """One alias, name or reference belongs to two subjects.

    Why: a spelling that leads to two subjects leads to neither. Spellings compare after NFKC, case folding
    and white space collapse; PyPI names by PEP 503.

    Fix: remove the spelling from one of the two, or merge them with `mem subject merge FROM INTO`. Where two
    files have one ID, give one of them another ID (and its file that name), or remove it.

    Example: `ref: pypi:Library_X` and `ref: pypi:library.x`.
    """
    for claim in scene.registry.claims():
        what = "the built-in subject" if claim.owner == PROJECT else f"the subject {claim.owner}"
        fix = f"remove it here, or mem subject merge {claim.subject.id} {claim.owner}"
        if claim.subject.id == claim.owner:
            what = f"the subject in {scene.registry.subjects[claim.owner].path}"
            fix = "give one of the two another id, named as its file, or remove one file"
        yield Finding(
            "M303",
            ERROR,
            f"{claim.field} {claim.spelling!r} belongs to {what} already",
            claim.subject.path,
            key=claim.field,
            fix=fix,
        )


def subject_is_known(scene: Scene) -> Iterator[Finding]:
    """An active note names a subject that nobody registered.

    Why: nothing is inferred from similarity, so a mistyped subject would quietly own a key of its own.

    Fix: use a known spelling, or create the subject on purpose with `mem subject add`. A file or folder
    needs no registration: `path:<repo path>`.

    Example: `subject: reqests` where the registry knows `requests`.
    """
    for note in scene.active:
        if note.subject and not scene.registry.canonical(note.subject):
            yield Finding(
                "M306",
                ERROR,
                scene.registry.why_unknown(note.subject),
                note.path,
                key="subject",
                note=note.id,
                fix="use a known subject, path:<repo path> or project, or run mem subject add",
            )


def merged_subject_leads_somewhere(scene: Scene) -> Iterator[Finding]:
    """A merged subject leads to a subject that is not there, or round in a circle.

    Why: notes reach the live subject through the merge; a broken chain leaves them without one.

    Fix: let `merged_into` name a live, different subject, or remove it.

    Example: `merged_into: old-name` in `memory/subjects/old-name.md`.
    """
    for subject_id, chain in scene.registry.broken_merges().items():
        goes_round = chain[-1] in chain[:-1]
        what = (
            f"goes round: {' > '.join(chain)}" if goes_round else f"names {chain[-1]!r}, which is not there"
        )
        yield Finding(
            "M307",
            ERROR,
            f"merged_into {what}",
            scene.registry.subjects[subject_id].path,
            key="merged_into",
            fix="name a live, different subject",
        )


def subject_file_is_valid(scene: Scene) -> Iterator[Finding]:
    """A subject's file has no usable ID, or a field of the wrong type or kind.

    Why: a subject without a stable ID cannot be referred to.

    Fix: give it an `id` (a lower-case slug, as the file is named) and correct the named field.

    Example: `kind: lib` for `kind: dependency`.
    """
    yield from scene.read("M304")


def subject_field_is_known(scene: Scene) -> Iterator[Finding]:
    """A subject's file has an unknown field (warning).

    Why: unknown fields are kept as they are, but they mean nothing; most are a slip of the pen.

    Fix: correct the spelling, or leave it.

    Example: `alias: rq` for `aliases: [rq]`.
    """
    yield from scene.read("M305")


def _superseding_fault(scene: Scene, note: Note, target: str, rings: dict[str, tuple[str, ...]]) -> str:
    """Why the note cannot supersede ``target``, or ""."""
    if target == note.id:
        return "the note supersedes itself"
    if target in rings.get(note.id, ()):
        return f"supersession goes round: {' > '.join(rings[note.id])}"
    found = scene.by_id.get(target)
    if not found:
        return "" if _was_erased(scene, target) else f"supersedes {target}, which no note has as its ID"
    mine = claim_of(note, scene.registry)
    theirs = next((one for old in found if (one := claim_of(old, scene.registry)) != mine), mine)
    if mine is None or theirs is None:
        lacking = note if mine is None else found[0]
        return f"supersedes {target}, but {lacking.id or lacking.path} names no subject and facet to share"
    if mine[0] != theirs[0]:
        return f"supersedes {target}, which is a {theirs[0]}, not a {mine[0]}"
    if mine != theirs:
        return f"supersedes {target}, which owns {_spoken(theirs[1:])}, not {_spoken(mine[1:])}"
    return ""


def _exception_fault(scene: Scene, note: Note) -> str:
    """Why the note's ``exception_to`` cannot stand, or ""."""
    target = note.exception_to
    if scope_of(note.path) == PROJECT:
        return "only an area note can be an exception to a project note"
    found = scene.by_id.get(target)
    if not found:
        return f"is an exception to {target}, which no note has as its ID"
    project = found[0]
    if scope_of(project.path) != PROJECT or place_of(project.path) != ACTIVE or project.lifecycle != RULE:
        return f"is an exception to {target}, which is not an active rule of the project"
    mine, theirs = owner_key(note, scene.registry), owner_key(project, scene.registry)
    if mine is None or theirs is None or mine[1:] == theirs[1:]:
        return ""
    return f"is an exception to {target}, which owns {_spoken(theirs)}, not {_spoken(mine)}"


def _came_back(scene: Scene, bound: Mapping[str, tuple[str, ...]]) -> Iterator[Finding]:
    """Each live note whose successors no longer count."""
    links: dict[str, tuple[str, ...]] = {}
    for note in scene.memory.notes:
        if note.path in bound and place_of(note.path) != CANDIDATE:
            links[note.id] = links.get(note.id, ()) + bound[note.path]
    if not links:
        return
    names = {note.id: scene.standings[note.path] for note in scene.memory.notes if note.id}
    by = {note_id: standing.by for note_id, standing in names.items() if standing.by}
    linking = [note for note in scene.memory.notes if note.id in links]
    faults = unfit_among(scene.memory, linking)
    unfit = {note.id for note in linking if note.path in faults}
    live = [one for one, standing in names.items() if (standing.live or standing.by) and one not in unfit]
    for note_id, retired in revived(links, live, by).items():
        told = ", ".join(f"{one} is {'invalid' if one in unfit else names[one].name}" for one in retired)
        yield Finding(
            "M302",
            WARNING,
            f"{note_id} is live again: its successor no longer counts ({told})",
            scene.by_id[note_id][0].path,
            note=note_id,
            fix="archive or revoke it if it should stay silent, or mend or reinstate its successor",
        )


def _fault(note: Note, why: str, key: str) -> Finding:
    fix = "name an existing note of the same lifecycle, scope, subject and facet, or remove the line"
    return Finding("M302", ERROR, why, note.path, key=key, note=note.id, fix=fix)


def _was_erased(scene: Scene, note_id: str) -> bool:
    """Whether the ID belonged to a note that was forgotten or purged."""
    return any(event.kind in (FORGOTTEN, PURGED) for event in scene.memory.events.get(note_id, ()))


def _spoken(key: tuple[str, ...]) -> str:
    return " / ".join(key)
