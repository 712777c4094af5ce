"""The subject registry: every spelling of a subject leads to one canonical identity.

A spelling is an ID, a name, an alias or a reference; they compare after NFKC, case folding and white
space collapse, PyPI references by PEP 503.  ``project`` is built in, ``path:<repo path>`` names a file
or folder without registering it (a registered reference to the same path wins), and ``#<aspect>``
narrows any of them and is part of the identity.  Nothing is ever inferred from similarity.
"""

from __future__ import annotations

from memwarden.core.nearest import Nearest
from memwarden.core.paths import check_path, normal
from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.core.subject import PROJECT
from memwarden.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memwarden.core.subject import Subject

PATH = "path:"
_CREATE = "use --new-subject, or mem subject add, to create it"


class Claim(NamedTuple):
    """A spelling that two subjects claim: ``owner`` had it first (by ID), ``subject`` wants it too.
    ``field`` is where the second one says it: ``id``, ``name``, ``ref`` or ``aliases[n]``."""

    spelling: str
    owner: str
    subject: Subject
    field: str


class Registry:
    """Every subject by every spelling.  Build one for a memory and ask it many times."""

    def __init__(self, subjects: Iterable[Subject] = ()) -> None:
        self.subjects: dict[str, Subject] = {}
        self.twins: list[Subject] = []
        for subject in sorted(subjects, key=lambda subject: (subject.id, subject.path)):
            if subject.id in self.subjects:
                self.twins.append(subject)
            else:
                self.subjects[subject.id] = subject
        self._spelled: dict[str, str] = {PROJECT: PROJECT}
        self._claims: list[tuple[str, str, Subject, str]] = []
        self._fill()
        self._nearest = Nearest(self._words())
        self._known: dict[str, str] = {}
        self._bases: dict[str, str] = {}
        self._spelled_with_hash = any("#" in spelling for spelling in self._spelled)

    def canonical(self, text: str) -> str:
        """The identity that ``text`` spells (``requests``, ``path:src/a.py#reload``), or "" where
        no subject has that spelling."""
        found = self._known.get(text)
        if found is None:
            found = self._known[text] = self._resolve(text)
        return found

    def require(self, text: str, next_step: str = _CREATE) -> str:
        """:meth:`canonical`, or :class:`UsageError` that names the nearest known subjects."""
        found = self.canonical(text)
        if not found:
            raise UsageError(self.why_unknown(text), next_step)
        return found

    def subject(self, text: str) -> Subject | None:
        """The registered subject that ``text`` leads to, without its aspect; None for ``project``, a
        bare path and an unknown spelling."""
        return self.subjects.get(split_aspect(self.canonical(text))[0])

    def why_unknown(self, text: str) -> str:
        """Why ``text`` names no subject, and what looks like it."""
        base, _ = split_aspect(text.strip())
        if base.startswith(PATH):
            refused = check_path(base[len(PATH) :])
            if refused:
                return f"subject {text!r}: {refused}"
        if not text.strip() or text.strip().endswith("#"):
            return f"subject {text!r}: nothing is named" if not base else f"subject {text!r}: empty aspect"
        near = self._nearest.to(base)
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
        return f"unknown subject {text!r}{hint}"

    def nearest(self, text: str) -> tuple[str, ...]:
        """The known spellings that look like ``text``, the best first."""
        return self._nearest.to(split_aspect(text)[0])

    def forwarded(self, subject_id: str) -> str:
        """Where a merged subject leads at last; the subject itself where the chain is broken."""
        chain, whole = self._chain(subject_id)
        return chain[-1] if whole else subject_id

    def broken_merges(self) -> dict[str, tuple[str, ...]]:
        """Every merged subject whose chain ends nowhere or in a circle, with the chain walked."""
        walked = {s.id: self._chain(s.id) for s in self.subjects.values() if s.merged_into}
        return {subject_id: chain for subject_id, (chain, whole) in walked.items() if not whole}

    def claims(self) -> tuple[Claim, ...]:
        """Every spelling claimed by a second subject.  Two subjects that a merge made one may share."""
        found = []
        for spelling, owner, subject, field in self._claims:
            if subject.id == owner or self.forwarded(owner) != self.forwarded(subject.id):
                found.append(Claim(spelling, owner, subject, field))
        return tuple(found)

    def owner_of(self, spelling: str) -> str:
        """The ID of the subject that a spelling belongs to, before any merge; "" where it is free."""
        return self._spelled.get(spelling_key(spelling), "")

    def _resolve(self, text: str) -> str:
        if "#" not in text or self._spelled_with_hash:
            whole = self._spelled.get(spelling_key(text))
            if whole is not None:
                return self.forwarded(whole)
        base, aspect = split_aspect(text.strip())
        if not aspect:
            return "" if text.strip().endswith("#") else _bare_path(base)
        found = self._bases.get(base)  # many notes narrow one subject
        if found is None:
            named = self._spelled.get(spelling_key(base))
            found = self._bases[base] = _bare_path(base) if named is None else self.forwarded(named)
        whole = f"{found}#{aspect}" if found else ""
        return text if whole == text else whole  # one text in place of two: there are many

    def _fill(self) -> None:
        firsts = self.subjects.values()
        for subject, is_twin in [(first, False) for first in firsts] + [(twin, True) for twin in self.twins]:
            for field, spelling in spellings(subject):
                owner = self._spelled.setdefault(spelling_key(spelling), subject.id)
                built_in = subject.id == PROJECT
                if owner != subject.id or (field == "id" and (is_twin or built_in)):
                    self._claims.append((spelling, owner, subject, field))

    def _chain(self, subject_id: str) -> tuple[tuple[str, ...], bool]:
        """The subjects that a merge leads through, and whether it ends at a live one."""
        chain = [subject_id]
        while True:
            if chain[-1] == PROJECT:
                return tuple(chain), True
            subject = self.subjects.get(chain[-1])
            if subject is None:
                return tuple(chain), False
            if not subject.merged_into:
                return tuple(chain), True
            following = self._spelled.get(spelling_key(subject.merged_into), subject.merged_into)
            circle = following in chain
            chain.append(following)
            if circle:
                return tuple(chain), False

    def _words(self) -> Iterable[str]:
        yield PROJECT
        for subject in self.subjects.values():
            for _, spelling in spellings(subject):
                yield spelling


def spellings(subject: Subject) -> list[tuple[str, str]]:
    """Every spelling of a subject with the field that holds it; nothing twice."""
    said = [("id", subject.id), ("name", subject.name), ("ref", subject.ref)]
    said += [(f"aliases[{at}]", alias) for at, alias in enumerate(subject.aliases)]
    seen: dict[str, tuple[str, str]] = {}
    for field, spelling in said:
        if spelling.strip():
            seen.setdefault(spelling_key(spelling), (field, spelling))
    return list(seen.values())


def spelling_key(text: str) -> str:
    """The form in which spellings compare."""
    words = " ".join(folded(text).split())
    scheme, colon, rest = words.partition(":")
    if colon and scheme == "pypi":
        return "pypi:" + pypi_name(rest.strip())
    if colon and scheme == "path":
        return PATH + normal(rest.strip()) if rest.strip() else words
    return words


def pypi_name(name: str) -> str:
    """A project name as PEP 503 compares it."""
    parts = name.lower().replace("_", "-").replace(".", "-").split("-")
    return "-".join(part for part in parts if part)


def split_aspect(text: str) -> tuple[str, str]:
    """A subject text as its subject and its aspect in canonical form ("" where there is none)."""
    base, hash_sign, aspect = text.rpartition("#")
    if not hash_sign:
        return text, ""
    return base.rstrip(), " ".join(folded(aspect).split())


def folded(text: str) -> str:
    """A spelling as it compares: NFKC and case folded; white space is the caller's."""
    if text.isascii():
        return text.lower()
    from unicodedata import normalize  # ASCII does not pay for it

    return normalize("NFKC", normalize("NFKC", text).casefold())


def _bare_path(text: str) -> str:
    """The identity of a path that needs no registration; "" for any other text."""
    path = text[len(PATH) :]
    return PATH + _one_form(normal(path)) if text.startswith(PATH) and check_path(path) is None else ""


def _one_form(path: str) -> str:
    """A path as one Unicode form: macOS gives names decomposed, git and people composed."""
    if path.isascii():
        return path
    from unicodedata import normalize

    return normalize("NFC", path)
