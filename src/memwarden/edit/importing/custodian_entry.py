"""One entry of a MemoryCustodian file: free as protocol 0.5 wrote it, or with fields as 0.6 and later do."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memwarden.core.dates import is_date
from memwarden.core.modules import check_module
from memwarden.core.note import ACTIVE, ARCHIVED, CANDIDATE
from memwarden.core.record import NamedTuple
from memwarden.core.subject import KINDS
from memwarden.edit.importing.harvest import Claim, Entity, Loss
from memwarden.edit.importing.page import read_page

if TYPE_CHECKING:
    from memwarden.edit.importing.page import Section

BODY_FENCE = "memory-custodian-body-v1"
# What stands in a file before anything was written there.
_BOILERPLATE = re.compile(
    r"(?:entries|tombstones) are newest first\.|no unprocessed memory candidates\."
    r"|soft user or project preferences go here\.|(?:rules|memory) here appl(?:y|ies) only when"
    r"|subjects provide stable identity|this registry is protocol metadata|complete historical entries moved"
    r"|(?:task|workflow)-specific (?:rules|profiles) go here|hard requirements (?:go here|belong in)"
    r"|keep them short and operational",
    re.IGNORECASE,
)

_MARK = re.compile(r"(MC-[A-Z]+-(\d{4})(\d{2})(\d{2})-[0-9a-f]{8})\s*(?:[—–:-]\s*)?(.*)", re.IGNORECASE)
_DATED = re.compile(r"(\d{4}-\d{2}-\d{2})\s*[—–:-]\s*(.+)")
_FIELD = re.compile(r"([A-Z][A-Za-z-]*):[ \t]*(.*)")
_META = frozenset(
    ("status", "scope", "subject", "facet", "evidence", "supersedes", "superseded-by", "promoted-from",
     "promoted-to", "candidate-type", "provisional-subject", "provisional-facet", "entry-type",
     "exception-to", "kind", "canonical-ref", "aliases", "merged-into", "reconciled-by")
)  # fmt: skip
_LISTED = ("evidence", "aliases")
_EVIDENCE = {
    "repo": "file",
    "doc": "doc",
    "test": "test",
    "issue": "issue",
    "pr": "pr",
}
_UNCONFIRMED = {"agent-observed": "agent", "conversation-unconfirmed": "conversation"}
_SILENT = ("user-confirmed", "legacy-unverified")
_TAG = re.compile(r"[a-z][a-z0-9-]{0,39}")
_REF = re.compile(r"(?:(?:pypi|npm|cargo|go|path):\S+|https?://\S+)")


# Fields that are said in other ways here; every other one that is known is told as lost.
_TOLD = frozenset(
    ("status", "scope", "subject", "facet", "evidence", "supersedes", "provisional-subject",
     "provisional-facet", "entry-type", "candidate-type", "kind", "canonical-ref", "aliases", "merged-into")
)  # fmt: skip
_SCOPES = re.compile(r"|project|area:.*|local-.*", re.IGNORECASE)


class Head(NamedTuple):
    """A heading taken apart: the source's own ID, a date, and the words."""

    title: str
    mark: str = ""
    date: str = ""


class Fields(NamedTuple):
    """The fields in front of an entry's words: ``one`` by lower-case name, lists in ``many``; ``again`` are
    names that came a second time with another value."""

    one: dict[str, str]
    many: dict[str, tuple[str, ...]]
    body: str
    again: tuple[str, ...] = ()


def is_boilerplate(text: str) -> bool:
    """Whether a text is only what its template says: each of its sentences."""
    return all(_BOILERPLATE.match(part) for part in re.split(r"(?<=[.!?])\s+", text.strip()))


def head_of(text: str) -> Head:
    """The heading's parts: ``MC-DEC-20260926-00000002 — Title`` or ``2026-07-21 - Title``."""
    marked = _MARK.fullmatch(text)
    if marked:
        date = "-".join(marked.group(2, 3, 4))
        return Head(marked[5] or marked[1], marked[1].upper(), date if is_date(date) else "")
    dated = _DATED.fullmatch(text)
    if dated and is_date(dated[1]):
        return Head(dated[2], "", dated[1])
    return Head(text)


def fields_of(text: str) -> Fields:
    """The fields at the top of an entry; the first line that is none begins the body."""
    one: dict[str, str] = {}
    many: dict[str, tuple[str, ...]] = {}
    lines = text.split("\n")
    at, current = 0, ""
    again: list[str] = []
    while at < len(lines):
        line = lines[at].rstrip()
        field = _FIELD.fullmatch(line)
        if field and field[1].lower() in _META:
            current = field[1].lower()
            if current not in _LISTED:
                if one.setdefault(current, field[2].strip()) != field[2].strip():
                    again.append(current)
            elif field[2].strip():
                many[current] = (*many.get(current, ()), field[2].strip())
        elif line.startswith("- ") and current in _LISTED:
            many[current] = (*many.get(current, ()), line[2:].strip())
        elif line:
            break
        at += 1
    return Fields(one, many, "\n".join(lines[at:]).strip("\n"), tuple(again))


def claim_of(
    section: Section, source: str, module: str, place: str, *, decode: bool
) -> tuple[Claim, tuple[Loss, ...]]:
    """The claim that a section makes in a file whose entries have the standing ``place``.

    ``decode``: the protocol wraps words that look like fields in a fence of its own.
    """
    head = head_of(section.title)
    fields = fields_of(section.text) if head.mark else Fields({}, {}, section.text.strip("\n"))
    body = _decoded(fields.body) if decode else fields.body
    place, why = _standing(fields, place, body)
    cited, lost = _cited(fields, source, section.line)
    if place == ACTIVE and any(key in _UNCONFIRMED.values() for key, _ in cited):
        place, why = CANDIDATE, "its evidence is unconfirmed"
    area = fields.one.get("scope", "").partition("area:")[2].strip()
    if area and place == ACTIVE and not module.startswith("areas/"):
        if check_module(f"areas/{area}/") or "/" in area:
            place, why = CANDIDATE, "its scope is no area"
        else:
            module = f"areas/{area}/"
    supersedes = tuple(fields.one.get("supersedes", "").replace(",", " ").split())
    claim = Claim(
        source,
        section.line,
        head.title,
        body,
        place,
        module,
        why,
        subject=fields.one.get("subject", "") or fields.one.get("provisional-subject", ""),
        facet=fields.one.get("facet", "") or fields.one.get("provisional-facet", ""),
        evidence=cited,
        created=head.date,
        tags=tuple(word for word in (head.mark, *_types(fields)) if word),
        mark=head.mark,
        supersedes=tuple(mark.upper() for mark in supersedes if _MARK.fullmatch(mark)),
    )
    return claim, (*lost, *_unsaid(fields, claim))


def _types(fields: Fields) -> tuple[str, ...]:
    """What the entry calls itself, as tags."""
    said = (fields.one.get(name, "").lower() for name in ("entry-type", "candidate-type"))
    return tuple(dict.fromkeys(word for word in said if _TAG.fullmatch(word)))


def _unsaid(fields: Fields, claim: Claim) -> tuple[Loss, ...]:
    """The fields of an entry that have no place here."""
    whys = [
        f"{name} is kept only in the source: say it by hand"
        for name, value in fields.one.items()
        if name not in _TOLD and value
    ]
    whys += [f"{name} said again: only the first counts" for name in fields.again]
    marks = fields.one.get("supersedes", "").replace(",", " ").split()
    whys += [f"it supersedes {mark}, which is no entry's ID" for mark in marks if not _MARK.fullmatch(mark)]
    scope = fields.one.get("scope", "")
    if not _SCOPES.fullmatch(scope):
        whys.append(f"the scope {scope!r} is none here")
    if "aliases" in fields.many:
        whys.append("aliases of an entry: only a subject has any")
    for name in ("entry-type", "candidate-type"):
        if fields.one.get(name) and not _TAG.fullmatch(fields.one[name].lower()):
            whys.append(f"the {name} {fields.one[name]!r} is no tag")
    return tuple(Loss(claim.source, claim.line, why) for why in whys)


def entity_of(section: Section, source: str) -> Entity | None:
    """The subject that a section of ``subjects.md`` registers, or None."""
    head = head_of(section.title)
    if not head.mark.startswith("MC-SUBJ-"):
        return None
    fields = fields_of(section.text)
    kind = fields.one.get("kind", "").lower()
    ref = fields.one.get("canonical-ref", "").strip()
    aliases = list(fields.many.get("aliases", ()))
    scheme, _, rest = ref.partition(":")
    if scheme in KINDS and _REF.fullmatch(rest):
        ref = rest
    if ref and not _REF.fullmatch(ref):
        aliases.append(ref)
        ref = ""
    cited = ", ".join(fields.many.get("evidence", ()))
    body = "\n\n".join(
        part for part in (fields.body, f"Evidence in the source: {cited}." if cited else "") if part
    )
    merged = fields.one.get("merged-into", "").upper()
    return Entity(
        source,
        section.line,
        head.mark,
        head.title,
        kind if kind in KINDS else "concept",
        ref,
        tuple(dict.fromkeys((*aliases, head.mark))),
        merged,
        body,
    )


def _standing(fields: Fields, place: str, body: str) -> tuple[str, str]:
    """Where the entry stands, and what it was read as."""
    status = fields.one.get("status", "").lower()
    if status in ("superseded", "promoted", "retired", "archived") or fields.one.get("superseded-by"):
        return ARCHIVED, f"{status or 'superseded'} in the source"
    if status == "candidate":
        return CANDIDATE, "a candidate in the source"
    if place != ACTIVE:
        return place, ""
    if status not in ("", "active"):
        return CANDIDATE, f"its status is {status!r}"
    if fields.one.get("scope", "").startswith("local-"):
        return CANDIDATE, "its scope is one user or machine"
    if not body.strip():
        return CANDIDATE, "a heading without a text"
    return ACTIVE, ""


def _cited(fields: Fields, source: str, line: int) -> tuple[tuple[tuple[str, str], ...], tuple[Loss, ...]]:
    """What the entry cites in our words, and what has none."""
    cited: list[tuple[str, str]] = []
    lost = []
    for item in fields.many.get("evidence", ()):
        key, _, value = item.partition(":")
        if item in _UNCONFIRMED:
            cited.append((_UNCONFIRMED[item], item))
        elif key in _EVIDENCE and value:
            cited.append(
                (_EVIDENCE[key], value.lstrip("#") if key in ("issue", "pr") else value.partition("@")[0])
            )
        elif item not in _SILENT:
            lost.append(Loss(source, line, f"evidence of an unknown kind: {item}"))
    return tuple(cited), tuple(lost)


def _decoded(body: str) -> str:
    """The words without the fence in which protocol 0.7 and later keep what looks like fields."""
    if BODY_FENCE not in body:
        return body
    code = read_page("x\n\n" + body).code
    kept, inside, fence = [], False, ""
    for number, line in enumerate(body.split("\n"), 3):
        stripped = line.strip()
        if number in code and not inside and stripped.strip("`~") == BODY_FENCE:
            inside, fence = True, stripped.removesuffix(BODY_FENCE)
        elif inside and stripped == fence:
            inside = False
        else:
            kept.append(line)
    return "\n".join(kept)
