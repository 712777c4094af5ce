"""A subject's file: made on purpose, never inferred from what looks alike."""

from __future__ import annotations

import re

from memwarden.core.identity import slug
from memwarden.core.record import TYPE_CHECKING
from memwarden.core.registry import PATH, split_aspect
from memwarden.core.subject import KINDS, PROJECT
from memwarden.edit.fresh import new_note
from memwarden.edit.subject_reader import is_subject_id, read_subject
from memwarden.errors import ERROR, Refused, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memwarden.core.note import Note
    from memwarden.edit.propose.bench import Bench

FOLDER = "memory/subjects/"
# The kind that a reference's scheme tells.
KIND_OF = {
    "pypi": "dependency",
    "npm": "dependency",
    "cargo": "dependency",
    "go": "dependency",
    "path": "path",
}

_REF = re.compile(r"(pypi|npm|cargo|go|path|https?):\S+")


def subject_for(bench: Bench, text: str, *, new: bool) -> tuple[str, dict[str, bytes], tuple[str, ...]]:
    """The identity that ``text`` spells, the file that has to be made for it, and remarks.

    With ``new`` an unknown subject is created; without it :class:`UsageError` names the nearest ones.
    """
    known = bench.registry.canonical(text)
    if known:
        remarks = (f"the subject {text} is known already, as {known}",) if new else ()
        return known, {}, remarks
    if not new:
        bench.registry.require(text)
    base, aspect = split_aspect(text.strip())
    path, data, identity = new_subject(bench, base)
    return f"{identity}#{aspect}" if aspect else identity, {path: data}, (f"a new subject: {identity}",)


def beside(owner: Note, subject: str) -> tuple[str, ...]:
    """The remark on a note that got an aspect of its own, because ``owner`` has the whole subject.  About
    the project as a whole many notes are expected."""
    if subject == PROJECT:
        return ()
    has = f"{owner.id} ({owner.path}) already owns {subject} / {owner.facet}"
    return (f"{has}, so this note is about an aspect of it; to replace that one: --supersedes {owner.id}",)


def new_subject(
    bench: Bench,
    name: str,
    kind: str = "",
    ref: str = "",
    aliases: Iterable[str] = (),
    body: str = "",
    identity: str = "",
) -> tuple[str, bytes, str]:
    """The path and the bytes of a new subject's file, and its ID: ``identity``, or made of the name.

    Raises :class:`Refused` where one of its spellings belongs to another subject.
    """
    name = " ".join(name.split())
    if not name or name.startswith(PATH) or name == PROJECT:
        raise UsageError(
            f"{name!r} needs no registration" if name else "a subject needs a name",
            "name what the project is about, for example requests or pypi:requests",
        )
    if not ref and _REF.fullmatch(name):
        ref, name = name, name.partition(":")[2].strip("/").rpartition("/")[2] or name
    if kind and kind not in KINDS:
        raise UsageError(f"unknown kind {kind!r}", f"use one of {', '.join(KINDS)}")
    kind = kind or KIND_OF.get(ref.partition(":")[0], "concept")
    for spelling in (name, *aliases):
        require_no_aspect(spelling)
    identity = identity or _made_of(name)
    said = [identity, name, *([ref] if ref else []), *aliases]
    for spelling in said:
        owner = bench.registry.owner_of(spelling)
        if owner:
            raise Refused(
                f"M303: {spelling!r} belongs to the subject {owner} already", f"use {owner}, or another name"
            )
    if not is_subject_id(identity):
        raise UsageError(f"{identity!r} is no subject ID", "use a lower-case slug: letters, digits, dashes")
    path = f"{FOLDER}{identity}.md"
    if not bench.is_free(path):
        raise Refused(f"{path} is there already", "choose another name")
    fields = {"id": identity, "name": name, "kind": kind, "ref": ref, "aliases": list(aliases)}
    data = new_note(fields, name, body)
    _, findings = read_subject(path, data)
    errors = tuple(finding for finding in findings if finding.severity == ERROR)
    if errors:
        raise Refused(f"the subject would not be valid: {errors[0].message}", errors[0].fix, errors)
    return path, data, identity


def require_no_aspect(name: str) -> None:
    """Raise :class:`UsageError` for a name with ``#``: what follows it would be read as an aspect."""
    if "#" in name:
        raise UsageError(
            f"{name!r} has a #, which narrows a subject to an aspect",
            "name the subject without it (C sharp for C#); a note adds #<aspect> to the subject",
        )


def _made_of(name: str) -> str:
    """The ID that a name suggests, in the letters of its own script."""
    if not any(char.isalnum() for char in name):
        raise UsageError(f"{name!r} has no letter or digit to make an ID of", "give one with --id SLUG")
    return slug(name)
