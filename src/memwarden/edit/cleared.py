"""Contents that were searched and tell nothing, by the ID under which git stores them: so that nobody has
to ask git for what lies in a file as well.

An ID is taken from the bytes themselves, so what is known of a file holds for the object of that ID.
"""

from __future__ import annotations

from hashlib import sha1

from memwarden.core.record import TYPE_CHECKING
from memwarden.edit.sieve import COMPRESSED

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memwarden.edit.topic import Topic


class Cleared:
    """Contents in which the sieve of ``topic`` found nothing; of some ``blobs`` that is known before."""

    def __init__(self, topic: Topic, blobs: Iterable[bytes] = ()) -> None:
        self.topic = topic
        self._blobs = set(blobs)

    def add(self, contents: Sequence[tuple[str, bytes]]) -> None:
        """Some contents, each with its name; a blob that is compressed in itself is told of in another way,
        and is not among those that are known."""
        self._blobs.update(
            sha1(b"blob %d\0%b" % (len(data), data), usedforsecurity=False).hexdigest().encode()
            for _, data in contents
            if not data.startswith(COMPRESSED)
        )

    def blobs_for(self, topic: Topic) -> frozenset[bytes]:
        """The blobs that certainly have nothing of ``topic`` either: all of them where it is no more than
        what was searched for, else none."""
        return frozenset(self._blobs) if self._covers(topic) else frozenset()

    def _covers(self, topic: Topic) -> bool:
        return topic.ids <= self.topic.ids and set(topic.marks) <= set(self.topic.marks)
