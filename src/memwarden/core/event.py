"""An event: one immutable fact about a note, one small JSON file, appended and never edited."""

from __future__ import annotations

from memwarden.core.record import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Any

ADMITTED = "admitted"
FAILED = "failed"
REJECTED = "rejected"
MISSED = "missed"
PAID = "paid"
REINSTATED = "reinstated"
REVOKED = "revoked"
FORGOTTEN = "forgotten"
PURGED = "purged"
KINDS = (ADMITTED, FAILED, REJECTED, MISSED, PAID, REINSTATED, REVOKED, FORGOTTEN, PURGED)

SCHEMA = 1
FOLDER = "memory/events/"


class Event(NamedTuple):
    """One event as its file holds it.  ``facts`` is everything beyond the common fields
    (``condition``, ``condition_digest``, ``evidence``, ``how``, ``reason``, ``why``, ``count``...)."""

    note: str
    seq: int
    kind: str
    at: str = ""
    actor: tuple[str, str] = ("", "")
    commit: str = ""
    branch: str = ""
    dirty: bool = False
    facts: dict[str, Any] = {}
    path: str = ""
