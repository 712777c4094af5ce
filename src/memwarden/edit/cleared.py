"""Contents that were searched and tell nothing, by the ID under which git stores them: so that nobody has
to ask git for what lies in a file as well.

An ID is taken from the bytes themselves, so what is known of a file holds for the object of that ID.
"""

from __future__ import annotations

from hashlib import sha1, sha256

from memwarden.core.record import TYPE_CHECKING
from memwarden.edit.sieve import is_compressed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memwarden.edit.topic import Topic


class Cleared:
    """Contents in which the sieve of ``topic`` found nothing; of some ``blobs`` that is known before.
    ``packed`` are files that nobody can look into, each with the IDs of its content."""

    def __init__(self, topic: Topic, blobs: Iterable[bytes] = ()) -> None:
        self.topic = topic
        self._blobs = set(blobs)
        self.packed: dict[str, tuple[str, str]] = {}

    def add(self, contents: Sequence[tuple[str, bytes]]) -> None:
        """Some contents, each with its name; a blob that is compressed in itself is told of in another way,
        and is not among those that are known."""
        self._blobs.update(
            sha1(b"blob %d\0%b" % (len(data), data), usedforsecurity=False).hexdigest().encode()
            for _, data in contents
            if not is_compressed(data)
        )

    def close(self, path: str, data: bytes) -> None:
        """Keep in mind a file that is compressed in itself."""
        self.packed[path] = blob_ids(data)

    def blobs_for(self, topic: Topic) -> frozenset[bytes]:
        """The blobs that certainly have nothing of ``topic`` either: all of them where it is no more than
        what was searched for, else none."""
        return frozenset(self._blobs) if self._covers(topic) else frozenset()

    def _covers(self, topic: Topic) -> bool:
        return topic.ids <= self.topic.ids and set(topic.marks) <= set(self.topic.marks)


def blob_ids(data: bytes) -> tuple[str, str]:
    """The ID of a content in either kind of repository."""
    whole = b"blob %d\0%b" % (len(data), data)
    return sha1(whole, usedforsecurity=False).hexdigest(), sha256(whole).hexdigest()
