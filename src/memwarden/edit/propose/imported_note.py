"""The text of an imported note, and how one that is here already is known again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memwarden.core.note import ACTIVE, DEBT, Note
from memwarden.core.record import NamedTuple
from memwarden.edit.fence import split
from memwarden.edit.fresh import new_note
from memwarden.edit.importing.harvest import PAID, Claim
from memwarden.edit.propose.admission import UNQUALIFIED

if TYPE_CHECKING:
    from collections.abc import Iterable


class Teller(NamedTuple):
    """Who imports, and when; ``trusted``: the word of this actor admits."""

    name: str
    date: str
    trusted: bool


def note_bytes(
    claim: Claim, note_id: str, teller: Teller, subject: str, facet: str, supersedes: Iterable[str]
) -> bytes:
    """The file of a claim: a person's word where it is to be believed, else where it came from."""
    vouched = claim.place in (ACTIVE, PAID)
    origin = f"imported from {claim.source}"
    if vouched:
        evidence = [{"user": f"{origin}, confirmed by {teller.name}"}]
    else:
        evidence = [{"conversation": origin} if teller.trusted else {"agent": f"{teller.name}, {origin}"}]
    evidence += [{key: value} for key, value in claim.evidence if not (vouched and key in UNQUALIFIED)]
    fields = {
        "id": note_id,
        "subject": subject,
        "facet": facet,
        "lifecycle": claim.lifecycle,
        "condition": _as_text(claim.until) if claim.lifecycle == DEBT else None,
        "anchors": [text if kind == "path" else {"command": text} for kind, text in claim.anchors],
        "evidence": evidence,
        "supersedes": list(supersedes),
        "created": claim.created or teller.date,
        "tags": list(claim.tags),
    }
    return new_note(fields, claim.title, claim.body)


def words_of(data: bytes) -> str:
    """A note's body without its title."""
    parts = split(data)
    body = "" if parts.fault else parts.text[parts.body :].replace("\r\n", "\n").strip()
    return body.partition("\n")[2].strip() if body.startswith("# ") else body


def anchors_of(note: Note) -> set[tuple[str, str]]:
    """A note's anchors as a claim has them."""
    return {(anchor.kind, anchor.text) for anchor in note.anchors}


def _as_text(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _as_text(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_as_text(inner) for inner in value]
    return value if value is None or isinstance(value, str) else str(value)
