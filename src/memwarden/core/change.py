"""One file's change, and the digests by which a plan and a journal name contents."""

from __future__ import annotations

from memwarden.core.canonical import hex_digest
from memwarden.core.record import NamedTuple

# The digest of what is not there.
ABSENT = "absent"


class FileChange(NamedTuple):
    """A file's content before and after; None is a file that is not there."""

    path: str
    before: bytes | None
    after: bytes | None


def digest_of(data: bytes | None) -> str:
    """``sha256:...`` of a content, or ``absent``."""
    return ABSENT if data is None else "sha256:" + hex_digest(data)
